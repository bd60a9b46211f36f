"""Pass 10: parameters have values of their type, durations are whole ticks that make sense."""

from collections.abc import Iterator
from fractions import Fraction

from phenesthe.check.infer_types import type_of_literal, value_type
from phenesthe.check.machines import AFTER, list_timers
from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.model import Label
from phenesthe.diagnostics.report import error
from phenesthe.syntax.clauses import WITH_DURATIONS, Clause, list_durations
from phenesthe.syntax.tree import (
    Duration,
    DurationLiteral,
    IntLiteral,
    Parameter,
    ParameterRef,
    Unit,
    Variable,
)  # fmt: skip
from phenesthe.syntax.tree.walk import walk
from phenesthe.vocabulary import INT_MAX

MICROSECONDS: dict[Unit, int] = {"second": 1_000_000, "millisecond": 1_000, "microsecond": 1}


def ticks(literal: DurationLiteral, unit: Unit) -> Fraction:
    return literal.microseconds / MICROSECONDS[unit]


def check_parameters(work: Work) -> None:
    for symbol in work.symbols.values():
        if isinstance(symbol.declaration, Parameter):
            _check_default(work, symbol.declaration)


def check_durations(work: Work, draft: Draft) -> None:
    for literal in draft.list_nodes(DurationLiteral):
        _check_ticks(work, draft, literal)
    for clause, duration in list_limits(work, draft):
        _check_duration(work, draft, duration, clause)


def list_limits(work: Work, draft: Draft) -> Iterator[tuple[Clause, Duration]]:
    """What operators and timers take."""
    if any(draft.list_nodes(kind) for kind in WITH_DURATIONS):
        for body in draft.bodies:
            for node in walk(body):
                yield from list_durations(node)
    for timer in list_timers(work, draft):
        yield AFTER, timer.duration


def describe_least(least: int) -> str:
    return f"at least {least}"


def _check_default(work: Work, parameter: Parameter) -> None:
    default = parameter.default
    found = "duration" if isinstance(default, DurationLiteral) else type_of_literal(default)
    fits = (
        found == parameter.type
        or (found == "int" and parameter.type in ("float", "duration"))
        or (found == "duration" and value_type(parameter.type) == "int")
    )
    if not fits:
        work.report(
            error(
                "T005",
                f"`{parameter.name.text}` is `{parameter.type}`, but its default is `{found}`",
                default.span,
                label=f"`{found}`",
                related=(Label(span=parameter.name.span, message=f"`{parameter.type}`"),),
                hint=f"write a default of type `{parameter.type}`, or change the type",
            )
        )
    elif isinstance(default, DurationLiteral):
        _check_ticks(work, None, default)


def _check_ticks(work: Work, draft: Draft | None, literal: DurationLiteral) -> bool:
    unit = work.modules.unit
    amount = ticks(literal, unit)
    if amount.denominator == 1 and abs(amount) <= INT_MAX:
        return True
    if amount.denominator != 1:
        message = f"`{literal.text}` is not a whole number of {unit}s"
        label = "a fraction of the unit of time"
        finer = [u for u in MICROSECONDS if ticks(literal, u).denominator == 1]
        hint = f"write a whole number of {unit}s" + (
            f", or count time in `unit {finer[0]};`" if finer else ""
        )
    else:
        message = f"`{literal.text}` does not fit into 64 bits of {unit}s"
        label, hint = "too long", "use a shorter duration"
    work.report(error("P001", message, literal.span, label=label, hint=hint), draft)
    return False


def _check_duration(work: Work, draft: Draft, value: Duration, clause: Clause) -> None:
    match value:
        case ParameterRef():
            declaration = work.symbols[value.name].declaration
            assert isinstance(declaration, Parameter)
            takes = "a whole number" if clause.is_count else "a duration"
            example = "int = 3" if clause.is_count else "duration = 10m"
            given = declaration.type if clause.is_count else value_type(declaration.type)
            if given != "int":
                work.report(
                    error(
                        "P002",
                        f"`{clause.word}` takes {takes}, but `{value.name}` is "
                        f"`{declaration.type}`",
                        value.span,
                        label=f"`{declaration.type}`",
                        related=(Label(span=declaration.name.span, message="declared here"),),
                        hint=f"declare it as `param {value.name}: {example};`",
                    ),
                    draft,
                )
                return
            default = declaration.default
            if isinstance(default, IntLiteral | DurationLiteral):
                _check_least(work, draft, value, default, clause)
        case DurationLiteral():
            if _check_ticks(work, draft, value):
                _check_least(work, draft, value, value, clause)
        case IntLiteral():
            _check_least(work, draft, value, value, clause)
        case Variable():
            pass  # one that is not positive holds nothing


def _check_least(
    work: Work, draft: Draft, place: Duration, literal: IntLiteral | DurationLiteral,
    clause: Clause,
) -> None:  # fmt: skip
    amount = literal.value if isinstance(literal, IntLiteral) else literal.microseconds
    if amount >= clause.least:
        return
    rule = describe_least(clause.least)
    what = "number" if clause.is_count else "duration"
    work.report(
        error(
            "P003",
            f"the {what} of `{clause.word}` must be {rule}",
            place.span,
            label="zero" if amount == 0 else "negative" if amount < 0 else "too few",
            related=() if literal is place else (Label(span=literal.span, message="its default"),),
            hint="of one at a time the state itself tells: leave the counting out"
            if clause.is_count
            else "write a longer duration, such as `10m`",
        ),
        draft,
    )
