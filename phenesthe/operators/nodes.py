"""Which node computes and remembers which operator.

An operator and its node are in files of the same name. Each node is loaded when a program has its
operator: all of them, with their kernels, take longer to load than a small run takes otherwise.
"""

from typing import Any, assert_never

from phenesthe.graph.aggregates import Aggregated
from phenesthe.graph.calendars import Calendar
from phenesthe.graph.counting import Counting
from phenesthe.graph.every import AnyOperator
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
from phenesthe.operators.node import Node


def get_node(operator: AnyOperator) -> type[Node[Any]]:
    match operator:
        case Select():
            from phenesthe.operators.select import SelectNode

            return SelectNode
        case Instant():
            from phenesthe.operators.instant import InstantNode

            return InstantNode
        case Calendar():
            from phenesthe.operators.calendars import CalendarNode

            return CalendarNode
        case Ranges():
            from phenesthe.operators.ranges import RangesNode

            return RangesNode
        case Repeat():
            from phenesthe.operators.repeats import RepeatNode

            return RepeatNode
        case Union():
            from phenesthe.operators.sets import UnionNode

            return UnionNode
        case Intersection():
            from phenesthe.operators.sets import IntersectionNode

            return IntersectionNode
        case Complement():
            from phenesthe.operators.sets import ComplementNode

            return ComplementNode
        case Lasting():
            from phenesthe.operators.filters import LastingNode

            return LastingNode
        case Counting():
            from phenesthe.operators.counting import CountingNode

            return CountingNode
        case Where():
            from phenesthe.operators.filters import WhereNode

            return WhereNode
        case Let():
            from phenesthe.operators.filters import LetNode

            return LetNode
        case Project():
            from phenesthe.operators.filters import ProjectNode

            return ProjectNode
        case Extended():
            from phenesthe.operators.extended import ExtendedNode

            return ExtendedNode
        case Aggregated():
            from phenesthe.operators.aggregates import AggregatedNode

            return AggregatedNode
        case Before() if operator.is_whole:
            from phenesthe.operators.whole import WholeBeforeNode

            return WholeBeforeNode
        case Before():
            from phenesthe.operators.sequences import BeforeNode

            return BeforeNode
        case Followed() if operator.is_whole:
            from phenesthe.operators.whole import WholeFollowedNode

            return WholeFollowedNode
        case Followed():
            from phenesthe.operators.sequences import FollowedNode

            return FollowedNode
        case Preceded() if operator.is_whole:
            from phenesthe.operators.whole import WholePrecededNode

            return WholePrecededNode
        case Preceded():
            from phenesthe.operators.sequences import PrecededNode

            return PrecededNode
        case Related():
            from phenesthe.operators.relations import RelatedNode

            return RelatedNode
        case NearlyRelated() if operator.is_whole:
            from phenesthe.operators.whole import WholeNearlyRelatedNode

            return WholeNearlyRelatedNode
        case NearlyRelated():
            from phenesthe.operators.relations import NearlyRelatedNode

            return NearlyRelatedNode
        case Participants():
            from phenesthe.operators.relations import ParticipantsNode

            return ParticipantsNode
        case DenseRelated():
            from phenesthe.operators.whole import DenseRelatedNode

            return DenseRelatedNode
        case Machine():
            from phenesthe.operators.machines import MachineNode

            return MachineNode
        case _:
            assert_never(operator)
