"""Talking to the person at the terminal."""

import os
import sys
from typing import TextIO


def wants_color(stream: TextIO) -> bool:
    """Colour on a terminal, unless the person asked for none (https://no-color.org)."""
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def complain(message: str, code: int = 1) -> int:
    """One line about what cannot be done, and the exit code for it."""
    print(f"error: {message}", file=sys.stderr)
    return code
