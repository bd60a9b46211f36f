"""The program files of the workspace, which may be large."""

import time
from collections.abc import Callable
from pathlib import Path

#: Looking for less than this is not felt.
_UNFELT_SECONDS = 0.05
#: What was found is good for so many times as long as it took to find: of the time that somebody
#: types only a small part is spent looking.
_TIMES = 20


class WorkspaceFiles:
    """Lenses are asked for after every key, and few keys make a file."""

    def __init__(
        self, look: Callable[[], list[Path]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._look = look
        self._clock = clock
        self._files: list[Path] = []
        self._good_until: float | None = None

    def list_all(self, *, fresh: bool) -> list[Path]:
        """If not `fresh`, perhaps as they were a while ago."""
        began = self._clock()
        if fresh or self._good_until is None or began >= self._good_until:
            self._files = self._look()
            ended = self._clock()
            took = ended - began
            self._good_until = ended + took * _TIMES if took > _UNFELT_SECONDS else None
        return self._files

    def forget(self) -> None:
        """Files came or went."""
        self._good_until = None
