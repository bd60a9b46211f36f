"""`phenesthe show`: results as timelines in the terminal."""

import argparse
import sys
from pathlib import Path

from phenesthe.cli.terminal import complain, wants_color, warn
from phenesthe.vocabulary import UNITS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "results",
        metavar="RESULTS",
        type=Path,
        help="a .jsonl, .csv or .parquet file of results, or a folder of Parquet tables",
    )
    parser.add_argument("--only", metavar="NAME", nargs="+", help="draw only these phenomena")
    parser.add_argument(
        "--args",
        metavar="V,…",
        default="",
        help="only bindings whose first arguments are these; _ stands for any",
    )
    parser.add_argument("--from", metavar="T", dest="from_", help="the first instant to draw")
    parser.add_argument("--to", metavar="T", help="the last instant to draw")
    parser.add_argument(
        "--times",
        choices=("int", "iso"),
        help="integers or dates on the axis (default: as in the results, or in their input)",
    )
    parser.add_argument(
        "--unit",
        choices=UNITS,
        help="what one tick of an integer time is, for dates (default: as told, or second)",
    )
    parser.add_argument(
        "--limit",
        metavar="N",
        type=int,
        default=200,
        help="draw at most so many bindings (default: 200)",
    )
    parser.add_argument(
        "--width", metavar="COLUMNS", type=int, help="default: as wide as the terminal"
    )


def run(given: argparse.Namespace) -> int:
    import csv

    from phenesthe.report.clock import find_query, read_time
    from phenesthe.report.drawing_marks import choose_marks
    from phenesthe.report.read_results import ResultsError, read_meta, read_results
    from phenesthe.report.rows import keep_args
    from phenesthe.report.terminal import find_width, print_lines
    from phenesthe.report.timeline import draw

    if given.results.suffix == ".phe":
        return complain(
            f"`{given.results}` is a program, not results\n"
            f"  help: run it first: phenesthe run {given.results} --input … --output results.jsonl"
        )
    if given.limit < 1:
        return complain("--limit must be at least 1", code=2)
    wanted = next(csv.reader([given.args], skipinitialspace=True), [])
    try:
        rows, dated = read_results(given.results, given.only or ())
    except ResultsError as problem:
        return complain(str(problem))
    meta = read_meta(given.results)
    unit = dated or given.unit or ("second" if meta is None else meta.unit)
    window: list[int | None] = []
    for option, text in (("--from", given.from_), ("--to", given.to)):
        at = None if text is None else read_time(text, unit)
        if at is None and text is not None:
            return complain(
                f"{option} takes an integer or a date, such as 2022-01-03T10:00, not `{text}`",
                code=2,
            )
        window.append(at)
    first, last = window
    if first is not None and last is not None and first > last:
        return complain("--from is later than --to", code=2)
    if given.only:
        _warn_of_missing(given.only, {row.name for row in rows}, given.results)
    has_dates = dated is not None or (meta is not None and meta.dates)
    dates = given.times == "iso" or (given.times is None and has_dates)
    lines = draw(
        (row for row in rows if keep_args(row.args, wanted)),
        width=given.width or find_width(sys.stdout),
        from_=first,
        to=last,
        query=None if meta is None else find_query(meta, unit, is_dated=dated is not None),
        limit=given.limit,
        unit=unit if dates else None,
        marks=choose_marks(sys.stdout.encoding),
    )
    if not lines:
        print("there is nothing to draw", file=sys.stderr)
    print_lines(lines, sys.stdout, color=wants_color(sys.stdout))
    return 0


def _warn_of_missing(only: list[str], found: set[str], results: Path) -> None:
    """A phenomenon that never holds is in no file, so a name that is not there is no error."""
    from phenesthe.diagnostics.suggest import closest
    from phenesthe.report.read_results import ResultsError, read_results

    missing = [name for name in only if name not in found]
    try:
        names = {row.name for row in read_results(results).rows} if missing else found
    except ResultsError:
        # Something is wrong with results that nobody asked for.
        names = found
    for name in missing:
        suggestion = closest(name, names)
        hint = f"; did you mean `{suggestion}`?" if suggestion else ""
        warn(f"{results} has nothing of `{name}`{hint}")
