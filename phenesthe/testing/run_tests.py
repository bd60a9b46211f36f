"""Files of tests, run: each program compiled once, each test by itself."""

import errno
import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol

from phenesthe.check.program import CheckedProgram
from phenesthe.diagnostics.model import Diagnostic, ProgramError, Severity
from phenesthe.files.long_lines import read_bounded_lines
from phenesthe.files.special import refuse_special
from phenesthe.program import compile
from phenesthe.testing.compare import Difference, compare
from phenesthe.testing.find_tests import name_program
from phenesthe.testing.model import Problem, Test
from phenesthe.testing.prepare import prepare
from phenesthe.testing.read_tests import read_tests

if TYPE_CHECKING:
    import pyarrow as pa


#: Of a file of tests.
MAX_BYTES = 64 * 2**20


class Run(Protocol):
    """What evaluates a program; the local engine, usually."""

    def __call__(
        self,
        program: CheckedProgram,
        tables: "Mapping[str, pa.Table]",
        facts: "Mapping[str, pa.Table]",
        *,
        until: int | None = None,
        start: int | None = None,
        only: Collection[str] | None = None,
    ) -> "Mapping[str, pa.Table]": ...


class Outcome(NamedTuple):
    """Of one test, or of a file of which some tests cannot be run.

    A test passed if nothing is wrong. `diagnostics` are those of the program, told once with
    the number of tests that were not run because of them.
    """

    test: Test | None = None
    problems: tuple[Problem, ...] = ()
    differences: tuple[Difference, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    not_run: int = 0

    @property
    def passed(self) -> bool:
        return not (self.problems or self.differences or self.diagnostics)


def run_tests(files: Iterable[Path], run: Run, *, path: Iterable[Path] = ()) -> Iterator[Outcome]:
    """The outcomes, in the order of the files and of the tests in them."""
    for file in files:
        try:
            refuse_special(file)
            with file.open("rb") as opened:
                _refuse_size(opened)
                tests, strays = read_tests(file, read_bounded_lines(opened))
        except OSError as problem:
            reason = f"this file cannot be read: {(problem.strerror or 'no reason given').lower()}"
            yield Outcome(problems=(Problem(file, 1, reason, "put it right, or leave it out"),))
            continue
        if strays or not tests:
            empty = Problem(
                file, 1, "there is no test in this file", 'begin one with {"test": "two stops"}'
            )
            yield Outcome(problems=tuple(strays) or (empty,))
        if tests:
            yield from _run_file(name_program(file), tests, run, tuple(path))


def _refuse_size(file: BinaryIO) -> None:
    """Raises OSError: what is this large was not written by anybody, nor meant as tests."""
    size = os.fstat(file.fileno()).st_size
    if size > MAX_BYTES:
        raise OSError(errno.EFBIG, f"It has {size:,} bytes; at most {MAX_BYTES:,} are read")


def _run_file(
    program: Path, tests: list[Test], run: Run, path: tuple[Path, ...]
) -> Iterator[Outcome]:
    if not program.is_file():
        problem = Problem(
            tests[0].file,
            tests[0].head.number,
            f"there is no program `{program}` to test",
            "tests of `NAME.phe` are in `NAME.test.jsonl` beside it",
        )
        yield Outcome(problems=(problem,), not_run=len(tests))
        return
    try:
        compiled = {"{}": compile(program, path=path).checked}
    except ProgramError as error:
        yield Outcome(diagnostics=error.diagnostics, not_run=len(tests))
        return
    for test in tests:
        if test.problems:
            yield Outcome(test, problems=tuple(test.problems), not_run=1)
            continue
        given = json.dumps(test.params, sort_keys=True)
        if given not in compiled:
            try:
                compiled[given] = compile(program, path=path, params=test.params).checked
            except ProgramError as error:
                yield Outcome(test, problems=_explain_params(test, error), not_run=1)
                continue
        yield run_test(test, compiled[given], run)


def run_test(test: Test, program: CheckedProgram, run: Run) -> Outcome:
    prepared, problems = prepare(test, program)
    if problems:
        return Outcome(test, problems=problems, not_run=1)
    found = run(
        program,
        prepared.tables,
        prepared.facts,
        until=prepared.until,
        start=prepared.start,
        only=tuple(prepared.expected),
    )
    return Outcome(test, differences=compare(prepared.expected, found, program))


def _explain_params(test: Test, error: ProgramError) -> tuple[Problem, ...]:
    """The program is right without the parameters, so every error is about them."""
    return tuple(
        Problem(test.file, test.head.number, diagnostic.message, diagnostic.hint)
        for diagnostic in error.diagnostics
        if diagnostic.severity is Severity.ERROR
    )
