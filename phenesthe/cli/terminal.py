"""Talking to the person at the terminal."""

import os
import sys
from typing import TextIO


def wants_color(stream: TextIO) -> bool:
    """Colour on a terminal, unless the person asked for none (https://no-color.org)."""
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def complain(message: str, code: int = 1) -> int:
    """One line about what cannot be done, and the exit code for it."""
    _tell("error", message)
    return code


def warn(message: str) -> None:
    """One line about what is odd but stops nothing."""
    _tell("warning", message)


def note(message: str) -> None:
    """One line about what was found as it should be."""
    _tell("note", message)


def _tell(severity: str, message: str) -> None:
    from phenesthe.diagnostics.render.cells import make_printable

    # Names of files and columns are foreign text, which a terminal must not obey.
    print(f"{severity}: {make_printable(message, keep=chr(10))}", file=sys.stderr)
