"""What a definition costs in windows does not double with every one that uses it twice."""

import pyarrow as pa
import pytest

import phenesthe
from tests.equivalence.compare import Results
from tests.equivalence.shapes import (
    SHAPES,
    Shape,
    count_bindings,
    find_at_once,
    find_in_windows,
    make_rows,
    make_wide_rows,
    write_many_variables,
)

DEPTH = 40
ROWS = make_rows()


def count(text: str, rows: dict[str, pa.Table]) -> tuple[int, Results]:
    with count_bindings() as counted:
        found = find_in_windows(phenesthe.compile(text=text).checked, rows)
    return counted[0], found


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_forty_doublings(shape: Shape) -> None:
    # Less deep ones first: what doubles would not come to an end, and be 16 times as much here.
    few, more = (count(shape.write(depth), ROWS)[0] for depth in (4, 8))
    assert more <= 3 * few
    text = shape.write(DEPTH)
    most, found = count(text, ROWS)
    assert most <= 1.5 * DEPTH / 8 * more
    assert found == find_at_once(text, ROWS)


def test_most_of_the_last_doublings_find_something() -> None:
    """What is empty is equal to anything that finds nothing."""
    empty = [
        shape.name for shape in SHAPES if not find_at_once(shape.write(DEPTH), ROWS)[f"s{DEPTH}"]
    ]
    assert len(empty) <= len(SHAPES) / 5, empty


def test_every_choice_of_many_variables() -> None:
    """Which variables are known of what may still change differs from each use to the next."""
    few, more = (count(write_many_variables(size), make_wide_rows(size))[0] for size in (4, 8))
    assert more <= 3 * few
    text, rows = write_many_variables(14), make_wide_rows(14)
    most, found = count(text, rows)
    assert most <= 3 * more
    assert found == find_at_once(text, rows)
    assert all(found.values())
