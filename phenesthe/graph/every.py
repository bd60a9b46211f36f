"""All operators, and a program as a graph of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from phenesthe.check.program import Signature
from phenesthe.graph.aggregates import Aggregated
from phenesthe.graph.calendars import Calendar
from phenesthe.graph.counting import Counting
from phenesthe.graph.extended import Extended
from phenesthe.graph.filters import Lasting, Let, Project, Where
from phenesthe.graph.instant import Instant
from phenesthe.graph.machines import Machine
from phenesthe.graph.operator import Phenomenon, Source
from phenesthe.graph.ranges import Ranges
from phenesthe.graph.relations import NearlyRelated, Participants, Related
from phenesthe.graph.repeats import Repeat
from phenesthe.graph.select import Select
from phenesthe.graph.sequences import Before, Followed, Preceded
from phenesthe.graph.sets import Complement, Intersection, Union
from phenesthe.graph.whole import DenseRelated
from phenesthe.vocabulary import Scalar, ValueType

#: Whoever looks at what an operator is covers all of these, or does not pass the type checker.
AnyOperator: TypeAlias = (
    Select | Instant | Calendar
    | Ranges | Repeat | Union | Intersection | Complement | Lasting | Counting
    | Where | Let | Project | Extended | Aggregated
    | Before | Followed | Preceded | Related | NearlyRelated | Participants
    | DenseRelated
    | Machine
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Graph:
    """A program: its inputs by name, its operators by id, operands before what uses them.

    `written` are the same operators as often as they are written, each with the names and the
    origin it has there; those with one origin are one formula. `phenomena` are inputs and
    definitions in their order. `constants` are texts, which are compared by their codes, and
    labels, which are reported: both need a code.
    """

    sources: Mapping[str, Source]
    operators: Mapping[str, AnyOperator]
    written: tuple[AnyOperator, ...]
    phenomena: Mapping[str, Phenomenon]
    definitions: Mapping[str, Signature]
    facts: tuple[Signature, ...]
    constants: Mapping[ValueType, tuple[Scalar, ...]]
