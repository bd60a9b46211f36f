"""The nodes of a program, and what they are called."""

from dataclasses import dataclass

from phenesthe.memory.inputs import Input
from phenesthe.memory.node import Edge, Node
from phenesthe.memory.recall import Recall
from phenesthe.stage.rows import Names


@dataclass(frozen=True, slots=True)
class Use:
    """A node under the names of the formula that it stands for."""

    node: Node
    names: tuple[str | None, ...]
    extras: tuple[tuple[str, str], ...] = ()

    def connect(self) -> Edge:
        return Edge(self.node, self.names, self.extras)


@dataclass(frozen=True, slots=True)
class Phenomenon:
    """An input or a definition: its node, and for each argument the column that has it."""

    node: Node
    arguments: Names


@dataclass(frozen=True, slots=True)
class Graph:
    """`nodes` are those of formulas, operands before what uses them."""

    inputs: dict[str, Input]
    nodes: list[Node]
    phenomena: dict[str, Phenomenon]
    recalls: list[Recall]
