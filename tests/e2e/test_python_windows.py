"""Replays in Python give what the command writes, and go on where it stopped."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas
import pyarrow as pa
import pytest

import phenesthe
from phenesthe.results import Results
from tests.e2e.test_state import cut
from tests.e2e.test_windows import PROGRAM, ROWS, read, start

EMITS = ("final", "changes", "snapshots")
#: A row that comes too late, and one that takes back nothing.
MORE: list[dict[str, Any]] = [
    *ROWS,
    {"name": "stop", "args": ["a"], "t": 2, "arrival": 19},
    {"name": "lit", "args": ["b"], "ts": 13, "te": 15, "arrival": 16, "op": "retract"},
]
KINDS = {"starts_up": "event", "runs": "state", "runs_lit": "dynamic"}
WINDOWS: dict[str, Any] = {"window": 10, "step": 4}
TYPED = ("--window", "10", "--step", "4")
SCHEMA = [("x", pa.string()), ("t", pa.int64()), ("ts", pa.int64()), ("te", pa.int64())]
BESIDE = [("arrival", pa.int64()), ("op", pa.string())]


@pytest.fixture(autouse=True)
def _disk_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.phe").write_text(PROGRAM)
    return tmp_path


def make_tables(rows: Sequence[Mapping[str, Any]]) -> dict[str, pa.Table]:
    tables = {}
    for name in ("go", "stop", "lit"):
        times = ("ts", "te") if name == "lit" else ("t",)
        schema = pa.schema([one for one in SCHEMA if one[0] in ("x", *times)] + BESIDE)
        own = [{**row, "x": row["args"][0]} for row in rows if row["name"] == name]
        tables[name] = pa.Table.from_pylist(own, schema=schema)
    return tables


def command(folder: Path, rows: Sequence[Mapping[str, Any]], *options: str) -> list[Any]:
    (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = ("--quiet", "--engine", "local", "--input", "in.jsonl", *TYPED)
    ended = start(folder, "run", "p.phe", *given, *options)
    assert ended.code == 0, ended.err
    return read(ended.out)


def ask(rows: Sequence[Mapping[str, Any]], **options: Any) -> Results:
    result = phenesthe.compile(text=PROGRAM).run(make_tables(rows), **WINDOWS, **options)
    assert isinstance(result, Results)
    return result


def list_lines(tables: Mapping[str, pa.Table]) -> list[str]:
    """The rows as the command writes them, in an order of our own."""
    lines = []
    for name, table in tables.items():
        for row in table.to_pylist():
            line = {"name": name, "kind": KINDS[name], "args": [row.pop("X")], **row}
            if line.get("change") != "revised":
                line.pop("was", None)
            lines.append(line)
    return sort(lines)


def sort(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    return sorted(json.dumps(one, sort_keys=True) for one in lines)


@pytest.mark.parametrize("emit", EMITS)
def test_python_gives_what_the_command_writes(folder: Path, emit: Any) -> None:
    written = command(folder, MORE, "--emit", emit, "--rejects", "bad.jsonl")
    result = ask(MORE, emit=emit)
    assert list_lines(dict(result)) == sort(written)
    assert len(written) > 6
    told = [line["reason"] for line in read((folder / "bad.jsonl").read_text())]
    assert sorted(result.rejects.count_reasons()) == sorted(told) != []


def test_the_columns_of_each_way_to_tell() -> None:
    columns = {emit: ask(ROWS, emit=emit)["runs"].column_names for emit in (None, *EMITS)}
    plain = ["X", "ts", "te"]
    assert columns == {
        None: plain,
        "final": plain,
        "changes": [*plain, "query", "change", "was"],
        "snapshots": [*plain, "query"],
    }


def test_nothing_to_ask_about_has_the_same_columns() -> None:
    for emit in EMITS:
        full, empty = ask(ROWS, emit=emit), ask([], emit=emit, allow_empty=True)
        for name in KINDS:
            assert empty[name].schema == full[name].schema
            assert not empty[name].num_rows


def test_pandas_frames_come_back_as_such() -> None:
    given = {name: table.to_pandas() for name, table in make_tables(ROWS).items()}
    given["lit"] = make_tables(ROWS)["lit"]
    found = phenesthe.compile(text=PROGRAM).run(given, **WINDOWS, emit="changes")["runs"]
    assert isinstance(found, pandas.DataFrame)
    assert str(found["was"].dtype) == "Int64"


def test_times_may_be_dates() -> None:
    plain = ask(ROWS, emit="changes", start=0, until=12)
    dated = ask(ROWS, emit="changes", start="1970-01-01", until="1970-01-01T00:00:12")
    assert list_lines(dict(dated)) == list_lines(dict(plain))


@pytest.mark.parametrize("emit", EMITS)
@pytest.mark.parametrize("first", ["command", "python"])
@pytest.mark.parametrize("second", ["command", "python"])
def test_a_state_is_continued_by_the_other(
    folder: Path, emit: Any, first: str, second: str
) -> None:
    """Both parts together are one run, whoever makes which."""
    whole = command(folder, MORE, "--emit", emit)
    told: list[str] = []
    for who, rows, until in zip((first, second), cut(MORE, 12), (12, None), strict=True):
        if who == "python":
            result = ask(rows, emit=emit, until=until, state=folder / "st")
            lines = list_lines(dict(result))
        else:
            ends = () if until is None else ("--until", str(until))
            lines = sort(command(folder, rows, "--emit", emit, "--state", "st", *ends))
        told = lines if emit == "final" else [*told, *lines]
    assert sorted(told) == sort(whole)


@pytest.mark.parametrize("emit", EMITS)
def test_the_same_run_made_again_gives_the_same(folder: Path, emit: Any) -> None:
    """A script that failed after it may be started again: rows are not taken in twice."""
    options: dict[str, Any] = {"emit": emit, "state": folder / "st"}
    part, rest = cut(MORE, 12)
    ask(part, until=12, **options)
    first, again = ask(rest, **options), ask(rest, **options)
    assert {name: again[name] for name in again} == {name: first[name] for name in first}
    assert list(again) == list(first)
    assert again.rejects.count_reasons() == first.rejects.count_reasons() != {}
    assert list(again.rejects.read_lines()) == list(first.rejects.read_lines())
    assert not first.warnings
    assert again.warnings == (
        "this run was made before, and the state has its rows: its results are given again",
    )


def test_a_copy_that_was_written_into_is_not_given_again(folder: Path) -> None:
    ask(ROWS, state=folder / "st")
    (copy,) = (folder / "st").glob("told-*/*")
    copy.write_bytes(copy.read_bytes()[:-8])
    with pytest.raises(phenesthe.DataError, match="what the last run gave back") as problem:
        ask(ROWS, state=folder / "st")
    assert "another state folder" in str(problem.value)


def test_a_run_of_python_that_was_cut_off_does_not_stop_the_next(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part, rest = cut(ROWS, 12)

    def fail(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        # After the commit: the run is done, and nobody has got its results.
        patch.setattr("phenesthe.memory.store.Store.mark_told", fail)
        with pytest.raises(KeyboardInterrupt):
            ask(part, until=12, state=folder / "st")
    assert len(ask(part, until=12, state=folder / "st").warnings) == 1
    assert sort(command(folder, rest, "--state", "st")) == sort(command(folder, ROWS))


def test_a_state_of_another_program(folder: Path) -> None:
    other = phenesthe.compile(text=PROGRAM + "state waits(X) : stop(X) ~> go(X);\n")
    part, rest = (make_tables(rows) for rows in cut(ROWS, 12))
    options: dict[str, Any] = {**WINDOWS, "state": folder / "st", "emit": "changes"}
    phenesthe.compile(text=PROGRAM).run(part, until=12, **options)
    with pytest.raises(phenesthe.DataError, match="belongs to a different run") as problem:
        other.run(rest, **options)
    assert 'on_change="restart"' in str(problem.value)
    assert "--" not in str(problem.value)
    begun = other.run(rest, **options, on_change="restart")
    assert any(text.startswith("the run begins anew") for text in begun.warnings)


def test_final_results_need_a_state_that_has_them(folder: Path) -> None:
    part, rest = cut(ROWS, 12)
    ask(part, until=12, emit="changes", state=folder / "st")
    with pytest.raises(phenesthe.DataError, match="begun with emit=changes or snapshots"):
        ask(rest, state=folder / "st")


def test_a_form_of_times_is_read_in_windows_too() -> None:
    table = pa.table({"x": ["a", "b"], "t": ["01/01/1970 00:01", "01/01/1970 00:02"]})
    program = phenesthe.compile(text="input event go(x: str);\nevent up(X) : go(X);\n")
    found = program.run({"go": table}, window="1m", time_format="%d/%m/%Y %H:%M")
    assert isinstance(found, Results)
    assert sorted(found["up"]["t"].to_pylist()) == [60, 120]
