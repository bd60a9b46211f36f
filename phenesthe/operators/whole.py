"""Relations that are computed anew: with an event that is true nearly always, at every query; with
a side that does not know how far away the other may be, when something changes."""

from collections.abc import Sequence

from phenesthe.graph.lengths import name_varying
from phenesthe.graph.relations import NearlyRelated
from phenesthe.graph.sequences import Before, Followed, Preceded
from phenesthe.graph.whole import DenseRelated
from phenesthe.kernels.nearly import find_nearly
from phenesthe.kernels.relations import find_related
from phenesthe.kernels.spans import take_lengths
from phenesthe.operators.lengths import find_reach, read_given, read_lengths
from phenesthe.operators.meeting import list_candidates
from phenesthe.operators.node import Node, Op
from phenesthe.operators.relations import compute_nearly_related
from phenesthe.operators.rows import Bindings, Dense, Rows, from_intervals
from phenesthe.operators.sequences import (
    compute_before,
    compute_followed,
    compute_preceded,
    end_later,
    start_earlier,
)
from phenesthe.operators.unchanged import BEGINNING, Part, UnchangedUntil, touch_all
from phenesthe.operators.work import Work


def compute_dense_related(op: DenseRelated, work: Work, operands: Sequence[Rows]) -> Rows:
    left, right = work.formula(op.left), work.formula(op.right)
    if name_varying(op.apart, op.within):
        left, right = _give_lengths(work, left, right)
    # The side that is listed is moved, and the other one chosen to fit.
    if isinstance(right, Rows):
        right = start_earlier(right, read_lengths(work.keys, right, op.apart))
    elif isinstance(left, Rows):
        left = end_later(left, read_lengths(work.keys, left, op.apart))
    near = op.within if op.within is not None else 0
    bindings, one, other = list_candidates(work, op.name, left, right, op.variables, near)
    within = read_given(work.keys, bindings, op.within)
    if (op.name == "starts" or op.name == "finishes") and within is not None:
        return from_intervals(bindings, find_nearly(op.name, one, other, within))
    reach = find_reach(read_lengths(work.keys, bindings, op.apart), within)
    if reach is not None:
        reach = take_lengths(reach, one.key)
    return from_intervals(bindings, find_related(op.name, one, other, reach))


def _give_lengths(
    work: Work, left: Rows | Dense, right: Rows | Dense
) -> tuple[Rows | Dense, Rows | Dense]:
    """To the side that is listed, as the other one has them."""
    if isinstance(left, Rows) and isinstance(right, Dense):
        return _extend(work, left, right.bindings), right
    if isinstance(right, Rows) and isinstance(left, Dense):
        return left, _extend(work, right, left.bindings)
    return left, right


def _extend(work: Work, rows: Rows, bindings: Bindings) -> Rows:
    """Each row with all bindings that it fits."""
    new = tuple([name for name in bindings.variables if name not in rows.variables])
    shared = tuple([name for name in bindings.variables if name in rows.variables])
    one, other = work.keys.match(shared, rows, bindings)
    found = rows.take(one)
    columns = (*found.columns, *[bindings.column(name)[other] for name in new])
    return work.keys.sort(Rows((*rows.variables, *new), columns, found.ts, found.te))


class WholeNode(Node[Op]):
    """Of which nothing can be said to be done with: all of it is looked at again."""

    looks_back = True

    def delay(self, cuts: UnchangedUntil) -> UnchangedUntil:
        return UnchangedUntil(BEGINNING, ())


class DenseRelatedNode(WholeNode[DenseRelated]):
    """Which of its instants matter depends on the other side, as far back as that reaches.

    So nothing of its operands may go, and every instant that passes may change it.
    """

    evaluate = staticmethod(compute_dense_related)
    reason = "an unguarded `not` in a relation needs everything since the beginning"

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        return [touch_all(BEGINNING)]


class WholeBeforeNode(WholeNode[Before]):
    evaluate = staticmethod(compute_before)
    reason = "how far apart the two sides may be is known to what follows only"


class WholeFollowedNode(WholeNode[Followed]):
    evaluate = staticmethod(compute_followed)
    reason = WholeBeforeNode.reason


class WholePrecededNode(WholeNode[Preceded]):
    evaluate = staticmethod(compute_preceded)
    reason = WholeBeforeNode.reason


class WholeNearlyRelatedNode(WholeNode[NearlyRelated]):
    evaluate = staticmethod(compute_nearly_related)
    reason = "how far apart the two sides may be is known to one of them only"
