"""Results of a run in windows: which version of each is the latest."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from phenesthe.report.rows import Key, Value, order_args
from phenesthe.vocabulary import Kind


class Record(NamedTuple):
    """A line of a results file. `kind` is None where the file does not tell."""

    name: str
    kind: Kind | None
    args: tuple[Value, ...]
    start: int
    end: int | None
    query: int | None = None
    change: str | None = None
    was: int | None = None


def keep_latest(records: Sequence[Record]) -> list[Record]:
    """Changes are applied; of snapshots the last is kept; a plain result is as it is."""
    queries = [record.query for record in records if record.query is not None]
    if any(record.change is not None for record in records):
        return _apply_changes(records)
    if queries:
        last = max(queries)
        return [record for record in records if record.query == last]
    return list(records)


def _apply_changes(records: Iterable[Record]) -> list[Record]:
    known: dict[tuple[str, Key, int, int | None], Record] = {}
    for record in sorted(records, key=lambda record: record.query or 0):
        if record.change == "revised":
            known.pop(_identify(record._replace(end=record.was)), None)
        if record.change == "withdrawn":
            known.pop(_identify(record), None)
        else:
            known[_identify(record)] = record
    return list(known.values())


def _identify(record: Record) -> tuple[str, Key, int, int | None]:
    """A state is one thing by its start; an event or a dynamic by its whole time."""
    end = None if record.kind == "state" else record.end
    return record.name, order_args(record.args), record.start, end
