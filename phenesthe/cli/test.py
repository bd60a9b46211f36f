"""`phenesthe test`: the tests people write for their definitions."""

import argparse
import sys
from typing import TYPE_CHECKING

from phenesthe.cli.programs import add_path, show_diagnostics
from phenesthe.cli.terminal import complain, wants_color

if TYPE_CHECKING:
    from phenesthe.testing.run_tests import Outcome


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="*",
        default=["."],
        help="NAME.test.jsonl, the NAME.phe it tests, a library module, or a folder (default: .)",
    )
    add_path(parser)


def run(given: argparse.Namespace) -> int:
    from phenesthe.testing.find_tests import SUFFIX, NotATest, find_tests

    try:
        files = find_tests(given.paths)
    except NotATest as problem:
        return complain(str(problem), code=2)
    except FileNotFoundError as problem:
        return complain(str(problem))
    if not files:
        return complain(f"there is no test here; tests of `NAME.phe` are in `NAME{SUFFIX}`")

    from phenesthe.engines.local import run_local
    from phenesthe.testing.run_tests import run_tests

    passed = failed = not_run = 0
    wrong = False
    for outcome in run_tests(files, run_local, path=given.path):
        if outcome.passed:
            passed += 1
            continue
        wrong = True
        if outcome.differences:
            failed += 1
        not_run += outcome.not_run
        _show(outcome)
    skipped = f", {not_run} not run" if not_run else ""
    print(f"{passed} passed, {failed} failed{skipped}")
    return 1 if wrong else 0


def _show(outcome: "Outcome") -> None:
    """Why it did not pass: a drawing to stdout, what is wrong with the files to stderr."""
    from phenesthe.diagnostics.render.cells import make_printable
    from phenesthe.report.drawing_marks import choose_marks
    from phenesthe.report.terminal import find_width, print_lines
    from phenesthe.testing.draw_failure import draw_failure

    if outcome.diagnostics:
        show_diagnostics(outcome.diagnostics)
    for problem in outcome.problems:
        print(
            make_printable(f"error: {problem.file}:{problem.line}: {problem.reason}"),
            file=sys.stderr,
        )
        if problem.remedy:
            print(make_printable(f"  help: {problem.remedy}"), file=sys.stderr)
    if outcome.test is not None and outcome.differences:
        test = outcome.test
        lines = draw_failure(
            f"FAILED {test.file}:{test.head.number}: {test.name}",
            outcome.differences,
            width=find_width(sys.stdout),
            marks=choose_marks(sys.stdout.encoding),
        )
        print_lines(lines, sys.stdout, color=wants_color(sys.stdout))
