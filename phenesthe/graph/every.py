"""All operators."""

from typing import TypeAlias

from phenesthe.graph.aggregates import Aggregated
from phenesthe.graph.calendars import Calendar
from phenesthe.graph.counting import Counting
from phenesthe.graph.extended import Extended
from phenesthe.graph.filters import Lasting, Let, Project, Where
from phenesthe.graph.instant import Instant
from phenesthe.graph.machines import Machine
from phenesthe.graph.ranges import Ranges
from phenesthe.graph.relations import NearlyRelated, Participants, Related
from phenesthe.graph.repeats import Repeat
from phenesthe.graph.select import Select
from phenesthe.graph.sequences import Before, Followed, Preceded
from phenesthe.graph.sets import Complement, Intersection, Union
from phenesthe.graph.whole import DenseRelated

#: Whoever looks at what an operator is covers all of these, or does not pass the type checker.
AnyOperator: TypeAlias = (
    Select | Instant | Calendar
    | Ranges | Repeat | Union | Intersection | Complement | Lasting | Counting
    | Where | Let | Project | Extended | Aggregated
    | Before | Followed | Preceded | Related | NearlyRelated | Participants
    | DenseRelated
    | Machine
)  # fmt: skip
