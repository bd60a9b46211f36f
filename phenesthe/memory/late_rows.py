"""Rows that are late, and used."""

import numpy as np

from phenesthe.arrow import to_ints
from phenesthe.check.program import Signature
from phenesthe.kernels.arrays import OPEN
from phenesthe.memory.operations import Operations, Refused


def count_late(
    signature: Signature, given: Operations, refused: Refused | None, last: int | None
) -> int:
    """Rows about instants that an earlier query has passed already."""
    if last is None:
        return 0
    table = given.table
    if signature.kind == "event":
        late = to_ints(table["t"]) <= last
    else:
        end = to_ints(table["te"], null=OPEN)
        late = (to_ints(table["ts"]) <= last) & ((end <= last) | (end == OPEN))
    if refused is not None:
        late[refused.rows] = False
    return int(np.count_nonzero(late))
