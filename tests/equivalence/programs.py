"""Random programs, written as text, that the checker almost always accepts."""

from random import Random

from phenesthe.syntax.tree import Kind
from phenesthe.vocabulary import ValueType
from tests.equivalence.formulas import FormulaWriter
from tests.equivalence.vocabulary import Named, Scope, declare, vary

_KINDS: tuple[Kind, ...] = ("event", "state", "state", "state", "dynamic", "dynamic")
_LABELS: tuple[tuple[ValueType, tuple[str, ...]], ...] = (
    ("str", ("north", '"south"', "elsewhere")),
    ("int", ("1", "2", "9")),
    ("bool", ("true", "false")),
)


class ProgramWriter(FormulaWriter):
    def definition(self, number: int) -> str:
        self.budget = 14
        kind = self.pick(_KINDS)
        scope: dict[str, ValueType] = {}
        for _ in range(self.pick((0, 1, 1, 1, 2, 2, 3))):
            scope |= self.new_variable()
        name = f"{kind}_{number}"
        if kind == "state" and len(scope) < 3 and self.chance(0.22):
            write = self.exclusive if self.chance(0.6) else self.exclusive_range
            return write(f"exclusive_{number}", scope)
        depth = self.pick((1, 2, 2, 3, 3, 4))
        body = (self.let if self.chance(0.1) else self.write)(kind, depth, scope)
        if self.chance(0.1):
            with self.about(kind):
                body += f" where {self.condition(1, scope)}"
        self.known[kind].append(Named(name, tuple(scope.values())))
        return f"{kind} {name}({', '.join(scope)}) : {body};\n"

    def exclusive_range(self, name: str, scope: Scope) -> str:
        """Of any values: the last variable takes them from the left side."""
        value = self.new_variable()
        start = self.either("event", 2, {**scope, **value})
        stop = self.either("event", 2, self.choose_some({**scope, **value}, 0.6))
        body = f"{start} ~> {stop}{self.clauses()}"
        self.known["state"].append(Named(name, (*scope.values(), *value.values())))
        return f"exclusive state {name}({', '.join((*scope, *value))}) : {body};\n"

    def exclusive(self, name: str, scope: Scope) -> str:
        type_name, labels = self.pick(_LABELS)
        value = next(iter(self.new_variable((type_name,))))
        branches = []
        for label in labels[: self.pick((1, 2, 2, 3))]:
            start = self.either("event", 2, scope)
            stop = self.either("event", 2, self.choose_some(scope, 0.8))
            branches.append(f"    {label} : {start} ~> {stop}{self.clauses()};\n")
        self.known["state"].append(Named(name, (*scope.values(), type_name)))
        return f"exclusive state {name}({', '.join((*scope, value))}) {{\n{''.join(branches)}}}\n"


def write_program(random: Random) -> str:
    writer = ProgramWriter(random)
    unit = ""
    if random.random() < 0.1:
        unit, writer.suffix = "unit millisecond;\n", "ms"
    count = random.choice((5, 6, 7))
    definitions = "".join(writer.definition(number) for number in range(count))
    return unit + vary(declare(definitions), random) + definitions
