"""JSON objects, one a line. Blank lines are nothing; the last line needs no newline."""

import json
import math
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from phenesthe.files.long_lines import is_too_long, read_bounded_lines, show_beginning
from phenesthe.files.text import open_text
from phenesthe.io.columns import Reason
from phenesthe.io.rejects import Rejects, reject_row

#: Lines held as Python objects at a time, and their bytes.
_LINES = 50_000
_BYTES = 32 * 2**20
#: Lines that tell how a table of objects spells its columns.
KEY_LINES = 100


def read_objects(
    path: Path, rejects: Rejects, *, name: str | None = None
) -> Iterator[tuple[list[dict[str, Any]], list[int]]]:
    """Objects and their lines, some ten thousand at a time. Other lines are set aside."""
    with open_text(path) as file:
        yield from parse_objects(read_bounded_lines(file), rejects, file=str(path), name=name)


def list_keys(lines: Iterable[bytes]) -> list[str]:
    """The keys that the objects in some lines have."""
    found = (_read(line) for line in lines)
    return list(dict.fromkeys(key for one in found if one is not None for key in one))


def parse_objects(
    found: Iterable[bytes], rejects: Rejects, *, file: str, name: str | None = None, first: int = 1
) -> Iterator[tuple[list[dict[str, Any]], list[int]]]:
    """The same of lines in memory, the number of whose first is known."""
    objects: list[dict[str, Any]] = []
    lines: list[int] = []
    size = 0
    for number, line in enumerate(found, first):
        is_long = is_too_long(line)
        if not is_long and not line.strip():
            continue
        one = None if is_long else _read(line)
        if one is None:
            reject_row(
                rejects,
                Reason.LINE_TOO_LONG if is_long else Reason.UNREADABLE_LINE,
                file=file,
                place="line",
                number=number,
                name=name,
                row=(
                    show_beginning(line)
                    if is_long
                    else line.decode(errors="replace").rstrip("\r\n")
                ),
            )
            continue
        objects.append(one)
        lines.append(number)
        size += len(line)
        if len(objects) == _LINES or size >= _BYTES:
            yield objects, lines
            objects, lines, size = [], [], 0
    if objects:
        yield objects, lines


def _read_number(text: str) -> float | Decimal:
    """Python takes a number that no float holds for an infinity; such a one is no float here."""
    value = float(text)
    return Decimal(text) if math.isinf(value) else value


_DECODER = json.JSONDecoder(parse_float=_read_number)


def _read(line: bytes) -> dict[str, Any] | None:
    """None for what is no object: also for one nested too deeply, or with too long a number."""
    try:
        found = _DECODER.decode(line.decode())
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
