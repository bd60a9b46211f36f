"""Random programs, written as text, that the checker almost always accepts."""

from random import Random

from phenesthe.syntax.tree import Kind
from phenesthe.vocabulary import ValueType
from tests.equivalence.formulas import FormulaWriter
from tests.equivalence.lengths import Length
from tests.equivalence.vocabulary import Named, Scope, declare, vary

_KINDS: tuple[Kind, ...] = ("event", "state", "state", "state", "dynamic", "dynamic")
_LABELS: tuple[tuple[ValueType, tuple[str, ...]], ...] = (
    ("str", ("north", '"south"', "elsewhere")),
    ("int", ("1", "2", "9")),
    ("bool", ("true", "false")),
)
#: Of machines; the first are also found in rows.
_VALUES = ("north", '"south"', "elsewhere", '"out of use"')


class ProgramWriter(FormulaWriter):
    def definition(self, number: int) -> str:
        self.budget = 14
        kind = self.pick(_KINDS)
        scope: dict[str, ValueType] = {}
        for _ in range(self.pick((0, 1, 1, 1, 2, 2, 3))):
            scope |= self.new_variable()
        name = f"{kind}_{number}"
        if kind == "state" and len(scope) < 3 and self.chance(0.32):
            write = self.pick(
                (self.exclusive,) * 3 + (self.exclusive_range,) * 2 + (self.machine,) * 3
            )
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
        length = self.choose_length(scope)
        start = self.begin({**scope, **value}, length, varies=length.text is not None)
        with self.beside({**scope, **value}):
            stop = self.either("event", 2, self.choose_some({**scope, **value}, 0.6))
        body = f"{start} ~> {stop}{self.clauses(length)}"
        self.known["state"].append(Named(name, (*scope.values(), *value.values())))
        return f"exclusive state {name}({', '.join((*scope, *value))}) : {body};\n"

    def begin(self, scope: Scope, length: Length, *, varies: bool) -> str:
        """What begins a value; where a clock varies, an event says when to look."""
        if not varies:
            return self.either("event", 2, scope)
        parts = [self.write("event", 2, {**scope, **length.given})]
        parts.append(self.atom("event", self.choose_some(scope)))
        parts += [length.fact] if length.fact else []
        return self.join_parts(parts)

    def exclusive(self, name: str, scope: Scope) -> str:
        type_name, labels = self.pick(_LABELS)
        value = next(iter(self.new_variable((type_name,))))
        branches = []
        labels = labels[: self.pick((1, 2, 2, 3))]
        lengths = [self.choose_length(scope) for _ in labels]
        varies = any(one.text is not None for one in lengths)
        for label, length in zip(labels, lengths, strict=True):
            start = self.begin(scope, length, varies=varies)
            with self.beside(scope):
                stop = self.either("event", 2, self.choose_some(scope, 0.8))
            branches.append(f"    {label} : {start} ~> {stop}{self.clauses(length)};\n")
        self.known["state"].append(Named(name, (*scope.values(), type_name)))
        return f"exclusive state {name}({', '.join((*scope, value))}) {{\n{''.join(branches)}}}\n"

    def machine(self, name: str, scope: Scope) -> str:
        """Few events, so that several transitions wait for one, and most can be fired."""
        value = next(iter(self.new_variable(("str",))))
        first, *others = _VALUES[: self.pick((1, 2, 2, 3, 3, 4))]
        events = [self.write("event", 2, scope) for _ in range(self.pick((1, 2, 2, 3)))]
        places = (first, *others, *others, "_")
        transitions = [(self.pick((first, first, "_")), self.pick(places[:-1]), events[0])]
        for _ in range(self.pick((0, 1, 2, 3, 4, 5))):
            source, target = self.pick(places), self.pick(places)
            when = f"after {self.duration(1)}" if self.chance(0.4) else self.pick(events)
            transitions.append((source, target, when))
        self.random.shuffle(transitions)
        lines = [f"    {source} -> {target} : {when};\n" for source, target, when in transitions]
        self.known["state"].append(Named(name, (*scope.values(), "str")))
        head = f"{name}({', '.join((*scope, value))})"
        return f"machine {head} initially {first} {{\n{''.join(lines)}}}\n"


def write_program(random: Random) -> str:
    writer = ProgramWriter(random)
    unit = ""
    if random.random() < 0.1:
        unit, writer.suffix = "unit millisecond;\n", "ms"
    count = random.choice((5, 6, 7))
    definitions = "".join(writer.definition(number) for number in range(count))
    return unit + vary(declare(definitions), random) + definitions
