"""What wraps a formula of any kind: a timeless filter, and the closing of a variable's scope."""

from dataclasses import field
from typing import TYPE_CHECKING

from phenesthe.frozen import dataclass
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree.base import Node
from phenesthe.syntax.tree.values import Value, Variable

if TYPE_CHECKING:
    from phenesthe.syntax.tree import Formula


@dataclass(frozen=True, slots=True, kw_only=True)
class Where(Node):
    operand: "Formula"
    condition: "Formula"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment(Node):
    """`X = value`."""

    variable: Variable
    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Let(Node):
    """`operand let X = value, …`: each value sees the variables before it."""

    operand: "Formula"
    assignments: tuple[Assignment, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple([one.variable.name for one in self.assignments])


@dataclass(frozen=True, slots=True, kw_only=True)
class Exists(Node):
    """Some value of `variables` makes `operand` true. Put in by the checker, never written.

    `reach` is where the same name is the same variable: the operand, or the `or` or `union` of
    which the operand is an alternative.
    """

    variables: tuple[str, ...]
    operand: "Formula"
    reach: Span = field(compare=False, repr=False)
