"""`phenesthe run`: recognition over stored data."""

import argparse
from pathlib import Path
from time import perf_counter

from phenesthe.allocator import keep_big_arrays
from phenesthe.cli.engines import add_engine_arguments, add_time_format
from phenesthe.cli.programs import (
    add_param,
    add_path,
    read_params,
    show_diagnostics,
    show_memory_warnings,
)
from phenesthe.cli.progress import Progress, Telling
from phenesthe.cli.summary import show_summary
from phenesthe.cli.terminal import complain, warn


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a .phe file or a library module")
    parser.add_argument(
        "--input", metavar="PATH", required=True, help="a folder of tables, or one file"
    )
    parser.add_argument("--facts", metavar="PATH", help="facts, if they are not with the input")
    parser.add_argument(
        "--output",
        metavar="PATH",
        help=".jsonl, .csv, .parquet, or a folder for one table each (default: stdout)",
    )
    parser.add_argument(
        "--overwrite", action="store_true", help="replace what an earlier run has written"
    )
    add_engine_arguments(
        parser, "parts to cut the rows of a stage into on Spark (default: by their number)"
    )
    parser.add_argument("--only", metavar="NAME", nargs="+", help="report only these definitions")
    parser.add_argument(
        "--map",
        metavar="INPUT.ARG=COLUMN",
        action="append",
        default=[],
        help="read an argument (or t, ts, te) from another column (may be repeated)",
    )
    add_time_format(parser)
    parser.add_argument("--until", metavar="T", help="the query time (default: the last instant)")
    parser.add_argument("--start", metavar="T", help="the first instant (default: the first input)")
    parser.add_argument(
        "--window", metavar="D", help="replay: rows that come later than this are too late (8h)"
    )
    parser.add_argument(
        "--step", metavar="D", help="replay: the time between two queries (default: the window)"
    )
    parser.add_argument(
        "--emit",
        choices=("final", "changes", "snapshots"),
        help="replay: the latest versions (default), or what each query changed, or found",
    )
    parser.add_argument(
        "--state", metavar="DIR", help="replay: keep what is remembered here, and go on from it"
    )
    parser.add_argument(
        "--on-change",
        choices=("refuse", "restart", "carry"),
        help="--state of another program: an error (default), begin anew, or keep what still fits",
    )
    parser.add_argument("--stats", metavar="PATH", help="write a JSON line about each query here")
    parser.add_argument("--rejects", metavar="PATH", help="write the rows set aside here")
    parser.add_argument(
        "--allow-empty",
        metavar="NAME",
        nargs="*",
        help="these inputs and facts (default: all) may be without a usable row",
    )
    parser.add_argument("--strict", action="store_true", help="the first bad row is an error")
    parser.add_argument(
        "--times",
        choices=("int", "iso"),
        default="int",
        help="write times as numbers (int, the default) or as dates (iso)",
    )
    parser.add_argument("--watch", action="store_true", help="run again when a file changes")
    parser.add_argument("--quiet", action="store_true", help="no progress and no summary")
    add_param(parser)
    add_path(parser)


def run(given: argparse.Namespace) -> int:
    keep_big_arrays()
    given.is_begun = False
    if not given.watch:
        return _run_once(given)
    if given.state is not None:
        return complain(
            "--watch would give the same rows to --state again and again\n"
            "  help: leave one of them out",
            code=2,
        )
    from phenesthe.cli.watch import watch

    def run_again() -> int:
        code = _run_once(given)
        # From now on what is there is our own, also of a run that then found nothing.
        given.overwrite = given.overwrite or given.is_begun
        return code

    from phenesthe.io.meta import name_meta

    places = [given.file, given.input, given.facts]
    meta = None if given.output is None else str(name_meta(Path(given.output)))
    written = [given.output, meta, given.rejects, given.stats]
    if given.engine == "local":
        return watch(places, run_again, besides=written)
    from phenesthe.engines.spark.session import open_session
    from phenesthe.io import DataError

    try:
        # One session for all runs: it takes longer to start than most programs to run.
        with open_session(given.master):
            return watch(places, run_again, besides=written)
    except DataError as problem:
        return complain(str(problem))


def _are_exchanged(given: argparse.Namespace) -> bool:
    """Whether the data stands where the program belongs, and the other way round."""
    return (
        given.input.endswith(".phe")
        and not given.file.endswith(".phe")
        and Path(given.file).exists()
    )


def _run_once(given: argparse.Namespace) -> int:
    from phenesthe.cli.request import make_request
    from phenesthe.diagnostics.model import ProgramError, Severity
    from phenesthe.io import DataError
    from phenesthe.operators.too_many import TooManyRows
    from phenesthe.program import compile
    from phenesthe.runs.engine import open_engine
    from phenesthe.runs.options import UsageError

    params = read_params(given.param)
    if params is None:
        return 2
    if _are_exchanged(given):
        return complain(
            f"--input `{given.input}` is a program, and `{given.file}` is not\n"
            f"  help: exchange them: phenesthe run {given.input} --input {given.file}",
            code=2,
        )
    began = perf_counter()
    with Progress(quiet=given.quiet) as progress:
        progress.say("compiling")
        try:
            program = compile(given.file, path=given.path, params=params)
        except ProgramError as problem:
            is_shown = {Severity.ERROR} if given.quiet else set(Severity)
            show_diagnostics([one for one in problem.diagnostics if one.severity in is_shown])
            return 1
        except (FileNotFoundError, IsADirectoryError) as problem:
            return complain(str(problem))
        if not given.quiet:
            show_diagnostics(program.diagnostics)
        try:
            request = make_request(given, program)
            given.is_begun = True
            if request.windows is not None and not given.quiet:
                show_memory_warnings(program.checked, request.only)
            engine = open_engine(given.engine, master=given.master, partitions=given.partitions)
            ran = engine.run(request, Telling(progress))
        except UsageError as problem:
            return complain(str(problem), code=2)
        except DataError as problem:
            return complain(str(problem))
        except TooManyRows as problem:
            return complain(str(problem))
        except MemoryError:
            return complain(
                f"there is not enough memory ({progress.step})\n"
                "  help: see which formula joins parts that share few variables, or give less data"
            )
    for text in ran.warnings:
        warn(text)
    if not given.quiet:
        show_summary(ran, perf_counter() - began)
    return 0
