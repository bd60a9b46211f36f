"""Chooses what a duration is: mostly a constant, sometimes a variable and what gives it a value."""

from dataclasses import dataclass, field

from tests.equivalence.events import EventWriter
from tests.equivalence.vocabulary import Scope

#: How often a duration is a variable.
_VARYING = 0.2


@dataclass(frozen=True)
class Length:
    """`text` as it is written, None for a constant; `given` is what an operand must have for it,
    `fact` what must stand around."""

    text: str | None = None
    given: Scope = field(default_factory=dict)
    fact: str = ""

    @property
    def where(self) -> str:
        return f" where {self.fact}" if self.fact else ""


class LengthWriter(EventWriter):
    def duration(self, least: int = 0) -> str:
        ticks = self.pick((1, 2, 3, 4, 4, 5, 6, 8, 8, 12, 20))
        if self.chance(0.04):
            return self.pick((str(least), "9000000000000000000"))
        written = str(ticks), f"{ticks}{self.suffix}"
        return self.pick((*written, *written, "pause", "chosen"))

    def choose_length(self, scope: Scope) -> Length:
        if not self.chance(_VARYING):
            return Length()
        whole = [name for name, found in scope.items() if found == "int"]
        if whole and self.chance(0.2):
            return Length(self.pick(whole), {})
        name = next(iter(self.new_variable(("int",))))
        if self.chance(0.4):
            return Length(name, {name: "int"})
        return Length(name, {}, self.tell_length(name, scope))

    def tell_length(self, name: str, scope: Scope) -> str:
        """A fact that gives a length of time, and seldom several, or a condition more."""
        texts = [one for one, found in scope.items() if found == "str"]
        whole = [one for one, found in scope.items() if found == "int"]
        choices = [f"lasts({self.pick(whole)}, {name})"] * 3 if whole else [f"lasts(_, {name})"]
        choices += [f"stay({self.pick(texts)}, {name})"] * 3 if texts else [f"stay(_, {name})"]
        match self.random.randrange(10):
            case 0:
                return f"({self.pick(choices)} or {self.pick(choices)})"
            case 1:
                return f"({self.pick(choices)} and {self.condition(1, {**scope, name: 'int'})})"
            case _:
                return self.pick(choices)

    def filter_by(self, length: Length, formula: str) -> str:
        return f"({formula}{length.where})" if length.fact else formula
