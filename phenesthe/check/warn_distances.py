"""Warnings about distances in time that nothing can have: `before … from 5m within 3m`."""

from fractions import Fraction

from phenesthe.check.check_parameters import ticks
from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.model import Edit, Label
from phenesthe.diagnostics.report import warning
from phenesthe.syntax.tree import Duration, DurationLiteral, IntLiteral, Relation, Unit


def warn_distances(work: Work, draft: Draft) -> None:
    """Parameters count as unknown, because a run may override them."""
    if draft.broken:
        return
    for node in draft.list_nodes(Relation):
        if node.name in ("before", "after") and node.within is not None:
            _check(work, node, node.within)


def _check(work: Work, node: Relation, most: Duration) -> None:
    longest, shortest = _amount(most, work), _amount(node.apart, work)
    if longest is None or shortest is None or longest >= shortest:
        return
    if node.apart is None:
        work.report(
            warning(
                "W013",
                f"`{node.name} … within {most.span.text}` holds nowhere: one side follows the "
                "other by at least one tick",
                most.span,
                label="no time between the two",
                hint="write how much time may lie between them, such as `within 10m`; what happens "
                "at one instant is joined with `and`",
            )
        )
        return
    least = node.apart
    work.report(
        warning(
            "W013",
            f"`from {least.span.text} within {most.span.text}` holds nowhere: nothing is at least "
            f"{least.span.text} and at most {most.span.text} apart",
            most.span,
            label="at most this",
            related=(Label(span=least.span, message="at least this"),),
            hint=f"exchange them: `from {most.span.text} within {least.span.text}`",
            fix=(
                Edit(span=least.span, text=most.span.text),
                Edit(span=most.span, text=least.span.text),
            )
            if longest >= 1
            else None,
        )
    )


def _amount(duration: Duration | None, work: Work) -> Fraction | int | None:
    """In ticks, where it is written; `before` is `from 1`."""
    unit: Unit = work.modules.unit
    match duration:
        case None:
            return 1
        case IntLiteral():
            return duration.value
        case DurationLiteral():
            return ticks(duration, unit)
        case _:
            return None
