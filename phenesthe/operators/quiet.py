"""Instants inside the window that nobody has to look at for now, in the order of time.

They lie after the frontier, so that none of them is to be forgotten yet, and further back than what
comes now can reach. From their ends they are taken back: the first ones when the frontier comes to
them, the last ones when something late does.
"""

from collections.abc import Mapping

import numpy as np

from phenesthe.kernels.arrays import Array
from phenesthe.operators import tables
from phenesthe.operators.rows import Rows

#: Room for so many rows at least.
_FEWEST = 1024


class Quiet:
    """Columns that grow at one end and lose rows at both."""

    def __init__(self, like: Rows) -> None:
        self._like = like
        self._columns: list[tables.Column] = []
        self._low = self._high = 0

    def __len__(self) -> int:
        return self._high - self._low

    @property
    def first(self) -> int:
        return int(self._columns[0][self._low])

    @property
    def last(self) -> int:
        return int(self._columns[0][self._high - 1])

    def put(self, rows: Rows) -> None:
        """Rows by time, none of them before the last one that is there."""
        new = [rows.ts, *rows.columns, *rows.extra.values()]
        high = self._high + len(rows)
        if not len(self):
            # Of a column without rows nobody knows yet what its numbers are.
            self._columns = []
        if not self._columns or high > len(self._columns[0]):
            self._make_room(new, len(self) + len(rows))
            high = self._high + len(rows)
        for column, added in zip(self._columns, new, strict=True):
            column[self._high : high] = added
        self._high = high

    def _make_room(self, new: list[tables.Column], count: int) -> None:
        size = max(2 * count, _FEWEST)
        columns = [np.empty(size, dtype=column.dtype) for column in new]
        for column, old in zip(columns, self._columns, strict=False):
            column[: len(self)] = old[self._low : self._high]
        self._columns, self._low, self._high = columns, 0, len(self)

    def take_first(self, until: int, least: int) -> Rows:
        """The rows up to a time, and so many at least."""
        times = self._columns[0][self._low : self._high]
        until = max(until, int(times[min(least, len(times)) - 1]))
        low = self._low + int(np.searchsorted(times, until, side="right"))
        found = self._copy(self._low, low)
        self._low = low
        return found

    def take_last(self, after: int) -> Rows:
        """The rows after a time."""
        times = self._columns[0][self._low : self._high]
        high = self._low + int(np.searchsorted(times, after, side="right"))
        found = self._copy(high, self._high)
        self._high = high
        return found

    def list_rows(self) -> Rows:
        return self._copy(self._low, self._high) if self._columns else self._like

    def list_columns(self) -> list[Array]:
        """Of codes, in the order of the variables."""
        if not len(self):
            return []
        columns = self._columns[1 : 1 + len(self._like.variables)]
        return [column[self._low : self._high] for column in columns]

    def remap(self, types: Mapping[str, str], codes: Mapping[str, Array]) -> None:
        if not len(self):
            return
        for at, name in enumerate(self._like.variables, 1):
            if types[name] in codes:
                column = self._columns[at][self._low : self._high]
                np.take(codes[types[name]], column, out=column)

    def _copy(self, low: int, high: int) -> Rows:
        ts, *others = [column[low:high].copy() for column in self._columns]
        count = len(self._like.variables)
        extra = dict(zip(self._like.extra, others[count:], strict=True))
        return Rows(self._like.variables, tuple(others[:count]), ts, ts, extra)
