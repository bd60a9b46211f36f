"""A results file, whichever of the four forms it has."""

import csv
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from phenesthe.files.clean_csv import clean_text
from phenesthe.files.long_lines import LIMIT, MAX_LINE, is_too_long, read_bounded_lines
from phenesthe.files.missing import describe_missing
from phenesthe.files.special import name_special
from phenesthe.report.clock import TICKS, read_time
from phenesthe.report.rows import Key, Results, Row, order_args
from phenesthe.report.versions import Record, keep_latest
from phenesthe.vocabulary import Kind, Unit

if TYPE_CHECKING:
    from phenesthe.io.meta import Meta

_KINDS: tuple[Kind, ...] = ("event", "state", "dynamic")
_CHANGES = (None, "new", "revised", "withdrawn")
_TIMES = ("t", "ts", "te")
#: Columns of a table per phenomenon that are not arguments.
_NOT_ARGUMENTS = frozenset((*_TIMES, "query", "change", "was"))


class ResultsError(Exception):
    """A file that holds no results; the message names the file, the place and the reason."""


class _Misfit(Exception):
    """A line that is no result; whoever reads the lines adds the place."""


class _Line(NamedTuple):
    #: What stands before the number when the place is told.
    place: str
    number: int
    data: Mapping[str, Any]


def read_results(path: Path, only: Collection[str] = ()) -> Results:
    """The results, or those of some phenomena, which is faster than choosing them afterwards."""
    times = _Times()
    records = []
    for line in _read_lines(path, only):
        try:
            if not only or line.data.get("name") in only:
                records.append(_read_record(line.data, times))
        except _Misfit as problem:
            raise ResultsError(f"{line.place}{line.number}: {problem}") from None
    unit = times.choose_unit(path)
    if unit is not None:
        records = [_count_ticks(record, TICKS[unit]) for record in records]
    return Results(tuple(_decide_kinds(keep_latest(records))), unit)


def read_meta(path: Path) -> "Meta | None":
    """What is told beside results that can be read, where something is."""
    if path.suffix in (".jsonl", ".csv") and path.is_file():
        if not path.with_name(f"{path.name}.meta.json").exists():
            return None  # without loading what reads tables
        from phenesthe.io.meta import read_meta_beside

        return read_meta_beside(path)
    from phenesthe.files.opening import opening_parquet
    from phenesthe.io.meta import find_meta

    # All tables of a folder are of one run.
    for file in [path] if path.is_file() else sorted(path.rglob("*.parquet")):
        if file.is_file() and not file.name.startswith((".", "_")):
            with opening_parquet(file) as opened:
                return find_meta(opened.schema_arrow)
    return None


def _read_lines(path: Path, only: Collection[str]) -> Iterator[_Line]:
    special = name_special(path)
    if special is not None:
        raise ResultsError(f"{path}: it is {special}, not a file of results")
    if not path.exists():
        raise ResultsError(describe_missing(path))
    if path.suffix == ".parquet":
        return _read_table(path)
    if path.is_dir():
        return _read_folder(path, only)
    if path.suffix == ".jsonl":
        return _read_json_lines(path)
    if path.suffix == ".csv":
        return _read_csv(path)
    raise ResultsError(
        f"{path}: results are a .jsonl, .csv or .parquet file or a folder of Parquet tables"
    )


def _read_json_lines(path: Path) -> Iterator[_Line]:
    place = f"{path}:"
    with path.open("rb") as file:
        for number, data in enumerate(read_bounded_lines(file), 1):
            if is_too_long(data):
                raise ResultsError(f"{place}{number}: this line is longer than {LIMIT}")
            try:
                text = data.decode()
                if not text.strip():
                    continue
                line = json.loads(text)
            except (ValueError, RecursionError):
                raise ResultsError(f"{place}{number}: this line is not JSON") from None
            if not isinstance(line, dict):
                raise ResultsError(f'{place}{number}: a result is an object, {{"name": …}}')
            yield _Line(place, number, line)


def _read_csv(path: Path) -> Iterator[_Line]:

    def refuse(number: int, _text: str) -> None:
        raise ResultsError(f"{path}:{number}: this line is longer than {LIMIT}")

    csv.field_size_limit(MAX_LINE)
    try:
        with path.open("rb") as file:
            reader = csv.DictReader(clean_text(file, refuse, errors="strict"))
            for line in reader:
                data = {key: line[key] or None for key in line}
                yield _Line(f"{path}:", reader.line_num, data)
    except (csv.Error, UnicodeDecodeError) as problem:
        raise ResultsError(f"{path}: not a CSV file in UTF-8 ({problem})") from None


def _read_table(path: Path) -> Iterator[_Line]:
    for number, line in enumerate(_load_parquet(path)[0], 1):
        yield _Line(f"{path}: row ", number, line)


def _read_folder(path: Path, only: Collection[str]) -> Iterator[_Line]:
    tables = [
        entry
        for entry in sorted(path.iterdir())
        if not entry.name.startswith((".", "_"))
        and (entry.suffix == ".parquet" or (entry.is_dir() and any(entry.glob("*.parquet"))))
    ]
    if not tables:
        raise ResultsError(f"{path}: no Parquet table in this folder")
    for table in tables:
        name = table.name.removesuffix(".parquet")
        if only and name not in only:
            continue
        lines, kind = _load_parquet(table)
        for number, line in enumerate(lines, 1):
            args = [line[column] for column in line if column not in _NOT_ARGUMENTS]
            times = {column: line[column] for column in line if column in _NOT_ARGUMENTS}
            data = {"name": name, "kind": kind, "args": args, **times}
            yield _Line(f"{table}: row ", number, data)


