"""Inserts, retractions and ends: one meaning, written once, against a direct reading of it."""

from pathlib import Path
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import phenesthe
from phenesthe.io.apply import apply_in_order, mark_closed

OPERATIONS = st.lists(st.tuples(st.integers(0, 4), st.booleans()), max_size=14)


@given(OPERATIONS, st.sets(st.integers(0, 4)), st.randoms(use_true_random=False))
def test_operations_apply_one_after_the_other(
    operations: list[tuple[int, bool]], before: set[int], chance: Random
) -> None:
    there, vain = set(before), []
    for number, (row, is_retraction) in enumerate(operations):
        if not is_retraction:
            there.add(row)
        elif row in there:
            there.discard(row)
        else:
            vain.append(number)
    # Wherever they stand, they apply in the order that is given.
    places = list(range(len(operations)))
    chance.shuffle(places)
    rows = np.array([operations[at][0] for at in places], dtype=np.int64)
    retract = np.array([operations[at][1] for at in places], dtype=np.bool_)
    order = np.lexsort((np.array(places, dtype=np.int64), rows))
    present = np.array(sorted(before), dtype=np.int64)
    of_nothing, named, is_there = apply_in_order(rows, retract, present, order)
    assert sorted(places[at] for at in np.flatnonzero(of_nothing)) == vain
    assert named.tolist() == sorted({row for row, _ in operations})
    assert set(named[is_there].tolist()) == there & set(named.tolist())
    plain = np.argsort(np.array(places, dtype=np.int64))
    standing = apply_in_order(rows[plain], retract[plain], present)
    assert np.flatnonzero(standing[0]).tolist() == vain
    assert standing[2].tolist() == is_there.tolist()


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=12))
def test_an_end_closes_what_still_holds(rows: list[tuple[int, bool]]) -> None:
    group = np.array([one for one, _ in rows], dtype=np.int64)
    is_open = np.array([one for _, one in rows], dtype=np.bool_)
    ended = {one for one, still in rows if not still}
    expected = [still and one in ended for one, still in rows]
    assert mark_closed(group, is_open).tolist() == expected


def test_nobody_else_says_what_they_mean() -> None:
    """Who reads, who remembers and who tests ask the same functions."""
    package = Path(phenesthe.__file__).parent
    using = {
        str(one.relative_to(package))
        for one in package.rglob("*.py")
        if "from phenesthe.io.apply import apply_in_order, mark_closed" in one.read_text("utf-8")
    }
    assert using == {"io/retract.py", "memory/inputs.py", "testing/prepare.py"}
