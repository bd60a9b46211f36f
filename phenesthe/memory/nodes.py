"""What remembers each operator of a program."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from phenesthe.graph.operator import Source
from phenesthe.graph.program import Graph
from phenesthe.memory.deltas import DerivedInput
from phenesthe.memory.inputs import EventInput, GivenInput, IntervalInput
from phenesthe.operators.held import Edge, Holder
from phenesthe.operators.node import Node
from phenesthe.operators.nodes import get_node
from phenesthe.operators.work import World


@dataclass(frozen=True, slots=True)
class Nodes:
    """By the name of the input, by the id of the operator: operands before what uses them."""

    inputs: Mapping[str, GivenInput | DerivedInput]
    operators: Mapping[str, Node[Any]]
    #: Both by id: a definition that is but an input by another name is that input.
    holders: Mapping[str, Holder]

    def list_all(self) -> list[Holder]:
        return [*self.inputs.values(), *self.operators.values()]


def make_nodes(graph: Graph, world: World) -> Nodes:
    inputs = {name: _make_input(source, world) for name, source in graph.sources.items()}
    holders: dict[str, Holder] = {one.source.id: one for one in inputs.values()}
    nodes: dict[str, Node[Any]] = {}
    for id_, operator in graph.operators.items():
        edges = [Edge(holders[operand.producer], operand) for operand in operator.operands]
        holders[id_] = nodes[id_] = get_node(operator)(operator, edges, world)
    return Nodes(inputs, nodes, holders)


def _make_input(source: Source, world: World) -> GivenInput | DerivedInput:
    if source.is_derived:
        return DerivedInput(source, world.domains)
    if source.kind == "event":
        return EventInput(source, world.domains)
    return IntervalInput(source, world.domains)
