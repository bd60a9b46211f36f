"""Writes atoms, values and timeless conditions over the variables of a scope."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import TypeVar

from phenesthe.vocabulary import ValueType
from tests.equivalence.vocabulary import CONSTANTS, EXTREMES, FACTS, PARAMETERS, Named, Scope

T = TypeVar("T")

#: What can be asked of a row of each kind.
MOMENTS: dict[str, tuple[str, ...]] = {
    "event": ("time()",),
    "state": ("start_time()", "end_time()", "duration()"),
    "dynamic": ("start_time()", "end_time()", "duration()"),
}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
#: Types of new variables: mostly those that many phenomena share.
_TYPES: tuple[ValueType, ...] = ("int", "int", "int", "int", "str", "str", "float", "bool")


class ConditionWriter:
    """Text is always in parentheses where an operator could be drawn to it."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.variables = 0
        #: The variables that the context gives a value.
        self.given: Scope = {}
        #: What may be asked of the row that a condition or a computation is about.
        self.moments: tuple[str, ...] = ()

    @contextmanager
    def about(self, kind: str) -> Iterator[None]:
        before, self.moments = self.moments, MOMENTS.get(kind, ())
        yield
        self.moments = before

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def pick(self, choices: Sequence[T]) -> T:
        return self.random.choice(choices)

    def new_variable(self, types: Sequence[ValueType] = _TYPES) -> dict[str, ValueType]:
        self.variables += 1
        return {f"X{self.variables}": self.pick(types)}

    def choose_some(self, scope: Scope, probability: float = 0.6) -> Scope:
        return {name: found for name, found in scope.items() if self.chance(probability)}

    def share_out(self, scope: Scope) -> tuple[Scope, Scope]:
        """Two scopes that make up the given one; what both have is joined on."""
        left, right = dict(scope), dict(scope)
        for name in scope:
            if self.chance(0.35):
                del self.pick((left, right))[name]
        if self.chance(0.15):
            joining = self.new_variable()
            left |= joining
            right |= joining
        return left, right

    def share_alternatives(self, scope: Scope) -> list[Scope]:
        """The scopes of alternatives: often some have a variable that nothing outside names."""
        scopes: list[Scope] = [scope] * self.pick((2, 2, 3))
        if self.chance(0.7):
            scopes = self.lack(scopes)
        while self.chance(0.46):
            joining = self.new_variable()
            lacking = self.random.randrange(len(scopes)) if len(scopes) > 2 else -1
            scopes = [one if at == lacking else {**one, **joining} for at, one in enumerate(scopes)]
        return scopes

    @contextmanager
    def beside(self, scope: Scope) -> Iterator[None]:
        """What is written now stands beside something that gives these variables a value."""
        before = self.given
        self.given = {**before, **scope}
        yield
        self.given = before

    def lack(self, scopes: list[Scope]) -> list[Scope]:
        """Some alternatives lack what the context has; one of them has it."""
        for name in [one for one in scopes[0] if one in self.given]:
            having = self.random.randrange(len(scopes))
            scopes = [
                {other: found for other, found in one.items() if other != name}
                if at != having and self.chance(0.65)
                else one
                for at, one in enumerate(scopes)
            ]
        return scopes

    # Atoms

    def fill(self, named: Named, scope: Scope) -> str:
        """An atom with all variables of the scope, which its arguments have room for."""
        places = list(range(len(named.types)))
        self.random.shuffle(places)
        arguments: dict[int, str] = {}
        for name, wanted in scope.items():
            place = next(at for at in places if named.types[at] == wanted and at not in arguments)
            arguments[place] = name
        for at in places:
            if at not in arguments:
                arguments[at] = self.fill_place(named.types[at], scope)
        return f"{named.name}({', '.join(arguments[at] for at in sorted(arguments))})"

    def fill_place(self, wanted: ValueType, scope: Scope) -> str:
        again = [name for name, found in scope.items() if found == wanted]
        match self.random.randrange(20):
            case 0 if again:
                return self.pick(again)
            case 1 | 2:
                return self.constant(wanted)
            case 3:
                return PARAMETERS[wanted][0]
            case 4 | 5 | 6 | 7:
                return next(iter(self.new_variable((wanted,))))
            case _:
                return "_"

    def constant(self, wanted: ValueType) -> str:
        # Floats are rarer than all others.
        share = 0.4 if wanted == "float" else 0.12
        return self.pick((EXTREMES if self.chance(share) else CONSTANTS)[wanted])

    def find_fitting(self, known: Sequence[Named], scope: Scope) -> list[Named]:
        wanted = sorted(scope.values())
        return [
            one for one in known
            if all(one.types.count(found) >= wanted.count(found) for found in wanted)
        ]  # fmt: skip

    # Conditions

    def bind_by_facts(self, scope: Scope) -> str:
        """A condition that gives all variables of the scope a value."""
        fitting = self.find_fitting(FACTS, scope)
        if not fitting:
            parts = [self.bind_by_facts({name: found}) for name, found in scope.items()]
            return f"({' and '.join(parts)})"
        atom = self.fill(self.pick(fitting), scope)
        match self.random.randrange(12):
            case 0:
                return f"({atom} or {self.fill(self.pick(fitting), scope)})"
            case 1:
                return f"({atom} and {self.condition(1, scope)})"
            case _:
                return atom

    def condition(self, depth: int, scope: Scope) -> str:
        """A condition that only filters: something else gives the variables their values."""
        match self.random.randrange(10 if depth > 0 else 6):
            case 0 | 1 | 2 | 3:
                return self.compare(scope)
            case 4 | 5:
                some = self.choose_some(scope)
                fitting = self.find_fitting(FACTS, some)
                return self.fill(self.pick(fitting), some) if fitting else self.compare(scope)
            case 6:
                return f"not {self.in_parentheses(self.condition(depth - 1, scope))}"
            case 7:
                word = self.pick((" and ", " or "))
                parts = [self.condition(depth - 1, scope) for _ in range(self.pick((2, 2, 3)))]
                if word == " or " and self.chance(0.3):
                    local = self.new_variable(("int", "float"))
                    parts[:2] = [self.compare_local(depth, scope, local) for _ in range(2)]
                return f"({word.join(parts)})"
            case 8:
                return self.compare_local(depth, scope)
            case _:
                return self.compare(scope)

    def in_parentheses(self, text: str) -> str:
        return f"({text})"

    def compare_local(self, depth: int, scope: Scope, local: Scope | None = None) -> str:
        """A fact gives a variable a value that only this condition looks at."""
        some = dict(list(self.choose_some(scope).items())[:1])
        local = local or self.new_variable(("int", "float"))
        fact = self.bind_by_facts({**some, **local})
        return f"({fact} and {self.condition(depth - 1, {**some, **local})})"

    def compare(self, scope: Scope) -> str:
        typed = [(name, found) for name, found in scope.items() if found in ("str", "bool")]
        numeric = {name: found for name, found in scope.items() if found in ("int", "float")}
        if typed and (not numeric or self.chance(0.3)):
            name, found = self.pick(typed)
            texts = [name for name, found in typed if found == "str"]
            if texts and self.chance(0.3):
                return self.test_text(texts)
            operators = COMPARISONS if found == "str" else ("==", "!=")
            same = [other for other, its in typed if its == found]
            return (
                f"{name} {self.pick(operators)} "
                f"{self.pick((*same, *CONSTANTS[found], PARAMETERS[found][0]))}"
            )
        texts = [name for name, found in typed if found == "str"]
        if texts and self.chance(0.3):
            left = f"length({self.text(texts)})"
        else:
            left = self.number(2, numeric)
        return f"{left} {self.pick(COMPARISONS)} {self.number(1, numeric)}"

    def test_text(self, texts: Sequence[str]) -> str:
        first, second = self.text(texts), self.text(texts)
        if self.chance(0.4):
            return f"{first} {self.pick(COMPARISONS)} {second}"
        name = self.pick(("starts_with", "ends_with", "includes"))
        part = self.pick((second, '"n"', '"S"', '"th"', '"or"', "north"))
        return f"{name}({first}, {part})"

    def text(self, texts: Sequence[str]) -> str:
        plain = self.pick((*texts, *texts, *CONSTANTS["str"][:1], "harbour"))
        return f"{self.pick(('lower', 'upper'))}({plain})" if self.chance(0.4) else plain

    def compute(self, wanted: ValueType, scope: Scope) -> str:
        """A value of the type, of variables that the row has."""
        numeric = {name: found for name, found in scope.items() if found in ("int", "float")}
        whole = {name: found for name, found in numeric.items() if found == "int"}
        same = [name for name, found in scope.items() if found == wanted]
        texts = [name for name, found in scope.items() if found == "str"]
        match wanted:
            case "int":
                return self.whole_number(numeric, whole, texts)
            case "float":
                plain = self.pick((*same, "1.5", "limit"))
                number = self.number(1, numeric)
                return self.pick(
                    (f"{plain} {self.pick('+-*/%')} {number}", f"sqrt({number})", plain,
                     f"{number} / {self.pick((*numeric, '2'))}")
                )  # fmt: skip
            case "str":
                return self.text(texts or ["harbour"])
            case "bool":
                if texts and self.chance(0.5):
                    return f"starts_with({self.text(texts)}, {self.pick(('north', 'harbour'))})"
                return self.pick((*same, "true", "wanted"))

    def whole_number(self, numeric: Scope, whole: Scope, texts: Sequence[str]) -> str:
        parts = (*whole, *self.moments, "chosen", "2")
        one, other = self.pick(parts), self.pick(parts)
        small = self.pick(("2", "3", "4", "-2", "chosen"))
        match self.random.randrange(8):
            case 0 | 1:
                return f"({one} {self.pick('+-*')} {other}) % {small}"
            case 2:
                return f"{one} {self.pick('+-*%')} {other}"
            case 3:
                return f"{self.pick(('floor', 'round'))}({self.number(2, numeric)})"
            case 4:
                return f"length({self.text(texts or ['harbour'])})"
            case 5:
                return one
            case _:
                return f"{one} % {small}"

    def number(self, depth: int, scope: Scope) -> str:
        if depth <= 0 or self.chance(0.5):
            if self.moments and self.chance(0.25):
                return self.pick(self.moments)
            if scope and self.chance(0.7):
                return self.pick(list(scope))
            if self.chance(0.15):
                return self.constant(self.pick(("int", "float")))
            return self.pick(("0", "1", "2", "1.5", "limit", "chosen", "pause", "-1"))
        first, second = self.number(depth - 1, scope), self.number(depth - 1, scope)
        match self.random.randrange(11):
            case 0:
                return f"abs({first})"
            case 9 | 10:
                return f"{self.pick(('sqrt', 'floor', 'round'))}({first})"
            case 1:
                return f"{self.pick(('min', 'max'))}({first}, {second})"
            case 2:
                return f"angle_diff({first}, {second} * 100)"
            case 3:
                return f"distance({first}, 0, {second}, 1) / 100000"
            case 4:
                return f"-({first})"
            case _:
                return f"({first} {self.pick('+-*/%')} {second})"
