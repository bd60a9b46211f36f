"""Machines: one binding at a time, from one instant at which something can happen to the next."""

from collections import defaultdict

from phenesthe.check.program import CheckedMachine
from phenesthe.syntax.tree import After, Transition
from tests.reference.bindings import Arguments, Binding
from tests.reference.formulas import Formulas
from tests.reference.intervals import OPEN, Interval, coalesce

#: A value, from when it was entered until it was left or entered again.
Stay = tuple[str, Interval]


def evaluate_machine(machine: CheckedMachine, formulas: Formulas) -> dict[Arguments, set[Interval]]:
    """ "The last head variable is the value, a text; the events … bind all others." """
    found = {
        at: formulas.find_instants(one.when)
        for at, one in enumerate(machine.transitions)
        if not isinstance(one.when, After)
    }
    held: dict[Arguments, set[Interval]] = defaultdict(set)
    names = machine.signature.arguments[:-1]
    bindings: set[Binding] = set().union(*found.values())
    for binding in bindings:
        events = {at: times.get(binding, set()) for at, times in found.items()}
        arguments = tuple(dict(binding)[name] for name in names)
        for value, stay in follow(machine, events, formulas):
            held[(*arguments, value)].add(stay)
    # "A transition to the value already held … cuts nothing."
    return {arguments: coalesce(stays) for arguments, stays in held.items()}


def follow(machine: CheckedMachine, events: dict[int, set[int]], formulas: Formulas) -> list[Stay]:
    stays: list[Stay] = []
    # "before its first transition the machine is in the value after `initially`, which has no
    # clock and is not reported until a transition enters it"
    value, entered = machine.initially.value, None
    instants = sorted(set().union(*events.values()))
    while True:
        deadlines = list_deadlines(machine, value, entered, formulas)
        waiting = [t for t in deadlines.values() if t <= formulas.q]
        if not instants and not waiting:
            break
        t = min([*instants[:1], *waiting])
        # "at one instant an event wins"
        fired = find_event(machine, value, events, t)
        if fired is None and t in deadlines.values():
            # "of several the earliest, on a tie the first listed"
            fired = min(at for at, deadline in deadlines.items() if deadline == t)
        instants = [one for one in instants if one > t]
        if fired is None:
            continue
        if entered is not None:
            stays.append((value, (entered, t)))
        target = machine.transitions[fired].target
        # "A right `_` ends it: the machine is as before its first transition"
        value, entered = (machine.initially.value, None) if target is None else (target.value, t)
    if entered is not None:
        stays.append((value, (entered, OPEN)))
    return stays


def find_event(
    machine: CheckedMachine, value: str, events: dict[int, set[int]], t: int
) -> int | None:
    """ "transitions are judged by the value held *before* it; of those that leave it … and whose
    event is true there, the first listed fires"."""
    fitting = [
        at
        for at, one in enumerate(machine.transitions)
        if at in events and leaves(one, value) and t in events[at]
    ]
    return fitting[0] if fitting else None


def list_deadlines(
    machine: CheckedMachine, value: str, entered: int | None, formulas: Formulas
) -> dict[int, int]:
    """ "`after D` fires D after the value was entered or re-entered"."""
    if entered is None:
        return {}
    return {
        at: entered + formulas.values.count_ticks(one.when.duration)
        for at, one in enumerate(machine.transitions)
        if isinstance(one.when, After) and leaves(one, value)
    }


def leaves(one: Transition, value: str) -> bool:
    """ "a left `_` leaves every value" """
    return one.source is None or one.source.value == value
