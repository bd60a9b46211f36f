"""Values of reports that cannot be read: how many, and one of them, by column."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.io.words import Wanted, describe_unreadable, describe_value


@dataclass(slots=True)
class Unreadable:
    """By column: what it should hold, the least of the values that are none, and their number.

    The least is the same in whatever order parts of a file are read.
    """

    found: dict[str, tuple[Wanted, str, int]] = field(default_factory=dict)

    def add_values(self, column: str, wanted: Wanted, values: Any) -> None:
        if len(values):
            texts = values.cast(pa.string())
            self._add(column, wanted, pc.min(texts).as_py() or "", len(texts))

    def add(self, other: "Unreadable") -> None:
        for column, one in other.found.items():
            self._add(column, *one)

    def _add(self, column: str, wanted: Wanted, sample: str, count: int) -> None:
        _, least, before = self.found.get(column, (wanted, sample, 0))
        self.found[column] = wanted, min(least, sample), before + count

    def describe(self) -> Iterator[str]:
        for column, (wanted, sample, count) in self.found.items():
            yield describe_unreadable(column, wanted, sample, count)

    def explain(self) -> str:
        """One value of each column, for the end of a sentence."""
        return "; ".join(
            describe_value(column, wanted, sample)
            for column, (wanted, sample, _) in self.found.items()
        )

    def list_rows(self) -> Iterator[tuple[str, int]]:
        """For the way from a task to the driver: all of a column but its number, and that."""
        for column, (wanted, sample, count) in self.found.items():
            yield json.dumps([column, wanted, sample]), count

    def add_row(self, name: str, count: int) -> None:
        column, wanted, sample = json.loads(name)
        self._add(column, wanted, sample, count)
