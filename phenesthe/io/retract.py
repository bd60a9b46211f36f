"""What remains of accepted rows: retractions applied, and still-holding rows closed.

Operations apply in the order in which they became known: at their `arrival`, or else as time
reaches them (an event at `t`, an interval at `ts`, a fact before everything); on a tie the inserts
come first. A retraction withdraws an identical row however often it was inserted.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from phenesthe.arrow import mark_nulls, to_ints, wrap
from phenesthe.check.program import Signature
from phenesthe.io.apply import apply_in_order, mark_closed
from phenesthe.io.codes import code_rows
from phenesthe.io.columns import Mask, Numbers, Reason, join_tables, list_times
from phenesthe.io.fit import Batch
from phenesthe.io.rejects import Rejects, reject_row
from phenesthe.io.times import LIMIT


def settle(signature: Signature, schema: Any, batches: Sequence[Batch], rejects: Rejects) -> Any:
    """One table of all batches, as a batch run sees it."""
    table = join_tables(schema, [batch.table for batch in batches])
    if any(batch.retract is not None for batch in batches):
        table = apply_retractions(signature, table, batches, rejects)
    return close_held(table) if list_times(signature) == ("ts", "te") else table


def apply_retractions(
    signature: Signature, table: Any, batches: Sequence[Batch], rejects: Rejects
) -> Any:
    """The rows whose last operation is an insert. A retraction of nothing is set aside.

    It is one of nothing when the operation before it, on an identical row, is not an insert.
    """
    retract = list_retractions(batches)
    present, vain = find_present(table, list_arrivals(signature, batches), retract)
    reasons = [Reason.RETRACTION_OF_NOTHING] * len(vain)
    set_aside(signature, table.take(wrap(vain)), vain, reasons, batches, rejects)
    return table.filter(wrap(present))


def find_present(table: Any, arrived: Numbers, retract: Mask) -> tuple[Mask, Numbers]:
    """Which rows remain after all operations, and the numbers of the retractions of nothing."""
    codes = code_rows(table.columns, table.num_rows)
    order = np.lexsort((retract, arrived, codes))
    of_nothing, named, is_there = apply_in_order(codes, retract, order=order)
    present = np.isin(codes, named[is_there]) & ~retract
    return present, np.flatnonzero(of_nothing)


def close_held(table: Any) -> Any:
    """Drop `[ts, ∞)` where a row with the same arguments and `ts` has an end.

    Only rows that start when some still-holding row does are compared.
    """
    te = table["te"]
    if te.null_count in (0, len(te)):
        return table
    held = mark_nulls(te)
    ts = to_ints(table["ts"])
    near = np.flatnonzero(held | np.isin(ts, ts[held]))
    part = table.drop_columns("te").take(wrap(near))
    closed = near[mark_closed(code_rows(part.columns, len(near)), held[near])]
    if not len(closed):
        return table
    keep = np.ones(table.num_rows, dtype=bool)
    keep[closed] = False
    return table.filter(wrap(keep))


def list_retractions(batches: Sequence[Batch]) -> Mask:
    """Which rows of all batches are retractions."""
    return np.concatenate(
        [
            np.zeros(batch.table.num_rows, dtype=bool) if batch.retract is None else batch.retract
            for batch in batches
        ]
    )


def list_arrivals(signature: Signature, batches: Sequence[Batch]) -> Numbers:
    """When the rows of all batches came: as they say, or else as time reaches them."""
    return np.concatenate([_list_arrivals(signature, batch) for batch in batches])


def _list_arrivals(signature: Signature, batch: Batch) -> Numbers:
    times = list_times(signature)
    known: Numbers
    if times:
        known = to_ints(batch.table[times[0]])
    else:
        known = np.full(batch.table.num_rows, -LIMIT, dtype=np.int64)
    if batch.arrival is None:
        return known
    given = ~mark_nulls(batch.arrival)
    known = np.where(given, to_ints(batch.arrival), known)
    return known


def set_aside(
    signature: Signature,
    table: Any,
    rows: Numbers,
    reasons: Sequence[Reason],
    batches: Sequence[Batch],
    rejects: Rejects,
) -> None:
    """Rows that fit and are still not used. `rows` are their numbers among those of all batches,
    `table` is what is shown of them.
    """
    starts = np.cumsum([0] + [batch.table.num_rows for batch in batches])
    sources = np.searchsorted(starts, rows, side="right") - 1
    shown = table.to_pylist() if table.num_columns else [{} for _ in rows]
    for row, source, reason, fields in zip(rows, sources, reasons, shown, strict=True):
        batch, place = batches[source], row - starts[source]
        # An argument of such a name is shown, and nothing else can be.
        if batch.arrival is not None:
            fields.setdefault("arrival", batch.arrival[int(place)].as_py())
        if batch.retract is not None and batch.retract[place]:
            fields.setdefault("op", "retract")
        reject_row(
            rejects,
            reason,
            file=batch.file,
            place=batch.place,
            number=_find_number(batch, place),
            name=signature.name,
            row=fields,
        )


def _find_number(batch: Batch, row: np.int64) -> int:
    if batch.numbers is not None:
        return int(batch.numbers[row])
    assert batch.locate is not None
    return int(batch.locate(np.array([row]))[0])
