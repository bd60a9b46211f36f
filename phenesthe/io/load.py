"""Everything a run reads: the tables of its inputs and facts."""

from collections.abc import Collection, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import pyarrow as pa

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.files.special import name_special
from phenesthe.frozen import dataclass
from phenesthe.io.account import Account
from phenesthe.io.columns import list_times, make_schema
from phenesthe.io.errors import DataError, describe_failure
from phenesthe.io.extent import join_extents, measure_table
from phenesthe.io.fit import Batch
from phenesthe.io.foreign import refuse_web
from phenesthe.io.lakes import check_lake
from phenesthe.io.links import find_real
from phenesthe.io.names import list_choices, list_fields, map_columns, name_columns
from phenesthe.io.places import (
    Choice,
    Entry,
    check_lines,
    choose_tables,
    find_single,
    note_absent_facts,
    refuse_absence,
    refuse_name,
)
from phenesthe.io.read_lines import read_lines
from phenesthe.io.read_tables import Reader
from phenesthe.io.rejects import Rejects
from phenesthe.io.remarks import list_remarks
from phenesthe.io.retract import settle
from phenesthe.io.time_format import Clock, make_clock
from phenesthe.options import name_option
from phenesthe.vocabulary import Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """Tables as declared: the arguments, then `t`, or `ts` and `te` (null: still holding).

    Rows are a bag in no order; retractions are applied, closed rows are gone. `first` and `last`
    are the least and the greatest time of the rows that remain: a row that was taken back leaves
    no trace, so a run over a stream and its corrections is a run over what is left of it.
    """

    tables: dict[str, Any]
    facts: dict[str, Any]
    rejects: Rejects
    warnings: tuple[str, ...]
    account: Account
    first: int | None
    last: int | None


def read_input(
    program: CheckedProgram,
    path: str | PathLike[str],
    *,
    facts: str | PathLike[str] | None = None,
    mapping: Mapping[str, str] | None = None,
    strict: bool = False,
    columns: Mapping[str, Collection[str]] | None = None,
    rejects: Rejects | None = None,
    time_format: str | None = None,
) -> Loaded:
    """Read a directory of tables or one file; facts also from a place of their own.

    `time_format` is a form of `strptime` that times may have. `mapping` renames columns
    (`{"ais.t": "BaseDateTime"}`). `columns` names, for some inputs, the
    arguments that are needed: the others are then absent, and what is not read is not judged.
    """
    rejects = Rejects(strict=strict) if rejects is None else rejects
    reader = make_reader(program, mapping, columns, rejects, time_format)
    return _finish(program, reader, gather_input(program, reader, path, facts, bool(mapping)))


def gather_input(
    program: CheckedProgram,
    reader: Reader,
    path: str | PathLike[str],
    facts: str | PathLike[str] | None,
    mapped: bool,
) -> dict[str, list[Batch]]:
    """The rows of each input and fact that fit, as they were read."""
    gathered: dict[str, list[Batch]] = {}
    for place, only_facts in ((path, False), (facts, True)):
        if place is not None:
            _read_place(program, place, reader, gathered, only_facts, mapped)
    count_batches(reader, gathered)
    return gathered


def count_batches(reader: Reader, gathered: Mapping[str, list[Batch]]) -> None:
    """Enter what was read into the account."""
    for name, batches in gathered.items():
        reader.account.there.add(name)
        reader.account.fitted[name] += sum(one.table.num_rows for one in batches)
        reader.account.dated |= any(one.dated for one in batches)


def read_given(
    program: CheckedProgram,
    given: Mapping[str, Any],
    *,
    mapping: Mapping[str, str] | None = None,
    strict: bool = False,
    columns: Mapping[str, Collection[str]] | None = None,
    time_format: str | None = None,
    rejects: Rejects | None = None,
) -> Loaded:
    """The same from values by name: Arrow tables, whatever Arrow can import, or paths."""
    rejects = Rejects(strict=strict) if rejects is None else rejects
    reader = make_reader(program, mapping, columns, rejects, time_format)
    return _finish(program, reader, gather_given(program, reader, given))


def gather_given(
    program: CheckedProgram, reader: Reader, given: Mapping[str, Any]
) -> dict[str, list[Batch]]:
    """The rows of each input and fact that fit, as they were given."""
    signatures = program.given
    gathered: dict[str, list[Batch]] = {}
    for name, value in given.items():
        if name not in signatures:
            raise refuse_name(name, list_choices(name, signatures))
        if isinstance(value, str | PathLike):
            gathered[name] = reader.read(signatures[name], _check_local(value))
        else:
            table = import_table(value, name)
            gathered[name] = [reader.fit_table(signatures[name], table, f"table {name}")]
    count_batches(reader, gathered)
    return gathered


def fit_table(
    signature: Signature,
    table: Any,
    unit: Unit,
    *,
    rejects: Rejects | None = None,
    strict: bool = False,
) -> tuple[Any, Rejects]:
    """One table in memory, made to fit its declaration, and the rows set aside."""
    rejects = Rejects(strict=strict) if rejects is None else rejects
    names = {signature.name: name_columns(signature)}
    reader = Reader(clock=Clock(unit), rejects=rejects, names=names, wanted={})
    label = f"table {signature.name}"
    batch = reader.fit_table(signature, import_table(table, signature.name), label)
    return settle(signature, make_schema(signature), [batch], rejects), rejects


