"""Counts the calls of a process that change the disk, and cuts it off at one of them.

Being cut off before a call is being cut off after the one before it, so each is tried once.
"""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeAlias

#: Cut off by SIGKILL, by SIGTERM, or by Ctrl-C, which the program sees as an exception.
Way: TypeAlias = Literal["kill", "term", "interrupt"]
_EVENTS = {
    "os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate",
    "os.symlink", "fcntl.flock",
}  # fmt: skip
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


class Hook:
    """Installed in a process that ends soon: it cannot be taken away again."""

    def __init__(self, folder: Path, at: int | None, way: Way, log: Path | None) -> None:
        self.folder, self.at, self.way, self.log = f"{folder}/", at, way, log
        self.count = 0
        self.is_busy = False

    def install(self) -> None:
        from pyarrow import parquet

        # Only the main thread may say so, and files are written to the disk by others.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        sys.addaudithook(self._hear)
        os.fsync = self._wrap("fsync", os.fsync)
        # What Arrow opens and closes itself is not heard of.
        parquet.write_table = self._wrap("parquet", parquet.write_table)
        for name in ("__init__", "write_table", "close"):
            wrapped = self._wrap(f"parquet.{name}", getattr(parquet.ParquetWriter, name))
            setattr(parquet.ParquetWriter, name, wrapped)
        try:
            from phenesthe.disk import steps
        except ImportError:
            return
        steps.swap = self._wrap("exchange", steps.swap)

    def _hear(self, event: str, given: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = given
            is_heard = isinstance(flags, int) and bool(flags & _WRITES) and self._is_here(path)
        else:
            is_heard = event in _EVENTS
        if is_heard:
            self._count(event, given)

    def _is_here(self, path: Any) -> bool:
        """Not what Python or a library writes elsewhere."""
        if not isinstance(path, str | bytes):
            return False
        return os.path.abspath(os.fsdecode(path)).startswith(self.folder)

    def _wrap(self, event: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            self._count(event, given)
            return function(*given, **named)

        return call

    def _count(self, event: str, given: tuple[Any, ...]) -> None:
        if self.is_busy:
            return
        self.count += 1
        if self.log is not None:
            self.is_busy = True
            with self.log.open("a") as file:
                file.write(f"{self.count} {event} {given}\n")
            self.is_busy = False
        if self.count != self.at:
            return
        match self.way:
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case "term":
                os.kill(os.getpid(), signal.SIGTERM)
            case "interrupt":
                raise KeyboardInterrupt
