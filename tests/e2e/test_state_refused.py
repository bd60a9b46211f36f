"""What `phenesthe run --state` does not go on from, and where it does not write."""

from pathlib import Path

import pytest

from phenesthe.memory.store import find_state, open_store
from tests.e2e.test_state import _disk_is_quick, folder, keep, replay
from tests.e2e.test_windows import PROGRAM

__all__ = ["_disk_is_quick", "folder"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--window", "12"), "the window was 10 ticks, and is 12"),
        (("--step", "5"), "the step was 4 ticks, and is 5"),
        (("--only", "runs"), "the definitions to report were"),
        (("--start", "1"), "--start was 0, and is 1"),
        (("--param", "least=3"), "the parameter `least` was 1, and is 3"),
        (("--emit", "final"), "does not hold all results"),
    ],
)
def test_another_run_is_refused_with_the_choices(
    folder: Path, options: tuple[str, ...], message: str
) -> None:
    more = "param least: duration = 1;\nstate long(X) : runs(X) lasting >= least;\n"
    (folder / "p.phe").write_text(PROGRAM + more)
    given = ("--input", "in.jsonl", "--emit", "changes")
    assert keep(folder, *given, "--output", "r.jsonl").code == 0
    before = find_state(folder / "st").header
    ended = keep(folder, *given, "--output", "s.jsonl", *options)
    assert (ended.code, ended.out) == (1, "")
    assert message in ended.err
    assert "another --state folder" in ended.err
    assert ended.err.count("\n") == 2
    assert not (folder / "s.jsonl").exists()
    assert find_state(folder / "st").header == before
    assert keep(folder, *given, "--start", "0").code == 0


def test_a_changed_definition_is_named(folder: Path) -> None:
    assert keep(folder, "--input", "in.jsonl").code == 0
    (folder / "p.phe").write_text(PROGRAM.replace("contains", "overlaps"))
    ended = keep(folder, "--input", "in.jsonl")
    assert ended.code == 1
    assert "the definition `runs_lit` changed" in ended.err
    assert "`runs` changed" not in ended.err


def test_until_does_not_go_back(folder: Path) -> None:
    assert keep(folder, "--input", "in.jsonl").code == 0
    ended = keep(folder, "--input", "in.jsonl", "--until", "19")
    assert ended.code == 1
    assert "--until 19 lies before the last query of the state, at 20" in ended.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--state", "."), "--state `.` holds the program"),
        (("--state", "d"), "--state `d` is the input"),
        (("--state", "st", "--output", "st/r.jsonl"), "--state `st` holds the output"),
        (("--state", "out", "--output", "out"), "--state `out` is the output"),
        (("--state", "out/st", "--output", "out/"), "--state `out/st` lies in the output"),
        (("--state", "st", "--stats", "st/s"), "the file of statistics"),
        (("--state", "st", "--watch"), "--watch"),
        (("--state", "s3://bucket/st"), "a folder of this machine"),
    ],
)
def test_a_state_has_a_folder_of_its_own(
    folder: Path, options: tuple[str, ...], message: str
) -> None:
    (folder / "d").mkdir()
    ended = replay(folder, "--input", "d", *options)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err
    assert "help: " in ended.err
    assert sorted(one.name for one in folder.iterdir()) == ["d", "in.jsonl", "p.phe"]


def test_a_state_is_of_a_replay(folder: Path) -> None:
    ended = replay(folder, "--input", "in.jsonl", "--state", "st", windows=())
    assert ended.code == 2
    assert "--state works only with --window" in ended.err


def test_a_second_run_at_the_same_time_is_refused(folder: Path) -> None:
    with open_store(folder / "st"):
        ended = keep(folder, "--input", "in.jsonl")
    assert (ended.code, ended.out) == (1, "")
    assert "in use by another run" in ended.err
