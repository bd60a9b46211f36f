"""State folders: whole at every moment, one run at a time, and nothing else taken for one."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from phenesthe.io.errors import DataError
from phenesthe.memory import store as storing
from phenesthe.memory.store import Part, Saved, find_state, open_store, read_saved
from tests.strategies.corpus import PROJECT


@pytest.fixture(autouse=True)
def _disk_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody pulls a plug in these tests."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


TABLE = pa.table({"x": pa.array([1, 2, 3], pa.int64())})


def make_part(number: int) -> Part:
    tables = {"node.0": TABLE, "empty": TABLE.slice(0, 0)}
    return Part({"number": number}, {**tables, "values": pa.table({"v": [str(number)]})})


def write(path: Path, number: int, parts: int = 1) -> None:
    with open_store(path) as store:
        settled = {"runs": pa.table({"n": [number]}), "never": TABLE.slice(0, 0)}
        store.replace({"number": number}, [make_part(number)] * parts, settled)


def list_files(path: Path) -> list[str]:
    found = (str(one.relative_to(path)) for one in path.rglob("*") if one.is_file())
    return sorted(name for name in found if name != "lock")


def check_whole(path: Path, number: int) -> Saved:
    """The folder is in the state that `write` leaves, and holds nothing else."""
    with open_store(path) as store:
        saved = store.saved
        assert saved is not None
        assert saved.header == {"number": number}
        assert saved.generation == number
        assert [part.manifest for part in saved.parts] == [{"number": number}]
        assert saved.parts[0].tables["node.0"].equals(TABLE)
        assert saved.parts[0].tables["empty"].num_rows == 0
        settled = store.read_settled()
    assert list(settled) == ["runs"]
    assert settled["runs"]["n"].to_pylist() == list(range(1, number + 1))
    assert list_files(path) == sorted(
        [
            f"generation-{number}/manifest.json",
            *[f"generation-{number}/part-0/{name}.arrow" for name in ("empty", "node.0", "values")],
            *[f"settled/{one}/runs.arrow" for one in range(1, number + 1)],
            "state.json",
        ]
    )
    return saved


def test_a_state_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "state"
    with open_store(path) as store:
        assert store.saved is None
        assert store.read_settled() == {}
    for number in (1, 2, 3):
        write(path, number)
        saved = check_whole(path, number)
        on_disk = sum((path / name).stat().st_size for name in list_files(path))
        assert saved.size == on_disk - (path / "state.json").stat().st_size


def test_a_state_has_as_many_parts_as_are_given(tmp_path: Path) -> None:
    write(tmp_path, 1, parts=3)
    saved = find_state(tmp_path)
    assert len(saved.parts) == 3
    assert all(part.tables["node.0"].equals(TABLE) for part in saved.parts)


class Killed(BaseException):
    """As if the process had ended here: nothing in the code expects it."""


class Killer:
    """Ends the work at one of the calls that reach the disk, before or after it."""

    def __init__(self, at: int, is_done: bool) -> None:
        self.left, self.is_done = at, is_done

    def wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            self.left -= 1
            if self.left == 0 and not self.is_done:
                raise Killed
            result = function(*given, **named)
            if self.left == 0:
                raise Killed
            return result

        return call


@pytest.mark.parametrize("before", [0, 1])
@pytest.mark.parametrize("is_done", [False, True])
def test_whenever_the_writer_is_killed_there_is_one_whole_state(
    tmp_path: Path, before: int, is_done: bool
) -> None:
    seen = set()
    for at in range(1, 100):
        path = tmp_path / str(at)
        for number in range(1, before + 1):
            write(path, number)
        killer = Killer(at, is_done)
        with pytest.MonkeyPatch.context() as patch, open_store(path) as store:
            for owner, name in (
                (os, "fsync"), (os, "replace"), (os, "mkdir"), (shutil, "rmtree"),
            ):  # fmt: skip
                patch.setattr(owner, name, killer.wrap(getattr(owner, name)))
            number = before + 1
            try:
                settled = {"runs": pa.table({"n": [number]})}
                store.replace({"number": number}, [make_part(number)], settled)
            except Killed:
                pass
        saved = read_saved(path)
        found = 0 if saved is None else saved.generation
        assert found in (before, before + 1)
        if found:
            check_whole(path, found)
        # The run is made again, or the next one, and nothing is in its way.
        write(path, found + 1)
        check_whole(path, found + 1)
        seen.add(found)
        if killer.left > 0:
            break
    assert at > 10
    assert seen == {before, before + 1}


def test_a_full_disk_is_told_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, 1)

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(DataError, match="no space left on device") as problem:
            write(tmp_path, 2)
    assert "it is as it was before this run" in str(problem.value)
    check_whole(tmp_path, 1)


def test_only_one_run_has_the_folder(tmp_path: Path) -> None:
    with open_store(tmp_path):
        with pytest.raises(DataError, match="in use by another run") as problem:
            open_store(tmp_path).__enter__()
        assert f"(process {os.getpid()})" in str(problem.value)
    write(tmp_path, 1)
    check_whole(tmp_path, 1)


def test_the_lock_of_a_run_that_was_killed_is_none(tmp_path: Path) -> None:
    code = (
        "import os, signal; from pathlib import Path\n"
        "from phenesthe.memory.store import open_store\n"
        f"with open_store(Path({str(tmp_path)!r})):\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, timeout=60, check=False)
    assert done.returncode == -9
    assert (tmp_path / "lock").read_text().strip().isdigit()
    write(tmp_path, 1)
    assert (tmp_path / "lock").read_text() == f"{os.getpid()}\n"


def test_a_state_is_read_while_a_run_replaces_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, 1)
    read, numbers = storing._read_generation, []

    def read_late(path: Path, number: int, hashed: str) -> Saved:
        numbers.append(number)
        if len(numbers) == 1:
            write(path, 2)
        return read(path, number, hashed)

    monkeypatch.setattr(storing, "_read_generation", read_late)
    saved = read_saved(tmp_path)
    assert saved is not None
    assert saved.header == {"number": 2}
    # The first number is the reader's, the second the writer's own.
    assert numbers == [1, 1, 2]


STRANGE: dict[str, Callable[[Path], object]] = {
    "it holds `data.csv`": lambda path: (path / "data.csv").write_text("x"),
    "but no `state.json`": lambda path: (path / "generation-3").mkdir(),
    "it holds `.git`": lambda path: (path / ".git").mkdir(),
}


@pytest.mark.parametrize("message", STRANGE)
def test_a_folder_of_something_else_is_left_alone(tmp_path: Path, message: str) -> None:
    STRANGE[message](tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(DataError, match="is not the folder of a state") as problem:
        open_store(tmp_path).__enter__()
    assert message in str(problem.value)
    assert sorted(tmp_path.rglob("*")) == before
    with pytest.raises(DataError, match="is not the folder of a state"):
        find_state(tmp_path)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("")
    with pytest.raises(DataError, match="is not a folder"):
        open_store(tmp_path / "f").__enter__()
    for path in (tmp_path / "f", tmp_path / "none"):
        with pytest.raises(DataError, match="there is no folder"):
            find_state(path)
    with open_store(tmp_path / "new"):
        pass
    with pytest.raises(DataError, match="holds no state"):
        find_state(tmp_path / "new")


def test_what_is_damaged_is_named(tmp_path: Path) -> None:
    write(tmp_path / "good", 1)
    for number, name in enumerate(list_files(tmp_path / "good")):
        for sort in ("cut", "changed", "gone"):
            path = tmp_path / f"{number}{sort}"
            shutil.copytree(tmp_path / "good", path)
            data = (path / name).read_bytes()
            match sort:
                case "cut":
                    (path / name).write_bytes(data[:-5])
                case "changed":
                    (path / name).write_bytes(b"{" + data[1:5] + b"\\0" + data[6:])
                case _:
                    (path / name).unlink()
            expected = f"is damaged: `{name}`"
            if (name, sort) == ("state.json", "gone"):
                expected = "but no `state.json`"
            with pytest.raises(DataError) as problem, open_store(path) as store:
                store.read_settled()
            assert expected in str(problem.value)
            assert "help: " in str(problem.value)


def test_a_state_of_another_version_is_told(tmp_path: Path) -> None:
    write(tmp_path, 1)
    content = json.loads((tmp_path / "state.json").read_text())
    (tmp_path / "state.json").write_text(json.dumps({**content, "format": "99.1"}))
    with pytest.raises(DataError, match=r"another version of Phenesthe \(format 99.1"):
        find_state(tmp_path)
