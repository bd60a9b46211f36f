"""The relations of Φ⁼, and those with an output mode, on the entities of one binding.

Entities are intervals (a, b) and instants (t, t). With a = a′ the conditions of the table for
intervals say for an instant just what the table says for instants.
"""

from collections.abc import Collection
from typing import assert_never

from phenesthe.syntax.tree import Mode, RelationName
from tests.reference.intervals import OPEN, Interval, coalesce, intersect, subtract

INVERSES: dict[str, RelationName] = {
    "after": "before", "met_by": "meets", "overlapped_by": "overlaps",
    "finished_by": "finishes", "started_by": "starts", "during": "contains",
}  # fmt: skip


def relate(
    name: RelationName,
    left: Collection[Interval],
    right: Collection[Interval],
    within: int | None,
    q: int,
    apart: int = 1,
) -> set[Interval]:
    """ "An inverse is the relation with its sides swapped." """
    if name in INVERSES:
        name, left, right = INVERSES[name], right, left
    return {
        give_result(name, one, other)
        for one in left
        for other in right
        if is_detected(name, one, other, within, q)
        and (name != "before" or are_nearest(one, other, left, right, apart))
    }


def relate_as(
    name: RelationName,
    mode: Mode,
    left: Collection[Interval],
    right: Collection[Interval],
    within: int | None,
    q: int,
) -> set[Interval]:
    """ "all pairs in the plain Allen relation (here `before` needs no contiguity …), S_rel and
    T_rel the intervals of the left and of the right, as written, that occur in some detected
    pair, then MODE combines them"."""

    def is_pair(one: Interval, other: Interval) -> bool:
        if name in INVERSES:
            return is_detected(INVERSES[name], other, one, within, q)
        return is_detected(name, one, other, within, q)

    sources = {one for one in left if any(is_pair(one, other) for other in right)}
    targets = {other for other in right if any(is_pair(one, other) for one in left)}
    match mode:
        case "source":
            return sources
        case "target":
            return targets
        case "union":
            return coalesce(sources | targets)
        case "intersection":
            return intersect(sources, targets)
        case "complement":
            return subtract(sources, targets, q)
        case "inverse_complement":
            return subtract(targets, sources, q)
        case _:
            assert_never(mode)


def is_detected(name: str, one: Interval, other: Interval, within: int | None, q: int) -> bool:
    """ "A relation is *detected* at q when it holds for every way its operands' open ends can
    close." "An open end is later than q, or never; two open ends are unrelated."

    Starts are not after q, so of an open end only its order with another open end matters: three
    instants after q show them in every order.
    """

    def close(end: float) -> tuple[float, ...]:
        return (q + 1, q + 2, q + 3, OPEN) if end == OPEN else (end,)

    return all(
        holds(name, (one[0], one_end), (other[0], other_end), within)
        for one_end in close(one[1])
        for other_end in close(other[1])
    )


def holds(name: str, one: Interval, other: Interval, within: int | None) -> bool:
    """The column "condition" of the table, without the contiguity of `before`; and with `within D`
    what §6 says, an end that never comes being near to none."""
    (a, a_end), (b, b_end) = one, other
    if within is not None and name != "before":
        near = abs(a - b) <= within
        if name == "meets":
            return abs(b - a_end) <= within and a < b and a_end < b_end
        if name == "starts":
            return near and a_end < b_end
        ends_near = max(a_end, b_end) < OPEN and abs(a_end - b_end) <= within
        return ends_near and (b < a if name == "finishes" else near)
    match name:
        case "before":
            return a_end < b and (within is None or b - a_end <= within)
        case "meets":
            return a_end == b
        case "overlaps":
            return a < b < a_end < b_end
        case "starts":
            return a == b and a_end < b_end
        case "finishes":
            return b < a and a_end == b_end
        case "equals":
            return a == b and a_end == b_end
        case "contains":
            return a < b and b_end < a_end
        case _:
            raise ValueError(name)


def are_nearest(
    one: Interval,
    other: Interval,
    left: Collection[Interval],
    right: Collection[Interval],
    apart: int,
) -> bool:
    """ "the nearest pairs that are at least D1 apart: b − a′ ≥ D1, … no other right entity starts
    in [a′ + D1, b), no other left entity ends in (a′, b − D1]"; "§3's `before` is `from 1`".

    An open end closes after q and b is not after q: however it closes, it is never in between.
    """
    (_, a_end), (b, _) = one, other
    return (
        b - a_end >= apart
        and not any(a_end + apart <= start < b for start, _ in right)
        and not any(a_end < end <= b - apart for _, end in left)
    )


def give_result(name: RelationName, one: Interval, other: Interval) -> Interval:
    """The column "result" of the table."""
    match name:
        case "before" | "meets" | "overlaps":
            return (one[0], other[1])
        case "starts" | "finishes":
            return other
        case "equals" | "contains":
            return one
        case _:
            raise ValueError(name)
