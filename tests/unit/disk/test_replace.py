"""Files and folders that take the place of others: whole, on the disk, and by one of several."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from phenesthe.disk import steps
from phenesthe.disk.beside import clear_leftovers, name_beside
from phenesthe.disk.replace import put_copy, replacing_file, replacing_folder
from tests.strategies.corpus import PROJECT


def write(path: Path, text: str, *, overwrite: bool = True) -> None:
    """A file, or a folder with one."""
    if path.suffix:
        with replacing_file(path, overwrite=overwrite) as file:
            file.write(text.encode())
    else:
        with replacing_folder(path, overwrite=overwrite) as folder:
            (folder / "one").write_text(text)


def read(path: Path) -> str:
    return path.read_text() if path.suffix else (path / "one").read_text()


def list_names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


KINDS = ("a.txt", "a")


@pytest.mark.parametrize("name", KINDS)
def test_the_new_takes_the_place_of_the_old(tmp_path: Path, name: str) -> None:
    for text in ("old", "new"):
        write(tmp_path / name, text)
        assert read(tmp_path / name) == text
    assert list_names(tmp_path) == [name]


@pytest.mark.parametrize("name", KINDS)
def test_of_two_at_once_one_is_refused(tmp_path: Path, name: str) -> None:
    """Both have found the place free, and both are nearly done."""
    path = tmp_path / name
    late = _begin(path)
    _fill(late.__enter__(), "late")
    write(path, "quick", overwrite=False)
    with pytest.raises(FileExistsError):
        late.__exit__(None, None, None)
    assert read(path) == "quick"
    assert list_names(tmp_path) == [name]


def _begin(path: Path) -> AbstractContextManager[Any]:
    context = replacing_file if path.suffix else replacing_folder
    return context(path, overwrite=False)


def _fill(opened: Any, text: str) -> None:
    if isinstance(opened, Path):
        (opened / "one").write_text(text)
    else:
        opened.write(text.encode())


def test_of_two_at_once_one_is_refused_without_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    test_of_two_at_once_one_is_refused(tmp_path, "a.txt")


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("overwrite", [False, True])
def test_everything_is_on_the_disk_before_it_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, overwrite: bool
) -> None:
    path = tmp_path / name
    if overwrite:
        write(path, "old")
    synced: list[int] = []
    moves: list[tuple[set[int], int]] = []
    fsync = os.fsync

    def note_sync(number: int) -> None:
        synced.append(os.fstat(number).st_ino)
        fsync(number)

    def note_move(move: Callable[..., Any]) -> Callable[..., Any]:
        def call(source: Any, target: Any) -> Any:
            place = Path(os.fsdecode(source))
            inodes = {one.stat().st_ino for one in (place, *place.rglob("*"))}
            moves.append((inodes - set(synced), len(synced)))
            return move(source, target)

        return call

    monkeypatch.setattr(os, "fsync", note_sync)
    for owner, function in ((os, "rename"), (os, "replace"), (os, "link"), (steps, "swap")):
        monkeypatch.setattr(owner, function, note_move(getattr(owner, function)))
    write(path, "new", overwrite=overwrite)
    assert [missing for missing, _ in moves] == [set()] * len(moves)
    assert moves
    # And the new name itself, once it is there.
    assert tmp_path.stat().st_ino in synced[moves[-1][1] :]


def test_a_folder_is_exchanged_in_one_step(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    if not steps.exchange(tmp_path / "a", tmp_path / "b"):
        pytest.skip("not on this system, or not on this disk")
    assert list_names(tmp_path / "a") == ["b"]
    with pytest.raises(FileNotFoundError):
        steps.exchange(tmp_path / "a", tmp_path / "none")


@pytest.fixture
def two_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that cannot let two names change places."""
    monkeypatch.setattr(steps, "swap", lambda *_: 38)


@pytest.mark.usefixtures("two_steps")
def test_a_folder_is_replaced_in_two_steps_elsewhere(tmp_path: Path) -> None:
    test_the_new_takes_the_place_of_the_old(tmp_path, "a")


