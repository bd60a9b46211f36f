"""What all commands that read programs have in common."""

import argparse
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from phenesthe.cli.terminal import complain, wants_color

if TYPE_CHECKING:
    from phenesthe.check.program import CheckedProgram
    from phenesthe.diagnostics.model import Diagnostic


def add_path(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--path",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="also look for imported modules here (may be repeated)",
    )


def add_param(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--param",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="override a parameter (may be repeated)",
    )


def read_params(items: list[str]) -> dict[str, object] | None:
    """Values by name; None, with a complaint, where an item is no NAME=VALUE."""
    params: dict[str, object] = {}
    for item in items:
        name, equals, value = item.partition("=")
        if not equals:
            complain(
                f"--param takes NAME=VALUE, not `{item}`\n  help: for example --param {item}=2"
            )
            return None
        params[name] = value
    return params


def show_diagnostics(diagnostics: "Iterable[Diagnostic]") -> None:
    """To stderr, in full, in colour on a terminal."""
    from phenesthe.diagnostics.limit import limit
    from phenesthe.diagnostics.render import render

    text = render(limit(diagnostics), "full", color=wants_color(sys.stderr))
    print(text, end="", file=sys.stderr)


def show_memory_warnings(program: "CheckedProgram", only: Collection[str] | None = None) -> None:
    """What no window bounds, of the definitions asked for: for runs that have a window."""
    from phenesthe.plan.warn_memory import warn_memory

    show_diagnostics(warn_memory(program, only))
