"""Folders of ours among the system's temporary ones. Those of processes that were killed go.

In each is a file that is locked for as long as somebody works with the folder: this process, or
the JVM it started, which may live a little longer. A folder without it is there to be read.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from phenesthe.disk.steps import lock, making_in, tidying

_OURS = ("phenesthe-spark-", "phenesthe-package-")
_USED = "in-use"


class Scratch:
    """A new folder, whose name begins with one of ours."""

    def __init__(self, name: str) -> None:
        assert name in _OURS
        parent = Path(tempfile.gettempdir())
        clear_scratch(parent)
        with making_in(parent):
            self.folder = Path(tempfile.mkdtemp(prefix=name))
            #: Open as long as this lives. Who inherits it uses the folder too.
            self.number = os.open(self.folder / _USED, os.O_RDWR | os.O_CREAT)
            lock(self.number)

    def remove(self, keep: Path | None = None) -> None:
        """Remove it, or all but a file, which somebody is referred to."""
        if keep is None:
            shutil.rmtree(self.folder, ignore_errors=True)
        else:
            for item in self.folder.iterdir():
                if item.is_dir():
                    shutil.rmtree(item, ignore_errors=True)
                elif item != keep:
                    item.unlink(missing_ok=True)
        with suppress(OSError):
            os.close(self.number)

    @contextmanager
    def holding_temporary(self) -> Iterator[None]:
        """A context in which what others here make for a moment is made in the folder."""
        before = tempfile.tempdir
        tempfile.tempdir = str(self.folder)
        try:
            yield
        finally:
            tempfile.tempdir = before


def clear_scratch(parent: Path) -> None:
    """Remove the folders that nobody works with any more, as far as it can be done."""
    with suppress(OSError):
        found = [one for one in os.scandir(parent) if one.name.startswith(_OURS)]
        if not found:
            return
        with tidying(parent) as is_free:
            for one in found if is_free else ():
                with suppress(OSError):
                    _clear(Path(one.path))


def _clear(folder: Path) -> None:
    status = folder.lstat()
    if folder.is_symlink() or not folder.is_dir() or status.st_uid != os.getuid():
        return
    used = folder / _USED
    if not used.exists():
        # What is kept has a log in it; a process that was killed at once has left nothing there.
        folder.rmdir()
        return
    number = os.open(used, os.O_RDWR | os.O_NOFOLLOW)
    try:
        if lock(number):
            shutil.rmtree(folder)
    finally:
        os.close(number)
