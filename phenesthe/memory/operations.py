"""What becomes known of an input at a query, and which of it is not used."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from phenesthe.arrow import to_ints
from phenesthe.check.program import Signature
from phenesthe.io.columns import Reason, list_times
from phenesthe.kernels.arrays import OPEN, Array, Mask


@dataclass(frozen=True, slots=True)
class Operations:
    """Rows of one input in the order in which they apply: arguments, then `t`, or `ts` and `te`.

    `retract` marks those that take an identical row back; None: all are inserts.
    """

    table: pa.Table
    retract: Mask | None = None

    def find_least(self, signature: Signature, refused: "Refused | None") -> int:
        """The least time of the rows that are used; OPEN if none is."""
        times = to_ints(self.table[list_times(signature)[0]])
        if refused is not None:
            times = np.delete(times, refused.rows)
        return int(times.min()) if len(times) else OPEN

    def find_least_after(self, signature: Signature, horizon: int) -> int:
        """The least time of the rows that are inserted in time; OPEN if none is."""
        times = to_ints(self.table[list_times(signature)[0]])
        times = times[(times > horizon) & ~self.mark_retractions()]
        return int(times.min()) if len(times) else OPEN

    def mark_retractions(self) -> Mask:
        if self.retract is None:
            return np.zeros(self.table.num_rows, dtype=np.bool_)
        return self.retract


@dataclass(frozen=True, slots=True)
class Refused:
    """The numbers of the rows that were not used, and why."""

    rows: Array
    reasons: tuple[Reason, ...]


def make_refused(too_late: Mask, of_nothing: Mask) -> Refused | None:
    rows = np.flatnonzero(too_late | of_nothing)
    if not len(rows):
        return None
    reasons = [Reason.TOO_LATE if late else Reason.RETRACTION_OF_NOTHING for late in too_late[rows]]
    return Refused(rows, tuple(reasons))
