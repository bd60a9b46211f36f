"""Random rows as the files that people have, read and evaluated by both engines."""

import csv
import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from phenesthe import io
from phenesthe.check.program import CheckedProgram
from phenesthe.engines.local import run_local
from phenesthe.engines.spark import reading
from phenesthe.engines.spark.reading import small_files
from phenesthe.engines.spark.run import run_spark
from phenesthe.plan.needed import list_columns
from tests.equivalence.compare import Results, build_facts, build_table, read_table
from tests.equivalence.late import WindowedCase
from tests.equivalence.streams import Stream

#: Of a folder of files, and of all rows in one file.
Form: TypeAlias = Literal["parquet", "csv", "objects", "parquet parts", "lines"]
FORMS: tuple[Form, ...] = ("parquet", "csv", "objects", "parquet parts", "lines")
#: Few rows to a group, so that its statistics say something.
_GROUP = 3
_NAMES = {math.inf: "Infinity", -math.inf: "-Infinity"}


def build_tables(program: CheckedProgram, stream: Stream) -> dict[str, pa.Table]:
    """What the stream has of what the program declares."""
    inputs = {
        one.name: build_table(one, stream.inputs[one.name])
        for one in program.inputs
        if one.name in stream.inputs
    }
    return inputs | {
        one.name: build_facts(one, stream.facts[one.name])
        for one in program.facts
        if one.name in stream.facts
    }


def build_operations(program: CheckedProgram, case: WindowedCase) -> dict[str, pa.Table]:
    """The same with when each row came, and whether it takes another back.

    A table that has an argument of such a name cannot say so.
    """
    given: dict[str, pa.Table] = {}
    for one in program.inputs:
        operations = case.operations.get(one.name, [])
        if "op" in one.arguments:
            operations = [operation for operation in operations if not operation.retract]
        table = build_table(one, [operation.row for operation in operations])
        arrivals = [operation.arrival for operation in operations]
        ops = ["retract" if operation.retract else "insert" for operation in operations]
        is_told = any(arrival is not None for arrival in arrivals)
        if is_told and "arrival" not in one.arguments:
            table = table.append_column("arrival", pa.array(arrivals, pa.int64()))
        if "retract" in ops:
            table = table.append_column("op", pa.array(ops, pa.string()))
        given[one.name] = table
    for one in program.facts:
        given[one.name] = build_facts(one, case.facts.get(one.name, []))
    return given


def write_tables(
    folder: Path, program: CheckedProgram, tables: Mapping[str, pa.Table], form: Form
) -> Path:
    """Gives the place that is the input."""
    folder.mkdir(parents=True)
    if form == "lines":
        path = folder / "in.jsonl"
        path.write_text("".join(_list_lines(program, tables)), encoding="utf-8")
        return path
    for name, table in tables.items():
        # A table without columns is none in a file: what is not declared is not read.
        if not table.num_columns:
            table = pa.table({"row": [*range(table.num_rows)]})
        match form:
            case "parquet":
                _write_parquet(table, folder / f"{name}.parquet")
            case "parquet parts":
                (folder / name).mkdir()
                half = table.num_rows // 2
                _write_parquet(table.slice(0, half), folder / name / "1.parquet")
                _write_parquet(table.slice(half), folder / name / "2.parquet")
            case "csv":
                with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
                    writer = csv.writer(file)
                    writer.writerow(table.column_names)
                    for row in zip(*[column.to_pylist() for column in table.columns], strict=True):
                        writer.writerow([_write_cell(one) for one in row])
            case "objects":
                lines = [json.dumps(row) + "\n" for row in table.to_pylist()]
                (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


def _write_parquet(table: pa.Table, path: Path) -> None:
    pq.write_table(table, path, row_group_size=_GROUP)


def _write_cell(value: object) -> object:
    match value:
        case bool():
            return "true" if value else "false"
        case float():
            return "NaN" if math.isnan(value) else _NAMES.get(value, value)
        case _:
            return value


def _list_lines(program: CheckedProgram, tables: Mapping[str, pa.Table]) -> Iterator[str]:
    for one in (*program.inputs, *program.facts):
        table = tables.get(one.name)
        if table is None:
            continue
        columns = {name: table[name].to_pylist() for name in table.column_names}
        for at in range(table.num_rows):
            row = {name: values[at] for name, values in columns.items()}
            arguments = [row.pop(name) for name in one.arguments]
            # An arrival that is not told is not there.
            beside = {key: value for key, value in row.items() if value is not None or key == "te"}
            key = "fact" if one.kind is None else "name"
            yield json.dumps({key: one.name, "args": arguments, **beside}) + "\n"


@contextmanager
def reading_as(is_large: bool) -> Iterator[None]:
    """A context in which Spark's workers read small files too."""
    before = small_files.SMALL
    small_files.SMALL = -1 if is_large else before
    try:
        yield
    finally:
        small_files.SMALL = before


def find_stored_locally(program: CheckedProgram, path: Path, stream: Stream) -> Results:
    columns = list_columns(program, program.reported)
    loaded = io.read_input(program, path, columns=columns)
    assert not loaded.rejects
    tables = run_local(
        program, loaded.tables, loaded.facts,
        until=stream.until, start=stream.start, only=program.reported,
    )  # fmt: skip
    return {name: read_table(table) for name, table in tables.items()}


def find_stored_on_spark(
    spark: SparkSession, program: CheckedProgram, path: Path, stream: Stream, partitions: int
) -> Results:
    columns = list_columns(program, program.reported)
    inputs = reading.read_input(spark, program, path, columns=columns)
    found = run_spark(
        spark, program, inputs,
        until=stream.until, start=stream.start, partitions=partitions, together=True,
    )  # fmt: skip
    try:
        tables: dict[str, Any] = found.collect()
    finally:
        found.release()
        inputs.release()
    return {name: read_table(table) for name, table in tables.items()}
