"""The statements of a file."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from phenesthe.syntax.tree.base import Name, Node
from phenesthe.syntax.tree.states import MaximalRange
from phenesthe.syntax.tree.values import Literal_, Variable
from phenesthe.vocabulary import Kind, Unit, ValueType

if TYPE_CHECKING:
    from phenesthe.syntax.tree import Formula

TypeName: TypeAlias = Literal[ValueType, "duration"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Import(Node):
    """`import a.b;`"""

    module: tuple[str, ...]
    doc: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitDeclaration(Node):
    unit: Unit
    doc: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Node):
    """`report a, b;`: the definitions that a run of this file reports."""

    names: tuple[Name, ...]
    doc: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter(Node):
    name: Name
    type: TypeName
    default: Literal_
    doc: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument(Node):
    """A declared argument of an input or fact."""

    name: Name
    type: TypeName


@dataclass(frozen=True, slots=True, kw_only=True)
class Input(Node):
    kind: Kind
    name: Name
    arguments: tuple[Argument, ...]
    doc: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact(Node):
    name: Name
    arguments: tuple[Argument, ...]
    doc: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Head(Node):
    name: Name
    variables: tuple[Variable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition(Node):
    kind: Kind
    head: Head
    body: "Formula"
    doc: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch(Node):
    """One value of an exclusive state, and the range on which it holds."""

    label: Literal_
    body: MaximalRange


@dataclass(frozen=True, slots=True, kw_only=True)
class ExclusiveState(Node):
    """Its last head variable takes the label of the branch that holds."""

    head: Head
    branches: tuple[Branch, ...]
    doc: str | None = None


Defining: TypeAlias = Definition | ExclusiveState
Declaration: TypeAlias = (
    Import | UnitDeclaration | Report | Parameter | Input | Fact | Definition | ExclusiveState
)
