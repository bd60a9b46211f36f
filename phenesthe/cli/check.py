"""`phenesthe check`: every diagnostic of the files."""

import argparse
import sys
from operator import attrgetter

from phenesthe.cli.programs import add_path
from phenesthe.cli.terminal import complain, wants_color


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="a .phe file or a library module")
    parser.add_argument(
        "--format",
        choices=("full", "concise", "json", "github"),
        default="full",
        help="how to show them (default: full)",
    )
    add_path(parser)


def run(given: argparse.Namespace) -> int:
    from phenesthe.check import check
    from phenesthe.diagnostics.limit import limit
    from phenesthe.diagnostics.model import Diagnostic, Severity
    from phenesthe.diagnostics.render import render
    from phenesthe.plan.warn_memory import warn_memory
    from phenesthe.program import open_program

    found: dict[Diagnostic, None] = {}
    missing = 0
    for file in given.files:
        try:
            root, data, name = open_program(file)
        except (FileNotFoundError, IsADirectoryError) as problem:
            missing += 1
            complain(str(problem))
            continue
        program, diagnostics = check(root, data, name=name, path=tuple(given.path))
        if program is not None:
            diagnostics = (*diagnostics, *warn_memory(program))
        found.update(dict.fromkeys(sorted(diagnostics, key=attrgetter("sort_key"))))
    machine = given.format in ("json", "github")
    stream = sys.stdout if machine else sys.stderr
    color = not machine and wants_color(stream)
    print(render(limit(found), given.format, color=color), end="", file=stream)
    failed = missing or any(diagnostic.severity is Severity.ERROR for diagnostic in found)
    return 1 if failed else 0
