"""First and last instants, of one table or of all that is read."""

import pyarrow as pa

from phenesthe.io.extent import Extent, join_extents, measure_table

INTERVALS = pa.table({"ts": [3, -1], "te": pa.array([9, None], pa.int64())})
EVENTS = pa.table({"t": [12]})


def test_an_end_that_is_open_is_no_instant() -> None:
    assert measure_table(INTERVALS, ("ts", "te")) == Extent(2, -1, 9)
    assert measure_table(INTERVALS.slice(1), ("ts", "te")) == Extent(1, -1, -1)


def test_no_row_has_no_instant() -> None:
    assert measure_table(EVENTS.slice(1), ("t",)) == Extent(0, None, None)
    assert join_extents([]) == Extent()


def test_extents_of_several_tables_are_one() -> None:
    empty = measure_table(EVENTS.slice(1), ("t",))
    tables = [measure_table(INTERVALS, ("ts", "te")), empty, measure_table(EVENTS, ("t",))]
    assert join_extents(tables) == Extent(3, -1, 12)
    # What is joined stays what it was.
    assert tables[0] == Extent(2, -1, 9)
