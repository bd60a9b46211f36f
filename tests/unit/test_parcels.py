"""Rows packed for the way between Spark's tasks."""

import numpy as np
import pyarrow as pa

from phenesthe.engines.spark.parcels import receive, send

TABLE = pa.table({"cell": np.arange(1000) // 7, "slot": np.arange(1000) % 11})


def test_all_rows_arrive_once_and_equal_keys_together() -> None:
    sent = list(send("slots", TABLE, {"cell": 1, "slot": 4}, 3))
    homes: dict[tuple[int, int], set[int]] = {}
    for bucket in range(3):
        part = [one for one in sent if one.column("bucket").to_pylist() == [bucket]]
        rows = receive(iter(part), {"slots": TABLE.schema})["slots"]
        assert 200 < rows.num_rows < 500
        for row in rows.to_pylist():
            homes.setdefault((row["cell"], row["slot"] // 4), set()).add(bucket)
    assert {len(one) for one in homes.values()} == {1}
    whole = receive(iter(sent), {"slots": TABLE.schema})["slots"]
    assert whole.sort_by([("cell", "ascending"), ("slot", "ascending")]).equals(
        TABLE.sort_by([("cell", "ascending"), ("slot", "ascending")])
    )


def test_nothing_arrives_as_an_empty_table() -> None:
    assert list(send("slots", TABLE.slice(0, 0), {"cell": 1}, 3)) == []
    found = receive(iter([]), {"slots": TABLE.schema})
    assert found["slots"].equals(TABLE.slice(0, 0))


def test_without_keys_all_goes_to_the_first_bucket() -> None:
    (parcel,) = send("counts", TABLE, {}, 5)
    assert parcel.column("bucket").to_pylist() == [0]