@pytest.mark.usefixtures("two_steps")
@pytest.mark.parametrize("problem", [KeyboardInterrupt, OSError(5, "broken"), SystemExit])
@pytest.mark.parametrize("moment", ["after the first", "before the second"])
def test_what_ends_it_between_the_two_steps_is_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: Any, moment: str
) -> None:
    write(tmp_path / "a", "old")
    rename = os.rename

    def fail(source: Path, target: Path) -> None:
        is_second = source.name != "a" and "-new-" in source.name and not target.exists()
        if is_second and moment == "before the second":
            raise problem
        rename(source, target)
        if source.name == "a" and moment == "after the first":
            raise problem

    monkeypatch.setattr(os, "rename", fail)
    with pytest.raises((KeyboardInterrupt, OSError, SystemExit)):
        write(tmp_path / "a", "new")
    assert read(tmp_path / "a") == "old"
    assert list_names(tmp_path) == ["a"]


def test_what_a_killed_process_left_between_the_two_steps_is_put_back(tmp_path: Path) -> None:
    (tmp_path / name_beside("a", "old")).mkdir()
    (tmp_path / name_beside("a", "new")).mkdir()
    (old,) = tmp_path.glob("*-old-*")
    (old / "one").write_text("old")
    clear_leftovers(tmp_path)
    assert list_names(tmp_path) == ["a"]
    assert read(tmp_path / "a") == "old"
    # Where the new one is in its place, the old one goes.
    (tmp_path / name_beside("a", "old")).mkdir()
    clear_leftovers(tmp_path)
    assert list_names(tmp_path) == ["a"]


KILLED = """\
import os, signal, sys
from pathlib import Path
from phenesthe.disk.replace import replacing_file, replacing_folder
with replacing_file(Path("a.txt"), overwrite=True) as file, \\
     replacing_folder(Path("a"), overwrite=True) as folder:
    file.write(b"half")
    file.flush()
    (folder / "one").write_text("half")
    print("ready", flush=True)
    sys.stdin.read()
"""


def test_what_a_process_leaves_goes_when_it_was_killed_and_not_before(tmp_path: Path) -> None:
    foreign = [".a.txt.phenesthe", ".phenesthe-new-0123456789ab", "a.txt.phenesthe-new-x", ".a.1"]
    for name in foreign:
        (tmp_path / name).touch()
    with subprocess.Popen(
        [sys.executable, "-c", KILLED],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        during = list_names(tmp_path)
        assert len(during) == len(foreign) + 2
        write(tmp_path / "b.txt", "another")
        write(tmp_path / "a.txt", "the same")
        assert list_names(tmp_path) == sorted([*during, "a.txt", "b.txt"])
        process.send_signal(signal.SIGKILL)
    write(tmp_path / "b.txt", "the next")
    assert list_names(tmp_path) == sorted([*foreign, "a.txt", "b.txt"])
    assert read(tmp_path / "a.txt") == "the same"


def test_a_copy_is_put_to_its_place_and_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kept" / "deep").mkdir(parents=True)
    (tmp_path / "kept" / "one").write_text("1")
    (tmp_path / "kept" / "deep" / "two").write_text("2")
    target = tmp_path / "there"
    target.mkdir()

    def refuse(*_: object) -> None:
        raise OSError(18, "another disk")

    for can_link in (True, False):
        with monkeypatch.context() as patch:
            if not can_link:
                patch.setattr(os, "link", refuse)
            put_copy(tmp_path / "kept", target / "folder", overwrite=True)
            put_copy(tmp_path / "kept" / "one", target / "file", overwrite=True)
        assert (target / "folder" / "deep" / "two").read_text() == "2"
        assert (target / "file").read_text() == "1"
        assert list_names(target) == ["file", "folder"]
    with pytest.raises(FileExistsError):
        put_copy(tmp_path / "kept" / "one", target / "file", overwrite=False)
    with pytest.raises(FileExistsError):
        put_copy(tmp_path / "kept", target / "folder", overwrite=False)


def test_long_names_have_room_beside_them(tmp_path: Path) -> None:
    path = tmp_path / ("ä" * 120 + ".txt")
    write(path, "long")
    assert list_names(tmp_path) == [path.name]


def test_the_mode_of_a_file_is_kept_where_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.touch(mode=0o640)
    path.chmod(0o640)
    with replacing_file(path, overwrite=True, keeps_mode=True) as file:
        file.write(b"x")
    assert path.stat().st_mode & 0o777 == 0o640
