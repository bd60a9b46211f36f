"""Run something again whenever a file it depends on changes."""

import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

_INTERVAL = 0.5


def watch(
    paths: Iterable[str | None],
    action: Callable[[], int],
    *,
    besides: Iterable[str | None] = (),
) -> int:
    """Until interrupted; the exit code is that of the last run.

    What is in `besides` is written by the action, and no reason to do it again.
    """
    places = [Path(path) for path in paths if path is not None]
    written = {os.path.realpath(path) for path in besides if path is not None}
    seen = _stamp(places, written)
    code = action()
    print("watching for changes; Ctrl-C ends", file=sys.stderr)
    try:
        while True:
            time.sleep(_INTERVAL)
            now = _stamp(places, written)
            if now != seen:
                seen = now
                print(f"\n--- {time.strftime('%H:%M:%S')} changed", file=sys.stderr)
                code = action()
    except KeyboardInterrupt:
        return code


def _stamp(places: list[Path], written: set[str]) -> dict[Path, tuple[int, int]]:
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
        real = os.path.realpath(file)
        if real in written or os.path.dirname(real) in written:
            continue
        try:
            status = file.stat()
        except OSError:
            continue
        found[file] = (status.st_mtime_ns, status.st_size)
    return found
