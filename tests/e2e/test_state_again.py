"""`phenesthe run --state` made again: recognised, and its output as it was, or there again."""

import os
from pathlib import Path
from typing import Any

import pytest

from phenesthe.memory import store as storing
from phenesthe.memory.store import find_state, open_store
from tests.e2e.test_cli import Ended
from tests.e2e.test_state import EMITS, _disk_is_quick, cut, folder, keep, replay, write_rows
from tests.e2e.test_windows import FORMS, ROWS, read, start

__all__ = ["_disk_is_quick", "folder"]

NOTE = "note: this run was made before, and the state has its rows: "


def read_all(path: Path) -> dict[str, bytes]:
    if path.is_file():
        return {"": path.read_bytes()}
    return {one.name: one.read_bytes() for one in path.iterdir()} if path.is_dir() else {}


def nightly(folder: Path, output: str, emit: str, *options: str) -> Ended:
    """The second of two runs."""
    part, rest = cut(ROWS, 12)
    write_rows(folder / "a.jsonl", part)
    write_rows(folder / "b.jsonl", rest)
    given = ("--emit", emit, "--output", output, "--overwrite")
    if not (folder / "st").exists():
        assert keep(folder, "--input", "a.jsonl", "--until", "12", *given).code == 0
    return keep(folder, "--input", "b.jsonl", *given, *options)


@pytest.mark.parametrize("emit", EMITS)
@pytest.mark.parametrize("output", FORMS)
def test_the_same_run_leaves_its_output(folder: Path, output: str, emit: str) -> None:
    ended = nightly(folder, output, emit)
    assert (ended.code, ended.err) == (0, "")
    before = read_all(folder / output)
    inode = (folder / output).stat().st_ino
    again = nightly(folder, output, emit)
    assert (again.code, again.err) == (0, f"{NOTE}its output is as it left it\n")
    assert read_all(folder / output) == before
    assert (folder / output).stat().st_ino == inode
    assert find_state(folder / "st").generation == 2


@pytest.mark.parametrize("emit", EMITS)
@pytest.mark.parametrize("output", FORMS)
def test_an_output_that_is_gone_or_another_is_put_there_again(
    folder: Path, output: str, emit: str
) -> None:
    assert nightly(folder, output, emit).code == 0
    before = read_all(folder / output)
    path = folder / output
    for sort in ("gone", "another"):
        if path.is_dir():
            for one in path.iterdir():
                one.unlink()
            path.rmdir()
            if sort == "another":
                path.mkdir()
                (path / "other.parquet").write_text("x")
        else:
            path.unlink()
            if sort == "another":
                path.write_text("x")
        again = nightly(folder, output, emit)
        assert (again.code, again.err) == (0, f"{NOTE}`{path}` was put there again\n")
        assert read_all(path) == before


def test_rejects_and_statistics_are_put_there_again(folder: Path) -> None:
    write_rows(folder / "in.jsonl", [*ROWS, {"name": "go", "args": ["unfit"]}])
    given = ("--input", "in.jsonl", "--emit", "changes", "--rejects", "bad", "--stats", "s")
    assert keep(folder, *given).code == 0
    before = [(folder / name).read_bytes() for name in ("bad", "s")]
    for name in ("bad", "s"):
        (folder / name).unlink()
    again = keep(folder, *given)
    assert again.code == 0
    assert f"`{folder / 'bad'}`, `{folder / 's'}` was put there again" in again.err
    assert [(folder / name).read_bytes() for name in ("bad", "s")] == before


@pytest.mark.parametrize("emit", EMITS)
def test_what_was_told_on_stdout_is_told_again(folder: Path, emit: str) -> None:
    first = keep(folder, "--input", "in.jsonl", "--emit", emit)
    again = keep(folder, "--input", "in.jsonl", "--emit", emit)
    assert (again.code, again.err) == (0, f"{NOTE}what it told is told again\n")
    assert again.out == first.out
    assert len(read(again.out)) > 5


