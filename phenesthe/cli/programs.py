"""What all commands that read programs have in common."""

import argparse
import sys
from pathlib import Path

from phenesthe.cli.terminal import wants_color


def add_path(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--path",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="also look for imported modules here (may be repeated)",
    )


def show_diagnostics(diagnostics: tuple[object, ...]) -> None:
    """To stderr, in full, in colour on a terminal."""
    from phenesthe.diagnostics.render import render

    print(
        render(diagnostics, "full", color=wants_color(sys.stderr)),  # type: ignore[arg-type]
        end="",
        file=sys.stderr,
    )
