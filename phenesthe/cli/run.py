"""`phenesthe run`: recognition over stored data."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from phenesthe.cli.programs import add_param, add_path, read_params, show_diagnostics
from phenesthe.cli.progress import Progress
from phenesthe.cli.terminal import complain

if TYPE_CHECKING:
    from phenesthe.io import Loaded
    from phenesthe.program import Program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a .phe file or a library module")
    parser.add_argument(
        "--input", metavar="PATH", required=True, help="a folder of tables, or one .jsonl file"
    )
    parser.add_argument("--facts", metavar="PATH", help="facts, if they are not with the input")
    parser.add_argument(
        "--output",
        metavar="PATH",
        help=".jsonl, .csv, .parquet, or a folder for one table each (default: stdout)",
    )
    parser.add_argument("--overwrite", action="store_true", help="replace an existing output")
    parser.add_argument(
        "--engine", choices=("local",), default="local", help="where to run (default: local)"
    )
    parser.add_argument("--only", metavar="NAME", nargs="+", help="report only these definitions")
    parser.add_argument(
        "--map",
        metavar="INPUT.ARG=COLUMN",
        action="append",
        default=[],
        help="read an argument (or t, ts, te) from another column (may be repeated)",
    )
    parser.add_argument("--until", metavar="T", help="the query time (default: the last instant)")
    parser.add_argument("--start", metavar="T", help="the first instant (default: the first input)")
    parser.add_argument("--rejects", metavar="PATH", help="write the rows set aside here")
    parser.add_argument("--strict", action="store_true", help="the first bad row is an error")
    parser.add_argument("--times", choices=("int", "iso"), default="int", help="how to write times")
    parser.add_argument("--watch", action="store_true", help="run again when a file changes")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    add_param(parser)
    add_path(parser)


def run(given: argparse.Namespace) -> int:
    if not given.watch:
        return _run_once(given)
    from phenesthe.cli.watch import watch

    return watch([given.file, given.input, given.facts], lambda: _run_once(given))


def _run_once(given: argparse.Namespace) -> int:
    from phenesthe.diagnostics.model import ProgramError
    from phenesthe.io import DataError
    from phenesthe.program import compile

    params = read_params(given.param)
    mapping = _read_mapping(given.map)
    if params is None or mapping is None:
        return 2
    with Progress(quiet=given.quiet) as progress:
        progress.say("compiling")
        try:
            program = compile(given.file, path=given.path, params=params)
        except ProgramError as problem:
            show_diagnostics(problem.diagnostics)
            return 1
        except (FileNotFoundError, IsADirectoryError) as problem:
            return complain(str(problem))
        show_diagnostics(program.diagnostics)
        try:
            return _evaluate(given, program, mapping, progress)
        except DataError as problem:
            return complain(str(problem))


def _evaluate(
    given: argparse.Namespace, program: "Program", mapping: dict[str, str], progress: Progress
) -> int:
    from phenesthe.engines.local import run_local
    from phenesthe.io import check_target, read_input, write_results
    from phenesthe.plan.needed import check_names, list_columns

    checked = program.checked
    only = check_names(checked, given.only)
    if given.output is not None:
        check_target(given.output, overwrite=given.overwrite)
    until = _read_time(given.until, "--until", checked.unit)
    start = _read_time(given.start, "--start", checked.unit)
    progress.say("reading the input")
    loaded = read_input(
        checked,
        given.input,
        facts=given.facts,
        mapping=mapping,
        strict=given.strict,
        columns=list_columns(checked, only),
    )
    _report_input(given, loaded)
    results = run_local(
        checked,
        loaded.tables,
        loaded.facts,
        until=until,
        start=start,
        only=only,
        on_definition=lambda name, at, of: progress.say(f"evaluating {name} ({at} of {of})"),
    )
    progress.say("writing the results")
    write_results(checked, results, given.output, overwrite=given.overwrite, times=given.times)
    return 0


def _read_time(text: str | None, option: str, unit: "str") -> int | None:
    from phenesthe.io import DataError, read_time

    if text is None:
        return None
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return read_time(text, unit)  # type: ignore[arg-type]  # the checked unit
    except ValueError:
        raise DataError(
            f"{option} takes a time, not `{text}`",
            "write an integer in the file's unit, or ISO 8601 such as 2022-01-03T00:00:00",
        ) from None


def _read_mapping(items: list[str]) -> dict[str, str] | None:
    mapping: dict[str, str] = {}
    for item in items:
        argument, equals, column = item.partition("=")
        if not equals or "." not in argument:
            complain(f"--map takes INPUT.ARG=COLUMN, not `{item}`")
            return None
        mapping[argument] = column
    return mapping


def _report_input(given: argparse.Namespace, loaded: "Loaded") -> None:
    for text in loaded.warnings:
        print(f"warning: {text}", file=sys.stderr)
    if not loaded.rejects:
        return
    counts = ", ".join(
        f"{count:,} {reason}" for reason, count in loaded.rejects.count_reasons().items()
    )
    hint = "" if given.rejects else "; --rejects PATH keeps them"
    total = len(loaded.rejects)
    rows = "row was" if total == 1 else "rows were"
    print(f"warning: {total:,} {rows} set aside ({counts}){hint}", file=sys.stderr)
    if given.rejects:
        Path(given.rejects).parent.mkdir(parents=True, exist_ok=True)
        loaded.rejects.write(given.rejects)
