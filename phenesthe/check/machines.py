"""What the passes know of machines: their values, their timers, and what plays no part in them."""

from collections.abc import Iterator
from dataclasses import replace

from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.model import Label
from phenesthe.diagnostics.report import warning
from phenesthe.syntax.clauses import Clause
from phenesthe.syntax.tree import (
    After,
    DurationLiteral,
    Formula,
    IntLiteral,
    Machine,
    ParameterRef,
    StrLiteral,
    Transition,
    Word,
)  # fmt: skip

#: The duration of a timer, described as those of operators are.
AFTER = Clause(
    "after", "duration", 1,
    "fires that long after the value was entered or entered again, unless another transition of "
    "the machine fired before",
)  # fmt: skip


def list_events(machine: Machine) -> list[Formula]:
    return [one.when for one in machine.transitions if not isinstance(one.when, After)]


def list_values(machine: Machine) -> Iterator[StrLiteral]:
    """Each as often as it is written."""
    yield machine.initially
    for one in machine.transitions:
        yield from (label for label in (one.source, one.target) if label is not None)


def list_timers(work: Work, draft: Draft) -> Iterator[After]:
    """Those whose durations are known: of a word, the parameter that it names."""
    if not isinstance(draft.declaration, Machine):
        return
    for one in draft.declaration.transitions:
        if not isinstance(one.when, After):
            continue
        duration = one.when.duration
        if isinstance(duration, Word):
            symbol = work.symbols.get(duration.name)
            if symbol is None or not symbol.is_parameter:
                continue
            duration = ParameterRef(span=duration.span, name=duration.name)
        yield replace(one.when, duration=duration)


def close_transitions(work: Work, draft: Draft, machine: Machine) -> tuple[Transition, ...]:
    """With the events as the passes left them. Only for work without errors."""
    bodies, timers = iter(draft.bodies), list_timers(work, draft)
    return tuple(
        replace(one, when=next(timers) if isinstance(one.when, After) else next(bodies))
        for one in machine.transitions
    )


def warn_machine(work: Work, draft: Draft) -> None:
    """Values that nothing reaches or leaves, transitions that never fire."""
    if draft.broken or not isinstance(draft.declaration, Machine):
        return
    machine = draft.declaration
    first: dict[str, StrLiteral] = {}
    for label in list_values(machine):
        first.setdefault(label.value, label)
    reached = _find_reached(machine)
    for name, label in first.items():
        if name not in reached:
            _warn_unreached(work, machine, label)
        elif all(target == name for target in _list_targets(machine, name)):
            _warn_final(work, label)
    for at, one in enumerate(machine.transitions):
        before = next(filter(lambda other: _precedes(other, one), machine.transitions[:at]), None)
        if before is not None:
            _warn_never(work, one, before)


def _list_targets(machine: Machine, value: str) -> list[str | None]:
    """Where the transitions lead that leave a value; None: nowhere."""
    return [
        None if one.target is None else one.target.value
        for one in machine.transitions
        if one.source is None or one.source.value == value
    ]


def _find_reached(machine: Machine) -> set[str]:
    initially = machine.initially.value
    reached, pending = {initially}, [initially]
    while pending:
        found = {one for one in _list_targets(machine, pending.pop()) if one is not None}
        pending += found - reached
        reached |= found
    return reached


def _precedes(one: Transition, other: Transition) -> bool:
    """Whether what is listed first fires wherever the other could."""
    if one.source is not None and one.source != other.source:
        return False
    match one.when, other.when:
        case After(duration=first), After(duration=second):
            return first == second or _is_shorter(first, second)
        case After(), _:
            return False
        case first, second:
            return first == second


def _is_shorter(one: object, other: object) -> bool:
    """A parameter may be anything; a number alone counts the unit of the file."""
    match one, other:
        case DurationLiteral(), DurationLiteral():
            return one.microseconds <= other.microseconds
        case IntLiteral(), IntLiteral():
            return one.value <= other.value
        case _:
            return False


def _warn_unreached(work: Work, machine: Machine, label: StrLiteral) -> None:
    initially = machine.initially
    work.report(
        warning(
            "W007",
            f"nothing leads from `{initially.value}` to the value `{label.value}`",
            label.span,
            label="never reached",
            related=(Label(span=initially.span, message="the machine begins here"),),
            hint=f"write a transition to `{label.value}`, or look for a misspelt value",
        )
    )


def _warn_final(work: Work, label: StrLiteral) -> None:
    work.report(
        warning(
            "W008",
            f"no transition leaves the value `{label.value}`",
            label.span,
            label="holds for ever once it is reached",
            hint=f"write a transition from `{label.value}`; one to `_` ends the machine, so that "
            "it begins anew",
        )
    )


def _warn_never(work: Work, one: Transition, before: Transition) -> None:
    work.report(
        warning(
            "W007",
            "this transition never fires",
            one.span,
            label="another one always fires first",
            related=(Label(span=before.span, message="the one that fires"),),
            hint="remove one of them: the shorter time passes first"
            if isinstance(one.when, After)
            else "remove it, or write it before the other",
        )
    )
