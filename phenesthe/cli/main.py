"""The `phenesthe` command. Each subcommand is a file of its own, imported when it is asked for."""

import argparse
import os
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from io import TextIOWrapper

from phenesthe.cli.parser import Parser
from phenesthe.cli.terminal import complain
from phenesthe.interrupts import noting_interrupts, was_interrupted
from phenesthe.options import naming_flags

#: Subcommand, the module that does it, what `--help` says of it.
COMMANDS = (
    ("ais", "phenesthe.cli.ais", "make input for the maritime library from AIS reports"),
    ("check", "phenesthe.cli.check", "show everything wrong with definition files"),
    ("compile", "phenesthe.cli.compile", "show types, plan and memory needs"),
    ("doctor", "phenesthe.cli.doctor", "check the installation and say how to fix it"),
    ("fmt", "phenesthe.cli.fmt", "format files"),
    ("lsp", "phenesthe.cli.lsp", "serve editors: diagnostics, completion and more as you type"),
    ("memory", "phenesthe.cli.memory", "show what a state remembers, and why"),
    ("run", "phenesthe.cli.run", "recognise phenomena in stored data"),
    ("show", "phenesthe.cli.show", "draw results as timelines"),
    ("test", "phenesthe.cli.test", "run the tests beside definition files"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    _open_missing_streams()
    if isinstance(sys.stdout, TextIOWrapper):
        # What scripts read is UTF-8, a terminal gets what it can show; the rest is escaped.
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")
    with naming_flags(), noting_interrupts():
        try:
            given = build_parser().parse_args(arguments)
            code: int = import_module(given.module).run(given)
            sys.stdout.flush()
            return code
        except KeyboardInterrupt:
            return 130
        except Exception as problem:
            if was_interrupted(problem):
                return 130
            return _end_badly(problem)


def _end_badly(problem: Exception) -> int:
    match problem:
        case BrokenPipeError():
            # The reader of our output went away, as `head` does; say nothing more.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        case OSError():
            name, text = problem.filename, problem.strerror or str(problem)
            # What has no name is what everybody writes to.
            return complain(f"{name}: {text}" if name else f"cannot write to stdout: {text}")
        case _:
            raise problem


def _open_missing_streams() -> None:
    """Started with a closed stdout or stderr (`>&-`), Python has None there; nobody listens."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def build_parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="phenesthe",
        description="Recognise temporal phenomena: events, states and what they make together.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, module, text in COMMANDS:
        about = text.capitalize() + "."
        fill = partial(_add_arguments, module)
        command = commands.add_parser(name, help=text, description=about, fill=fill)
        command.set_defaults(module=module)
    return parser


def _add_arguments(module: str, parser: argparse.ArgumentParser) -> None:
    import_module(module).add_arguments(parser)


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from phenesthe import __version__

        print(f"phenesthe {__version__}", flush=True)
        parser.exit()
