"""One program over one stream in two ways, and what to do when they differ."""

import json
import math
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.engines.local import run_local
from phenesthe.vocabulary import ValueType
from tests.equivalence.overrides import compile_with
from tests.equivalence.streams import Stream
from tests.reference import Row, Scalar
from tests.reference.formulas import Formulas
from tests.reference.program import evaluate_definition, prepare

Results: TypeAlias = dict[str, set[Row]]

_ARROW: dict[ValueType, pa.DataType] = {
    "int": pa.int64(), "float": pa.float64(), "str": pa.string(), "bool": pa.bool_(),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    text: str
    stream: Stream


@dataclass(frozen=True, slots=True)
class Difference:
    """Which definitions differ, or that the engine broke."""

    names: tuple[str, ...]
    expected: Results
    found: Results
    error: str = ""

    @property
    def sort(self) -> str:
        """A smaller case shows the same fault when this is the same."""
        return self.error.strip().splitlines()[-1] if self.error else "results differ"

    def __str__(self) -> str:
        lines = [self.error] if self.error else []
        for name in self.names:
            missing, extra = (
                self.expected[name] - self.found[name],
                self.found[name] - self.expected[name],
            )
            lines.append(f"{name}:  expected {_show(self.expected[name])}")
            lines.append(f"{' ' * len(name)}      found {_show(self.found[name])}")
            lines.append(f"{' ' * len(name)}    missing {_show(missing)}")
            lines.append(f"{' ' * len(name)}      extra {_show(extra)}")
        return "\n".join(lines)


def compare(case: Case) -> Difference | None:
    program = compile_with(case.text, case.stream.params).checked
    return compare_results(program, case.stream, run_reference(program, case.stream)[0])


def compare_results(
    program: CheckedProgram, stream: Stream, expected: Results
) -> Difference | None:
    try:
        found = find_local(program, stream)
    except Exception:
        return Difference((), expected, {}, traceback.format_exc())
    return find_difference(expected, found)


def find_difference(expected: Results, found: Results) -> Difference | None:
    names = tuple(name for name in expected if expected[name] != found[name])
    return Difference(names, expected, found) if names else None


def run_reference(program: CheckedProgram, stream: Stream) -> tuple[Results, Formulas | None]:
    """The results, and what the sub-formulas gave."""
    formulas = prepare(program, stream.inputs, stream.facts, until=stream.until, start=stream.start)
    if formulas is None:
        return {one.signature.name: set() for one in program.definitions}, None
    found = {d.signature.name: evaluate_definition(d, formulas) for d in program.definitions}
    return {name: set(map(_name_undefined, rows)) for name, rows in found.items()}, formulas


def find_local(program: CheckedProgram, stream: Stream) -> Results:
    tables = run_local(
        program,
        {s.name: build_table(s, stream.inputs[s.name]) for s in program.inputs
         if s.name in stream.inputs},
        {s.name: build_facts(s, stream.facts[s.name]) for s in program.facts
         if s.name in stream.facts},
        until=stream.until,
        start=stream.start,
    )  # fmt: skip
    return {name: read_table(table) for name, table in tables.items()}


def read_table(table: pa.Table) -> set[Row]:
    times = 1 if table.column_names[-1] == "t" else 2
    columns = [column.to_pylist() for column in table.columns]
    rows = list(zip(*columns, strict=True))
    found = {_name_undefined((row[:-times], *row[-times:])) for row in rows}
    assert len(found) == len(rows), "a result is reported twice"
    return found


def _name_undefined(row: Row) -> Row:
    """A NaN is not equal to itself, its name is."""
    arguments = tuple(
        "NaN" if isinstance(one, float) and math.isnan(one) else one for one in row[0]
    )
    return (arguments, *row[1:])


def build_table(signature: Signature, rows: list[Row]) -> pa.Table:
    columns = _build_arguments(signature, [row[0] for row in rows])
    if signature.kind == "event":
        columns["t"] = pa.array([row[1] for row in rows], pa.int64())
    else:
        columns["ts"] = pa.array([row[1] for row in rows], pa.int64())
        columns["te"] = pa.array([row[-1] for row in rows], pa.int64())
    return pa.table(columns)


def build_facts(signature: Signature, rows: list[tuple[Scalar, ...]]) -> pa.Table:
    if not signature.arguments:
        # There are no columns, but it matters whether there is a row.
        return pa.table({"row": pa.nulls(len(rows))}).select([])
    return pa.table(_build_arguments(signature, rows))


def _build_arguments(signature: Signature, rows: list[tuple[Scalar, ...]]) -> dict[str, pa.Array]:
    return {
        name: pa.array([row[at] for row in rows], _ARROW[type_name])
        for at, (name, type_name) in enumerate(
            zip(signature.arguments, signature.types, strict=True)
        )
    }


def write_lines(stream: Stream, kinds: Mapping[str, str]) -> str:
    """The stream as a `.jsonl` file; what has no kind, the program does not declare."""
    lines: list[object] = []
    for name in kinds:
        for arguments, *times in stream.inputs.get(name, ()):
            time = ("t",) if kinds[name] == "event" else ("ts", "te")
            lines.append({"name": name, "args": arguments, **dict(zip(time, times, strict=True))})
    for name, facts in stream.facts.items():
        lines += [{"fact": name, "args": arguments} for arguments in facts]
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def save(case: Case, folder: Path, name: str) -> tuple[Path, Path]:
    """Write a case to files that `phenesthe run` takes."""
    program = compile_with(case.text, case.stream.params).checked
    folder.mkdir(parents=True, exist_ok=True)
    text, lines = folder / f"{name}.phe", folder / f"{name}.jsonl"
    text.write_text(case.text, encoding="utf-8")
    kinds = {one.name: one.kind or "" for one in program.inputs}
    lines.write_text(write_lines(case.stream, kinds), encoding="utf-8")
    return text, lines


def describe(case: Case, difference: Difference) -> str:
    """Everything needed to look at a failing case."""
    program = compile_with(case.text, case.stream.params).checked
    kinds = {one.name: one.kind or "" for one in program.inputs}
    stream = case.stream
    return (
        f"--- program.phe\n{case.text}\n--- input.jsonl (until {stream.until}, start "
        f"{stream.start}, parameters {stream.params})\n{write_lines(stream, kinds)}\n"
        f"--- results\n{difference}\n"
    )


def _show(rows: set[Row]) -> str:
    return "{" + ", ".join(sorted(map(str, rows))) + "}"
