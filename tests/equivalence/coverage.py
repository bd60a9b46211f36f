"""Which constructs random cases use, and how often they give something."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from phenesthe.check.aggregates import list_aggregates
from phenesthe.check.bound_negation import is_dense, is_guarded
from phenesthe.check.program import CheckedExclusive, CheckedMachine, CheckedProgram
from phenesthe.check.scopes import Scopes
from phenesthe.plan.columns import bodies_of
from phenesthe.syntax.clauses import list_durations, list_varying
from phenesthe.syntax.tree import (
    And,
    Arithmetic,
    Atom,
    Calendar,
    Call,
    Comparison,
    Complement,
    Counting,
    End,
    Exists,
    Formula,
    In,
    Intersection,
    Lasting,
    Let,
    MaximalRange,
    Not,
    Or,
    Relation,
    Repeat,
    Start,
    Then,
    Union,
    Where,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression, walk
from phenesthe.vocabulary import INVERSES, MOMENTS
from tests.equivalence.alternatives import label_lacking
from tests.equivalence.compare import Results
from tests.reference.formulas import Formulas

#: The parts of a formula that have a result of their own.
_FORMULAS = (
    Atom, Calendar, Comparison, And, Or, Not, In, Start, End, MaximalRange, Repeat, Union,
    Intersection, Complement, Lasting, Then, Counting, Relation, Where, Let, Exists,
)  # fmt: skip


@dataclass(slots=True)
class Coverage:
    """Per construct: how often it was evaluated, and how often with a result that is not empty."""

    evaluated: Counter[str] = field(default_factory=Counter)
    filled: Counter[str] = field(default_factory=Counter)

    def add(self, program: CheckedProgram, formulas: Formulas, results: Results) -> None:
        seen: dict[int, bool] = {}
        for (key, *_), instants in formulas.instants_of.items():
            seen[key] = seen.get(key, False) or bool(instants)
        for (key, _), intervals in formulas.intervals_of.items():
            seen[key] = seen.get(key, False) or bool(intervals)
        scopes = Scopes(lambda name: name in {fact.name for fact in program.facts})
        for definition in formulas.evaluated:
            if isinstance(definition, CheckedExclusive):
                self.count("exclusive state", bool(results[definition.signature.name]))
            if isinstance(definition, CheckedMachine):
                for label in label_machine(definition):
                    self.count(label, bool(results[definition.signature.name]))
            for body in bodies_of(definition):
                for label, operator in label_lacking(body, scopes):
                    if id(operator) in seen:
                        self.count(label, seen[id(operator)])
                for node in walk(body):
                    if isinstance(node, _FORMULAS) and id(node) in seen:
                        for label in label_node(node, scopes):
                            self.count(label, seen[id(node)])

    def count(self, label: str, filled: bool) -> None:
        self.evaluated[label] += 1
        self.filled[label] += filled

    def merge(self, other: "Coverage") -> None:
        self.evaluated.update(other.evaluated)
        self.filled.update(other.filled)

    def list_lines(self) -> list[str]:
        lines = [f"{'construct':32} {'evaluated':>9} {'not empty':>9}"]
        for label in sorted(self.evaluated):
            share = self.filled[label] / self.evaluated[label]
            lines.append(f"{label:32} {self.evaluated[label]:>9,} {share:>9.0%}")
        return lines


def label_aggregates(node: Expression) -> Iterator[str]:
    for one in list_aggregates(node):
        span = " over" if one.over is not None else " past" if one.past is not None else ""
        of = " of" if one.function == "count" and one.of else ""
        yield f"aggregate {one.function}{of}{span}"


def label_machine(machine: CheckedMachine) -> Iterator[str]:
    transitions = machine.transitions
    events = list(machine.events)
    yield "machine"
    if len(events) < len(transitions):
        yield "machine, after"
    if any(one.source is None for one in transitions):
        yield "machine, from any value"
    if any(one.target is None for one in transitions):
        yield "machine that ends"
    if any(one.source is not None and one.source == one.target for one in transitions):
        yield "machine, a value to itself"
    if any(one in events[at + 1 :] for at, one in enumerate(events)):
        yield "machine, several transitions on one event"


def label_node(node: Formula, scopes: Scopes) -> Iterator[str]:
    """A construct may count under several names: the operator, and how it is used."""
    yield from (f"{clause.word}, a variable" for clause, _ in list_varying(node))
    match node:
        case Atom():
            yield "atom"
        case Calendar():
            yield node.name
        case And():
            yield "and"
            if any(isinstance(part, Not) for part in node.operands):
                yield "and not" if not is_dense(node, scopes) else "and not, unbounded"
            if is_guarded(node, scopes) and any(
                has_nested_not(one, scopes) for one in node.operands
            ):
                yield "and, not inside or or not"
            conditions = [part for part in node.operands if scopes.is_condition(part)]
            if conditions:
                yield "and condition"
            yield from (f"and {one}" for one in list_computing(conditions))
            yield from (f"and {one}()" for one in list_asked(conditions))
        case Or():
            yield "or, unbounded" if is_dense(node, scopes) else "or"
        case Not():
            yield "not, unbounded" if is_dense(node, scopes) else "not not"
        case In():
            word = "not in" if node.negated else "in"
            yield f"{word}, unbounded" if is_dense(node, scopes) else word
            if not node.negated and scopes.free(node.state) - scopes.free(node.event):
                yield "in, binding"
        case Start() | End():
            yield type(node).__name__.lower()
        case MaximalRange():
            clauses = [one.word for one, _ in list_durations(node)]
            yield " ".join(("~>", *clauses) if node.stop is not None else ("no ~>", *clauses))
            sides = [node.start, *([] if node.stop is None else [node.stop])]
            if node.value is not None:
                yield "exclusive state, any value"
            if any(is_dense(side, scopes) for side in sides):
                yield "~>, unbounded side"
        case Repeat():
            yield f"repeat gap {node.operator}"
            if node.condition is not None:
                yield "repeat with a condition"
        case Union() | Intersection() | Complement():
            yield node.name if isinstance(node, Complement) else type(node).__name__.lower()
        case Lasting():
            yield f"lasting {node.operator}"
        case Counting():
            yield node.word
            if len(node.counted) > 1:
                yield f"{node.word}, pairs"
        case Then():
            yield "then"
            if is_dense(node.left, scopes) or is_dense(node.right, scopes):
                yield "then, unbounded side"
        case Relation():
            yield from label_relation(node, scopes)
        case Where():
            yield "where"
            yield from (f"where {one}()" for one in list_asked((node.condition,)))
            yield from label_aggregates(node.condition)
        case Let():
            yield "let"
            values = [one.value for one in node.assignments]
            for value in values:
                yield from label_aggregates(value)
            yield from (f"let {one}" for one in list_computing(values))
            yield from (f"let {one}()" for one in list_asked(values))
        case Exists():
            yield "exists"
            if isinstance(node.operand, Or | Union):
                yield f"exists over {type(node.operand).__name__.lower()}"
        case Comparison():
            pass


def list_asked(parts: Iterable[Expression]) -> set[str]:
    found = (one for part in parts for one in walk(part) if isinstance(one, Call))
    return {one.function for one in found if one.function in MOMENTS}


def list_computing(parts: Iterable[Expression]) -> set[str]:
    """The functions, and the remainder."""
    nodes = [one for part in parts for one in walk(part)]
    calls = {one.function for one in nodes if isinstance(one, Call)}
    signs = {one.operator for one in nodes if isinstance(one, Arithmetic)}
    return calls.difference(MOMENTS, ("abs", "min", "max", "angle_diff", "distance")) | (
        signs & {"%"}
    )


def has_nested_not(node: Formula, scopes: Scopes) -> bool:
    """Whether it is an operand whose negations only its neighbours guard, not just one itself."""
    if scopes.is_condition(node) or is_guarded(node, scopes):
        return False
    return not (isinstance(node, Not) and is_guarded(node.operand, scopes))


def label_relation(node: Relation, scopes: Scopes) -> Iterator[str]:
    if node.mode is not None:
        yield f"{node.name} as"
        yield f"as {node.mode}"
    else:
        yield node.name
    if node.within is not None:
        exact = node.name not in ("before", "after")
        yield f"{INVERSES.get(node.name, node.name)} within" if exact else "within"
    if node.apart is not None:
        yield "from"
    if is_dense(node.left, scopes) or is_dense(node.right, scopes):
        yield "relation, unbounded side"
