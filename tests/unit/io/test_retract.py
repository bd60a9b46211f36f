"""Operations in their order, against a direct reading of the rule."""

import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phenesthe.io import DataError, fit_table, read_given, read_input
from tests.unit.io.samples import PROGRAM, find, list_reasons, list_rejects, list_rows


def given_rows(name: str, *rows: tuple[Any, ...]) -> dict[str, Any]:
    """Rows of (arguments and times …, op, arrival)."""
    signature = find(name)
    times = {"event": ["t"], "state": ["ts", "te"], "dynamic": ["ts", "te"], None: []}
    columns = [*signature.arguments, *times[signature.kind], "op", "arrival"]
    return {name: {column: [row[place] for row in rows] for place, column in enumerate(columns)}}


def test_a_retraction_withdraws_every_identical_row() -> None:
    rows = given_rows(
        "in_port",
        (1, "a", 1, 5, "insert", None),
        (1, "a", 1, 5, None, None),
        (1, "a", 1, 6, "insert", None),
        (1, "a", 2, None, "insert", None),
        (1, "a", 1, 5, "retract", 9),
        (1, "a", 2, None, "retract", 9),
    )
    loaded = read_given(PROGRAM, rows)
    assert list_rows(loaded.tables["in_port"]) == [(1, "a", 1, 6)]
    assert not loaded.rejects
    assert (loaded.first, loaded.last) == (1, 6)


def test_operations_apply_as_they_arrive() -> None:
    loaded = read_given(
        PROGRAM,
        given_rows(
            "alarm",
            (1, "retract", 5),
            (1, "insert", 9),  # comes back
            (2, "insert", 9),
            (2, "retract", 9),  # on a tie after the insert
            (3, "retract", None),  # as time reaches it, a tie too
            (3, "insert", None),
            (4, "insert", None),
            (4, "retract", 3),  # nothing is there yet
            (5, "insert", 1),
            (5, "retract", 2),
            (5, "retract", 3),  # nothing is left
            (1, "insert", None),
        ),
    )
    assert list_rows(loaded.tables["alarm"]) == [(1,), (1,), (4,)]
    assert list_reasons(loaded) == [
        (8, "retraction of nothing", None),
        (11, "retraction of nothing", None),
    ]
    assert list_rejects(loaded)[0]["row"] == {"t": 4, "arrival": 3, "op": "retract"}
    assert loaded.last == 4


def test_what_a_retraction_leaves_open_is_open() -> None:
    rows = given_rows(
        "in_port",
        (1, "a", 1, None, "insert", None),
        (1, "a", 1, 5, "insert", None),
        (1, "a", 1, 5, "retract", 9),
    )
    assert list_rows(read_given(PROGRAM, rows).tables["in_port"]) == [(1, "a", 1, None)]


def test_facts_are_there_before_everything() -> None:
    rows = given_rows(
        "vessel_type", (1, "a", "insert", None), (1, "a", "retract", -5), (2, "b", None, 3)
    )
    assert list_rows(read_given(PROGRAM, rows).facts["vessel_type"]) == [(2, "b")]
    rows = given_rows("holiday", ("insert", None), ("insert", 1), ("retract", 5))
    assert read_given(PROGRAM, rows).facts["holiday"].num_rows == 0


def test_not_a_number_and_zeros_are_identical_to_themselves() -> None:
    rows = given_rows(
        "ais",
        (1, math.nan, "a", True, 1, "insert", None),
        (1, math.nan, "a", True, 1, "retract", None),
        (1, 0.0, "a", True, 2, "insert", None),
        (1, -0.0, "a", True, 2, "retract", None),
    )
    columns = rows["ais"] | {"speed": pa.array(rows["ais"]["speed"], from_pandas=False)}
    loaded = read_given(PROGRAM, {"ais": columns})
    assert loaded.tables["ais"].num_rows == 0
    assert not loaded.rejects
    assert loaded.last is None


def test_operations_of_every_kind_of_file(tmp_path: Path) -> None:
    (tmp_path / "alarm.csv").write_text(
        "t,op,arrival\n1,,\n2,insert,\n2,retract,1970-01-01T00:00:09\n3,drop,\n4,insert,soon\n"
    )
    pq.write_table(
        pa.table({"vessel": [1, 2, 2], "type": ["a", "b", "b"], "op": [None, "insert", "retract"]}),
        tmp_path / "vessel_type.parquet",
    )
    loaded = read_input(PROGRAM, tmp_path)
    assert list_rows(loaded.tables["alarm"]) == [(1,)]
    assert list_rows(loaded.facts["vessel_type"]) == [(1, "a")]
    assert list_reasons(loaded) == [(5, "unknown op", "op"), (6, "wrong type", "arrival")]


def test_a_retraction_that_does_not_fit_retracts_nothing() -> None:
    rows = given_rows("alarm", (1, "insert", None), (None, "retract", 5), (7, "retract", None))
    loaded = read_given(PROGRAM, rows)
    assert list_rows(loaded.tables["alarm"]) == [(1,)]
    assert list_reasons(loaded) == [(2, "no time", "t"), (3, "retraction of nothing", None)]
    with pytest.raises(DataError, match="table alarm, row 1: retraction of nothing"):
        read_given(PROGRAM, given_rows("alarm", (7, "retract", None)), strict=True)


OPERATIONS = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.sampled_from("ab"),
        st.integers(0, 2),
        st.none() | st.integers(3, 4),
        st.sampled_from(["insert", "insert", "retract", None]),
        st.none() | st.integers(0, 4),
    ),
    min_size=1,
)


@given(OPERATIONS)
def test_operations_one_after_the_other_give_the_same(rows: list[tuple[Any, ...]]) -> None:
    def find_order(row: tuple[Any, ...]) -> tuple[int, bool]:
        return row[2] if row[5] is None else row[5], row[4] == "retract"

    there: set[tuple[Any, ...]] = set()
    nothing = 0
    for row in sorted(rows, key=find_order):
        if row[4] != "retract":
            there.add(row[:4])
        elif row[:4] in there:
            there.remove(row[:4])
        else:
            nothing += 1
    closed = {row[:3] for row in there if row[3] is not None}
    there -= {(*row, None) for row in closed}
    table = pa.table(given_rows("in_port", *rows)["in_port"])
    half = len(rows) // 2
    good, rejects = fit_table(
        find("in_port"), pa.concat_tables([table[:half], table[half:]]), "second"
    )
    assert set(list_rows(good)) == there
    assert len(rejects) == nothing
