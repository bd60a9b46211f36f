"""`phenesthe run --window`: replays as people start them."""

import contextlib
import csv
import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from phenesthe.cli.main import main
from tests.e2e.test_cli import Ended, run

PROGRAM = """\
input event go(x: str);
input event stop(x: str);
input state lit(x: str);
event starts_up(X) : go(X);
state runs(X) : go(X) ~> stop(X);
dynamic runs_lit(X) : runs(X) contains lit(X);
"""
#: `b` stops late, `c` never went, `d` comes too late for a short window.
ROWS: list[dict[str, Any]] = [
    {"name": "go", "args": ["a"], "t": 1},
    {"name": "go", "args": ["b"], "t": 2},
    {"name": "lit", "args": ["a"], "ts": 3, "te": 6},
    {"name": "stop", "args": ["a"], "t": 20},
    {"name": "stop", "args": ["b"], "t": 9, "arrival": 15},
    {"name": "go", "args": ["c"], "t": 12},
    {"name": "go", "args": ["c"], "t": 12, "arrival": 18, "op": "retract"},
    {"name": "go", "args": ["d"], "t": 3, "arrival": 11},
]
FORMS = ("r.jsonl", "r.csv", "r.parquet", "r/")
WIDE = ("--window", "10", "--step", "4")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.phe").write_text(PROGRAM)
    write_rows(tmp_path, ROWS)
    return tmp_path


