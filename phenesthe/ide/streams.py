"""The data of a preview: a sample is one stream, each test of a file is one of its own."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from phenesthe.check import check_modules
from phenesthe.check.modules import Modules
from phenesthe.check.program import CheckedProgram
from phenesthe.diagnostics.model import Severity
from phenesthe.io.fit import Batch
from phenesthe.io.load import make_reader, settle_batches
from phenesthe.io.objects import parse_objects
from phenesthe.io.read_lines import fit_objects
from phenesthe.io.rejects import Rejects
from phenesthe.testing.find_tests import SUFFIX
from phenesthe.testing.model import Entry, Problem, Test
from phenesthe.testing.prepare import prepare
from phenesthe.testing.read_tests import read_tests

MAX_LINES = 50_000
MAX_BYTES = 32 * 1024 * 1024
MAX_TESTS = 50
_MAX_PROBLEMS = 10
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """`program` has the parameters of the stream; None where they do not fit.

    `expected` is what a test expects, None where something is wrong with the test, or there is
    none. `dated`: the data has dates for times.
    """

    title: str = ""
    program: CheckedProgram | None = None
    tables: Mapping[str, Any]
    facts: Mapping[str, Any]
    until: int | None = None
    start: int | None = None
    expected: Mapping[str, tuple[Entry, ...]] | None = None
    dated: bool = False
    remarks: tuple[str, ...] = ()


def read_streams(modules: Modules, program: CheckedProgram, data: Path) -> Iterator[Stream]:
    """As much of a file as a preview looks at. Raises OSError where it cannot be read."""
    lines, remarks = _read_lines(data)
    if data.name.endswith(SUFFIX):
        yield from _read_tests(modules, program, data, lines, remarks)
    else:
        yield _read_sample(program, data, lines, remarks)


def _read_lines(data: Path) -> tuple[list[bytes], list[str]]:
    with data.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    lines = content.removeprefix(_MARK).split(b"\n")
    if len(content) <= MAX_BYTES and len(lines) <= MAX_LINES:
        return lines, []
    if len(content) > MAX_BYTES:
        lines.pop()  # it is cut
    kept = lines[:MAX_LINES]
    return kept, [f"only the first {len(kept):,} lines of {data.name} were read"]


def _read_sample(
    program: CheckedProgram, data: Path, lines: Iterable[bytes], remarks: list[str]
) -> Stream:
    rejects = Rejects()
    reader = make_reader(program, None, None, rejects)
    gathered: dict[str, list[Batch]] = {}
    dated = False
    for objects, numbers in parse_objects(lines, rejects, file=data.name):
        dated = dated or _has_dates(objects)
        fitted = fit_objects(program, objects, numbers, data.name, rejects, only_facts=False)
        for name, batch in fitted.items():
            gathered.setdefault(name, []).append(batch)
    tables = {one.name: settle_batches(one, reader, gathered) for one in program.inputs}
    facts = {one.name: settle_batches(one, reader, gathered) for one in program.facts}
    return Stream(
        program=program,
        tables=tables,
        facts=facts,
        dated=dated,
        remarks=(*remarks, *_count_rejects(rejects)),
    )


def _count_rejects(rejects: Rejects) -> Iterator[str]:
    if rejects:
        rows = "row was" if len(rejects) == 1 else "rows were"
        yield f"{len(rejects):,} {rows} set aside"
        for key, first in islice(rejects.firsts.items(), _MAX_PROBLEMS):
            count = rejects.counts[key]
            yield first.describe() + (f" (and {count - 1:,} more)" if count > 1 else "")


def _read_tests(
    modules: Modules,
    program: CheckedProgram,
    data: Path,
    lines: list[bytes],
    remarks: list[str],
) -> Iterator[Stream]:
    tests, strays = read_tests(data, lines)
    remarks += _explain(strays)
    if not tests:
        remarks.append(f"there is no test in {data.name}")
    if len(tests) > MAX_TESTS:
        remarks.append(f"only the first {MAX_TESTS} of {len(tests)} tests were run")
    if remarks:
        yield Stream(tables={}, facts={}, remarks=tuple(remarks))
    for test in tests[:MAX_TESTS]:
        yield _read_test(modules, program, test)


def _read_test(modules: Modules, program: CheckedProgram, test: Test) -> Stream:
    params = test.head.data.get("params")
    fitting: CheckedProgram | None = program
    if params and isinstance(params, dict):
        fitting, diagnostics = check_modules(modules, params)
        if fitting is None:
            errors = [one.message for one in diagnostics if one.severity is Severity.ERROR]
            return Stream(title=test.name, tables={}, facts={}, remarks=tuple(errors))
    assert fitting is not None
    prepared, problems = prepare(test, fitting)
    wrong = (*test.problems, *problems)
    return Stream(
        title=test.name,
        program=fitting,
        tables=prepared.tables,
        facts=prepared.facts,
        until=prepared.until,
        start=prepared.start,
        expected=None if wrong else prepared.expected,
        dated=_has_dates(line.data for line in test.inputs),
        remarks=tuple(_explain(wrong)),
    )


def _explain(problems: Iterable[Problem]) -> Iterator[str]:
    for one in islice(problems, _MAX_PROBLEMS):
        remedy = f" ({one.remedy})" if one.remedy else ""
        yield f"{one.file.name}, line {one.line}: {one.reason}{remedy}"


def _has_dates(objects: Iterable[Mapping[str, Any]]) -> bool:
    return any(isinstance(one.get("t", one.get("ts")), str) for one in objects)
