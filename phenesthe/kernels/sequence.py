"""`σ then τ` (RTEC_S, Definitions 6–8)."""

from phenesthe.kernels.adjacency import pair_adjacent
from phenesthe.kernels.arrays import Array, Intervals, Pairs, Runs, join_columns
from phenesthe.kernels.runs import combine_runs, find_first_after, find_last_before
from phenesthe.kernels.states import coalesce


def pair_sequence(
    left: Intervals,
    right: Intervals,
    left_group: Array | None = None,
    right_group: Array | None = None,
) -> Pairs:
    """The rows that follow each other; groups as in `pair_adjacent`.

    The intervals of one binding are disjoint, so "another lies between" comes down to another left
    end or another right start in between: what is contiguous for `before`. An open left comes
    before nothing, and is in nobody's way since it ends after q.
    """
    return pair_adjacent(left, right, None, left_group, right_group)


def find_sequence(left: Intervals, right: Intervals) -> Intervals:
    """The state `σ then τ`; instants are rows with ts = te."""
    one, other = pair_sequence(left, right)
    return coalesce(Intervals(left.key[one], left.ts[one], right.te[other]))


def find_dense_sequence(left: Runs, right: Runs) -> Intervals:
    """`φ then ψ` where both are dense.

    A ψ that is not the first of its run has another ψ one tick before it, so it can only follow a
    φ at that tick; such pairs come in runs and coalesce to one interval each. The others follow
    the last φ before a run of ψ.
    """
    shifted = Runs(right.key, right.first - 1, right.last - 1)
    steps = combine_runs(left, "and", shifted)
    found, last = find_last_before(left, right.key, right.first)
    key, first, last = right.key[found], right.first[found], last[found]
    is_next = find_first_after(right, key, last)[1] == first
    return coalesce(
        Intervals(
            join_columns(steps.key, key[is_next]),
            join_columns(steps.first, last[is_next]),
            join_columns(steps.last + 1, first[is_next]),
        )
    )
