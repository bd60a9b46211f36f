"""Which node computes and remembers which operator.

An operator and its node are in files of the same name, and the node has the operator's name. Each
is loaded when a program has one: all of them take longer to load than a small run takes otherwise.
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, assert_never

from phenesthe.operators.node import Node

if TYPE_CHECKING:
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
    from phenesthe.operators.aggregates import AggregatedNode
    from phenesthe.operators.calendars import CalendarNode
    from phenesthe.operators.counting import CountingNode
    from phenesthe.operators.extended import ExtendedNode
    from phenesthe.operators.filters import LastingNode, LetNode, ProjectNode, WhereNode
    from phenesthe.operators.instant import InstantNode
    from phenesthe.operators.machines import MachineNode
    from phenesthe.operators.ranges import RangesNode
    from phenesthe.operators.relations import NearlyRelatedNode, ParticipantsNode, RelatedNode
    from phenesthe.operators.repeats import RepeatNode
    from phenesthe.operators.select import SelectNode
    from phenesthe.operators.sequences import BeforeNode, FollowedNode, PrecededNode
    from phenesthe.operators.sets import ComplementNode, IntersectionNode, UnionNode
    from phenesthe.operators.whole import (
        DenseRelatedNode,
        WholeBeforeNode,
        WholeFollowedNode,
        WholeNearlyRelatedNode,
        WholePrecededNode,
    )


def get_node(operator: "AnyOperator") -> type[Node[Any]]:
    return find_node(type(operator), operator.is_whole)


@cache
def find_node(kind: "type[AnyOperator]", is_whole: bool) -> type[Node[Any]]:
    """By its name, which `prove_nodes` says is there."""
    room = "whole" if is_whole else kind.__module__.rpartition(".")[2]
    module = import_module(f"phenesthe.operators.{room}")
    found: type[Node[Any]] = getattr(module, f"{'Whole' * is_whole}{kind.__name__}Node")
    return found


def prove_nodes(operator: "AnyOperator") -> type[Node[Any]]:
    """Never called: an operator without a node is a type error here."""
    match operator:
        case Select():
            return SelectNode
        case Instant():
            return InstantNode
        case Calendar():
            return CalendarNode
        case Ranges():
            return RangesNode
        case Repeat():
            return RepeatNode
        case Union():
            return UnionNode
        case Intersection():
            return IntersectionNode
        case Complement():
            return ComplementNode
        case Lasting():
            return LastingNode
        case Counting():
            return CountingNode
        case Where():
            return WhereNode
        case Let():
            return LetNode
        case Project():
            return ProjectNode
        case Extended():
            return ExtendedNode
        case Aggregated():
            return AggregatedNode
        case Before():
            return WholeBeforeNode if operator.is_whole else BeforeNode
        case Followed():
            return WholeFollowedNode if operator.is_whole else FollowedNode
        case Preceded():
            return WholePrecededNode if operator.is_whole else PrecededNode
        case Related():
            return RelatedNode
        case NearlyRelated():
            return WholeNearlyRelatedNode if operator.is_whole else NearlyRelatedNode
        case Participants():
            return ParticipantsNode
        case DenseRelated():
            return DenseRelatedNode
        case Machine():
            return MachineNode
        case _:
            assert_never(operator)
