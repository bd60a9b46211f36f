"""What a run says at its end: rows used and set aside, what was found, and how long it took."""

import re
from pathlib import Path

import pytest

from phenesthe.engines.spark.session import Session
from tests.e2e.test_windows import start

PROGRAM = """\
input event ais(vessel: int, speed: float);
input event unused(x: int);
fact kind(vessel: int, type: str);
event slow(V) : ais(V, S) and S < 1.0;
event quick(V) : ais(V, S) and S > 100.0;
state stopped(V) : (slow(V) ~> quick(V)) where kind(V, tug);
"""
AIS = "vessel,speed,t\n1,0.5,1\n2,7.0,2\n2,0.1,3\nx,0.1,4\n3,y,5\n3,,5\n"
KIND = "vessel,type\n1,tug\n"
EXPECTED = """\
used   ais   3 rows, 3 set aside (2 wrong type, 1 null argument)
       kind  1 row
found  slow     2
       stopped  1
       nothing of quick
done in S s
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.phe").write_text(PROGRAM)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ais.csv").write_text(AIS)
    (tmp_path / "in" / "kind.csv").write_text(KIND)
    return tmp_path


def summarise(folder: Path, *options: str, engine: str = "local") -> str:
    """The last part of what is said, without the seconds."""
    ended = start(folder, "run", "p.phe", "--input", "in", "--engine", engine, *options)
    assert ended.code == 0, ended.err
    text = re.sub(r"done in [0-9.,]+ s\n", "done in S s\n", ended.err)
    _, found, rest = text.partition("used   ")
    return found + rest


WAYS: dict[str, tuple[str, ...]] = {
    "stdout": (),
    "lines": ("--output", "out.jsonl"),
    "folder": ("--output", "out/"),
    "windows": ("--window", "10"),
    "state": ("--window", "10", "--state", "memory"),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_run_has_a_summary(folder: Path, way: str) -> None:
    assert summarise(folder, *WAYS[way]) == EXPECTED


@pytest.mark.parametrize("way", WAYS)
def test_on_spark_it_is_the_same(folder: Path, session: Session, way: str) -> None:
    assert session.spark is not None
    assert summarise(folder, *WAYS[way], engine="spark") == EXPECTED


def test_an_address_is_counted_as_it_is_written(folder: Path, session: Session) -> None:
    assert session.spark is not None
    target = ("--output", f"file://{folder}/far")
    assert summarise(folder, *target, engine="spark") == EXPECTED


@pytest.mark.parametrize("engine", ["local", "spark"])
def test_versions_are_counted_as_they_are_written(
    folder: Path, session: Session, engine: str
) -> None:
    assert session.spark is not None
    windows = ("--window", "10", "--step", "1", "--emit", "snapshots")
    told = summarise(folder, *windows, engine=engine)
    assert "found  slow     4 rows\n" in told
    told = summarise(folder, *windows[:-1], "changes", engine=engine)
    assert "found  slow     2 changes\n" in told
    assert "       stopped  1 change\n" in told


def test_rows_that_came_too_late_were_not_used(folder: Path) -> None:
    told = summarise(folder, "--window", "10", "--start", "1")
    assert "ais   2 rows, 4 set aside (2 wrong type, 1 null argument, 1 too late)" in told


def test_lines_of_nothing_are_told_apart(folder: Path) -> None:
    (folder / "in.jsonl").write_text(
        '{"name": "ais", "args": [1, 0.5], "t": 1}\n{"name": "other", "args": [], "t": 1}\nno\n'
    )
    ended = start(folder, "run", "p.phe", "--input", "in.jsonl", "--engine", "local")
    assert "no input's  2 set aside (1 unknown name, 1 unreadable line)" in ended.err


def test_quiet_runs_say_neither_this_nor_what_check_says(folder: Path) -> None:
    ended = start(folder, "run", "p.phe", "--input", "in", "--engine", "local")
    assert "`unused` is never used" in ended.err
    ended = start(folder, "run", "p.phe", "--input", "in", "--engine", "local", "--quiet")
    assert "unused" not in ended.err
    assert "done in" not in ended.err
    assert "3 rows were set aside" in ended.err


def test_only_what_was_asked_for_is_told(folder: Path) -> None:
    told = summarise(folder, "--only", "slow")
    assert "kind" not in told
    assert "stopped" not in told


def test_long_names_are_cut_and_nothing_is_obeyed(folder: Path) -> None:
    name = "a" * 500
    (folder / "p.phe").write_text(f"input event {name}(x: int);\nevent e(X) : {name}(X);\n")
    (folder / "in" / "ais.csv").unlink()
    (folder / "in" / "kind.csv").unlink()
    lines = f'{{"name": "{name}", "args": [1], "t": 1}}\n'
    (folder / "in.jsonl").write_text(lines)
    ended = start(folder, "run", "p.phe", "--input", "in.jsonl", "--engine", "local")
    assert ended.code == 0
    assert all(len(line) < 200 for line in ended.err.splitlines())
    assert "found  e  1" in ended.err


def test_many_definitions_without_results_are_one_line(folder: Path) -> None:
    many = "".join(f"event e{at}(V) : ais(V, S) and S > {at + 100}.0;\n" for at in range(60))
    (folder / "p.phe").write_text(PROGRAM.replace("fact", many + "fact", 1))
    told = summarise(folder)
    assert "nothing of e0, e1, e10, " in told
    assert " and 53 more" in told
    assert len(told.splitlines()) == 6
