"""What a memory has, as tables for those outside."""

import numpy as np
import pyarrow as pa

from phenesthe.arrow import list_numbers, wrap
from phenesthe.check.program import Signature
from phenesthe.graph.operator import Phenomenon
from phenesthe.kernels.arrays import OPEN
from phenesthe.memory.operations import Operations, Refused
from phenesthe.operators.domains import Domains
from phenesthe.operators.rows import Rows


def show(domains: Domains, signature: Signature, phenomenon: Phenomenon, rows: Rows) -> pa.Table:
    columns = {
        name: domains[type_name].decode(rows.column(own or ""))
        for name, type_name, own in zip(
            signature.arguments, signature.types, phenomenon.arguments, strict=True
        )
    }
    if signature.kind == "event":
        columns["t"] = wrap(rows.ts)
    else:
        columns["ts"] = wrap(rows.ts)
        columns["te"] = wrap(rows.te, rows.te == OPEN)
    return pa.table(columns)


def count_late(
    signature: Signature, given: Operations, refused: Refused | None, last: int | None
) -> int:
    """Rows about instants that an earlier query has passed already."""
    if last is None:
        return 0
    table = given.table
    if signature.kind == "event":
        late = list_numbers(table["t"]) <= last
    else:
        end = list_numbers(table["te"], null=OPEN)
        late = (list_numbers(table["ts"]) <= last) & ((end <= last) | (end == OPEN))
    if refused is not None:
        late[refused.rows] = False
    return int(np.count_nonzero(late))
