"""Everything a run or a replay reads, as frames: what `phenesthe.io` is for the local engine."""

from collections.abc import Collection, Mapping
from os import PathLike, fspath
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from phenesthe.check.program import CheckedProgram
from phenesthe.engines.spark.failures import explained
from phenesthe.engines.spark.reading.assembly import Assembly, Inputs
from phenesthe.engines.spark.reading.disks import open_disk
from phenesthe.engines.spark.reading.plan import Planner
from phenesthe.engines.spark.reading.sources import Planned
from phenesthe.engines.spark.reading.stream_assembly import StreamAssembly
from phenesthe.engines.spark.reading.streaming import StreamInputs
from phenesthe.io.foreign import refuse_web
from phenesthe.io.lakes import check_lake
from phenesthe.io.load import import_table, make_reader, note_choice
from phenesthe.io.names import list_choices
from phenesthe.io.places import (
    check_lines,
    choose_tables,
    find_single,
    note_absent_facts,
    refuse_name,
)
from phenesthe.io.read_tables import Reader
from phenesthe.io.rejects import Rejects


def read_input(
    spark: SparkSession,
    program: CheckedProgram,
    path: str | PathLike[str],
    *,
    facts: str | PathLike[str] | None = None,
    mapping: Mapping[str, str] | None = None,
    strict: bool = False,
    columns: Mapping[str, Collection[str]] | None = None,
    time_format: str | None = None,
) -> Inputs:
    """Read a folder of tables or one `.jsonl` file; facts also from a place of their own.

    Places are paths, or whatever addresses Spark reads. See `phenesthe.io.read_input`.
    """
    reader = make_reader(program, mapping, columns, Rejects(strict=strict), time_format)
    assembly = Assembly(spark, program, reader)
    with explained("reading the input"):
        assembly.read(_plan_places(spark, program, reader, path, facts, bool(mapping)))
        return assembly.finish()


def read_stream(
    spark: SparkSession,
    program: CheckedProgram,
    path: str | PathLike[str],
    *,
    facts: str | PathLike[str] | None = None,
    mapping: Mapping[str, str] | None = None,
    strict: bool = False,
    columns: Mapping[str, Collection[str]] | None = None,
    placed: bool = True,
    time_format: str | None = None,
) -> StreamInputs:
    """The same for a replay. See `phenesthe.io.stream.read_stream`.

    Without `placed`, rows that only a given start can refuse (inserts that tell no arrival) need
    not know where they stand, and cannot be set aside. That saves counting them.
    """
    reader = make_reader(program, mapping, columns, Rejects(strict=strict), time_format)
    assembly = StreamAssembly(spark, program, reader, placed="all" if placed else "arrivals")
    with explained("reading the input"):
        assembly.read(_plan_places(spark, program, reader, path, facts, bool(mapping)))
        return assembly.finish_stream()


def read_given(
    spark: SparkSession,
    program: CheckedProgram,
    given: Mapping[str, Any],
    *,
    mapping: Mapping[str, str] | None = None,
    strict: bool = False,
    columns: Mapping[str, Collection[str]] | None = None,
    time_format: str | None = None,
) -> Inputs:
    """The same from values by name: Spark frames, Arrow tables and what Arrow imports, or paths."""
    reader = make_reader(program, mapping, columns, Rejects(strict=strict), time_format)
    assembly = Assembly(spark, program, reader)
    with explained("reading the input"):
        assembly.read(_plan_given(assembly, given))
        return assembly.finish()


def stream_given(
    spark: SparkSession,
    program: CheckedProgram,
    given: Mapping[str, Any],
    *,
    mapping: Mapping[str, str] | None = None,
    strict: bool = False,
    columns: Mapping[str, Collection[str]] | None = None,
    placed: bool = True,
    time_format: str | None = None,
) -> StreamInputs:
    """The same for a replay. See `read_stream`."""
    reader = make_reader(program, mapping, columns, Rejects(strict=strict), time_format)
    assembly = StreamAssembly(spark, program, reader, placed="all" if placed else "arrivals")
    with explained("reading the input"):
        assembly.read(_plan_given(assembly, given))
        return assembly.finish_stream()


def _plan_places(
    spark: SparkSession,
    program: CheckedProgram,
    reader: Reader,
    path: str | PathLike[str],
    facts: str | PathLike[str] | None,
    mapped: bool,
) -> Planned:
    planner = Planner(spark, program, reader)
    tables: set[str] = set()
    for place, only_facts in ((path, False), (facts, True)):
        if place is None:
            continue
        refuse_web(place)
        disk = open_disk(spark, place)
        entry = disk.look(fspath(place))
        single = None if entry.is_folder else find_single(program, entry, only_facts=only_facts)
        if single is not None:
            planner.add_table(disk, single, entry)
            tables.add(single.name)
            note_absent_facts(program, reader.account, entry.path, only_facts=only_facts)
            continue
        if not entry.is_folder:
            check_lines(entry, mapped=mapped and not only_facts)
            reader.account.lines.append((entry.path, only_facts))
            planner.add_lines(disk, entry, only_facts=only_facts)
            continue
        check_lake(entry.path, disk.list_folder)
        found = disk.list_folder(entry.path)
        choice = choose_tables(program, entry.path, found, only_facts=only_facts)
        for signature, table in choice.tables:
            planner.add_table(disk, signature, table)
        note_choice(reader, choice, entry.path)
        tables.update(signature.name for signature, _ in choice.tables)
    return Planned(planner.sources, tables)


def _plan_given(assembly: Assembly, given: Mapping[str, Any]) -> Planned:
    """What Spark reads; what is in memory is judged at once."""
    spark, program, reader = assembly.spark, assembly.program, assembly.reader
    planner = Planner(spark, program, reader)
    signatures = program.given
    for name, value in given.items():
        if name not in signatures:
            raise refuse_name(name, list_choices(name, signatures))
        signature = signatures[name]
        if isinstance(value, DataFrame):
            planner.add_frame(signature, value)
        elif isinstance(value, str | PathLike):
            refuse_web(value)
            disk = open_disk(spark, value)
            planner.add_table(disk, signature, disk.look(fspath(value)))
        else:
            table = import_table(value, name)
            assembly.put(signature, [reader.fit_table(signature, table, f"table {name}")])
    return Planned(planner.sources, given)
