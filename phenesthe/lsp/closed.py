"""Programs of files that are not open, kept as long as nothing they were made from changes."""

from collections.abc import Callable, Hashable
from pathlib import Path

from phenesthe.ide.analysis import Analysis

#: Which version of a file there is.
Stamp = Callable[[Path], Hashable]


class ClosedPrograms:
    """The editor says when files change, if it watches them; their stamps tell in any case."""

    def __init__(self, analyse: Callable[[Path], Analysis]) -> None:
        self._analyse = analyse
        self._known: dict[Path, tuple[Hashable, Analysis]] = {}

    def find(self, file: Path, stamp: Stamp) -> Analysis:
        stamps, analysis = self._known.get(file, (None, None))
        if analysis is not None and stamps == _list_stamps(analysis, stamp):
            return analysis
        analysis = self._analyse(file)
        # What a missing module would be found in is anybody's guess.
        if any(found.code == "N003" for found in analysis.diagnostics):
            self._known.pop(file, None)
        else:
            self._known[file] = _list_stamps(analysis, stamp), analysis
        return analysis

    def forget(self) -> None:
        """A file came, went or is looked for elsewhere, so that imports may mean others."""
        self._known.clear()


def _list_stamps(analysis: Analysis, stamp: Stamp) -> Hashable:
    return tuple((module.path, stamp(module.path)) for module in analysis.modules.files)


def stamp_file(file: Path) -> Hashable:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
