"""Results to files. A file or folder appears whole or not at all.

| target | content |
|---|---|
| nothing, `.jsonl` | one JSON object a line, sorted by name, arguments and time |
| `.csv` | `name, kind, args` (a JSON array), `t, ts, te`, in the same order |
| `.parquet` | the same columns, in the order of the names |
| a folder | one Parquet table per phenomenon: the arguments, then `t`, or `ts` and `te` |

Times are ticks, or with `times="iso"` ISO 8601 text; in Parquet then timestamps in UTC. What is to
be told of all of it (`meta`) stands beside a text file, and in the schema of a Parquet table.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import make_text
from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.files.opening import open_sink
from phenesthe.io.columns import list_times, make_schema
from phenesthe.io.errors import DataError
from phenesthe.io.kinds import KIND
from phenesthe.io.lines import (
    VERSION,
    Times,
    join_arguments,
    list_version,
    make_header,
    sort_rows,
    write_csv,
    write_jsonl,
)
from phenesthe.io.meta import META, Meta, find_digest, write_meta
from phenesthe.io.putting import AT_ONCE, Putting
from phenesthe.io.target import Form, check_target
from phenesthe.io.times import ARROW_UNITS
from phenesthe.options import name_option
from phenesthe.vocabulary import Unit

#: Times are nearly sorted: as differences they are smaller and faster than a dictionary.
_TICKS = ("t", "ts", "te", "query")
#: The farthest whose milliseconds fit into 64 bits.
_LAST_SECOND = (2**63 - 1) // 1_000


def write_results(
    program: CheckedProgram,
    results: Mapping[str, Any],
    target: str | PathLike[str] | None,
    *,
    overwrite: bool = False,
    times: Times = "int",
    meta: Meta | None = None,
    putting: Putting = AT_ONCE,
) -> None:
    """Write the tables of the definitions named in `results`; without a target, to stdout."""
    signatures = program.defined
    chosen = [(signatures[name], results[name]) for name in sorted(results)]
    if target is None:
        with putting.stdout() as file:
            write_parts(file, list_parts(chosen, "jsonl", program.unit, times))
        return
    form, path = check_target(target, overwrite=overwrite), Path(target)
    match form:
        case "jsonl" | "csv":
            with putting.file(path, overwrite=overwrite) as file:
                write_parts(file, list_parts(chosen, form, program.unit, times))
                digest = "" if meta is None else find_digest(file)
            if meta is not None:
                write_meta(meta, path, digest, putting)
        case "parquet":
            with putting.file(path, overwrite=overwrite) as file:
                # By its name: what Arrow has still to write when it is interrupted it would write
                # to a file that is closed by then.
                joined = join_results(chosen, program.unit, times, meta=meta)
                write_parquet(joined, Path(file.name), path)
        case "directory":
            with putting.folder(path, overwrite=overwrite) as folder:
                for signature, table in chosen:
                    typed = type_results(signature, table, program.unit, times, meta)
                    write_parquet(typed, folder / f"{signature.name}.parquet", path)


def list_parts(
    chosen: Iterable[tuple[Signature, Any]], form: Form, unit: Unit, times: Times
) -> Iterator[Any]:
    """The bytes of a text file, phenomenon by phenomenon."""
    if form == "csv":
        yield make_header()
    for signature, table in chosen:
        yield from list_rows(signature, table, form, unit, times)


def list_rows(
    signature: Signature, table: Any, form: Form, unit: Unit, times: Times
) -> Iterator[Any]:
    """The bytes of the sorted rows of one phenomenon."""
    ordered = sort_rows(table.select([*make_schema(signature).names, *list_version(table)]))
    write = write_csv if form == "csv" else write_jsonl
    yield from write(signature, ordered, unit, times)


def write_parts(file: IO[bytes], parts: Iterable[Any]) -> None:
    for part in parts:
        file.write(part)


def write_parquet(table: Any, where: Path, target: Path) -> None:
    from pyarrow.parquet import write_table

    check_stamps(table, target)
    sink = open_sink(where)
    write_table(table, sink, **choose_encodings(table.schema))
    sink.close()


def choose_encodings(schema: Any) -> dict[str, Any]:
    ticks = [name for name in schema.names if name in _TICKS]
    return {
        "use_dictionary": [name for name in schema.names if name not in _TICKS],
        "column_encoding": dict.fromkeys(ticks, "DELTA_BINARY_PACKED") or None,
    }


def check_stamps(table: Any, target: Path) -> None:
    """Raise `DataError` for times that Parquet has no timestamp for.

    It has none of seconds: they are written as milliseconds, which not every version of Arrow does
    with an eye on those that do not fit.
    """
    for name, column in zip(table.column_names, table.columns, strict=True):
        if not pa.types.is_timestamp(column.type) or column.type.unit != "s":
            continue
        ends = pc.min_max(column.cast(pa.int64())).as_py()
        far = [one for one in ends.values() if one is not None and abs(one) > _LAST_SECOND]
        if far:
            raise DataError(
                f"cannot write `{target}`: there is no timestamp in Parquet for {far[0]}, in "
                f"`{name}`",
                "times this far from 1970 are written as numbers: use "
                + name_option("times", "int"),
            )


def type_results(
    signature: Signature, table: Any, unit: Unit, times: Times, meta: Meta | None = None
) -> Any:
    """A table as it is written to a folder, its kind told beside it."""
    schema = make_schema(signature)
    for name in list_version(table):
        schema = schema.append(pa.field(name, VERSION[name] or pa.int64()))
    # The kind cannot be seen from the columns; `phenesthe show` looks for it here.
    schema = schema.with_metadata({KIND: str(signature.kind), **describe(meta)})
    typed = table.select(schema.names).cast(schema)
    if times == "int":
        return typed
    for place, name in enumerate(schema.names):
        if name in (*list_times(signature), "query", "was"):
            stamps = typed[name].cast(pa.timestamp(ARROW_UNITS[unit], "UTC"))
            typed = typed.set_column(place, name, stamps)
    return typed


def describe(meta: Meta | None) -> dict[str, str]:
    """As the description of a table."""
    return {} if meta is None else {META: meta.to_json()}


def join_results(
    chosen: Iterable[tuple[Signature, Any]],
    unit: Unit,
    times: Times,
    version: Sequence[str] = (),
    meta: Meta | None = None,
) -> Any:
    """One table of all phenomena. `version` are the columns that a windowed run adds."""
    time = pa.int64() if times == "int" else pa.timestamp(ARROW_UNITS[unit], "UTC")
    schema = pa.schema(
        [("name", pa.string()), ("kind", pa.string()), ("args", pa.string())]
        + [(name, time) for name in ("t", "ts", "te")]
        + [(name, VERSION[name] or time) for name in version],
        metadata=describe(meta) or None,
    )
    parts = [pa.table([pa.nulls(0, field.type) for field in schema], schema=schema)]
    for signature, table in chosen:
        typed, count = type_results(signature, table, unit, times), table.num_rows
        columns = [
            pa.repeat(make_text(signature.name, pa.string()), count),
            pa.repeat(make_text(str(signature.kind), pa.string()), count),
            join_arguments(signature, typed).cast(pa.string()),
        ]
        for name in ("t", "ts", "te"):
            has = name in list_times(signature)
            columns.append(typed[name] if has else pa.nulls(count, time))
        columns += [typed[name] for name in version]
        parts.append(pa.Table.from_arrays(columns, schema=schema))
    return pa.concat_tables(parts)
