"""`phenesthe run`: recognition over stored data."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from phenesthe.cli.programs import add_param, add_path, read_params, show_diagnostics
from phenesthe.cli.progress import Progress
from phenesthe.cli.terminal import complain, warn

if TYPE_CHECKING:
    from phenesthe.io import Loaded
    from phenesthe.program import Program
    from phenesthe.syntax.tree import Unit


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

    def run_again() -> int:
        code = _run_once(given)
        # From now on the output is our own, if it was not refused.
        given.overwrite = given.overwrite or code == 0
        return code

    return watch(
        [given.file, given.input, given.facts], run_again, besides=[given.output, given.rejects]
    )


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
        except _UsageError as problem:
            return complain(str(problem), code=2)
        except DataError as problem:
            return complain(str(problem))
        except MemoryError:
            return complain(
                f"there is not enough memory ({progress.step})\n"
                "  help: see which formula joins parts that share few variables, or give less data"
            )


def _evaluate(
    given: argparse.Namespace, program: "Program", mapping: dict[str, str], progress: Progress
) -> int:
    from phenesthe.engines.local import run_local
    from phenesthe.io import check_target, read_input, write_results
    from phenesthe.plan.needed import check_names, list_columns

    checked = program.checked
    only = check_names(checked, given.only)
    _protect_files(given)
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


class _UsageError(Exception):
    """An option that cannot be meant, and the remedy: exit code 2."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(f"{message}\n  help: {hint}")


def _read_time(text: str | None, option: str, unit: "Unit") -> int | None:
    from phenesthe.io import read_time
    from phenesthe.io.times import LIMIT

    if text is None:
        return None
    try:
        time = read_time(text, unit)
    except ValueError:
        raise _UsageError(
            f"{option} takes a time, not `{text}`",
            "write an integer in the file's unit, or ISO 8601 such as 2022-01-03T00:00:00",
        ) from None
    if abs(time) >= LIMIT:
        raise _UsageError(f"{option} is out of range", "times are less than 2^62 ticks from 0")
    return time


def _protect_files(given: argparse.Namespace) -> None:
    """What a run writes must not take the place of what it reads, or of what else it writes."""
    taken = {Path(given.file).resolve(): "the program", Path(given.input).resolve(): "the input"}
    if given.facts is not None:
        taken[Path(given.facts).resolve()] = "the facts"
    for option, target in (("--output", given.output), ("--rejects", given.rejects)):
        if target is None:
            continue
        path = Path(target).resolve()
        if path in taken:
            raise _UsageError(f"{option} `{target}` is {taken[path]}", "write to another place")
        taken[path] = "the output"


def _read_mapping(items: list[str]) -> dict[str, str] | None:
    mapping: dict[str, str] = {}
    for item in items:
        argument, _, column = item.partition("=")
        if not column or "." not in argument:
            complain(f"--map takes INPUT.ARG=COLUMN, not `{item}`")
            return None
        mapping[argument] = column
    return mapping


def _report_input(given: argparse.Namespace, loaded: "Loaded") -> None:
    for text in loaded.warnings:
        warn(text)
    if not loaded.rejects:
        return
    counts = ", ".join(
        f"{count:,} {reason}" for reason, count in loaded.rejects.count_reasons().items()
    )
    hint = "" if given.rejects else "; --rejects PATH keeps them"
    total = len(loaded.rejects)
    rows = "row was" if total == 1 else "rows were"
    warn(f"{total:,} {rows} set aside ({counts}){hint}")
    if given.rejects:
        Path(given.rejects).parent.mkdir(parents=True, exist_ok=True)
        loaded.rejects.write(given.rejects)
