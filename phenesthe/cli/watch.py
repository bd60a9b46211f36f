"""Run something again whenever a file it depends on changes."""

import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

_INTERVAL = 0.5


def watch(paths: Iterable[str | None], action: Callable[[], int]) -> int:
    """Until interrupted; the exit code is that of the last run."""
    places = [Path(path) for path in paths if path is not None]
    code = action()
    seen = _stamp(places)
    print("watching for changes; Ctrl-C ends", file=sys.stderr)
    try:
        while True:
            time.sleep(_INTERVAL)
            now = _stamp(places)
            if now != seen:
                seen = now
                print(f"\n--- {time.strftime('%H:%M:%S')} changed", file=sys.stderr)
                code = action()
    except KeyboardInterrupt:
        return code


def _stamp(places: list[Path]) -> dict[Path, tuple[int, int]]:
    """Times and sizes of the files, of the modules beside a program, of the tables of a folder."""
    files: set[Path] = set()
    for place in places:
        if place.suffix == ".phe":
            files.update(place.parent.rglob("*.phe"))
        elif place.is_dir():
            files.update(path for path in place.rglob("*") if path.is_file())
        else:
            files.add(place)
    found: dict[Path, tuple[int, int]] = {}
    for file in files:
        try:
            status = file.stat()
        except OSError:
            continue
        found[file] = (status.st_mtime_ns, status.st_size)
    return found
