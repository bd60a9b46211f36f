"""What random replays put a memory to: late rows, retractions, results revised far back."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from phenesthe.check.program import CheckedExclusive, CheckedMachine, CheckedProgram
from phenesthe.check.scopes import Scopes
from phenesthe.plan.columns import bodies_of
from phenesthe.syntax.tree import Atom, Formula
from phenesthe.syntax.tree.walk import children
from phenesthe.syntax.values import is_formula
from tests.equivalence.coverage import label_machine, label_node
from tests.equivalence.windowed import Expected
from tests.reference import Row
from tests.reference.windowed import OF_NOTHING, TOO_LATE


@dataclass(slots=True)
class WindowedCoverage:
    counts: Counter[str] = field(default_factory=Counter)
    #: Per construct, over definitions and queries: a definition with it was evaluated; it changed;
    #: after a late row what was known before changed; that lay before the window.
    evaluated: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    revised: Counter[str] = field(default_factory=Counter)
    far: Counter[str] = field(default_factory=Counter)

    def add(self, program: CheckedProgram, expected: Sequence[Expected], window: int) -> None:
        labels = {
            definition.signature.name: list_labels(program, definition.signature.name)
            for definition in program.definitions
        }
        before: dict[str, set[Row]] = {name: set() for name in program.reported}
        last: int | None = None
        self.counts["cases"] += 1
        for one in expected:
            late = self.count_operations(one, last)
            changed = revised = far = False
            for name, rows in one.results.items():
                added, removed = rows - before[name], before[name] - rows
                changes = list_revisions(added, removed, last)
                is_far = any(row[1] <= one.query.time - window for row in changes)
                self.evaluated.update(labels[name])
                self.changed.update(labels[name] if added or removed else ())
                self.revised.update(labels[name] if late and changes else ())
                self.far.update(labels[name] if is_far else ())
                changed, revised = changed or bool(added or removed), revised or bool(changes)
                far = far or is_far
            self.counts["queries"] += 1
            self.counts["queries with changes"] += changed
            self.counts["queries that revise what was known before"] += revised
            self.counts["queries that revise what lies before the window"] += far
            before, last = one.results, one.query.time

    def count_operations(self, expected: Expected, last: int | None) -> int:
        """How many late operations are used."""
        late = 0
        for name, operations in expected.query.operations.items():
            refused = expected.query.refused[name]
            used = [one for at, one in enumerate(operations) if at not in refused]
            late += sum(last is not None and one.time <= last for one in used)
            reasons = Counter(refused.values())
            self.counts["operations"] += len(operations)
            self.counts["operations too late"] += reasons[TOO_LATE]
            self.counts["retractions of nothing"] += reasons[OF_NOTHING]
            self.counts["retractions used"] += sum(one.retract for one in used)
        self.counts["late operations used"] += late
        return late

    def merge(self, other: "WindowedCoverage") -> None:
        for mine, its in (
            (self.counts, other.counts),
            (self.evaluated, other.evaluated),
            (self.changed, other.changed),
            (self.revised, other.revised),
            (self.far, other.far),
        ):
            mine.update(its)

    def list_lines(self) -> list[str]:
        lines = [f"{label:50} {count:>9,}" for label, count in self.counts.items()]
        columns = ("evaluated", "changed", "revised", "far back")
        lines.append(f"{'definitions with':32} " + " ".join(f"{one:>9}" for one in columns))
        for label in sorted(self.evaluated):
            counted = (self.evaluated, self.changed, self.revised, self.far)
            lines.append(f"{label:32} " + " ".join(f"{one[label]:>9,}" for one in counted))
        return lines


def list_revisions(added: set[Row], removed: set[Row], last: int | None) -> list[Row]:
    """The changes of what was known at the last query.

    None are new results, nor an open interval whose end time has brought.
    """
    if last is None:
        return []
    ended = {row[:2] for row in added if len(row) == 3 and row[2] is not None and row[2] > last}
    return [
        *(row for row in added if (row[1] if row[-1] is None else row[-1]) <= last),
        *(row for row in removed if row[-1] is not None or row[:2] not in ended),
    ]


def list_labels(program: CheckedProgram, name: str) -> set[str]:
    """The constructs of a definition and of those it uses."""
    definitions = {one.signature.name: one for one in program.definitions}
    definition = definitions[name]
    scopes = Scopes(lambda used: used in {fact.name for fact in program.facts})
    labels = {
        label for body in bodies_of(definition) for node in list_formulas(body, scopes)
        for label in label_node(node, scopes)
    }  # fmt: skip
    if isinstance(definition, CheckedExclusive):
        labels.add("exclusive state")
    if isinstance(definition, CheckedMachine):
        labels.update(label_machine(definition))
    used = [one for one in definition.uses if one in definitions]
    return labels.union(*(list_labels(program, one) for one in used))


def list_formulas(formula: Formula, scopes: Scopes) -> Iterator[Formula]:
    """A formula and its parts, without conditions and values."""
    if scopes.is_condition(formula):
        return
    yield formula
    for part in () if isinstance(formula, Atom) else children(formula):
        if is_formula(part):
            yield from list_formulas(part, scopes)