def test_what_exists_is_no_obstacle_if_it_is_of_this_run(folder: Path) -> None:
    given = ("--input", "in.jsonl", "--output", "r.jsonl")
    assert keep(folder, *given).code == 0
    before = (folder / "r.jsonl").read_bytes()
    assert keep(folder, *given).code == 0
    (folder / "r.jsonl").unlink()
    (folder / "r.jsonl").write_text("mine")
    refused = keep(folder, *given)
    assert refused.code == 1
    assert "exists; use --overwrite" in refused.err
    assert (folder / "r.jsonl").read_text() == "mine"
    assert keep(folder, *given, "--overwrite").code == 0
    assert (folder / "r.jsonl").read_bytes() == before


@pytest.mark.parametrize("output", FORMS)
def test_what_exists_is_refused_before_the_work_otherwise(folder: Path, output: str) -> None:
    assert replay(folder, "--input", "in.jsonl", "--output", output).code == 0
    before = read_all(folder / output)
    write_rows(folder / "in.jsonl", [])
    (folder / "in.jsonl").write_text("not even looked at")
    refused = keep(folder, "--input", "in.jsonl", "--output", output)
    assert refused.code == 1
    assert f"error: `{output.rstrip('/')}` exists; use --overwrite" in refused.err
    assert read_all(folder / output) == before


def test_new_rows_are_another_run(folder: Path) -> None:
    """The input grows, and is given as a whole every night."""
    for number in (5, 7, len(ROWS)):
        write_rows(folder / "in.jsonl", ROWS[:number])
        given = ("--input", "in.jsonl", "--emit", "changes", "--output", "r.jsonl", "--overwrite")
        ended = keep(folder, *given)
        assert ended.code == 0
        assert NOTE not in ended.err
        told = (folder / "r.jsonl").read_bytes()
        assert NOTE in keep(folder, *given).err
        assert (folder / "r.jsonl").read_bytes() == told
    assert find_state(folder / "st").generation == 3


def test_rows_after_the_last_query_were_not_taken_in(folder: Path) -> None:
    given = ("--input", "in.jsonl", "--until", "12", "--emit", "changes", "--output", "r.jsonl")
    assert keep(folder, *given).code == 0
    later = {"name": "go", "args": ["z"], "t": 13}
    write_rows(folder / "in.jsonl", [*ROWS, later])
    assert NOTE in keep(folder, *given).err
    write_rows(folder / "in.jsonl", [*ROWS, {**later, "t": 12}])
    assert "exists; use --overwrite" in keep(folder, *given).err


@pytest.mark.parametrize(
    "options",
    [
        ("--emit", "snapshots"), ("--times", "iso"), ("--until", "21"), ("--output", "s.jsonl"),
        ("--rejects", "bad"), ("--stats", "s"), ("--input", "other.jsonl"),
    ],
)  # fmt: skip
def test_another_option_is_another_run(folder: Path, options: tuple[str, ...]) -> None:
    write_rows(folder / "other.jsonl", [{**row, "arrival": 19} for row in ROWS])
    given = ("--input", "in.jsonl", "--emit", "changes", "--output", "r.jsonl", "--overwrite")
    assert keep(folder, *given).code == 0
    ended = keep(folder, *given, *options)
    assert ended.code == 0
    assert NOTE not in ended.err
    assert find_state(folder / "st").generation == 2


def test_the_order_of_rows_is_nothing(folder: Path) -> None:
    given = ("--input", "in.jsonl", "--emit", "changes", "--output", "r.jsonl", "--overwrite")
    assert keep(folder, *given).code == 0
    write_rows(folder / "in.jsonl", ROWS[::-1])
    assert NOTE in keep(folder, *given).err


def test_a_run_that_was_cut_off_is_finished_by_the_next_one(folder: Path) -> None:
    """Whichever it is: here that of another day, to another file."""
    part, rest = cut(ROWS, 12)
    write_rows(folder / "a.jsonl", part)
    write_rows(folder / "b.jsonl", rest)
    monday = ("--input", "a.jsonl", "--until", "12", "--emit", "changes", "--output", "monday.csv")
    assert keep(folder, *monday).code == 0
    expected = (folder / "monday.csv").read_bytes()
    # As it is after the commit, and before the output is there.
    os.rename(folder / "st" / "told-1", folder / "st" / "waiting-1")
    (folder / "monday.csv").unlink()
    tuesday = ("--input", "b.jsonl", "--emit", "changes", "--output", "tuesday.csv")
    assert keep(folder, *tuesday).code == 0
    assert (folder / "monday.csv").read_bytes() == expected
    assert (folder / "tuesday.csv").stat().st_size > 0
    assert sorted(one.name for one in (folder / "st").iterdir()) == ["lock", "state", "told-2"]


