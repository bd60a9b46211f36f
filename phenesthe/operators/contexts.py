"""Operands of which only the bindings are looked at, whenever they are there.

When a binding comes, what is extended to it has held on all that it has ever held on: so the rows
of the other operands stay, and of such a binding one row. When its last row is taken back, the
binding was never there.
"""

import numpy as np

from phenesthe.kernels.arrays import Mask
from phenesthe.operators import tables
from phenesthe.operators.held import Edge
from phenesthe.operators.rows import Bindings, Keys, Rows
from phenesthe.operators.unchanged import BEGINNING, Part
from phenesthe.vocabulary import Names


def find_turned(keys: Keys, edge: Edge, names: Names) -> Part:
    """The bindings that were not there at the last query and now are, or the other way round."""
    added, removed = edge.name(edge.node.added), edge.name(edge.node.removed)
    touched, _ = keys.bind(names, tables.join([_pick(added, names), _pick(removed, names)]))
    now = _count(keys, names, touched, edge.name(edge.rows()))
    came = _count(keys, names, touched, added)
    went = _count(keys, names, touched, removed)
    turned = touched.take((now > 0) != (now - came + went > 0))
    return Part(turned, np.full(turned.count, BEGINNING, dtype=np.int64), is_distinct=True)


def _pick(rows: Rows, names: Names) -> Rows:
    return Rows(names, tuple([rows.column(name) for name in names]), rows.ts, rows.te)


def _count(
    keys: Keys, names: Names, bindings: Bindings, rows: Rows
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    one, _ = keys.match(names, bindings, rows)
    return np.bincount(one, minlength=bindings.count)


def mark_one_each(keys: Keys, edge: Edge, names: Names) -> Mask:
    """Rows that may still change, and of each binding the last one that can not."""
    rows = edge.rows()
    # Under its own names: of some variables only the operand itself knows the types.
    live = edge.node.frontier.mark_beyond(edge.node.keys, rows)
    view = edge.name(rows)
    return live | tables.find_last(keys, names, view, view.te, ~live)
