"""Where results go: of several runs one succeeds, and what is left of a killed one goes."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.test_cli import Ended
from tests.e2e.test_windows import FORMS, PROGRAM, ROWS, start, write_rows

EMITS = (None, "final", "changes", "snapshots")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.phe").write_text(PROGRAM)
    write_rows(tmp_path, ROWS)
    return tmp_path


def evaluate(folder: Path, output: str, emit: str | None, *options: str) -> Ended:
    windows = () if emit is None else ("--window", "10", "--step", "4", "--emit", emit)
    given = ("run", "p.phe", "--engine", "local", "--input", "in.jsonl", "--quiet")
    return start(folder, *given, "--output", output, *windows, *options)


def read_all(path: Path) -> dict[str, bytes]:
    if path.is_file():
        return {"": path.read_bytes()}
    return {one.name: one.read_bytes() for one in path.iterdir()}


def list_written(output: str) -> list[str]:
    """An output, and what stands beside it."""
    beside = [f"{output}.meta.json"] if output.endswith((".jsonl", ".csv")) else []
    return [output.rstrip("/"), *beside]


@pytest.mark.parametrize("emit", EMITS)
@pytest.mark.parametrize("output", FORMS)
def test_of_two_runs_at_once_exactly_one_succeeds(
    folder: Path, monkeypatch: pytest.MonkeyPatch, output: str, emit: str | None
) -> None:
    """The other one ends while this one writes, long after it has looked."""
    from phenesthe.io import versions
    from phenesthe.io import write as writing

    others: list[Ended] = []

    def be_late(function: Any) -> Any:
        def call(*given: Any) -> Any:
            if not others:
                others.append(Ended(9, "", "at work"))
                others[0] = evaluate(folder, output, emit)
            return function(*given)

        return call

    for module in (writing, versions):
        for name in ("list_rows", "type_results"):
            monkeypatch.setattr(module, name, be_late(getattr(module, name)))
    late = evaluate(folder, output, emit)
    assert [one.code for one in others] == [0]
    assert late.code == 1
    assert f"error: `{output.rstrip('/')}` exists; use --overwrite" in late.err
    names = sorted(one.name for one in folder.iterdir())
    assert names == sorted(["in.jsonl", "p.phe", *list_written(output)])


@pytest.mark.parametrize("output", FORMS)
def test_what_a_killed_run_left_beside_any_output_goes(folder: Path, output: str) -> None:
    left = (".monday.csv.phenesthe-new-0123456789ab", ".r.phenesthe-new-ba9876543210")
    (folder / left[0]).write_text("half")
    (folder / left[1]).mkdir()
    (folder / left[1] / "half.parquet").write_text("half")
    (folder / ".mine.phenesthe").write_text("mine")
    assert evaluate(folder, output, None).code == 0
    names = sorted(one.name for one in folder.iterdir())
    assert names == sorted([".mine.phenesthe", "in.jsonl", "p.phe", *list_written(output)])


def test_a_folder_that_a_killed_run_had_moved_aside_is_back(folder: Path) -> None:
    """As it is where two folders cannot change places in one step."""
    assert evaluate(folder, "r/", None).code == 0
    before = read_all(folder / "r")
    (folder / "r").rename(folder / ".r.phenesthe-old-0123456789ab")
    refused = evaluate(folder, "r/", None)
    assert (refused.code, "exists; use --overwrite" in refused.err) == (1, True)
    assert read_all(folder / "r") == before
    assert evaluate(folder, "r/", None, "--overwrite").code == 0


@pytest.mark.parametrize("emit", EMITS)
@pytest.mark.parametrize("keeps", [False, True])
def test_the_null_device_takes_everything_and_stays(
    folder: Path, emit: str | None, keeps: bool
) -> None:
    state = ("--state", "st") if keeps and emit else ()
    aside = ("--rejects", "/dev/null", "--stats", "/dev/null")
    for _ in range(2):
        ended = evaluate(folder, "/dev/null", emit, *aside, *state)
        assert (ended.code, ended.out) == (0, "")
    assert Path("/dev/null").is_char_device()
    assert not [*Path("/dev").glob("*phenesthe*"), *Path("/dev").glob("null.*")]


@pytest.mark.parametrize(
    ("output", "message", "remedy"),
    [
        ("stdout", "it would be a folder of this name", "give no output to have the results on"),
        ("-", "it would be a folder of this name", "write `./-/` for a folder"),
        ("delta:out", "no output of the kind `delta:`", "write `out/` for a folder of Parquet"),
        ("kafka:", "no output of the kind `kafka:`", "write `out/` for a folder of Parquet"),
    ],
)
def test_names_that_are_meant_as_something_else_make_no_folder(
    folder: Path, output: str, message: str, remedy: str
) -> None:
    before = sorted(folder.iterdir())
    for emit in EMITS:
        ended = evaluate(folder, output, emit)
        assert (ended.code, message in ended.err, remedy in ended.err) == (1, True, True)
    assert sorted(folder.iterdir()) == before


def test_a_folder_with_a_colon_can_be_asked_for(folder: Path) -> None:
    assert evaluate(folder, "delta:out/", None).code == 0
    assert (folder / "delta:out").is_dir()
    assert evaluate(folder, "at:noon.jsonl", None).code == 0
    assert (folder / "at:noon.jsonl").is_file()


@pytest.mark.parametrize("option", ["output", "rejects", "stats"])
@pytest.mark.parametrize("windows", [(), ("--window", "10", "--step", "4")])
def test_a_pipe_is_not_replaced_by_a_file(
    folder: Path, option: str, windows: tuple[str, ...]
) -> None:
    """Whoever reads it would wait for ever."""
    os.mkfifo(folder / "pipe.jsonl")
    given = ("run", "p.phe", "--engine", "local", "--input", "in.jsonl", *windows)
    ended = start(folder, *given, f"--{option}", "pipe.jsonl", "--overwrite")
    assert ended.code == 1
    assert "`pipe.jsonl`: it is a pipe, not a file" in ended.err
    assert (folder / "pipe.jsonl").is_fifo()


@pytest.mark.parametrize("asked", [("--version",), ("--help",), ("run", "--help")])
def test_what_cannot_be_told_is_an_error(asked: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "phenesthe", *asked], stdout=full, stderr=subprocess.PIPE
        )
    assert ended.returncode == 1
    assert ended.stderr.decode().startswith("error: cannot write to stdout: ")