def test_what_is_in_the_place_of_an_unfinished_output_is_told(folder: Path) -> None:
    given = ("--input", "in.jsonl", "--emit", "changes", "--output", "r.jsonl")
    assert keep(folder, *given).code == 0
    expected = (folder / "r.jsonl").read_bytes()
    os.rename(folder / "st" / "told-1", folder / "st" / "waiting-1")
    (folder / "r.jsonl").unlink()
    (folder / "r.jsonl").write_text("mine")
    write_rows(folder / "none.jsonl", [])
    other = ("--input", "none.jsonl", "--emit", "changes", "--output", "s.jsonl")
    for options in (given, other, (*other, "--overwrite")):
        refused = keep(folder, *options)
        assert refused.code == 1
        assert "was cut off, and what it wrote cannot be put to its place" in refused.err
        assert "rm -r st/waiting-1" in refused.err
    assert (folder / "r.jsonl").read_text() == "mine"
    assert keep(folder, *given, "--overwrite").code == 0
    assert (folder / "r.jsonl").read_bytes() == expected


def test_a_copy_that_was_written_into_is_not_put_anywhere(folder: Path) -> None:
    given = ("--input", "in.jsonl", "--emit", "changes", "--output", "r.jsonl", "--overwrite")
    assert keep(folder, *given).code == 0
    with (folder / "r.jsonl").open("a") as file:
        file.write("more\n")
    for copy in (folder / "st" / "told-1").iterdir():
        with copy.open("a") as file:
            file.write("more\n")
    refused = keep(folder, *given)
    assert refused.code == 1
    assert "is not as it was written" in refused.err
    assert (folder / "r.jsonl").read_text().endswith("more\n")


def test_of_two_states_with_one_output_none_is_lost(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody puts a file there between the last look and the commit."""
    commit = storing.Store.replace

    def be_late(self: storing.Store, *given: Any, **more: Any) -> None:
        commit(self, *given, **more)
        (folder / "r.jsonl").write_text("quicker")

    given = ("--input", "in.jsonl", "--emit", "changes", "--output", "r.jsonl")
    with monkeypatch.context() as patch:
        patch.setattr(storing.Store, "replace", be_late)
        late = keep(folder, *given)
    assert late.code == 1
    assert "exists; use --overwrite; the run is done, and the state `st` keeps" in late.err
    assert (folder / "r.jsonl").read_text() == "quicker"
    assert keep(folder, *given, "--overwrite").code == 0
    assert (folder / "r.jsonl").read_text() == replay(
        folder, "--input", "in.jsonl", "--emit", "changes"
    ).out


def test_a_forged_memory_is_damaged(folder: Path) -> None:
    assert keep(folder, "--input", "in.jsonl").code == 0
    saved = find_state(folder / "st")
    with open_store(folder / "st") as store:
        store.replace({**saved.header}, [], {})
    ended = keep(folder, "--input", "in.jsonl", "--until", "30")
    assert (ended.code, "is damaged: `state`" in ended.err) == (1, True)
    nonsense = {**saved.header, "program": {"runs": "nonsense"}}
    for header in ({"nonsense": 1}, {**saved.header, "program": 3}, nonsense):
        with open_store(folder / "st") as store:
            store.replace(header, saved.parts, {})
        ended = start(folder, "memory", "st")
        assert (ended.code, "is damaged: `state`" in ended.err) == (1, True)
    with open_store(folder / "st") as store:
        store.replace({"nonsense": 1}, saved.parts, {})
    ended = keep(folder, "--input", "in.jsonl")
    assert (ended.code, "is damaged: `state`" in ended.err) == (1, True)
