"""What stands beside results: dates, an open bar as long as it is, and nothing that is wrong."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from phenesthe.engines.spark.session import Session
from phenesthe.io.meta import find_meta
from tests.e2e.test_windows import start

PROGRAM = """\
unit millisecond;
input event go(x: str);
input event stop(x: str);
state runs(X) : go(X) ~> stop(X);
"""
GO = "x,t\na,2022-01-03T10:00:00Z\nb,2022-01-03T10:05:00Z\n"
STOP = "x,t\nb,2022-01-03T10:10:00Z\nz,2022-01-03T18:00:00Z\n"
QUERY = 1_641_232_800_000
FORMS = ("r.jsonl", "r.csv", "r.parquet", "r/")
WINDOWS = (), ("--window", "1d"), ("--window", "1d", "--state", "memory")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.phe").write_text(PROGRAM)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "go.csv").write_text(GO)
    (tmp_path / "in" / "stop.csv").write_text(STOP)
    return tmp_path


def run(folder: Path, output: str, *options: str, engine: str = "local") -> None:
    given = ("--quiet", "--input", "in", "--engine", engine, "--output", output, *options)
    ended = start(folder, "run", "p.phe", *given)
    assert (ended.code, ended.err) == (0, "")


def show(folder: Path, output: str, *options: str) -> str:
    ended = start(folder, "show", output.rstrip("/"), "--width", "100", *options)
    assert (ended.code, ended.err) == (0, "")
    return ended.out


def read(folder: Path, output: str) -> dict[str, Any]:
    """What is told, wherever it stands."""
    path = folder / output
    if path.suffix in (".jsonl", ".csv"):
        content: dict[str, Any] = json.loads(Path(f"{path}.meta.json").read_text())
        assert len(content.pop("sha256")) == 64
        return content
    if path.is_dir():
        path = next(one for one in path.rglob("*.parquet") if one.is_file())
    meta = find_meta(pq.read_schema(path))
    assert meta is not None
    told: dict[str, Any] = json.loads(meta.to_json())
    return told


@pytest.mark.parametrize("windows", WINDOWS)
@pytest.mark.parametrize("output", FORMS)
def test_results_tell_what_they_are_of(folder: Path, output: str, windows: tuple[str, ...]) -> None:
    run(folder, output, *windows)
    told = read(folder, output)
    assert len(told.pop("program")) == 12
    assert told == {"unit": "millisecond", "query": QUERY, "dates": True}


@pytest.mark.parametrize("output", FORMS)
def test_dates_are_drawn_where_the_input_had_some(folder: Path, output: str) -> None:
    run(folder, output)
    drawn = show(folder, output)
    assert "2022-01-03" in drawn
    # Eight hours and not ten minutes: the bar is as long as it is known to be.
    assert "17:00" in drawn
    assert "1641" not in drawn
    assert "1641" in show(folder, output, "--times", "int")


def test_a_bar_ends_where_the_query_was(folder: Path) -> None:
    run(folder, "r.jsonl", "--until", "2022-01-03T12:00:00Z")
    drawn = show(folder, "r.jsonl")
    assert "11:50" in drawn
    assert "17:00" not in drawn
    closed = show(folder, "r.jsonl", "--args", "b")
    assert "11:50" not in closed


def test_dates_that_are_written_as_dates_have_the_same_bars(folder: Path) -> None:
    run(folder, "r.jsonl")
    run(folder, "iso.jsonl", "--times", "iso")
    assert show(folder, "iso.jsonl") == show(folder, "r.jsonl")


def test_numbers_stay_numbers(folder: Path) -> None:
    (folder / "in" / "go.csv").write_text("x,t\na,5\n")
    (folder / "in" / "stop.csv").write_text("x,t\nz,60\n")
    run(folder, "r.jsonl")
    assert read(folder, "r.jsonl")["dates"] is False
    drawn = show(folder, "r.jsonl")
    assert "1970" not in drawn
    assert "60" in drawn


@pytest.mark.parametrize("emit", ["changes", "snapshots"])
@pytest.mark.parametrize("output", FORMS)
def test_versions_tell_it_too(folder: Path, output: str, emit: str) -> None:
    run(folder, output, "--window", "1d", "--step", "1h", "--emit", emit)
    assert read(folder, output)["query"] == QUERY
    assert "17:00" in show(folder, output)


def test_every_reader_works_without_it(folder: Path) -> None:
    run(folder, "r.jsonl")
    (folder / "r.jsonl.meta.json").unlink()
    assert "1641" in show(folder, "r.jsonl")


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"sha256": 1}', "\x00", '{"sha256": "x"'])
def test_what_is_broken_there_is_nothing(folder: Path, text: str) -> None:
    run(folder, "r.jsonl")
    (folder / "r.jsonl.meta.json").write_text(text)
    assert "1641" in show(folder, "r.jsonl")


def test_what_stands_beside_another_output_is_nothing(folder: Path) -> None:
    """As a kill between the two leaves it, or a copy, or an editor."""
    run(folder, "r.jsonl")
    lines = (folder / "r.jsonl").read_text().splitlines(keepends=True)
    (folder / "r.jsonl").write_text(lines[0])
    assert "1641" in show(folder, "r.jsonl")


def test_it_is_replaced_with_the_output(folder: Path) -> None:
    run(folder, "r.jsonl")
    before = read(folder, "r.jsonl")
    run(folder, "r.jsonl", "--overwrite", "--until", "2022-01-03T12:00:00Z")
    assert read(folder, "r.jsonl")["query"] < before["query"]
    assert "11:50" in show(folder, "r.jsonl")


def test_a_file_of_that_name_that_is_not_ours_stays(folder: Path) -> None:
    (folder / "r.jsonl.meta.json").write_text('{"mine": 1}')
    run(folder, "r.jsonl")
    assert (folder / "r.jsonl.meta.json").read_text() == '{"mine": 1}'


def test_stdout_has_none(folder: Path) -> None:
    before = {path.name for path in folder.iterdir()}
    assert start(folder, "run", "p.phe", "--input", "in", "--engine", "local").code == 0
    assert {path.name for path in folder.iterdir()} == before


def test_the_program_is_told_by_its_meaning(folder: Path) -> None:
    run(folder, "a.jsonl")
    (folder / "p.phe").write_text("// the same\n" + PROGRAM.replace(" ~> ", "   ~>   "))
    run(folder, "b.jsonl")
    (folder / "p.phe").write_text(PROGRAM.replace("~> stop(X)", "~> stop(X) expires 1h"))
    run(folder, "c.jsonl")
    one, same, other = (read(folder, f"{name}.jsonl")["program"] for name in "abc")
    assert one == same != other


@pytest.mark.parametrize(
    ("output", "windows"),
    [("r.jsonl", ()), ("r/", ()), ("r.csv", WINDOWS[1]), ("r.jsonl", WINDOWS[2])],
)
def test_on_spark_it_is_the_same(
    folder: Path, session: Session, output: str, windows: tuple[str, ...]
) -> None:
    assert session.spark is not None
    run(folder, output, *windows)
    here = read(folder, output)
    kept = [one if one != "memory" else "other" for one in windows]
    run(folder, f"s{output}", *kept, engine="spark")
    assert read(folder, f"s{output}") == here


def test_at_an_address_it_is_in_the_tables(folder: Path, session: Session) -> None:
    assert session.spark is not None
    run(folder, f"file://{folder}/far", engine="spark")
    assert read(folder, "far")["query"] == QUERY
    assert "17:00" in show(folder, "far")


def test_dates_of_parquet_are_seen_by_spark(folder: Path, session: Session) -> None:
    from pyarrow import csv

    for name in ("go", "stop"):
        path = folder / "in" / f"{name}.csv"
        pq.write_table(csv.read_csv(path), path.with_suffix(".parquet"))
        path.unlink()
    assert session.spark is not None
    run(folder, "r/", engine="spark")
    assert read(folder, "r/")["dates"] is True
