"""The rows that a partition of a replay was sent, cut by the query at which they count."""

from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from phenesthe.arrow import to_ints, wrap
from phenesthe.check.program import Signature
from phenesthe.engines.spark.replay_columns import QUERY, RANK, WHAT, What, cut_by_query
from phenesthe.io.columns import list_times
from phenesthe.kernels.arrays import Array
from phenesthe.memory import Delta, Operations


class Arrivals:
    """All rows of one input of a stage, by the number of the query."""

    def __init__(self, signature: Signature, tables: Iterable[pa.Table]) -> None:
        self.signature = signature
        table = pa.concat_tables(tables).combine_chunks()
        query = to_ints(table[QUERY])
        rank = to_ints(table[RANK]) if RANK in table.column_names else np.zeros_like(query)
        order = np.lexsort((rank, query))
        self.what: Array = to_ints(table[WHAT])[order]
        beside = [name for name in (QUERY, RANK, WHAT) if name in table.column_names]
        self.table = table.drop_columns(beside).take(wrap(order))
        self._spans = {number: (at, end) for number, at, end in cut_by_query(query[order])}

    def take_operations(self, query: int) -> Operations | None:
        """Of an input."""
        if query not in self._spans:
            return None
        start, end = self._spans[query]
        retract = self.what[start:end] == What.REMOVED
        return Operations(self.table.slice(start, end - start), retract if retract.any() else None)

    def take_delta(self, query: int, lag: int) -> Delta | None:
        """Of what an earlier stage found. The first query is told the lag in any case.

        A row may have come two ways; a memory takes it once.
        """
        if query not in self._spans and query > 0:
            return None
        start, end = self._spans.get(query, (0, 0))
        part, what = self.table.slice(start, end - start), self.what[start:end]
        added, removed, pending, settled = (
            part.filter(wrap(what == one))
            for one in (What.ADDED, What.REMOVED, What.PENDING, What.NOT_PENDING)
        )
        return Delta(
            added,
            removed,
            self._read_pending(pending),
            self._read_pending(settled),
            lag,
        )

    def _read_pending(self, table: pa.Table) -> pa.Table:
        """Their time stands where other rows begin."""
        names = [*self.signature.arguments, list_times(self.signature)[0]]
        return table.select(names).rename_columns([*self.signature.arguments, "at"])
