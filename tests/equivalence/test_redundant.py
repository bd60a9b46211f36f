"""What can be forgotten is forgotten, and nothing else, whatever comes next on small streams."""

from collections.abc import Sequence
from random import Random

from tests.equivalence.redundant import TINY, Scene, Search, Tally

#: Few enough to try all of them for most programs.
EXACT = Search(windows=(1,), changes=2, most=130)
#: Longer windows have too many, but more in them that must not be forgotten.
SOME = Search(windows=(2, 3), changes=2, most=12)

#: One in ten. What is known to be kept in vain is one row or two for a binding: the occurrence
#: before the last of a `repeat`, which is no part of its run; of several instants in an interval
#: that `contains` them those after the first; of the lefts of `before end(σ)` those since σ began,
#: for it could end there as far as the cuts know; an operand that its own operands would give
#: again.
MOST_IN_VAIN = 0.1


def test_what_is_kept_is_needed_and_what_is_needed_is_kept() -> None:
    exact = count_exactly(TINY, remove=True)
    assert exact.streams > 15
    assert exact.kept > 25
    assert exact.vain <= MOST_IN_VAIN * exact.kept


def test_nothing_is_missing_in_longer_windows() -> None:
    for definition in TINY:
        Scene(definition, Random(f"{definition} longer"), SOME).require_enough()


def test_a_memory_that_keeps_everything_keeps_much_in_vain() -> None:
    exact = count_exactly(TINY[:4], remove=False)
    assert exact.vain > 0.3 * exact.kept


def count_exactly(definitions: Sequence[str], *, remove: bool) -> Tally:
    """Over the streams all of whose continuations are tried; in the others nothing is missing."""
    total = Tally()
    for definition in definitions:
        scene = Scene(definition, Random(f"{definition} 0"), EXACT, remove=remove)
        scene.require_enough()
        if scene.future.is_whole:
            kept = len(scene.memory.list_rows())
            total.add(Tally(1, scene.future.count, kept, scene.count_vain()))
    return total
