"""Relations as sorted columns."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.int64]
Mask: TypeAlias = npt.NDArray[np.bool_]
#: Row numbers on the left and on the right, one of each per pair.
Pairs: TypeAlias = tuple[Array, Array]

#: The end of an interval whose end is not known yet. It is greater than every known time, which is
#: what "an open end is later than q" asks of all comparisons but the equality of two open ends.
OPEN = int(np.iinfo(np.int64).max)
#: Before every time.
NEVER = int(np.iinfo(np.int64).min)


@dataclass(frozen=True, slots=True, eq=False)
class Instants:
    """Instants, sorted by (key, t), each once."""

    key: Array
    t: Array

    def __len__(self) -> int:
        return len(self.t)

    def take(self, rows: Array | Mask) -> "Instants":
        return Instants(self.key[rows], self.t[rows])

    def view_as_intervals(self) -> "Intervals":
        """The rows [t, t] that a relation or a sequence takes."""
        return Intervals(self.key, self.t, self.t)


@dataclass(frozen=True, slots=True, eq=False)
class Intervals:
    """Intervals [ts, te], sorted by (key, ts, te), each once; `te` is OPEN for `[ts, ∞)`.

    Those of a state are also disjoint within a key: no two share an instant. An instant t that
    takes part in a relation is the row ts = te = t; no interval looks like that.
    """

    key: Array
    ts: Array
    te: Array

    def __len__(self) -> int:
        return len(self.ts)

    def take(self, rows: Array | Mask) -> "Intervals":
        return Intervals(self.key[rows], self.ts[rows], self.te[rows])


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """A dense set of instants: all from `first` to `last`, both included.

    Sorted by (key, first); no two rows of a key share an instant.
    """

    key: Array
    first: Array
    last: Array

    def __len__(self) -> int:
        return len(self.first)

    def take(self, rows: Array | Mask) -> "Runs":
        return Runs(self.key[rows], self.first[rows], self.last[rows])


#: What Φ• is true on: listed where rows say so, dense where a negation does.
Event: TypeAlias = Instants | Runs


def join_columns(*columns: Array) -> Array:
    """One column after the other, int64 even when all are empty."""
    return np.concatenate(columns).astype(np.int64, copy=False)


def number_rows(count: int) -> Array:
    return np.arange(count, dtype=np.int64)