def import_table(value: Any, name: str) -> Any:
    """An Arrow table of anything that Arrow takes: its own, pandas, other libraries' frames."""
    if isinstance(value, pa.Table):
        return value
    try:
        if isinstance(value, pa.RecordBatch):
            return pa.Table.from_batches([value])
        return pa.table(value)
    except (pa.ArrowException, TypeError, ValueError) as problem:
        raise DataError(
            f"cannot use a {type(value).__name__} as the table of `{name}`: "
            f"{describe_failure(problem)}",
            "give an Arrow table, a data frame or a path",
        ) from problem


def make_reader(
    program: CheckedProgram,
    mapping: Mapping[str, str] | None,
    columns: Mapping[str, Collection[str]] | None,
    rejects: Rejects,
    time_format: str | None = None,
) -> Reader:
    return Reader(
        clock=make_clock(program.unit, time_format),
        rejects=rejects,
        names=map_columns(program, mapping or {}),
        wanted=columns or {},
    )


def _read_place(
    program: CheckedProgram,
    place: str | PathLike[str],
    reader: Reader,
    gathered: dict[str, list[Batch]],
    only_facts: bool,
    mapped: bool,
) -> None:
    """Add what is found to `gathered`."""
    path = _check_local(place)
    if not path.is_dir():
        entry = make_entry(path)
        single = find_single(program, entry, only_facts=only_facts)
        if single is not None:
            gathered.setdefault(single.name, []).extend(reader.read(single, path))
            note_absent_facts(program, reader.account, str(path), only_facts=only_facts)
            return
        check_lines(entry, mapped=mapped and not only_facts)
        reader.account.lines.append((str(path), only_facts))
        found = read_lines(
            program, path, reader.rejects, only_facts=only_facts, form=reader.clock.form
        )
        for name, batches in found.items():
            gathered.setdefault(name, []).extend(batches)
        return
    check_lake(str(path), lambda place: list_entries(Path(place)))
    choice = choose_tables(program, str(path), list_entries(path), only_facts=only_facts)
    for signature, entry in choice.tables:
        read = reader.read(signature, Path(entry.path))
        gathered.setdefault(signature.name, []).extend(read)
    note_choice(reader, choice, str(path))


def note_choice(reader: Reader, choice: Choice, folder: str) -> None:
    """Enter what a folder does not hold, and what else it does, into the account."""
    for name in choice.missing:
        reader.account.missing.setdefault(name, []).append(folder)
    reader.account.strangers.extend((folder, one) for one in choice.strangers)
    reader.warnings.extend(choice.warnings)


def check_place(program: CheckedProgram, place: str, *, only_facts: bool, mapped: bool) -> None:
    """Refuse what cannot be an input by its name and by what it holds. No file is opened."""
    path = _check_local(place)
    if path.is_dir():
        check_lake(place, lambda folder: list_entries(Path(folder)))
        choose_tables(program, place, list_entries(path), only_facts=only_facts)
    elif find_single(program, make_entry(path), only_facts=only_facts) is None:
        check_lines(make_entry(path), mapped=mapped and not only_facts)


def make_entry(path: Path) -> Entry:
    # A link to nothing is found here, and refused where it is read.
    size = path.stat().st_size if path.is_file() else 0
    return Entry(str(path), path.name, path.is_dir(), size, name_special(path))


def list_entries(folder: Path) -> list[Entry]:
    """What a folder of this machine holds."""
    try:
        return [make_entry(path) for path in folder.iterdir()]
    except OSError as problem:
        raise DataError(
            f"cannot read `{folder}`: {describe_failure(problem)}", "check its permissions"
        ) from problem


def _check_local(place: str | PathLike[str]) -> Path:
    text = fspath(place)
    refuse_web(text)
    if "://" in text:
        raise DataError(
            f"cannot read `{text}` here: the local engine reads local files",
            f"copy it, or use {name_option('engine', 'spark', python='a Spark frame')}",
        )
    if not find_real(text).exists():
        raise refuse_absence(text)
    return Path(text)


def _finish(program: CheckedProgram, reader: Reader, gathered: Mapping[str, list[Batch]]) -> Loaded:
    tables = {one.name: settle_batches(one, reader, gathered) for one in program.inputs}
    facts = {one.name: settle_batches(one, reader, gathered) for one in program.facts}
    extents = {one.name: measure_table(tables[one.name], list_times(one)) for one in program.inputs}
    last = {name: one.last for name, one in extents.items()}
    together = join_extents(extents.values())
    return Loaded(
        tables=tables,
        facts=facts,
        rejects=reader.rejects,
        warnings=(*reader.warnings, *list_remarks(program, reader.rejects, last)),
        account=reader.account,
        first=together.first,
        last=together.last,
    )


def settle_batches(
    signature: Signature, reader: Reader, gathered: Mapping[str, list[Batch]]
) -> Any:
    """The table of what was read of an input or fact."""
    batches = gathered.get(signature.name, [])
    wanted = reader.wanted.get(signature.name)
    fields = list_fields(signature, wanted)
    schema = batches[0].table.schema if batches else make_schema(signature, wanted)
    table = settle(signature, schema, batches, reader.rejects)
    return table if table.column_names == list(fields) else table.select(list(fields))
