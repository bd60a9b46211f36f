"""One test of a definition, drawn: what it is given and what the engine finds."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.engines.local import run_local
from phenesthe.report.rows import Row
from phenesthe.report.timeline import draw
from phenesthe.testing.compare import read_entries
from phenesthe.testing.find_tests import name_tests
from phenesthe.testing.model import Test
from phenesthe.testing.prepare import prepare
from phenesthe.testing.read_tests import read_tests

_WIDTH = 90


def draw_example(module: Path, program: CheckedProgram, name: str) -> tuple[str, str]:
    """The title of the first test that finds the definition, and its timelines."""
    test = _find_example(module, name)
    rows = list(_list_rows(test, program, name))
    lines = draw(rows, width=_WIDTH)
    return test.name, "\n".join(line.plain.rstrip() for line in lines)


def _find_example(module: Path, name: str) -> Test:
    file = name_tests(module)
    tests, _ = read_tests(file, file.read_bytes().splitlines())
    return next(
        test
        for test in tests
        if not test.params
        and any(line.data["expect"] == name and "none" not in line.data for line in test.expects)
    )


def _list_rows(test: Test, program: CheckedProgram, name: str) -> Iterator[Row]:
    """What the definition uses, inputs first, and then what it is."""
    prepared, problems = prepare(test, program)
    assert not problems, problems
    definition = next(one for one in program.definitions if one.signature.name == name)
    inputs = [one for one in program.inputs if one.name in definition.uses]
    others = [one.signature for one in program.definitions if one.signature.name in definition.uses]
    found = run_local(
        program,
        prepared.tables,
        prepared.facts,
        until=prepared.until,
        start=prepared.start,
        only=[one.name for one in (*others, definition.signature)],
    )
    for signature in (*inputs, *others, definition.signature):
        given = prepared.tables if signature in inputs else found
        if signature.name in given:
            yield from _read_rows(signature, given[signature.name])


def _read_rows(signature: Signature, table: pa.Table) -> Iterator[Row]:
    assert signature.kind is not None
    for entry in read_entries(table, signature):
        yield Row(signature.name, signature.kind, entry.args, entry.start, entry.end)
