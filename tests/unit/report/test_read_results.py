"""The four forms of results hold the same; what is no result is refused with its place."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from phenesthe.report.read_results import ResultsError, read_results
from phenesthe.report.rows import Row, keep_args, write_args

ROWS = (
    Row("alarm", "event", (), 3, 3),
    Row("moored", "state", (7, "brest"), 12, 40),
    Row("moored", "state", (7, "brest"), 50, None),
    Row("trip", "dynamic", (7, 0.5), 40, 60),
    Row("trip", "dynamic", (7, 0.5), 50, None),
)


def as_record(row: Row) -> dict[str, Any]:
    event = row.kind == "event"
    time = {"t": row.start} if event else {"ts": row.start, "te": row.end}
    return {"name": row.name, "kind": row.kind, "args": list(row.args), **time}


def as_flat(row: Row) -> dict[str, Any]:
    return {"t": None, "ts": None, "te": None, **as_record(row), "args": json.dumps(row.args)}


def write_json_lines(file: Path, *records: Any) -> Path:
    file.write_text("\n".join(json.dumps(record) for record in records), "utf-8")
    return file


def test_json_lines(tmp_path: Path) -> None:
    file = write_json_lines(tmp_path / "r.jsonl", *map(as_record, ROWS))
    assert read_results(file) == (ROWS, None)
    assert read_results(file, ["alarm", "trip"]).rows == (ROWS[0], *ROWS[3:])


def test_csv(tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    lines = ["name,kind,args,t,ts,te"]
    for row in map(as_flat, ROWS):
        args = row["args"].replace('"', '""')
        times = ",".join("" if row[key] is None else str(row[key]) for key in ("t", "ts", "te"))
        lines.append(f'{row["name"]},{row["kind"]},"{args}",{times}')
    file.write_text("\n".join(lines), "utf-8")
    assert read_results(file) == (ROWS, None)


def test_one_parquet_table(tmp_path: Path) -> None:
    file = tmp_path / "r.parquet"
    pq.write_table(pa.Table.from_pylist(list(map(as_flat, ROWS))), file)
    assert read_results(file) == (ROWS, None)


def test_a_folder_of_tables(tmp_path: Path) -> None:
    """The intervals of a state never overlap, so without a word on the kind `trip` is none."""
    moored = {"V": [7, 7], "P": ["brest", "brest"], "ts": [12, 50], "te": [40, None]}
    trip = {"V": [7, 7], "X": [0.5, 0.5], "ts": [40, 50], "te": [60, None]}
    pq.write_table(pa.table({"t": [3]}), tmp_path / "alarm.parquet")
    pq.write_table(pa.table(moored), tmp_path / "moored.parquet")
    (tmp_path / "trip").mkdir()
    pq.write_table(pa.table(trip), tmp_path / "trip" / "part-0.parquet")
    (tmp_path / "_SUCCESS").touch()
    assert read_results(tmp_path) == (ROWS, None)
    assert read_results(tmp_path, ["trip"]).rows == ROWS[3:]


def test_intervals_that_touch_are_not_those_of_a_state(tmp_path: Path) -> None:
    pq.write_table(pa.table({"ts": [3, 1], "te": [5, 3]}), tmp_path / "touch.parquet")
    pq.write_table(pa.table({"ts": [4, 1], "te": [5, 3]}), tmp_path / "apart.parquet")
    pq.write_table(pa.table({"t": [4]}), tmp_path / "between.parquet")
    assert [(row.name, row.kind) for row in read_results(tmp_path).rows] == [
        ("apart", "state"),
        ("apart", "state"),
        ("between", "event"),
        ("touch", "dynamic"),
        ("touch", "dynamic"),
    ]


def test_a_table_may_tell_its_kind(tmp_path: Path) -> None:
    table = pa.table({"V": [7], "ts": [1], "te": [2]}).replace_schema_metadata({"kind": "dynamic"})
    pq.write_table(table, tmp_path / "trip.parquet")
    assert read_results(tmp_path).rows == (Row("trip", "dynamic", (7,), 1, 2),)


def test_dates_choose_the_unit(tmp_path: Path) -> None:
    record = {"name": "s", "kind": "state", "args": [], "ts": "1970-01-01T00:00:01Z"}
    file = write_json_lines(tmp_path / "r.jsonl", record | {"te": "1970-01-01T00:01:00Z"})
    assert read_results(file) == ((Row("s", "state", (), 1, 60),), "second")
    file = write_json_lines(tmp_path / "r.jsonl", record | {"te": "1970-01-01T00:01:00.5Z"})
    assert read_results(file) == ((Row("s", "state", (), 1000, 60_500),), "millisecond")


def test_timestamps_are_dates(tmp_path: Path) -> None:
    times = pa.array([1_500, 2_000], pa.timestamp("ms"))
    table = pa.table({"V": [1, 2], "ts": times, "te": pa.nulls(2, times.type)})
    pq.write_table(table, tmp_path / "s.parquet")
    rows, unit = read_results(tmp_path)
    assert [row.start for row in rows] == [1500, 2000]
    assert unit == "millisecond"


def test_changes_are_applied(tmp_path: Path) -> None:
    def change(query: int, what: str, name: str, start: int, end: int | None, **more: Any) -> Any:
        kind = {"m": "state", "d": "dynamic"}[name]
        time = {"ts": start, "te": end}
        return {"name": name, "kind": kind, "args": [1], **time, "query": query, "change": what,
                **more}  # fmt: skip

    file = write_json_lines(
        tmp_path / "r.jsonl",
        change(10, "new", "m", 1, None),
        change(10, "new", "m", 5, 7),
        change(10, "new", "d", 1, None),
        change(10, "new", "d", 1, 4),
        change(20, "revised", "m", 1, 15, was=None),
        change(20, "withdrawn", "m", 5, 7),
        change(20, "revised", "d", 1, 12, was=None),
    )
    assert set(read_results(file).rows) == {
        Row("m", "state", (1,), 1, 15),
        Row("d", "dynamic", (1,), 1, 4),
        Row("d", "dynamic", (1,), 1, 12),
    }


def test_of_snapshots_the_last_counts(tmp_path: Path) -> None:
    record = {"name": "m", "kind": "state", "args": [1], "ts": 1}
    file = write_json_lines(
        tmp_path / "r.jsonl",
        record | {"te": None, "query": 10},
        record | {"te": 15, "query": 20},
    )
    assert read_results(file).rows == (Row("m", "state", (1,), 1, 15),)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "this line is not JSON"),
        ("[1]", 'a result is an object, {"name": …}'),
        (
            '{"fact": "f", "args": []}',
            "there is no `name`, so this is not a result; give what `run` wrote",
        ),
        ('{"name": "a", "t": 1}', "`args` is not a list of numbers and texts"),
        ('{"name": "a", "args": [[1]], "t": 1}', "`args` is not a list of numbers and texts"),
        ('{"name": "a", "args": [], "kind": "x"}', "`kind` is none of event, state and dynamic"),
        ('{"name": "a", "args": [], "t": 1.5}', "`t` is 1.5, neither an integer nor a date"),
        ('{"name": "a", "args": [], "t": "x"}', "`t` is 'x', neither an integer nor a date"),
        ('{"name": "a", "args": [], "t": true}', "`t` is True, neither an integer nor a date"),
        ('{"name": "a", "args": []}', "there is neither `t` of an event nor `ts` of an interval"),
        (
            '{"name": "a", "args": [], "ts": 4, "te": 4}',
            "the interval ends at 4, not after its start at 4",
        ),
        (
            '{"name": "a", "args": [], "t": 4, "change": "x"}',
            "`change` is none of new, revised and withdrawn",
        ),
    ],
)
def test_what_is_no_result(tmp_path: Path, line: str, reason: str) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text("\n" + line + "\n", "utf-8")
    with pytest.raises(ResultsError) as problem:
        read_results(file)
    assert str(problem.value) == f"{file}:2: {reason}"


def test_what_is_no_file_of_results(tmp_path: Path) -> None:
    def complain(path: Path) -> str:
        with pytest.raises(ResultsError) as problem:
            read_results(path)
        return str(problem.value)

    assert complain(tmp_path / "no.jsonl") == f"there is no file `{tmp_path / 'no.jsonl'}`"
    assert complain(tmp_path) == f"{tmp_path}: no Parquet table in this folder"
    for name, words in (
        ("a.txt", "results are a .jsonl, .csv or .parquet file"),
        ("a.parquet", "not a readable Parquet table"),
        ("a.csv", "not a CSV file in UTF-8"),
    ):
        (tmp_path / name).write_bytes(b"\xff\xfe,\x00")
        assert words in complain(tmp_path / name)
    mixed: list[dict[str, Any]] = [
        {"name": "a", "args": [], "t": time} for time in (1, "1970-01-01")
    ]
    file = write_json_lines(tmp_path / "mixed.jsonl", *mixed)
    assert complain(file) == f"{file}: some times are dates and some are integers"


def test_arguments_are_written_as_a_program_writes_them() -> None:
    args = (7, "brest", "7", "true", True, 0.5, None, "Le Havre")
    assert write_args(args) == '(7, brest, "7", "true", true, 0.5, null, "Le Havre")'


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        ([], True),
        (["7"], True),
        (["7", "brest"], True),
        (["_", "brest"], True),
        (["7", "_", "1"], True),
        (["7", "brest", "1.0", "true"], True),
        (["8"], False),
        (["7", "bres"], False),
        (["7", "brest", "x"], False),
        (["7", "brest", "1", "True"], False),
        (["7", "brest", "1", "true", "_"], False),
    ],
)
def test_leading_arguments(wanted: list[str], kept: bool) -> None:
    assert keep_args((7, "brest", 1.0, True), wanted) is kept
