"""`phenesthe memory`: what a state remembers, and why."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from phenesthe.cli.terminal import complain

if TYPE_CHECKING:
    from phenesthe.memory.header import Header
    from phenesthe.memory.remembered import Remembered
    from phenesthe.memory.store import Part

#: Rows that are listed of a definition, if nothing else is said.
_ROWS = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("state", metavar="DIR", type=Path, help="the folder of `run --state`")
    parser.add_argument(
        "--only", metavar="NAME", nargs="+", help="only these definitions or inputs"
    )
    parser.add_argument(
        "--args",
        metavar="V,…",
        default="",
        help="only bindings whose first arguments are these; _ stands for any",
    )
    parser.add_argument(
        "--rows",
        metavar="N",
        type=int,
        help=f"list so many rows of each definition, and of inputs (default: {_ROWS}, inputs are "
        "counted)",
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="how to show it (default: text)"
    )


def run(given: argparse.Namespace) -> int:
    import csv

    from phenesthe.io import DataError
    from phenesthe.memory.folder import STATE, refusing_damage
    from phenesthe.memory.header import read_header
    from phenesthe.memory.store import find_state
    from phenesthe.report.saved_state import Choice, describe_state, draw_state

    if given.rows is not None and given.rows < 0:
        return complain("--rows must be at least 0", code=2)
    wanted = next(csv.reader([given.args], skipinitialspace=True), [])
    try:
        saved = find_state(given.state)
        with refusing_damage(given.state, STATE):
            header = read_header(saved.header)
        choice = Choice(
            only=_check_names(given.only, header),
            args=tuple(wanted),
            most=_ROWS if given.rows is None else given.rows,
            lists_inputs=given.rows is not None,
        )
        with refusing_damage(given.state, STATE):
            remembered = [one for part in saved.parts for one in _recall(header, part)]
    except DataError as problem:
        return complain(str(problem))
    if given.format == "json":
        print(describe_state(header, saved.size, remembered, choice))
    else:
        print(draw_state(header, saved.size, remembered, choice), end="")
    return 0


def _check_names(only: list[str] | None, header: "Header") -> tuple[str, ...] | None:
    from phenesthe.diagnostics.suggest import closest
    from phenesthe.io import DataError

    if only is None:
        return None
    names = [
        name
        for name, text in header.program.items()
        if name != "unit" and not text.startswith(("param ", "fact "))
    ]
    for name in only:
        if name not in names:
            suggestion = closest(name, names)
            hint = (
                f"did you mean `{suggestion}`?" if suggestion else f"there are {', '.join(names)}"
            )
            raise DataError(f"the state has no definition or input `{name}`", hint)
    return tuple(only)


def _recall(header: "Header", part: "Part") -> "Iterator[Remembered]":
    """What a part remembers; the program is in the state."""
    from phenesthe.memory.remembered import list_remembered
    from phenesthe.memory.resume import load_memory
    from phenesthe.plan.print_program import read_program

    return list_remembered(load_memory(read_program(header.program, header.only), header, part))
