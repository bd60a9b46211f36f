"""A directory of tables."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from phenesthe.io import DataError, Loaded, Rejects, read_input
from tests.rights import as_anybody
from tests.unit.io.samples import (
    AIS,
    NAMES,
    PROGRAM,
    list_reasons,
    list_rejects,
    list_rows,
    make_program,
    write_lines,
)

ROW = (1, 0.5, "a", True, 7)
CSV = "vessel,speed,name,ok,t\n"
FACTS = ("vessel_type", "holiday")


def list_absent(loaded: Loaded) -> list[tuple[str, str]]:
    """Of what there is nothing, and where it was looked for."""
    signatures = (*PROGRAM.inputs, *PROGRAM.facts)
    return [(one.name, where) for one, where in loaded.account.find_absent(signatures)]


def put_parquet(folder: Path) -> None:
    pq.write_table(pa.table({key: [value] for key, value in AIS.items()}), folder / "ais.parquet")


def put_csv(folder: Path) -> None:
    (folder / "ais.csv").write_text(CSV + "1,0.5,a,true,7\n")


def put_jsonl(folder: Path) -> None:
    write_lines(folder / "ais.jsonl", [AIS])


def put_folder(folder: Path) -> None:
    (folder / "ais" / "day=1").mkdir(parents=True)
    put_parquet(folder / "ais" / "day=1")
    (folder / "ais" / "_SUCCESS").touch()
    (folder / "ais" / "_tmp").mkdir()
    (folder / "ais" / "_tmp" / "x.parquet").write_text("half written")
    (folder / "ais" / ".x.parquet").write_text("hidden")


def put_folder_with_extension(folder: Path) -> None:
    (folder / "ais.parquet").mkdir()
    put_parquet(folder / "ais.parquet")


@pytest.mark.parametrize(
    "put", [put_parquet, put_csv, put_jsonl, put_folder, put_folder_with_extension]
)
def test_every_kind_of_table_is_read(tmp_path: Path, put: Callable[[Path], None]) -> None:
    put(tmp_path)
    loaded = read_input(PROGRAM, tmp_path)
    assert list_rows(loaded.tables["ais"]) == [ROW]
    assert loaded.tables["ais"].schema == pa.schema(
        [("vessel", pa.int64()), ("speed", pa.float64()), ("name", pa.string()),
         ("ok", pa.bool_()), ("t", pa.int64())]
    )  # fmt: skip
    assert (loaded.first, loaded.last) == (7, 7)
    assert not loaded.rejects


def test_missing_tables_are_empty_and_said(tmp_path: Path) -> None:
    loaded = read_input(PROGRAM, tmp_path)
    assert {name: table.num_rows for name, table in loaded.tables.items()} == dict.fromkeys(
        NAMES, 0
    )
    assert loaded.tables["in_port"].column_names == ["vessel", "port", "ts", "te"]
    assert loaded.facts["vessel_type"].column_names == ["vessel", "type"]
    assert (loaded.first, loaded.last) == (None, None)
    assert list_absent(loaded) == [(name, f"in `{tmp_path}`") for name in NAMES + FACTS]


def test_files_of_no_declaration_are_named(tmp_path: Path) -> None:
    for name in ("aiss.csv", "notes.txt", "other.parquet"):
        (tmp_path / name).touch()
    warnings = read_input(PROGRAM, tmp_path).warnings
    expected = (
        f"ignored files in `{tmp_path}` (no matching input or fact): `aiss.csv`, `other.parquet`\n"
        "  help: a table is read if it is named after an input or fact"
    )
    assert expected in warnings


def test_a_name_with_the_end_of_a_line_is_told_on_one_line(tmp_path: Path) -> None:
    (tmp_path / "other \n.csv").touch()
    (warning,) = [w for w in read_input(PROGRAM, tmp_path).warnings if w.startswith("ignored")]
    assert warning.splitlines()[0].endswith("(no matching input or fact): `other .csv`")


def test_a_name_has_one_table(tmp_path: Path) -> None:
    put_csv(tmp_path)
    put_jsonl(tmp_path)
    with pytest.raises(DataError, match=r"several tables .*`ais.csv` and `ais.jsonl`"):
        read_input(PROGRAM, tmp_path)


def test_a_folder_without_tables_is_said(tmp_path: Path) -> None:
    (tmp_path / "ais.csv").mkdir()
    assert f"no Parquet files in `{tmp_path / 'ais.csv'}`" in read_input(PROGRAM, tmp_path).warnings


@pytest.mark.parametrize("name", ["ais.parquet", "ais.csv", "vessel_type.parquet"])
def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"" if name.endswith("csv") else b"PAR1 and no more")
    with pytest.raises(DataError, match=rf"`{tmp_path / name}`.*\n.*help:"):
        read_input(PROGRAM, tmp_path)


def test_a_truncated_parquet_file_is_an_error(tmp_path: Path) -> None:
    put_parquet(tmp_path)
    whole = (tmp_path / "ais.parquet").read_bytes()
    (tmp_path / "ais.parquet").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match="cannot read"):
        read_input(PROGRAM, tmp_path)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("absent", "there is no"),
        ("s3://bucket/x", "local engine"),
        ("x.csv", "which input `x.csv` is"),
        ("x.phe", "neither a folder"),
    ],
)
def test_places_that_are_no_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").touch()
    (tmp_path / "x.phe").touch()
    with pytest.raises(DataError, match=message):
        read_input(PROGRAM, place)


def test_no_permission_is_an_error(tmp_path: Path) -> None:
    put_csv(tmp_path)
    (tmp_path / "ais.csv").chmod(0)
    with as_anybody(), pytest.raises(DataError, match="permission denied"):
        read_input(PROGRAM, tmp_path)


def test_parquet_rows_are_judged_one_by_one(tmp_path: Path) -> None:
    table = pa.table(
        {
            "vessel": pa.array([1, None, 3, 4], pa.int32()),
            "port": pa.array(["a", "b", None, "d"]).dictionary_encode(),
            "ts": pa.array([1, 2, 3, 2**62], pa.int64()),
            "te": pa.array([2.0, None, 4.0, None]),
            "other": [[1], [2], [3], [4]],
        }
    )
    pq.write_table(table, tmp_path / "in_port.parquet")
    loaded = read_input(PROGRAM, tmp_path)
    assert list_rows(loaded.tables["in_port"]) == [(1, "a", 1, 2)]
    assert list_reasons(loaded) == [
        (2, "null argument", "vessel"),
        (3, "null argument", "port"),
        (4, "time out of range", "ts"),
    ]
    assert list_rejects(loaded)[0] == {
        "reason": "null argument",
        "name": "in_port",
        "column": "vessel",
        "file": str(tmp_path / "in_port.parquet"),
        "position": 2,
        "row": {"vessel": None, "port": "b", "ts": 2, "te": None},
    }
    assert (loaded.first, loaded.last) == (1, 2)


def test_timestamps_are_shown_as_text_among_the_rejects(tmp_path: Path) -> None:
    stamps = pa.array([1, 2], pa.timestamp("ns", "Europe/Paris"))
    columns = {
        "vessel": [None, 1],
        "port": ["a", "b"],
        "ts": stamps,
        "te": pa.array([0, 1], pa.date32()),
    }
    pq.write_table(pa.table(columns), tmp_path / "in_port.parquet")
    loaded = read_input(make_program("microsecond"), tmp_path)
    assert list_rejects(loaded)[0]["row"] == {
        "vessel": None,
        "port": "a",
        "ts": "1970-01-01 00:00:00.000000001",
        "te": "1970-01-01",
    }
    assert list_rows(loaded.tables["in_port"]) == [(1, "b", 0, 86_400_000_000)]


def test_text_that_is_none_is_shown_as_far_as_it_is(tmp_path: Path) -> None:
    names = pa.array([b"a", b"\xff"], pa.binary()).view(pa.string())
    columns = {key: [value, value] for key, value in AIS.items()} | {"name": names}
    pq.write_table(pa.table(columns), tmp_path / "ais.parquet")
    loaded = read_input(PROGRAM, tmp_path)
    assert list_rows(loaded.tables["ais"]) == [ROW]
    assert list_reasons(loaded) == [(2, "wrong type", "name")]
    assert list_rejects(loaded)[0]["row"]["name"] == "\ufffd"


def test_intervals_end_after_they_start(tmp_path: Path) -> None:
    (tmp_path / "convoy.csv").write_text(
        "leader,follower,ts,te\n1,2,5,5\n1,2,5,4\n1,2,5,6\n3,4,9,\n"
    )
    loaded = read_input(PROGRAM, tmp_path)
    assert list_rows(loaded.tables["convoy"]) == [(1, 2, 5, 6), (3, 4, 9, None)]
    assert list_reasons(loaded) == [(2, "te not after ts", "te"), (3, "te not after ts", "te")]
    assert (loaded.first, loaded.last) == (5, 9)


def test_a_row_with_an_end_closes_the_one_still_holding(tmp_path: Path) -> None:
    (tmp_path / "in_port.csv").write_text(
        "vessel,port,ts,te\n1,a,5,\n1,a,5,9\n1,b,5,\n1,a,6,\n1,a,5,\n2,a,5,7\n2,a,5,8\n"
    )
    loaded = read_input(PROGRAM, tmp_path)
    assert list_rows(loaded.tables["in_port"]) == [
        (1, "a", 5, 9), (1, "a", 6, None), (1, "b", 5, None), (2, "a", 5, 7), (2, "a", 5, 8),
    ]  # fmt: skip


@pytest.mark.parametrize("missing", ["vessel", "ts", "te"])
def test_without_a_column_no_row_fits(tmp_path: Path, missing: str) -> None:
    row = {"vessel": 1, "port": "a", "ts": 1, "te": 2}
    del row[missing]
    pq.write_table(
        pa.table({key: [value] for key, value in row.items()}), tmp_path / "in_port.parquet"
    )
    loaded = read_input(PROGRAM, tmp_path)
    assert loaded.tables["in_port"].num_rows == 0
    assert list_reasons(loaded) == [(1, "missing column", missing)]
    assert any(f"has no column `{missing}`; " in one for one in loaded.warnings)


def test_json_objects_are_judged_one_by_one(tmp_path: Path) -> None:
    write_lines(
        tmp_path / "in_port.jsonl",
        [
            {"vessel": 1, "port": "a", "ts": 1},
            "",
            {"vessel": 1, "port": "a", "ts": 2, "te": "1970-01-01T00:00:05Z", "x": 1},
            "{",
            "[1]",
            {"port": "a", "ts": 3, "te": 4},
            {"vessel": 2.5, "port": "a", "ts": 3, "te": 4},
            {"vessel": None, "port": "a", "ts": 3, "te": 4},
            {"vessel": 2, "port": "a", "te": 4},
            {"vessel": 2, "port": "a", "ts": None, "te": 4},
            {"vessel": 2, "port": "a", "ts": 4, "te": 4},
            {"vessel": 2, "port": "a", "ts": 4, "te": True},
            "[" * 100_000,
        ],
    )
    loaded = read_input(PROGRAM, tmp_path)
    assert list_rows(loaded.tables["in_port"]) == [(1, "a", 1, None), (1, "a", 2, 5)]
    assert sorted(list_reasons(loaded)) == [
        (4, "unreadable line", None),
        (5, "unreadable line", None),
        (6, "missing column", "vessel"),
        (7, "wrong type", "vessel"),
        (8, "null argument", "vessel"),
        (9, "missing column", "ts"),
        (10, "no time", "ts"),
        (11, "te not after ts", "te"),
        (12, "wrong type", "te"),
        (13, "unreadable line", None),
    ]


def test_facts_may_have_a_place_of_their_own(tmp_path: Path) -> None:
    data, other = tmp_path / "data", tmp_path / "other"
    data.mkdir()
    other.mkdir()
    (data / "vessel_type.csv").write_text("vessel,type\n1,a\n")
    (other / "vessel_type.csv").write_text("vessel,type\n2,b\n")
    (other / "holiday.csv").write_text("day\n1\n")
    (other / "ais.csv").write_text("not looked at")
    loaded = read_input(PROGRAM, data, facts=other, columns={"vessel_type": ["type"]})
    assert list_rows(loaded.facts["vessel_type"]) == [("a",), ("b",)]
    assert loaded.facts["holiday"].num_rows == 1
    assert "holiday" not in dict(list_absent(loaded))
    lines = write_lines(tmp_path / "facts.jsonl", [{"fact": "vessel_type", "args": [3, "c"]}])
    loaded = read_input(PROGRAM, data, facts=lines)
    assert list_rows(loaded.facts["vessel_type"]) == [(1, "a"), (3, "c")]
    path = write_lines(tmp_path / "in.jsonl", [])
    absent = dict(list_absent(read_input(PROGRAM, path, facts=data)))
    assert "vessel_type" not in absent
    assert absent["holiday"] == f"in `{data}` or among the lines of `{path}`"
    assert absent["ais"] == f"among the lines of `{path}`"


@pytest.mark.parametrize("extension", ["parquet", "csv", "jsonl"])
def test_a_fact_without_arguments_has_rows(tmp_path: Path, extension: str) -> None:
    if extension == "parquet":
        (tmp_path / "holiday").mkdir()
        for name in ("a.parquet", "b.parquet"):
            pq.write_table(pa.table({"day": [1]}), tmp_path / "holiday" / name)
    else:
        row = "day\n1\n2\n" if extension == "csv" else "{}\n{}\n"
        (tmp_path / f"holiday.{extension}").write_text(row)
    loaded = read_input(PROGRAM, tmp_path)
    assert loaded.facts["holiday"].num_rows == 2
    assert loaded.facts["holiday"].num_columns == 0


def test_only_wanted_columns_are_read_and_judged(tmp_path: Path) -> None:
    columns: dict[str, list[Any]] = {key: [value, value] for key, value in AIS.items()}
    columns["name"] = [None, "x"]
    pq.write_table(pa.table(columns), tmp_path / "ais.parquet")
    (tmp_path / "in_port.csv").write_text("vessel,port,ts,te\n1,a,5,\n1,b,5,9\n")
    wanted = {"ais": ["speed"], "in_port": ["vessel"], "alarm": []}
    loaded = read_input(PROGRAM, tmp_path, columns=wanted)
    assert loaded.tables["ais"].column_names == ["speed", "t"]
    assert loaded.tables["ais"].num_rows == 2
    assert list_rows(loaded.tables["in_port"]) == [(1, 5, 9), (1, 5, None)]
    assert not loaded.rejects
    pq.write_table(pa.table(columns | {"op": ["insert", "retract"]}), tmp_path / "ais.parquet")
    loaded = read_input(PROGRAM, tmp_path, columns=wanted)
    assert loaded.tables["ais"].column_names == ["speed", "t"]
    assert {one[1] for one in list_reasons(loaded)} == {"null argument", "retraction of nothing"}


def test_operations_in_one_file_of_many_concern_all(tmp_path: Path) -> None:
    (tmp_path / "ais").mkdir()
    first = {key: [value, value] for key, value in AIS.items()} | {"name": ["a", "b"]}
    second = {key: [value] for key, value in AIS.items()} | {"op": ["retract"]}
    pq.write_table(pa.table(first), tmp_path / "ais" / "1.parquet")
    pq.write_table(pa.table(second), tmp_path / "ais" / "2.parquet")
    loaded = read_input(PROGRAM, tmp_path, columns={"ais": ["vessel"]})
    assert list_rows(loaded.tables["ais"]) == [(1, 7)]
    assert not loaded.rejects


def test_strict_stops_at_the_first_row(tmp_path: Path) -> None:
    (tmp_path / "ais.csv").write_text(CSV + "1,0.5,a,true,7\n1,fast,a,true,7\n")
    file = tmp_path / "ais.csv"
    with pytest.raises(DataError) as caught:
        read_input(PROGRAM, tmp_path, strict=True)
    assert caught.value.message == f"{file}, line 3: wrong type in column `speed`"
    put_parquet(tmp_path)
    file.unlink()
    columns = {key: [value, value] for key, value in AIS.items()} | {"vessel": [1, None]}
    pq.write_table(pa.table(columns), tmp_path / "ais.parquet")
    with pytest.raises(DataError, match="row 2: null argument in column `vessel`"):
        read_input(PROGRAM, tmp_path, strict=True)


def test_every_reject_is_kept_counted_and_written(tmp_path: Path) -> None:
    count = 25_000
    table = pa.table({"vessel": ["x"] * count, "port": ["a" * 400] * count, "ts": [1] * count,
                      "te": [None] * count})  # fmt: skip
    pq.write_table(table, tmp_path / "in_port.parquet")
    write_lines(tmp_path / "ais.jsonl", ["?"])
    rejects = Rejects()
    loaded = read_input(PROGRAM, tmp_path, rejects=rejects)
    assert loaded.rejects is rejects
    assert len(rejects) == count + 1
    assert rejects.counts == {
        (str(tmp_path / "in_port.parquet"), "wrong type"): count,
        (str(tmp_path / "ais.jsonl"), "unreadable line"): 1,
    }
    assert rejects.count_reasons() == {"wrong type": count, "unreadable line": 1}
    assert [one.number for one in rejects.firsts.values()] == [1, 1]
    rejects.write(tmp_path / "rejects.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "rejects.jsonl").open()]
    assert len(rows) == count + 1
    assert rows[-1]["position"] == count
