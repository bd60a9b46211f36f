"""Formulas that are true at instants, and the timeless conditions that filter them."""

from typing import TYPE_CHECKING

from phenesthe.frozen import dataclass
from phenesthe.syntax.tree.base import Name, Node
from phenesthe.syntax.tree.values import Term, Value
from phenesthe.vocabulary import ComparisonOperator

if TYPE_CHECKING:
    from phenesthe.syntax.tree import Formula


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom(Node):
    """A phenomenon or fact with its arguments; which it is, the checker decides."""

    name: Name
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Node):
    operator: ComparisonOperator
    left: Value
    right: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class And(Node):
    operands: "tuple[Formula, ...]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Or(Node):
    operands: "tuple[Formula, ...]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Not(Node):
    operand: "Formula"


@dataclass(frozen=True, slots=True, kw_only=True)
class In(Node):
    """`event in state`, or with `negated` `event not in state`."""

    event: "Formula"
    state: "Formula"
    negated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Start(Node):
    operand: "Formula"


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Node):
    operand: "Formula"
