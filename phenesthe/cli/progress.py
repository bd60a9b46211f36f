"""What is being done, for work that takes longer than two seconds."""

import sys
import threading
import time
from types import TracebackType
from typing import Any

from phenesthe.cli.terminal import note, warn

_PATIENCE = 2.0


class Progress:
    """A context in which `say` tells the present step.

    Quick work shows nothing. On a terminal one line is rewritten; elsewhere a line is printed now
    and then, so that logs stay short.
    """

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self.step = ""
        self._started = time.monotonic()
        self._said = self._started
        self._status: Any = None
        self._timer: threading.Timer | None = None

    def say(self, step: str) -> None:
        self.step = step
        if self._status is not None:
            self._status.update(step)
        elif not self.quiet and not sys.stderr.isatty():
            self._print()

    def _print(self) -> None:
        now = time.monotonic()
        if now - self._said >= _PATIENCE:
            self._said = now
            print(f"{self.step} ({now - self._started:.0f} s)", file=sys.stderr)

    def __enter__(self) -> "Progress":
        if not self.quiet:
            self._timer = threading.Timer(_PATIENCE, self._show)
            self._timer.daemon = True
            self._timer.start()
        return self

    def _show(self) -> None:
        if not sys.stderr.isatty():
            # The present step may be the last one, and a long one.
            self._print()
            return
        from rich.console import Console

        self._status = Console(stderr=True).status(self.step)
        self._status.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._status is not None:
            self._status.stop()


class Telling:
    """Tells the person at the terminal. See `phenesthe.runs.watch.Watch`."""

    def __init__(self, progress: Progress) -> None:
        self.say = progress.say
        self.warn = warn
        self.note = note
