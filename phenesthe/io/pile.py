"""Many small tables of the same columns, kept as few: each has a cost of its own."""

from typing import Any

import pyarrow as pa

_MOST = 500


class Pile:
    """Tables in the order in which they came."""

    def __init__(self) -> None:
        self._joined: list[Any] = []
        self._recent: list[Any] = []
        self.num_rows = 0

    def add(self, table: Any) -> None:
        if not table.num_rows:
            return
        self._recent.append(table)
        self.num_rows += table.num_rows
        if len(self._recent) == _MOST:
            tables, self._recent = self._recent, []
            count = sum(one.num_rows for one in tables)
            # Joining with what is not larger copies each row a logarithmic number of times.
            while self._joined and self._joined[-1].num_rows <= count:
                count += self._joined[-1].num_rows
                tables.insert(0, self._joined.pop())
            self._joined.append(pa.concat_tables(tables).combine_chunks())

    @property
    def tables(self) -> list[Any]:
        return [*self._joined, *self._recent]

    def take(self) -> Any | None:
        """Everything in one table, and nothing is left; None if there is nothing."""
        tables = self.tables
        self._joined, self._recent, self.num_rows = [], [], 0
        return pa.concat_tables(tables) if tables else None
