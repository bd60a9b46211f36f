"""Choose relations, operators and durations again where a random choice finds nothing.

Two random states are seldom `equals`, and what is empty hides what is built on it. So each such
node of a program is given one of the choices that give it a result on the stream at hand.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, TypeVar, cast

from phenesthe.check.program import (
    Checked,
    CheckedDefinition,
    CheckedExclusive,
    CheckedMachine,
    CheckedProgram,
)  # fmt: skip
from phenesthe.syntax.parser import parse
from phenesthe.syntax.printer import print_formula, print_value
from phenesthe.syntax.source import Source
from phenesthe.syntax.tree import (
    INVERSES,
    After,
    And,
    Atom,
    Branch,
    Calendar,
    Comparison,
    ComparisonOperator,
    Counting,
    Defining,
    Definition,
    Duration,
    ExclusiveState,
    Exists,
    Formula,
    IntLiteral,
    Lasting,
    Machine,
    MaximalRange,
    Relation,
    Repeat,
    Transition,
    UnitDeclaration,
    Variable,
    Where,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression, children, with_children
from tests.equivalence.formulas import ALL_RELATIONS, MODES, NEARLY, SIDES
from tests.equivalence.streams import Stream
from tests.equivalence.vocabulary import declare
from tests.reference.close import close_definition
from tests.reference.formulas import Formulas
from tests.reference.intervals import OPEN
from tests.reference.program import evaluate_closed, prepare

Node = TypeVar("Node", bound=Expression)

_OPPOSITE: dict[ComparisonOperator, ComparisonOperator] = {
    "<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "==",
}  # fmt: skip
_TICKS = (1, 2, 3, 4, 5, 6, 8, 12, 20)
#: How often a choice is left as it is, with or without a result.
_LEFT_ALONE = 0.1


def tune(text: str, program: CheckedProgram, stream: Stream, random: Random) -> str:
    """The text of a program like this one of which more is true on the stream."""
    formulas = prepare(program, stream.inputs, stream.facts, until=stream.until, start=stream.start)
    if formulas is None:
        return text
    tuner = Tuner(formulas, random)
    tuned: dict[str, Checked] = {}
    filled: set[str] = set()
    for definition in program.definitions:
        better = tuner.tune_definition(close_definition(definition, formulas.kinds))
        tuned[definition.signature.name] = better
        if evaluate_closed(better, formulas):
            filled.add(definition.signature.name)
    kept = choose_definitions(tuned, filled, random)
    lines: list[str] = []
    unit = ""
    for declaration in parse(Source("program.phe", text)).declarations:
        match declaration:
            case UnitDeclaration():
                unit = f"unit {declaration.unit};\n"
            case Definition() | ExclusiveState() | Machine() if declaration.head.name.text in kept:
                lines.append(write_definition(copy_choices(declaration, tuned)))
    definitions = "".join(lines)
    return unit + declare(definitions, like=text) + definitions


def write_definition(declaration: Defining) -> str:
    """On lines of any length: the layout takes longer than all the rest."""
    head = declaration.head
    names = ", ".join(variable.name for variable in head.variables)
    if isinstance(declaration, Definition):
        body = print_formula(declaration.body)
        is_exclusive = isinstance(declaration.body, MaximalRange) and declaration.body.value
        kind = f"exclusive {declaration.kind}" if is_exclusive else declaration.kind
        return f"{kind} {head.name.text}({names}) : {body};\n"
    if isinstance(declaration, Machine):
        transitions = "".join(map(write_transition, declaration.transitions))
        initially = print_value(declaration.initially)
        return f"machine {head.name.text}({names}) initially {initially} {{\n{transitions}}}\n"
    branches = [
        f"    {print_value(one.label)} : {print_formula(one.body)};\n"
        for one in declaration.branches
    ]
    return f"exclusive state {head.name.text}({names}) {{\n{''.join(branches)}}}\n"


def write_transition(one: Transition) -> str:
    source, target = ("_" if end is None else print_value(end) for end in (one.source, one.target))
    if isinstance(one.when, After):
        return f"    {source} -> {target} : after {print_value(one.when.duration)};\n"
    return f"    {source} -> {target} : {print_formula(one.when)};\n"


def choose_definitions(tuned: dict[str, Checked], filled: set[str], random: Random) -> set[str]:
    """Some that give something, seldom one that does not, and all that they use."""
    names = list(tuned)
    wanted = [name for name in names if name in filled][: random.choice((2, 3, 4, 5))]
    if not wanted or random.random() < _LEFT_ALONE:
        wanted.append(random.choice(names))
    kept: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name in tuned and name not in kept:
            kept.add(name)
            wanted += tuned[name].uses
    return kept


class Tuner:
    def __init__(self, formulas: Formulas, random: Random) -> None:
        self.formulas = formulas
        self.random = random
        #: The reference knows formulas by their identity, so none may make room for another.
        self.kept: list[Expression] = []

    def tune_definition(self, definition: Checked) -> Checked:
        self.formulas.begin(definition)
        if isinstance(definition, CheckedDefinition):
            return replace(definition, body=self.tune_node(definition.body))
        if isinstance(definition, CheckedMachine):
            return self.tune_machine(definition)
        branches = tuple(
            Branch(label=one.label, body=self.tune_node(one.body), span=one.span)
            for one in definition.branches
        )
        return replace(definition, branches=branches)

    def tune_machine(self, machine: CheckedMachine) -> CheckedMachine:
        """What one event becomes, it becomes in all transitions that wait for it."""
        self.kept += machine.events
        tuned: list[tuple[Formula, Formula]] = []
        transitions: list[Transition] = []
        for one in machine.transitions:
            new: Formula | After
            if isinstance(one.when, After):
                new = replace(
                    one.when, duration=self.new_ticks(self.random.choice(machine.events), 1)
                )
            else:
                known = [better for event, better in tuned if event == one.when]
                new = known[0] if known else self.tune_node(one.when)
                tuned.append((one.when, new))
            transitions.append(replace(one, when=new))
        return replace(machine, transitions=tuple(transitions))

    def tune_node(self, node: Node) -> Node:
        parts = children(node)
        if parts:
            node = cast(Node, with_children(node, tuple(map(self.tune_node, parts))))
        self.kept.append(node)
        if self.random.random() < _LEFT_ALONE:
            return node
        choices = list(self.list_choices(node))
        self.kept += choices
        self.random.shuffle(choices)
        # Comparisons are as good as any if they give something; the rest is chosen anew.
        if isinstance(node, And | Where) and self.gives_something(node):
            return node
        found = next((choice for choice in choices if self.gives_something(choice)), None)
        if found is None and isinstance(node, Relation):
            # What is rare anyway should not be made up of failures.
            name = self.random.choice(("before", "after"))
            apart = node.apart if isinstance(node.apart, Variable) else None
            found = cast(Any, replace)(node, name=name, apart=apart)
            self.kept.append(found)
        return node if found is None else cast(Node, found)

    def gives_something(self, node: Expression) -> bool:
        formula = cast(Formula, node)
        try:
            if self.formulas.kind(formula) == "event":
                return bool(self.formulas.find_instants(formula))
            return bool(self.formulas.find_intervals(formula))
        except (ValueError, KeyError):
            # It needs variables that only its neighbours bind.
            return True

    def list_choices(self, node: Expression) -> Iterator[Expression]:
        match node:
            case Relation() if isinstance(node.within, Variable) or isinstance(
                node.apart, Variable
            ):
                pass  # another relation may not take it
            case Relation(mode=None):
                left, right = self.formulas.kind(node.left), self.formulas.kind(node.right)
                for name in ALL_RELATIONS:
                    one, other = SIDES[INVERSES.get(name, name)]
                    if name in INVERSES:
                        one, other = other, one
                    if left in one and right in other:
                        within = self.new_within(node, name)
                        apart = self.new_apart(node, name)
                        yield cast(Any, replace)(node, name=name, within=within, apart=apart)
            case Relation():
                for name in ALL_RELATIONS:
                    within = self.new_within(node, name)
                    modes = self.random.sample(MODES, k=3)
                    yield from (
                        cast(Any, replace)(node, name=name, within=within, mode=mode)
                        for mode in modes
                    )
            case Lasting():
                for operator in _OPPOSITE:
                    ticks = self.new_length(node.duration, node.operand)
                    yield replace(node, operator=operator, duration=ticks)
            case Repeat():
                conditions = [node.condition]
                if node.condition is not None:
                    conditions += [cast(Formula, one) for one in list_flipped(node.condition)]
                for operator in _OPPOSITE:
                    for condition in conditions:
                        gap = self.new_length(node.gap, node.event)
                        yield replace(node, operator=operator, gap=gap, condition=condition)
            case And() | Where():
                yield from list_flipped(node)
            case Counting() if node.least is not None:
                # Most that are at once at all are two.
                for least in (2, 3, 4):
                    yield replace(node, least=IntLiteral(value=least, span=node.span))
            case MaximalRange() if node.expires is not None or node.limit is not None:
                for _ in range(4):
                    new = {
                        name: self.new_length(known, node.start, 1)
                        for name in ("expires", "limit")
                        if (known := getattr(node, name)) is not None
                    }
                    yield cast(Any, replace)(node, **new)

    def new_within(self, node: Relation, name: str) -> Duration | None:
        takes = name in ("before", "after") or (node.mode is None and name in NEARLY)
        if takes and isinstance(node.within, Variable):
            return node.within
        if not takes or self.random.random() < 0.5:
            return None
        if self.random.random() < 0.5:
            return node.within
        one, other = self.list_times(node.left), self.list_times(node.right)
        if not one or not other:
            return node.within
        ticks = abs(self.random.choice(one) - self.random.choice(other))
        return IntLiteral(value=ticks, span=node.span)

    def new_apart(self, node: Relation, name: str) -> Duration | None:
        if node.apart is None or name not in ("before", "after"):
            return None
        if isinstance(node.apart, Variable) or self.random.random() < 0.3:
            return node.apart
        return self.new_ticks(self.random.choice((node.left, node.right)), 1)

    def new_length(self, known: Duration, node: Formula, least: int = 0) -> Duration:
        return known if isinstance(known, Variable) else self.new_ticks(node, least)

    def new_ticks(self, node: Formula, least: int = 0) -> IntLiteral:
        """Mostly a length of time that makes a difference: between two times of the formula, or
        from one to the query time, or almost so."""
        times = self.list_times(node)
        ticks = self.random.choice(_TICKS)
        if times and self.random.random() < 0.7:
            one, other = (self.random.choice(times) for _ in range(2))
            if self.random.random() < 0.5:
                one, other = self.random.choice((one, times[-1])), self.formulas.q
            ticks = abs(one - other) + self.random.choice((-1, 0, 0, 1, 1))
        return IntLiteral(value=max(ticks, least), span=node.span)

    def list_times(self, node: Formula) -> list[int]:
        """All the times of one of its bindings."""
        try:
            found = list(self.formulas.find_entities(node).values())
        except (ValueError, KeyError):
            return []
        if not found:
            return []
        chosen = self.random.choice(found)
        return sorted({int(t) for entity in chosen for t in entity if t != OPEN})


def list_flipped(node: Expression) -> Iterator[Expression]:
    """The formula with one of its own comparisons turned into its opposite."""
    if isinstance(node, Comparison):
        yield replace(node, operator=_OPPOSITE[node.operator])
        return
    parts = children(node)
    for at, part in enumerate(parts):
        if isinstance(part, Comparison | Exists | And):
            for flipped in list_flipped(part):
                yield with_children(node, (*parts[:at], flipped, *parts[at + 1 :]))


def copy_choices(declaration: Defining, tuned: dict[str, Checked]) -> Defining:
    better = tuned[declaration.head.name.text]
    if isinstance(declaration, Definition):
        assert isinstance(better, CheckedDefinition)
        return replace(declaration, body=copy_node(declaration.body, better.body))
    if isinstance(declaration, Machine):
        assert isinstance(better, CheckedMachine)
        transitions = tuple(
            replace(one, when=copy_event(one.when, other.when))
            for one, other in zip(declaration.transitions, better.transitions, strict=True)
        )
        return replace(declaration, transitions=transitions)
    assert isinstance(better, CheckedExclusive)
    branches = tuple(
        Branch(label=one.label, body=copy_node(one.body, other.body), span=one.span)
        for one, other in zip(declaration.branches, better.branches, strict=True)
    )
    return replace(declaration, branches=branches)


def copy_event(written: Formula | After, tuned: Formula | After) -> Formula | After:
    if isinstance(written, After) or isinstance(tuned, After):
        return tuned
    return copy_node(written, tuned)


def copy_node(written: Node, tuned: Expression) -> Node:
    """The formula as it was written, with the choices of the checked one."""
    while isinstance(tuned, Exists):
        tuned = tuned.operand
    if isinstance(tuned, Calendar):
        # It was written as an atom.
        return written
    if isinstance(written, Atom) and isinstance(tuned, Comparison):
        # A function that says yes or no was written like a fact.
        return written if tuned.operator == "==" else cast(Node, tuned)
    if isinstance(written, And | Where) and len(children(written)) != len(children(tuned)):
        # Conditions with aggregates are the filter of all the rest of a conjunction.
        return written
    if isinstance(written, And) and isinstance(tuned, Where):
        return written
    parts = zip(children(written), children(tuned), strict=True)
    node: Any = with_children(written, tuple([copy_node(one, other) for one, other in parts]))
    match tuned:
        case Relation():
            limits = {"within": tuned.within, "apart": tuned.apart}
            node = replace(node, name=tuned.name, mode=tuned.mode, **limits)
        case Lasting():
            node = replace(node, operator=tuned.operator, duration=tuned.duration)
        case Repeat():
            node = replace(node, operator=tuned.operator, gap=tuned.gap)
        case Comparison():
            node = replace(node, operator=tuned.operator)
        case Counting():
            node = replace(node, least=tuned.least)
        case MaximalRange():
            node = replace(node, expires=tuned.expires, limit=tuned.limit)
    return cast(Node, node)
