"""Lines have a length. What never ends is not kept until memory does.

A file of zeros, or a small one that unpacks to it, is one line to whoever looks for its end. So at
most `MAX_LINE` bytes of a line are kept; the rest is read and forgotten, and the next line counts.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

MAX_LINE = 16 * 2**20
#: As messages say it.
LIMIT = f"{MAX_LINE // 2**20} MiB"
_PIECE = 2**20
#: What is shown of a line that is too long.
_SHOWN = 1000


def read_bounded_lines(file: BinaryIO) -> Iterator[bytes]:
    """Lines that end in `\\n`; of one that is too long the beginning, see `is_too_long`."""
    while line := file.readline(MAX_LINE + 1):
        yield line
        # Only when more is asked for: who stops at such a line does not wait for its end.
        if is_too_long(line):
            _pass_over(file)


def is_too_long(line: bytes) -> bool:
    return len(line) > MAX_LINE and not line.endswith(b"\n")


def show_beginning(line: bytes) -> str:
    return line[:_SHOWN].decode(errors="replace") + "…"


def _pass_over(file: BinaryIO) -> None:
    while piece := file.readline(_PIECE):
        if piece.endswith(b"\n"):
            return


def has_long_line(path: Path) -> bool:
    """Whether a file that is not packed may have a line that is too long.

    A line that is longer than two windows covers one of them; so it is enough to find an end of a
    line in each window, and usually there is one right at its end.
    """
    window = MAX_LINE // 2
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        for start in range(0, size - window + 1, window):
            for back in (2**14, window):
                file.seek(start + window - back)
                if b"\n" in file.read(back):
                    break
            else:
                return True
    return False
