"""Files and folders that take the place of others in one step, once they are on the disk."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from phenesthe.disk.beside import fill_folder, making_file, making_folder, name_beside
from phenesthe.disk.links import follow
from phenesthe.disk.steps import exchange, lock, reach_disk, reach_disk_whole

#: A folder that is not empty, in the words of different systems.
_FILLED = (errno.ENOTEMPTY, errno.EEXIST)


@contextmanager
def replacing_file(path: Path, *, overwrite: bool, keeps_mode: bool = False) -> Iterator[BinaryIO]:
    """A file to write, which takes the place of `path` when the block ends well.

    Raises `FileExistsError` if there is one then that may not be overwritten.
    """
    real = follow(path)  # a link stays a link
    with making_file(real) as (beside, file):
        yield file
        if keeps_mode:
            os.chmod(beside, real.stat().st_mode & 0o7777)
        file.flush()
        os.fsync(file.fileno())
        _put_file(beside, real, overwrite)


@contextmanager
def replacing_folder(path: Path, *, overwrite: bool) -> Iterator[Path]:
    """The same with a folder to fill. An empty one may always be filled."""
    real = follow(path)
    with making_folder(real) as beside:
        yield beside
        reach_disk_whole(beside)
        _put_folder(beside, real, overwrite)


def put_copy(source: Path, path: Path, *, overwrite: bool) -> None:
    """Let what is in a file or folder take the place of `path`, and stay where it is too."""
    real = follow(path)
    if source.is_dir():
        with replacing_folder(path, overwrite=overwrite) as folder:
            fill_folder(folder, source)
        return
    with making_file(real, source) as (beside, file):
        os.fsync(file.fileno())
        _put_file(beside, real, overwrite)


def _put_file(beside: Path, real: Path, overwrite: bool) -> None:
    if overwrite:
        os.replace(beside, real)
    else:
        try:
            # Unlike a rename it fails if somebody else was quicker.
            os.link(beside, real)
        except FileExistsError:
            raise
        except OSError:  # a disk without links
            if os.path.lexists(real):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(real)) from None
            os.replace(beside, real)
    reach_disk(real.parent)


def _put_folder(beside: Path, real: Path, overwrite: bool) -> None:
    try:
        # Where nothing is, or an empty folder; anything else is in its way.
        os.rename(beside, real)
    except OSError as problem:
        if problem.errno not in _FILLED:
            raise
        if not overwrite:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(real)) from None
        if not exchange(beside, real):
            _put_in_two_steps(beside, real)
    reach_disk(real.parent)


def _put_in_two_steps(beside: Path, real: Path) -> None:
    """Where a system cannot do it in one; what ends us between the two is undone, by us or later.

    `clear_leftovers` does it for a process that was killed.
    """
    old = real.with_name(name_beside(real.name, "old"))
    number = os.open(real, os.O_RDONLY)
    try:
        lock(number)
        try:
            os.rename(real, old)
            os.rename(beside, real)
        except BaseException:
            if old.is_dir() and not os.path.lexists(real):
                os.rename(old, real)
            raise
        shutil.rmtree(old, ignore_errors=True)
    finally:
        os.close(number)
