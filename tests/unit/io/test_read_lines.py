"""One file of JSON lines, and tables in memory."""

import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phenesthe.io import DataError, fit_table, read_given, read_input
from phenesthe.io import objects as lines_module
from tests.unit.io.samples import (
    AIS,
    PROGRAM,
    find,
    list_reasons,
    list_rejects,
    list_rows,
    make_program,
    write_lines,
)

AIS_LINE = {"name": "ais", "args": [1, 0.5, "a", True], "t": 7}


def test_all_inputs_and_facts_in_one_file(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "in.jsonl",
        [
            AIS_LINE,
            {"name": "ais", "kind": "event", "args": [2, "NaN", "", False], "t": "1970-01-01"},
            {"name": "in_port", "args": [1, "a"], "ts": 3, "te": 9},
            {"name": "in_port", "args": [1, "b"], "ts": 3, "te": None},
            {"name": "in_port", "args": [1, "c"], "ts": 3},
            {"name": "alarm", "args": [], "t": 20},
            {"fact": "vessel_type", "args": [7, "fishing"]},
            {"fact": "holiday", "args": []},
        ],
    )
    loaded = read_input(PROGRAM, path)
    assert list_rows(loaded.tables["in_port"]) == [
        (1, "a", 3, 9), (1, "b", 3, None), (1, "c", 3, None),
    ]  # fmt: skip
    assert list_rows(loaded.tables["ais"])[0] == (1, 0.5, "a", True, 7)
    assert math.isnan(list_rows(loaded.tables["ais"])[1][1])
    assert list_rows(loaded.tables["alarm"]) == [(20,)]
    assert list_rows(loaded.facts["vessel_type"]) == [(7, "fishing")]
    assert loaded.facts["holiday"].num_rows == 1
    assert (loaded.first, loaded.last) == (0, 20)
    assert loaded.warnings == ()
    assert not loaded.rejects


def test_lines_that_do_not_fit(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "in.jsonl",
        [
            "\ufeff",
            "nonsense",
            {"args": [], "t": 1},
            {"name": 5, "args": []},
            {"name": "aiss", "args": []},
            {"name": "vessel_type", "args": [7, "fishing"]},
            {"fact": "ais", "args": []},
            {"name": "alarm", "t": 1},
            {"name": "alarm", "args": {}, "t": 1},
            {"name": "alarm", "args": [1], "t": 1},
            {"name": "alarm", "args": []},
            {"name": "alarm", "args": [], "t": 2**62},
            {"name": "in_port", "args": [1, None], "ts": 1},
            {"fact": "vessel_type", "args": [7.5, "fishing"]},
            {"name": "alarm", "args": [], "t": 4, "op": "delete"},
            {"name": "alarm", "args": [], "t": 4, "op": 1},
            {"name": "alarm", "args": [], "t": 4, "arrival": "soon"},
            {"name": "alarm", "args": [], "t": 4},
        ],
    )
    loaded = read_input(PROGRAM, path)
    assert sorted(list_reasons(loaded)) == [
        (2, "unreadable line", None),
        (3, "missing column", "name"),
        (4, "wrong type", "name"),
        (5, "unknown name", "name"),
        (6, "unknown name", "name"),
        (7, "unknown name", "fact"),
        (8, "missing column", "args"),
        (9, "wrong type", "args"),
        (10, "wrong number of arguments", "args"),
        (11, "missing column", "t"),
        (12, "time out of range", "t"),
        (13, "null argument", "port"),
        (14, "wrong type", "vessel"),
        (15, "unknown op", "op"),
        (16, "unknown op", "op"),
        (17, "wrong type", "arrival"),
    ]
    assert list_rows(loaded.tables["alarm"]) == [(4,)]
    shown = {one["line"]: one["row"] for one in list_rejects(loaded)}
    assert shown[2] == "nonsense"
    assert shown[13] == {"name": "in_port", "args": [1, None], "ts": 1}


def test_inputs_among_separate_facts_are_unknown(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "facts.jsonl", [AIS_LINE, {"fact": "holiday", "args": []}])
    loaded = read_input(PROGRAM, write_lines(tmp_path / "in.jsonl", []), facts=path)
    assert list_reasons(loaded) == [(1, "unknown name", "name")]
    assert loaded.facts["holiday"].num_rows == 1


