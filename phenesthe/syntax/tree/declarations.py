"""The statements of a file."""

from dataclasses import field
from typing import TYPE_CHECKING, Literal, TypeAlias

from phenesthe.frozen import dataclass
from phenesthe.syntax.tree.base import Name, Node
from phenesthe.syntax.tree.states import MaximalRange
from phenesthe.syntax.tree.values import Duration, Literal_, StrLiteral, Variable
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


@dataclass(frozen=True, slots=True, kw_only=True)
class After(Node):
    """`after D`: that long after a value was entered."""

    duration: Duration


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition(Node):
    """`from -> to : event;` or `from -> to : after D;`.

    Without a source it leaves every value, without a target it ends the machine: both are `_`.
    """

    source: StrLiteral | None
    target: StrLiteral | None
    when: "Formula | After"


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine(Node):
    """A state whose last head variable takes the value that its transitions lead to."""

    head: Head
    initially: StrLiteral
    transitions: tuple[Transition, ...]
    doc: str | None = None


Defining: TypeAlias = Definition | ExclusiveState | Machine
Declaration: TypeAlias = Import | UnitDeclaration | Report | Parameter | Input | Fact | Defining
