"""How many at once: states that count the values for which another one holds."""

from typing import TYPE_CHECKING

from phenesthe.frozen import dataclass
from phenesthe.syntax.tree.base import Node
from phenesthe.syntax.tree.values import Duration, Variable

if TYPE_CHECKING:
    from phenesthe.syntax.tree import Formula


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting(Node):
    """`at least N X of operand`, or `count X of operand as K`: the one has `least`, the other
    `number`. What is `counted` is local to it.
    """

    counted: tuple[Variable, ...]
    operand: "Formula"
    least: Duration | None = None
    number: Variable | None = None

    @property
    def word(self) -> str:
        return "count" if self.least is None else "at least"

    @property
    def local(self) -> frozenset[str]:
        return frozenset([one.name for one in self.counted])

    @property
    def names(self) -> tuple[str, ...]:
        """What it gives a value."""
        return () if self.number is None else (self.number.name,)