def _load_parquet(path: Path) -> tuple[list[dict[str, Any]], str | None]:
    """The rows, and the kind of phenomenon if the table tells. Timestamps become ISO text."""
    import pyarrow as pa

    from phenesthe.files.opening import opening_parquet
    from phenesthe.io.errors import DataError
    from phenesthe.io.kinds import find_kind
    from phenesthe.io.read_tables import list_parquet_files
    from phenesthe.io.times import format_times, scale_timestamps

    try:
        tables = []
        for file in list_parquet_files(path) if path.is_dir() else [path]:
            with opening_parquet(file) as opened:
                tables.append(opened.read())
        table = pa.concat_tables(tables, promote_options="default")
        table.validate(full=True)
    except DataError as problem:
        raise ResultsError(str(problem)) from None
    except (pa.ArrowException, OSError) as problem:
        reason = str(problem).splitlines()[0]
        raise ResultsError(f"{path}: not a readable Parquet table ({reason})") from None
    kind = find_kind(table.schema)
    for index, field in enumerate(table.schema):
        if pa.types.is_timestamp(field.type):
            ticks, _ = scale_timestamps(table.column(index), "microsecond")
            table = table.set_column(index, field.name, format_times(ticks, "microsecond"))
    return table.to_pylist(), kind


class _Times:
    """Reads times. A file has integers, or it has dates, which are microseconds until the end."""

    def __init__(self) -> None:
        self._integers = False
        #: The finest unit any date needs.
        self._unit: Unit | None = None

    def read(self, value: object, column: str) -> int | None:
        if value is None:
            return None
        if isinstance(value, int) and not isinstance(value, bool):
            self._integers = True
            return value
        if isinstance(value, str):
            try:
                number = int(value)
            except ValueError:
                return self._read_date(value, column)
            self._integers = True
            return number
        raise _Misfit(f"`{column}` is {value!r}, neither an integer nor a date")

    def _read_date(self, text: str, column: str) -> int:
        at = read_time(text, "microsecond")
        if at is None:
            raise _Misfit(f"`{column}` is {text!r}, neither an integer nor a date")
        unit: Unit = "microsecond" if at % 1000 else "millisecond" if at % 1_000_000 else "second"
        if self._unit is None or TICKS[unit] < TICKS[self._unit]:
            self._unit = unit
        return at

    def choose_unit(self, path: Path) -> Unit | None:
        if self._unit is not None and self._integers:
            raise ResultsError(f"{path}: some times are dates and some are integers")
        return self._unit


def _read_record(line: Mapping[str, Any], times: _Times) -> Record:
    name, args = line.get("name"), line.get("args")
    kind: Kind | None = line.get("kind")
    if not isinstance(name, str):
        raise _Misfit("there is no `name`, so this is not a result; give what `run` wrote")
    if isinstance(args, str):
        try:
            args = json.loads(args)
        except (ValueError, RecursionError):
            args = None
    if not isinstance(args, list) or not all(map(_is_value, args)):
        raise _Misfit("`args` is not a list of numbers and texts")
    if kind not in (None, *_KINDS):
        raise _Misfit("`kind` is none of event, state and dynamic")
    if line.get("change") not in _CHANGES:
        raise _Misfit("`change` is none of new, revised and withdrawn")
    at, start, end, query, was = (
        times.read(line.get(column), column) for column in (*_TIMES, "query", "was")
    )
    if at is not None and kind in (None, "event"):
        kind, start, end = "event", at, at
    elif start is None or kind == "event":
        raise _Misfit("there is neither `t` of an event nor `ts` of an interval")
    elif end is not None and end <= start:
        raise _Misfit(f"the interval ends at {end}, not after its start at {start}")
    return Record(name, kind, tuple(args), start, end, query, line.get("change"), was)


def _is_value(value: object) -> bool:
    return value is None or isinstance(value, int | float | str)


def _count_ticks(record: Record, tick: int) -> Record:
    def count(at: int | None) -> int | None:
        return None if at is None else at // tick

    return record._replace(
        start=record.start // tick,
        end=count(record.end),
        query=count(record.query),
        was=count(record.was),
    )


def _decide_kinds(records: Iterable[Record]) -> Iterator[Row]:
    """Where the file does not tell, intervals of one binding that overlap make it a dynamic."""
    listed = list(records)
    untold: dict[str, list[Record]] = defaultdict(list)
    for record in listed:
        if record.kind is None:
            untold[record.name].append(record)
    guessed: dict[str, Kind] = {
        name: "dynamic" if _overlap(found) else "state" for name, found in untold.items()
    }
    for record in listed:
        kind = record.kind or guessed[record.name]
        yield Row(record.name, kind, record.args, record.start, record.end)


def _overlap(records: Iterable[Record]) -> bool:
    spans: dict[Key, list[tuple[int, float]]] = defaultdict(list)
    for record in records:
        end = float("inf") if record.end is None else record.end
        spans[order_args(record.args)].append((record.start, end))
    return any(
        later[0] <= earlier[1]
        for held in spans.values()
        for earlier, later in pairwise(sorted(held))
    )