def write_rows(folder: Path, rows: list[dict[str, Any]]) -> None:
    (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def replay(folder: Path, *options: str) -> Ended:
    return start(
        folder, "run", "p.phe", "--quiet", "--engine", "local", "--input", "in.jsonl", *options
    )


def start(folder: Path, *arguments: str) -> Ended:
    """The command in this process, which starts faster."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with contextlib.chdir(folder), redirect_stdout(out), redirect_stderr(err):
        code = main(list(arguments))
        out.flush()
    buffer = out.buffer
    assert isinstance(buffer, io.BytesIO)
    return Ended(code, buffer.getvalue().decode(), err.getvalue())


def read(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_the_real_command_replays(folder: Path) -> None:
    options = ("--quiet", "--engine", "local", "--input", "in.jsonl", *WIDE, "--emit", "changes")
    ended = run("run", "p.phe", *options, cwd=folder)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == replay(folder, *WIDE, "--emit", "changes").out


@pytest.mark.parametrize("windows", [("--window", "25"), ("--window", "1d", "--step", "1"), WIDE])
def test_the_final_result_is_that_of_a_batch_run(folder: Path, windows: tuple[str, ...]) -> None:
    batch = replay(folder)
    ended = replay(folder, *windows)
    assert ended.code == 0
    assert ended.err == batch.err == ""
    assert ended.out == batch.out
    assert len(read(ended.out)) == 7


CHANGES = """\
runs        state   a 1 -    4 new
runs        state   b 2 -    4 new
starts_up   event   a 1      4 new
starts_up   event   b 2      4 new
runs_lit    dynamic a 1 -    8 new
runs        state   c 12 -  12 new
runs        state   d 3 -   12 new
starts_up   event   c 12    12 new
starts_up   event   d 3     12 new
runs        state   b 2 9   16 revised
runs        state   a 1 20  20 revised
runs        state   c 12 -  20 withdrawn
runs_lit    dynamic a 1 20  20 revised
starts_up   event   c 12    20 withdrawn
"""


def list_changes(lines: list[dict[str, Any]]) -> list[str]:
    found = []
    for one in lines:
        times = [one["t"]] if one["kind"] == "event" else [one["ts"], one["te"]]
        words = [one["name"], one["kind"], *one["args"], *times, one["query"], one["change"]]
        found.append(" ".join("-" if word is None else str(word) for word in words))
    return found


def test_changes_are_told_query_by_query(folder: Path) -> None:
    ended = replay(folder, *WIDE, "--emit", "changes")
    lines = read(ended.out)
    assert list_changes(lines) == [" ".join(line.split()) for line in CHANGES.splitlines()]
    assert all(("was" in line) == (line["change"] == "revised") for line in lines)
    assert {line["was"] for line in lines if "was" in line} == {None}


def touches(line: dict[str, Any], query: int, width: int) -> bool:
    end = line.get("t", line.get("te"))
    return end is None or end > query - width


def test_changes_applied_in_order_give_the_snapshots(folder: Path) -> None:
    known: dict[tuple[Any, ...], dict[str, Any]] = {}
    at: dict[int, list[dict[str, Any]]] = {}
    for line in read(replay(folder, *WIDE, "--emit", "changes").out):
        query, change = line.pop("query"), line.pop("change")
        identity = [line["name"], *line["args"], line.get("t", line.get("ts"))]
        if line["kind"] == "dynamic":
            identity.append(line.pop("was") if change == "revised" else line["te"])
        line.pop("was", None)
        was = known.pop(tuple(identity), None)
        assert (was is None) == (change == "new")
        if change != "withdrawn":
            identity[3:] = [line["te"]] if line["kind"] == "dynamic" else []
            known[tuple(identity)] = line
        at[query] = list(known.values())
    lines = read(replay(folder, *WIDE, "--emit", "snapshots").out)
    assert {line["query"] for line in lines} == {4, 8, 12, 16, 20} == set(at)
    for query, found in at.items():
        expected = [{**one, "query": query} for one in found if touches(one, query, 10)]
        there = [line for line in lines if line["query"] == query]
        assert sorted(map(str, there)) == sorted(map(str, expected))


def read_form(path: Path) -> list[dict[str, Any]]:
    """The rows of whatever was written, as the JSON lines would have them."""
    if path.suffix == ".csv":
        with path.open(newline="") as file:
            rows: list[dict[str, Any]] = list(csv.DictReader(file))
    elif path.suffix == ".parquet":
        rows = pq.read_table(path).to_pylist()
    else:
        rows = []
        for one in sorted(path.glob("*.parquet")):
            table = pq.read_table(one)
            kind = table.schema.metadata[b"kind"].decode()
            for row in table.to_pylist():
                args = json.dumps([row.pop("X")])
                rows.append({"name": one.stem, "kind": kind, "args": args, **row})
    found = []
    for row in rows:
        times: dict[str, Any] = {
            key: row[key] for key in ("t", "ts", "te", "query", "was") if key in row
        }
        numbers = {key: int(value) for key, value in times.items() if value not in (None, "")}
        line: dict[str, Any] = {"name": row["name"], "kind": row["kind"]}
        line |= {"args": json.loads(row["args"]), **numbers}
        if row["kind"] != "event":
            line.setdefault("te", None)
        if "change" in row:
            line["change"] = row["change"]
            if row["change"] == "revised":
                line.setdefault("was", None)
        found.append(line)
    return found


@pytest.mark.parametrize("emit", ["changes", "snapshots"])
@pytest.mark.parametrize("form", FORMS[1:])
def test_all_forms_hold_the_same(folder: Path, form: str, emit: str) -> None:
    lines = read(replay(folder, *WIDE, "--emit", emit).out)
    ended = replay(folder, *WIDE, "--emit", emit, "--output", form)
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    found = read_form(folder / form)
    if form == "r/":
        order = [(line["query"], line["name"]) for line in found]
        assert order == sorted(order, key=lambda one: (one[1], one[0]))
        found.sort(key=lambda line: (line["query"], line["name"]))
        lines.sort(key=lambda line: (line["query"], line["name"]))
    assert found == lines


@pytest.mark.parametrize("form", ["r.parquet", "r/"])
def test_tables_are_written_in_parts(
    folder: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = (*WIDE, "--emit", "snapshots", "--output")
    assert replay(folder, *options, f"whole_{form}").code == 0
    monkeypatch.setattr("phenesthe.io.versions._ROWS", 3)
    assert replay(folder, *options, form).code == 0
    assert read_form(folder / form) == read_form(folder / f"whole_{form}")
    file = folder / ("r/runs.parquet" if form == "r/" else form)
    assert pq.ParquetFile(file).num_row_groups > 1


def test_a_phenomenon_that_never_holds_has_a_table_too(folder: Path) -> None:
    write_rows(folder, ROWS[:1])
    assert replay(folder, *WIDE, "--emit", "changes", "--output", "r/").code == 0
    table = pq.read_table(folder / "r" / "runs_lit.parquet")
    assert table.num_rows == 0
    assert table.column_names == ["X", "ts", "te", "query", "change", "was"]


@pytest.mark.parametrize("emit", ["changes", "snapshots"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("times", ["int", "iso"])
def test_show_draws_the_latest_versions(folder: Path, form: str, emit: str, times: str) -> None:
    options = ("--window", "25", "--step", "4", "--times", times)
    assert replay(folder, *options, "--output", "final.jsonl").code == 0
    assert replay(folder, *options, "--emit", emit, "--output", form).code == 0
    expected = start(folder, "show", "final.jsonl")
    shown = start(folder, "show", form.rstrip("/"))
    assert (shown.code, shown.err) == (0, "")
    assert "runs_lit" in shown.out
    # Names are drawn in the order in which they come.
    assert sorted(shown.out.splitlines()) == sorted(expected.out.splitlines())


def test_iso_times_are_those_of_the_query_and_the_old_end_too(folder: Path) -> None:
    rows = [*ROWS[:2], {"name": "stop", "args": ["b"], "t": 9},
            {"name": "stop", "args": ["b"], "t": 9, "arrival": 11, "op": "retract"},
            {"name": "stop", "args": ["b"], "t": 11}]  # fmt: skip
    write_rows(folder, rows)
    lines = read(replay(folder, *WIDE, "--step", "10", "--emit", "changes", "--times", "iso").out)
    revised = [line for line in lines if line["change"] == "revised"]
    assert revised == [
        {"name": "runs", "kind": "state", "args": ["b"], "ts": "1970-01-01T00:00:02Z",
         "te": "1970-01-01T00:00:11Z", "query": "1970-01-01T00:00:11Z", "change": "revised",
         "was": "1970-01-01T00:00:09Z"},
    ]  # fmt: skip


def test_too_late_rows_are_counted_and_kept(folder: Path) -> None:
    write_rows(folder, [*ROWS, {"name": "go", "args": [1], "t": 1}])
    ended = replay(
        folder, "--window", "4", "--step", "4", "--rejects", "bad.jsonl", "--stats", "s.jsonl"
    )
    assert ended.code == 0
    assert "4 rows were set aside (3 too late, 1 wrong type)" in ended.err
    bad = read((folder / "bad.jsonl").read_text())
    assert [(one["line"], one["reason"]) for one in bad if one["reason"] == "too late"] == [
        (8, "too late"), (5, "too late"), (7, "too late"),
    ]  # fmt: skip
    stats = read((folder / "s.jsonl").read_text())
    assert [line["query"] for line in stats] == [4, 8, 12, 16, 20]
    assert [line["inputs"] for line in stats] == [3, 0, 2, 1, 2]
    assert sum(line["too_late"] for line in stats) == 3
    assert sum(line["too_late"] + line["rejected"] for line in stats) == len(bad)


def test_with_strict_the_first_row_that_is_too_late_is_an_error(folder: Path) -> None:
    ended = replay(
        folder, "--window", "4", "--strict", "--emit", "changes",
        "--output", "r.jsonl", "--stats", "s.jsonl",
    )  # fmt: skip
    assert ended.code == 1
    assert "in.jsonl, line 8: too late" in ended.err
    assert sorted(path.name for path in folder.iterdir()) == ["in.jsonl", "p.phe"]
    assert replay(folder, "--window", "4", "--strict", "--emit", "snapshots").out == ""


def test_stats_tell_of_every_query(folder: Path) -> None:
    assert replay(folder, *WIDE, "--stats", "deep/s.jsonl").code == 0
    lines = read((folder / "deep" / "s.jsonl").read_text())
    assert [line["query"] for line in lines] == [4, 8, 12, 16, 20]
    assert [line["inputs"] for line in lines] == [3, 0, 2, 1, 2]
    assert [line["late"] for line in lines] == [0, 0, 1, 1, 1]
    for line in lines:
        assert set(line) == {
            "query", "inputs", "late", "too_late", "rejected", "memory", "incomplete", "seconds",
        }  # fmt: skip
        assert line["memory"]["rows"] == sum(line["memory"]["by_definition"].values())
        assert line["seconds"] >= 0
    assert lines[0]["memory"]["rows"] > 0


def test_a_batch_run_has_one_line_of_stats(folder: Path) -> None:
    assert replay(folder, "--stats", "s.jsonl").code == 0
    (line,) = read((folder / "s.jsonl").read_text())
    assert (line["query"], line["inputs"], line["rejected"]) == (20, 6, 0)
    assert line["memory"] == {"rows": 0, "by_definition": {}}
    write_rows(folder, [])
    assert replay(folder, "--stats", "s.jsonl", "--overwrite").code == 0
    assert (folder / "s.jsonl").read_text() == ""


def test_what_lies_at_or_before_the_start_is_too_late(folder: Path) -> None:
    ended = replay(folder, "--window", "30", "--step", "30", "--start", "2", "--emit", "changes")
    assert [(line["name"], line["args"]) for line in read(ended.out)] == [
        ("runs", ["d"]),
        ("starts_up", ["d"]),
    ]
    assert "2 too late" in ended.err


def test_without_rows_nothing_is_asked(folder: Path) -> None:
    write_rows(folder, [])
    for emit in ("final", "changes", "snapshots"):
        ended = replay(folder, *WIDE, "--emit", emit)
        assert (ended.code, ended.out) == (0, "")
        assert replay(folder, *WIDE, "--emit", emit, "--until", "9").code == 0


def test_only_some_definitions(folder: Path) -> None:
    lines = read(replay(folder, *WIDE, "--emit", "changes", "--only", "starts_up").out)
    assert {line["name"] for line in lines} == {"starts_up"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--step", "4"), "--step works only with --window"),
        (("--emit", "final"), "--emit works only with --window"),
        (("--window", "4", "--step", "5"), "--step 5 is longer than --window 4"),
        (("--window", "1m", "--step", "1h"), "--step 1h is longer than --window 1m"),
        (("--window", "0"), "--window must be at least 1 second, not `0`"),
        (("--window=-4",), "--window must be at least 1 second, not `-4`"),
        (("--window", "8h", "--step", "0s"), "--step must be at least 1 second, not `0s`"),
        (("--window", "0.5s"), "--window takes a duration in whole seconds, not `0.5s`"),
        (("--window", "long"), "--window takes a duration in whole seconds, not `long`"),
        (("--window", "1.5"), "--window takes a duration in whole seconds, not `1.5`"),
        (("--window", str(2**62)), "--window must be less than 2^62 ticks"),
        (("--window", "4", "--start", "9", "--until", "9"), "--until is not after --start"),
        (("--window", "4", "--stats", "in.jsonl"), "--stats `in.jsonl` is the input"),
        (("--stats", "."), "--stats `.` is a folder"),
        (("--stats", "s", "--rejects", "s"), "--stats `s` is the file of rejects"),
    ],
)
def test_options_that_cannot_be_meant_end_with_2(
    folder: Path, options: tuple[str, ...], message: str
) -> None:
    ended = replay(folder, *options)
    assert ended.code == 2
    assert ended.out == ""
    assert message in ended.err
    assert "help: " in ended.err


def test_too_many_queries_are_refused_before_the_first(folder: Path) -> None:
    write_rows(folder, [*ROWS, {"name": "go", "args": ["z"], "t": 10**9}])
    ended = replay(folder, "--window", "1", "--output", "r.jsonl")
    assert ended.code == 1
    assert "1,000,000,000 queries" in ended.err
    assert not (folder / "r.jsonl").exists()


@pytest.mark.parametrize("form", ["r.parquet", "r/"])
def test_times_that_parquet_cannot_hold_leave_nothing(folder: Path, form: str) -> None:
    write_rows(folder, [{"name": "go", "args": ["a"], "t": 2**61}])
    options = ("--window", "4", "--emit", "changes", "--output", form)
    ended = replay(folder, *options, "--times", "iso")
    assert ended.code == 1
    assert "use --times int" in ended.err
    assert sorted(path.name for path in folder.iterdir()) == ["in.jsonl", "p.phe"]
    assert replay(folder, *options).code == 0
