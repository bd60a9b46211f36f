"""A run that goes on from a state tells what one run over everything tells."""

import pytest

from tests.equivalence.pieces import EMITS, Pieced, compare_pieces

#: Random replays in the tests; `python -m tests.soak --only resumed` runs many more.
CASES = 36


@pytest.fixture(scope="module")
def pieced() -> Pieced:
    found = Pieced()
    for number in range(CASES):
        difference = compare_pieces(number, found)
        assert difference is None, difference
    return found


def test_pieces_tell_together_what_the_whole_tells(pieced: Pieced) -> None:
    assert pieced.spread > CASES // 3
    assert all(pieced.told[emit] > CASES for emit in EMITS)


def test_there_are_up_to_four_pieces(pieced: Pieced) -> None:
    assert all(pieced.pieces[count] > 3 for count in (2, 3, 4))
