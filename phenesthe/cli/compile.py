"""`phenesthe compile`: what a program becomes."""

import argparse
from typing import TYPE_CHECKING

from phenesthe.cli.programs import add_param, add_path, read_params, show_diagnostics
from phenesthe.cli.progress import Progress
from phenesthe.cli.terminal import complain

if TYPE_CHECKING:
    from phenesthe.program import Program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a .phe file or a library module")
    parser.add_argument(
        "--format",
        choices=("text", "json", "dot", "spark"),
        default="text",
        help="how to show it (default: text); dot draws the operators with Graphviz, "
        "spark are Spark's own plans",
    )
    add_param(parser)
    add_path(parser)


def run(given: argparse.Namespace) -> int:
    from phenesthe.diagnostics.model import ProgramError
    from phenesthe.program import compile

    params = read_params(given.param)
    if params is None:
        return 2
    try:
        program = compile(given.file, path=given.path, params=params)
    except ProgramError as problem:
        show_diagnostics(problem.diagnostics)
        return 1
    except (FileNotFoundError, IsADirectoryError) as problem:
        return complain(str(problem))
    show_diagnostics(program.diagnostics)
    if given.format == "spark":
        return _show_spark_plan(program)
    print(program.explain(given.format), end="")
    return 0


def _show_spark_plan(program: "Program") -> int:
    from phenesthe.io import DataError

    try:
        with Progress(quiet=False) as progress:
            progress.say("asking Spark for its plan")
            text = program.explain("spark")
    except DataError as problem:
        return complain(str(problem))
    print(text, end="")
    return 0
