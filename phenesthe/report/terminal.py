"""Drawings on a terminal, or in a file where there is none."""

import os
from collections.abc import Iterable
from typing import TextIO

from rich.console import Console
from rich.text import Text

from phenesthe.report.timeline import DEFAULT_WIDTH, MIN_WIDTH


def find_width(stream: TextIO) -> int:
    """The columns of the terminal; a fixed number without one, so that files look alike."""
    if not stream.isatty():
        return DEFAULT_WIDTH
    try:
        return max(MIN_WIDTH, os.get_terminal_size(stream.fileno()).columns)
    except (OSError, ValueError):
        return DEFAULT_WIDTH


class _Console(Console):
    def on_broken_pipe(self) -> None:
        # Rich would end the program, and with 1; who started it knows better.
        raise BrokenPipeError


def print_lines(lines: Iterable[Text], stream: TextIO, *, color: bool) -> None:
    console = _Console(
        file=stream,
        force_terminal=color,
        color_system="auto" if color else None,
        highlight=False,
        markup=False,
        emoji=False,
    )
    for line in lines:
        console.print(line, soft_wrap=True)
