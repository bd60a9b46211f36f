"""Everything a replay reads: not what remains of the rows, but each as it becomes known."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np

from phenesthe.arrow import to_ints, wrap
from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.io.account import Account
from phenesthe.io.columns import Mask, Numbers, Reason, join_tables, list_times, make_schema
from phenesthe.io.extent import join_extents, measure_table
from phenesthe.io.fit import Batch
from phenesthe.io.load import gather_given, gather_input, make_reader, settle_batches
from phenesthe.io.names import list_fields
from phenesthe.io.read_tables import Reader
from phenesthe.io.rejects import Rejects
from phenesthe.io.remarks import list_remarks
from phenesthe.io.retract import find_present, list_arrivals, list_retractions, set_aside


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """The accepted rows of one input in the order in which they become known and apply.

    A row becomes known at its arrival, but not before time reaches it. Operations on identical
    rows apply as they arrived, on a tie the inserts first, which is what a batch run does too.
    """

    signature: Signature
    table: Any
    #: Ascending.
    known: Numbers
    #: None: every row is an insert.
    retract: Mask | None
    #: Where the rows come from: the number of each among the rows of all batches.
    order: Numbers
    batches: tuple[Batch, ...]

    def drop_after(self, last: int) -> "Feed":
        """Without the rows whose time is later, whenever they become known."""
        times = to_ints(self.table[list_times(self.signature)[0]])
        if not len(times) or times.max() <= last:
            return self
        rows = np.flatnonzero(times <= last)
        return replace(
            self,
            table=self.table.take(wrap(rows)),
            known=self.known[rows],
            retract=None if self.retract is None else self.retract[rows],
            order=self.order[rows],
        )

    def list_later(self, start: int) -> tuple[Batch, ...]:
        """The rows from a number on, as they were before they were put in order."""
        later = np.sort(self.order[start:])
        ends = np.cumsum([batch.table.num_rows for batch in self.batches])
        parts = np.split(later, np.searchsorted(later, ends[:-1]))
        firsts = np.concatenate([[0], ends[:-1]])
        return tuple(
            _take_rows(batch, part - first)
            for batch, part, first in zip(self.batches, parts, firsts, strict=True)
            if len(part)
        )

    def set_aside(self, rows: Numbers, reasons: Sequence[Reason], rejects: Rejects) -> None:
        """Rows that were refused when they became known."""
        shown = self.table.take(wrap(rows))
        set_aside(self.signature, shown, self.order[rows], reasons, self.batches, rejects)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """The rows of every input, and the facts as a batch run sees them.

    `begin` is the least time of any row. `first` and `last` are those of the rows that are not
    taken back in the end, as in a batch run, whose result the last query of a replay must give.
    """

    feeds: dict[str, Feed]
    facts: dict[str, Any]
    rejects: Rejects
    warnings: tuple[str, ...]
    account: Account
    begin: int | None
    first: int | None
    last: int | None


def read_stream(
    program: CheckedProgram,
    path: str | PathLike[str],
    *,
    facts: str | PathLike[str] | None = None,
    mapping: Mapping[str, str] | None = None,
    strict: bool = False,
    columns: Mapping[str, Collection[str]] | None = None,
    rejects: Rejects | None = None,
    time_format: str | None = None,
) -> Stream:
    """Read what `read_input` reads. What is needed is only read if rows need not be compared."""
    rejects = Rejects(strict=strict) if rejects is None else rejects
    reader = make_reader(program, mapping, columns, rejects, time_format)
    return _finish(program, reader, gather_input(program, reader, path, facts, bool(mapping)))


def stream_given(
    program: CheckedProgram,
    given: Mapping[str, Any],
    *,
    mapping: Mapping[str, str] | None = None,
    strict: bool = False,
    columns: Mapping[str, Collection[str]] | None = None,
    rejects: Rejects | None = None,
    time_format: str | None = None,
) -> Stream:
    """The same from values by name: Arrow tables, whatever Arrow can import, or paths."""
    rejects = Rejects(strict=strict) if rejects is None else rejects
    reader = make_reader(program, mapping, columns, rejects, time_format)
    return _finish(program, reader, gather_given(program, reader, given))


def make_feed(
    signature: Signature, batches: Sequence[Batch], wanted: Collection[str] | None = None
) -> Feed:
    """The rows of all batches in their order.

    Rows of events that are never taken back need not be compared, so that of their arguments
    only those wanted are kept.
    """
    schema = batches[0].table.schema if batches else make_schema(signature, wanted)
    table = join_tables(schema, [batch.table for batch in batches])
    retract: Mask | None = None
    known = arrived = order = np.empty(0, dtype=np.int64)
    if any(batch.retract is not None for batch in batches):
        retract = list_retractions(batches)
    elif signature.kind == "event":
        table = table.select(list(list_fields(signature, wanted)))
    if batches:
        arrived = list_arrivals(signature, batches)
        known = np.maximum(arrived, to_ints(table[list_times(signature)[0]]))
        keys = (arrived, known) if retract is None else (retract, arrived, known)
        order = np.lexsort(keys)
    if (order[1:] < order[:-1]).any():
        table, known = table.take(wrap(order)), known[order]
        retract = None if retract is None else retract[order]
    return Feed(
        signature=signature,
        table=table,
        known=known,
        retract=retract,
        order=order,
        batches=tuple(batches),
    )


def _take_rows(batch: Batch, rows: Numbers) -> Batch:
    numbers = batch.numbers[rows] if batch.numbers is not None else None
    if numbers is None and batch.locate is not None:
        numbers = batch.locate(rows)
    return Batch(
        table=batch.table.take(wrap(rows)),
        file=batch.file,
        place=batch.place,
        arrival=None if batch.arrival is None else batch.arrival.take(wrap(rows)),
        retract=None if batch.retract is None else batch.retract[rows],
        numbers=numbers,
    )


def _finish(program: CheckedProgram, reader: Reader, gathered: Mapping[str, list[Batch]]) -> Stream:
    feeds = {
        one.name: make_feed(one, gathered.get(one.name, []), reader.wanted.get(one.name))
        for one in program.inputs
    }
    given = {
        name: measure_table(feed.table, list_times(feed.signature)) for name, feed in feeds.items()
    }
    last = {name: one.last for name, one in given.items()}
    left = join_extents(
        measure_table(_keep_present(feed), list_times(feed.signature)) for feed in feeds.values()
    )
    return Stream(
        feeds=feeds,
        facts={one.name: settle_batches(one, reader, gathered) for one in program.facts},
        rejects=reader.rejects,
        warnings=(*reader.warnings, *list_remarks(program, reader.rejects, last)),
        account=reader.account,
        begin=join_extents(given.values()).first,
        first=left.first,
        last=left.last,
    )


def _keep_present(feed: Feed) -> Any:
    """The rows that are not taken back. They stand in the order in which they apply."""
    if feed.retract is None:
        return feed.table
    present, _ = find_present(feed.table, np.arange(len(feed.known)), feed.retract)
    return feed.table.filter(wrap(present))
