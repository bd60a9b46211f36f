"""JSON objects, one a line. Blank lines are nothing; the last line needs no newline."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from phenesthe.io.columns import Reason
from phenesthe.io.rejects import Rejects, reject_row

#: Lines held as Python objects at a time.
_LINES = 50_000


def read_objects(
    path: Path, rejects: Rejects, *, name: str | None = None
) -> Iterator[tuple[list[dict[str, Any]], list[int]]]:
    """Objects and their lines, some ten thousand at a time. Other lines are set aside."""
    objects: list[dict[str, Any]] = []
    lines: list[int] = []
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if not line.strip():
                continue
            found = _read(line)
            if found is None:
                reject_row(
                    rejects,
                    Reason.UNREADABLE_LINE,
                    file=str(path),
                    place="line",
                    number=number,
                    name=name,
                    row=line.decode(errors="replace").rstrip("\r\n"),
                )
                continue
            objects.append(found)
            lines.append(number)
            if len(objects) == _LINES:
                yield objects, lines
                objects, lines = [], []
    if objects:
        yield objects, lines


def _read(line: bytes) -> dict[str, Any] | None:
    """None for what is no object: also for one nested too deeply, or with too long a number."""
    try:
        found = json.loads(line.decode())
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
