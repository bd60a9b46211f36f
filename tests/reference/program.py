"""A whole program over a whole stream, as known at the last query."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from phenesthe.check.program import Checked, CheckedExclusive, CheckedMachine, CheckedProgram
from tests.reference.bindings import Arguments, Binding, restrict
from tests.reference.close import close_definition
from tests.reference.conditions import Conditions
from tests.reference.formulas import Formulas, is_positive_number, list_bodies
from tests.reference.intervals import OPEN, Interval, coalesce, find_ranges
from tests.reference.known import (
    Row,
    Rows,
    find_first_instant,
    find_query_time,
    know_dynamic,
    know_event,
    know_state,
    make_canonical,
)
from tests.reference.machines import evaluate_machine
from tests.reference.scopes import find_varying, list_kinds
from tests.reference.values import Scalar, Values


def evaluate(
    program: CheckedProgram,
    inputs: Rows,
    facts: Mapping[str, Iterable[Arguments]],
    *,
    until: int | None = None,
    start: int | None = None,
    params: Mapping[str, Scalar] | None = None,
) -> dict[str, set[Row]]:
    """Every definition's results at q: "the last instant in the input …, or `--until`".

    Parameters of type duration are given in ticks.
    """
    formulas = prepare(program, inputs, facts, until=until, start=start, params=params)
    if formulas is None:
        return {one.signature.name: set() for one in program.definitions}
    return {one.signature.name: evaluate_definition(one, formulas) for one in program.definitions}


def prepare(
    program: CheckedProgram,
    inputs: Rows,
    facts: Mapping[str, Iterable[Arguments]],
    *,
    until: int | None = None,
    start: int | None = None,
    params: Mapping[str, Scalar] | None = None,
) -> Formulas | None:
    """What is known at q before any definition is evaluated; None when there is no q."""
    table = {one.name: list(inputs.get(one.name, ())) for one in program.inputs}
    rows = [row for found in table.values() for row in found]
    q = find_query_time(rows) if until is None else until
    if q is None:
        return None
    least = find_first_instant(rows)
    first = least if start is None else start
    earliest = min((one for one in (first, least) if one is not None), default=q + 1)
    parameters = {one.name: one.value for one in program.parameters} | dict(params or {})
    kinds = list_kinds(program)
    formulas = Formulas(
        q=q,
        timeline=frozenset() if first is None else frozenset(range(first, q + 1)),
        everywhere=frozenset(range(earliest, q + 1)),
        kinds=kinds,
        conditions=Conditions(
            Values(program.unit, parameters),
            kinds,
            {name: set(map(make_canonical, found)) for name, found in facts.items()},
        ),
        events={},
        intervals={},
    )
    formulas.values.aggregates.append(formulas.aggregate)
    for one in program.inputs:
        match one.kind:
            case "event":
                formulas.events[one.name] = know_event(table[one.name], q)
            case "state":
                formulas.intervals[one.name] = know_state(table[one.name], q)
            case _:
                formulas.intervals[one.name] = know_dynamic(table[one.name], q)
    return formulas


def evaluate_definition(definition: Checked, formulas: Formulas) -> set[Row]:
    """The results, which are also kept for the definitions that use them."""
    return evaluate_closed(close_definition(definition, formulas.kinds), formulas)


def evaluate_closed(definition: Checked, formulas: Formulas) -> set[Row]:
    """The same for a definition that says where its variables end."""
    formulas.begin(definition)
    signature = definition.signature
    if any(map(formulas.has_calendar, list_bodies(definition))):
        formulas.timed.add(signature.name)
    if isinstance(definition, CheckedExclusive):
        held = evaluate_exclusive(definition, formulas)
    elif isinstance(definition, CheckedMachine):
        held = evaluate_machine(definition, formulas)
    elif signature.kind == "event":
        instants = formulas.find_instants(definition.body)
        true_at = {order(one, signature.arguments): times for one, times in instants.items()}
        formulas.events[signature.name] = true_at
        return {(arguments, t) for arguments, times in true_at.items() for t in times}
    else:
        intervals = formulas.find_intervals(definition.body)
        held = {order(one, signature.arguments): found for one, found in intervals.items()}
    formulas.intervals[signature.name] = held
    return {
        (arguments, a, None if b == OPEN else int(b))
        for arguments, found in held.items()
        for a, b in found
    }


def evaluate_exclusive(
    definition: CheckedExclusive, formulas: Formulas
) -> dict[Arguments, set[Interval]]:
    """ "where several φ are true at once, only the first listed counts; then value v holds on
    φv ~> (ψv or any other value's φ)"."""
    held: dict[Arguments, set[Interval]] = defaultdict(set)
    names = definition.signature.arguments[:-1]
    found = [formulas.find_instants(branch.body.start) for branch in definition.branches]
    labels = [formulas.values.read_literal(branch.label) for branch in definition.branches]
    # How long a clock runs that φ starts says nothing of which value it begins.
    begun: list[dict[Binding, set[int]]] = []
    for instants in found:
        begun.append(defaultdict(set))
        for binding, times in instants.items():
            begun[-1][restrict(binding, names)] |= times
    counted: dict[Binding, list[set[int]]] = {}
    for outer in set().union(*begun):
        counted[outer] = []
        for instants in begun:
            earlier = counted[outer]
            earlier.append(instants.get(outer, set()).difference(*earlier))
    for at, (branch, label) in enumerate(zip(definition.branches, labels, strict=True)):
        for binding, times in found[at].items():
            lengths = restrict(binding, find_varying(branch.body))
            if not all(is_positive_number(value) for _, value in lengths):
                continue
            outer = restrict(binding, names)
            others = [c for other, c in zip(labels, counted[outer], strict=True) if other != label]
            stops = formulas.find_stops(branch.body, binding).union(*others)
            expires = formulas.values.count_if_given(branch.body.expires, lengths)
            limit = formulas.values.count_if_given(branch.body.limit, lengths)
            starts = times & counted[outer][at]
            arguments = (*order(outer, names), label)
            held[arguments] |= find_ranges(starts, stops, expires, formulas.q, limit)
    return {arguments: coalesce(intervals) for arguments, intervals in held.items()}


def order(binding: Binding, names: tuple[str, ...]) -> Arguments:
    values = dict(binding)
    return tuple(values[name] for name in names)