def test_bytes_that_are_no_text_make_an_unreadable_line(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(b'{"name": "\xff"}\r\n{"name": "alarm", "args": [], "t": 1}\r\n')
    loaded = read_input(PROGRAM, path)
    assert list_reasons(loaded) == [(1, "unreadable line", None)]
    assert list_rows(loaded.tables["alarm"]) == [(1,)]


def test_lines_have_no_columns_to_map(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", [])
    with pytest.raises(DataError, match="`mapping` renames the columns of tables"):
        read_input(PROGRAM, path, mapping={"ais.t": "time"})


def test_a_folder_called_jsonl_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").mkdir()
    assert read_input(PROGRAM, tmp_path / "in.jsonl").last is None


def test_many_lines_are_read_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_module, "_LINES", 3)
    rows: list[Any] = [{"name": "alarm", "args": [], "t": t} for t in range(8)]
    rows[4] = {"name": "alarm", "args": [], "t": "x"}
    rows.append({"name": "alarm", "args": [], "t": 1, "op": "retract", "arrival": 9})
    rows.append({"name": "alarm", "args": [], "t": 50, "op": "retract"})
    loaded = read_input(PROGRAM, write_lines(tmp_path / "in.jsonl", rows))
    assert list_rows(loaded.tables["alarm"]) == [(0,), (2,), (3,), (5,), (6,), (7,)]
    assert list_reasons(loaded) == [(5, "wrong type", "t"), (10, "retraction of nothing", None)]
    assert loaded.last == 7


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.integers())
)
LINES = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["ais", "in_port", "alarm", "none"]) | VALUES,
        "fact": st.sampled_from(["vessel_type", "holiday"]) | VALUES,
        "args": st.lists(VALUES, max_size=4) | VALUES,
        "t": VALUES, "ts": VALUES, "te": VALUES, "arrival": VALUES,
        "op": st.sampled_from(["insert", "retract"]) | VALUES,
    },
)  # fmt: skip


@given(rows=st.lists(LINES))
def test_every_line_is_a_row_or_a_reject(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]
) -> None:
    path = write_lines(tmp_path_factory.mktemp("lines") / "in.jsonl", rows)
    loaded = read_input(PROGRAM, path)
    kept = [*loaded.tables.values(), *loaded.facts.values()]
    assert sum(table.num_rows for table in kept) + len(loaded.rejects) <= len(rows)
    if not any(one.get("op") == "retract" or one.get("name") == "in_port" for one in rows):
        assert sum(table.num_rows for table in kept) + len(loaded.rejects) == len(rows)


def test_tables_in_memory(tmp_path: Path) -> None:
    table = pa.table({key: [value] for key, value in AIS.items()})
    path = tmp_path / "x.csv"
    path.write_text("leader,follower,ts,te\n1,2,3,4\n")
    frame = pa.table({"vessel": [1, 2], "port": ["a", None], "ts": [1, 2], "te": [3.0, None]})
    given_tables = {
        "ais": table,
        "convoy": path,
        "in_port": frame,
        "alarm": table.to_batches()[0],
        "vessel_type": {"vessel": [1], "type": ["x"]},
    }
    loaded = read_given(PROGRAM, given_tables, columns={"ais": ["ok"]})
    assert list_rows(loaded.tables["ais"]) == [(True, 7)]
    assert list_rows(loaded.tables["convoy"]) == [(1, 2, 3, 4)]
    assert list_rows(loaded.tables["in_port"]) == [(1, "a", 1, 3)]
    assert list_rows(loaded.tables["alarm"]) == [(7,)]
    assert list_rows(loaded.facts["vessel_type"]) == [(1, "x")]
    assert list_reasons(loaded) == [(2, "null argument", "port")]
    assert loaded.rejects.counts == {("table in_port", "null argument"): 1}
    assert (loaded.first, loaded.last) == (1, 7)
    assert read_given(PROGRAM, {}).account.there == set()
    assert loaded.account.fitted["in_port"] == 1


def test_frames_of_pandas_are_tables() -> None:
    pd = pytest.importorskip("pandas")
    stamps = pd.to_datetime(["1970-01-01T00:00:01.9", "1969-12-31T23:59:59.5"])
    program = make_program(text="input event e(); event f() : e();")
    loaded = read_given(program, {"e": pd.DataFrame({"t": stamps})})
    assert list_rows(loaded.tables["e"]) == [(-1,), (1,)]
    frame = pd.DataFrame({"vessel": [1, 2], "port": ["a", None], "ts": [1, 2], "te": [3.0, None]})
    loaded = read_given(PROGRAM, {"in_port": frame})
    assert list_rows(loaded.tables["in_port"]) == [(1, "a", 1, 3)]
    assert list_reasons(loaded) == [(2, "null argument", "port")]


def test_values_that_are_no_tables() -> None:
    with pytest.raises(DataError, match=r"no input or fact `as`"):
        read_given(PROGRAM, {"as": pa.table({})})
    with pytest.raises(DataError, match=r"cannot use a int as the table of `ais`"):
        read_given(PROGRAM, {"ais": 5})
    with pytest.raises(DataError, match=r"there is no `nowhere.csv`"):
        read_given(PROGRAM, {"ais": "nowhere.csv"})
    with pytest.raises(DataError, match=r"as the table of `ais`"):
        read_given(PROGRAM, {"ais": __file__})


def test_one_table_is_fitted() -> None:
    table = pa.table(
        {"vessel": [1, None, 1], "port": ["a", "b", "a"], "ts": [1, 1, 1], "te": [None, 3, 2]}
    )
    good, rejects = fit_table(find("in_port"), table, "second")
    assert list_rows(good) == [(1, "a", 1, 2)]
    assert rejects.count_reasons() == {"null argument": 1}
    with pytest.raises(DataError, match="table in_port, row 2: null argument"):
        fit_table(find("in_port"), table, "second", strict=True)
