"""State folders: whole at every moment, one run at a time, and nothing else taken for one."""

import json
import os
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from phenesthe.disk import steps
from phenesthe.io.errors import DataError
from phenesthe.memory.folder import FORMAT
from phenesthe.memory.pack import Damage, pack_file, unpack_file
from phenesthe.memory.store import Part, Saved, find_state, open_store, read_saved
from phenesthe.memory.waiting import Waiting
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
    assert list_files(path) == [*(f"settled-{one}" for one in range(1, number + 1)), "state"]
    return saved


def test_a_state_is_one_file_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "state"
    with open_store(path) as store:
        assert store.saved is None
        assert store.read_settled() == {}
    for number in (1, 2, 3):
        write(path, number)
        saved = check_whole(path, number)
        assert saved.size == sum((path / name).stat().st_size for name in list_files(path))


def test_a_state_has_as_many_parts_as_are_given(tmp_path: Path) -> None:
    write(tmp_path, 1, parts=3)
    saved = find_state(tmp_path)
    assert len(saved.parts) == 3
    assert all(part.tables["node.0"].equals(TABLE) for part in saved.parts)


def test_a_state_reaches_the_disk_in_few_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many tables it has: the file, and the folder with its name."""
    write(tmp_path, 1)
    calls: list[int] = []
    monkeypatch.setattr(os, "fsync", calls.append)
    with open_store(tmp_path) as store:
        store.replace({}, [Part({}, {str(at): TABLE for at in range(200)})], {})
    assert len(calls) == 2


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
                (os, "fsync"), (os, "replace"), (os, "unlink"), (steps, "lock"),
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
    assert at > 6
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


WAYS: dict[str, Callable[[Waiting, Path], object]] = {
    "file": lambda waiting, target: waiting.file(target).__enter__(),
    "folder": lambda waiting, target: waiting.folder(target).__enter__(),
    "stdout": lambda waiting, _: waiting.stdout().__enter__(),
    "given back": lambda waiting, _: waiting.give_back([]),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_full_disk_of_the_state_is_not_said_to_be_that_of_the_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: Callable[[Waiting, Path], object]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    waiting = Waiting(tmp_path / "state" / "waiting-1")
    monkeypatch.setattr(Path, "mkdir", fail)
    with pytest.raises(DataError, match="no space left on device") as problem:
        way(waiting, tmp_path / "results")
    assert str(problem.value).startswith(f"cannot write `{tmp_path / 'state'}`: ")


def test_what_a_run_that_fails_had_written_goes(tmp_path: Path) -> None:
    write(tmp_path, 1)
    context = open_store(tmp_path)
    with context.__enter__().make_waiting().stdout() as file:
        file.write(b"half")
    assert (tmp_path / "waiting-2" / "1").exists()
    assert not context.__exit__(KeyError, KeyError(), None)
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


def test_a_state_is_read_while_a_run_is_at_work_on_it(tmp_path: Path) -> None:
    write(tmp_path, 1)
    with open_store(tmp_path) as store:
        assert find_state(tmp_path).header == {"number": 1}
        store.replace({"number": 2}, [], {"runs": pa.table({"n": [2]})})
        assert find_state(tmp_path).header == {"number": 2}


STRANGE: dict[str, Callable[[Path], object]] = {
    "it holds `data.csv`": lambda path: (path / "data.csv").write_text("x"),
    "but no `state`": lambda path: (path / "settled-3").write_text("x"),
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


def damage(data: bytes, sort: str) -> bytes | None:
    match sort:
        case "cut":
            return data[:-5]
        case "longer":
            return data + b"\0"
        case "its first line":
            return b"P" + data[1:]
        case "its values":
            return data[:70] + b"\xff" + data[71:]
        case "its tables":
            return data[:-40] + bytes([data[-40] ^ 1]) + data[-39:]
        case "empty":
            return b""
        case _:
            return None


@pytest.mark.parametrize(
    "sort", ["cut", "longer", "its first line", "its values", "its tables", "empty", "gone"]
)
@pytest.mark.parametrize("name", ["state", "settled-1"])
def test_what_is_damaged_is_named(tmp_path: Path, name: str, sort: str) -> None:
    write(tmp_path, 1)
    changed = damage((tmp_path / name).read_bytes(), sort)
    if changed is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_bytes(changed)
    expected = f"is damaged: `{name}`"
    if (name, sort) == ("state", "gone"):
        expected = "but no `state`"
    with pytest.raises(DataError) as problem, open_store(tmp_path) as store:
        store.read_settled()
    assert expected in str(problem.value)
    assert "help: " in str(problem.value)


def test_the_results_of_another_state_are_no_results_of_this_one(tmp_path: Path) -> None:
    for name, number in (("one", 1), ("other", 7)):
        write(tmp_path / name, number)
    shutil.copy(tmp_path / "other" / "settled-1", tmp_path / "one" / "settled-1")
    with open_store(tmp_path / "one") as store, pytest.raises(DataError, match="is damaged"):
        store.read_settled()


@pytest.mark.parametrize(
    "content",
    [
        {}, {"generation": "x"}, {"generation": 1, "header": 1, "parts": 3},
        {"generation": 1, "header": {}, "parts": [], "settled": [[1]], "run": None},
        {"generation": 1, "header": {}, "parts": [], "settled": [], "run": {"way": 3}},
    ],
)  # fmt: skip
def test_a_forged_state_is_damaged(tmp_path: Path, content: dict[str, Any]) -> None:
    write(tmp_path, 1)
    tables = {"nonsense": TABLE} if content else {}
    packed = pack_file("state", FORMAT, content, tables)
    (tmp_path / "state").write_bytes(b"".join(map(bytes, (packed.line, *packed.pieces))))
    with pytest.raises(DataError, match=r"is damaged: `state`"):
        find_state(tmp_path)


def test_a_deeply_nested_file_is_damaged() -> None:
    nested = b'{"content": ' + b"[" * 100_000 + b"]" * 100_000 + b', "tables": {}}'
    line = f"phenesthe state {FORMAT} {zlib.crc32(nested):08x} {len(nested)} {len(nested)}"
    data = f"{line:63}\n".encode() + nested
    with pytest.raises(Damage):
        unpack_file(data, "state")


@pytest.mark.parametrize("format_", ["99.1", "1.1"])
def test_a_state_of_another_version_is_told(tmp_path: Path, format_: str) -> None:
    write(tmp_path, 1)
    packed = pack_file("state", format_, {}, {})
    (tmp_path / "state").write_bytes(b"".join(map(bytes, (packed.line, *packed.pieces))))
    with pytest.raises(DataError, match=rf"another version of Phenesthe \(format {format_}"):
        find_state(tmp_path)


def test_a_state_that_was_a_folder_of_files_is_told_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "generation-3").mkdir()
    (tmp_path / "lock").touch()
    (tmp_path / "state.json").write_text(json.dumps({"format": "1.1", "generation": 3}))
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(DataError, match=r"another version of Phenesthe \(format 1.1") as problem:
        open_store(tmp_path).__enter__()
    assert "start anew with another state folder" in str(problem.value)
    assert sorted(tmp_path.rglob("*")) == before
