"""What remains of accepted rows: retractions applied, and still-holding rows closed.

Operations apply in the order in which they became known: at their `arrival`, or else as time
reaches them (an event at `t`, an interval at `ts`, a fact before everything); on a tie the inserts
come first. A retraction withdraws an identical row however often it was inserted.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from phenesthe.arrow import list_nulls, list_numbers, wrap
from phenesthe.check.program import Signature
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
    count = table.num_rows
    retract = np.concatenate([_list_retractions(batch) for batch in batches])
    known = np.concatenate([_list_arrivals(signature, batch) for batch in batches])
    codes = code_rows(table.columns, count)
    order = np.lexsort((retract, known, codes))
    ordered, taken = codes[order], retract[order]
    first = np.ones(count, dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    last = np.roll(first, -1)
    last[-1:] = True
    after_insert = ~first & ~np.roll(taken, 1)
    _set_aside(signature, table, batches, rejects, np.sort(order[taken & ~after_insert]))
    present = np.isin(codes, ordered[last & ~taken]) & ~retract
    return table.filter(wrap(present))


def close_held(table: Any) -> Any:
    """Drop `[ts, ∞)` where a row with the same arguments and `ts` has an end.

    Only rows that start when some still-holding row does are compared.
    """
    te = table["te"]
    if te.null_count in (0, len(te)):
        return table
    held = list_nulls(te)
    ts = list_numbers(table["ts"])
    near = np.flatnonzero(held | np.isin(ts, ts[held]))
    part = table.drop_columns("te").take(wrap(near))
    codes, open_ = code_rows(part.columns, len(near)), held[near]
    closed = near[open_ & np.isin(codes, codes[~open_])]
    if not len(closed):
        return table
    keep = np.ones(table.num_rows, dtype=bool)
    keep[closed] = False
    return table.filter(wrap(keep))


def _list_retractions(batch: Batch) -> Mask:
    if batch.retract is None:
        return np.zeros(batch.table.num_rows, dtype=bool)
    return batch.retract


def _list_arrivals(signature: Signature, batch: Batch) -> Numbers:
    times = list_times(signature)
    known: Numbers
    if times:
        known = list_numbers(batch.table[times[0]])
    else:
        known = np.full(batch.table.num_rows, -LIMIT, dtype=np.int64)
    if batch.arrival is None:
        return known
    given = ~list_nulls(batch.arrival)
    known = np.where(given, list_numbers(batch.arrival), known)
    return known


def _set_aside(
    signature: Signature, table: Any, batches: Sequence[Batch], rejects: Rejects, rows: Numbers
) -> None:
    starts = np.cumsum([0] + [batch.table.num_rows for batch in batches])
    for row in rows:
        number = int(np.searchsorted(starts, row, side="right")) - 1
        batch, place = batches[number], int(row - starts[number])
        assert batch.numbers is not None
        shown = {name: table[name][int(row)].as_py() for name in table.column_names}
        if batch.arrival is not None:
            shown["arrival"] = batch.arrival[place].as_py()
        reject_row(
            rejects,
            Reason.RETRACTION_OF_NOTHING,
            file=batch.file,
            place=batch.place,
            number=int(batch.numbers[place]),
            name=signature.name,
            row=shown | {"op": "retract"},
        )
