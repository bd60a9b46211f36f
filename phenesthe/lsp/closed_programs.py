"""Programs of files that are not open, kept as long as nothing they were made from changes."""

from collections.abc import Callable, Collection, Hashable
from pathlib import Path

from phenesthe.ide.analysis import Analysis

#: Which version of a file there is.
Stamp = Callable[[Path], Hashable]


class ClosedPrograms:
    """Stamps tell what changed, for not every editor watches files."""

    def __init__(self, analyse: Callable[[Path], Analysis]) -> None:
        self._analyse = analyse
        self._known: dict[Path, tuple[dict[Path, Hashable], Analysis]] = {}

    def find(self, file: Path, stamp: Stamp, tolerate: Collection[Path] = ()) -> Analysis:
        """The program of a file; of those in `tolerate` it may have an earlier version."""
        if file in self._known:
            stamps, analysis = self._known[file]
            if all(path in tolerate or stamp(path) == old for path, old in stamps.items()):
                return analysis
        analysis = self._analyse(file)
        # What a missing module would be found in is anybody's guess.
        if any(found.code == "N003" for found in analysis.diagnostics):
            self._known.pop(file, None)
        else:
            stamps = {module.path: stamp(module.path) for module in analysis.modules.files}
            self._known[file] = stamps, analysis
        return analysis

    def forget(self) -> None:
        """Files came, went or are looked for elsewhere, so that imports may mean others."""
        self._known.clear()


def stamp_file(file: Path) -> Hashable:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
