"""What a query changed, told as people think of it: new, revised, withdrawn.

An event or a dynamic is one thing by its arguments and its whole time, a state by its arguments
and its start. So a state whose end changed is the same one revised; of a dynamic only an end that
was not known yet can become known.
"""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from phenesthe.arrow import mark_nulls, pack, to_ints, wrap
from phenesthe.check.program import Signature
from phenesthe.io.codes import code_rows
from phenesthe.io.columns import Mask, Numbers, make_schema
from phenesthe.memory import Advance

_WORDS = pack(["new", "revised", "withdrawn"], pa.string())
_NEW, _REVISED, _WITHDRAWN = range(3)


def list_changes(signatures: Mapping[str, Signature], advance: Advance) -> dict[str, pa.Table]:
    """By definition, for those that changed: the rows with their `change`, and `was`."""
    both = (advance.added, advance.removed)
    changed = dict.fromkeys(
        name for tables in both for name, table in tables.items() if table.num_rows
    )
    return {
        name: classify(signatures[name], *(tables.get(name) for tables in both)) for name in changed
    }


def classify(signature: Signature, added: pa.Table | None, removed: pa.Table | None) -> pa.Table:
    """The rows that came as `new` or `revised`, then those that went as `withdrawn`.

    Of a revised one there is the present row, and its old end as `was` (null: it was open).
    """
    schema = make_schema(signature)
    came, went = (
        schema.empty_table() if one is None else one.select(schema.names).cast(schema)
        for one in (added, removed)
    )
    if signature.kind == "event" or not came.num_rows or not went.num_rows:
        nothing = np.empty(0, dtype=np.int64)
        return _join(came, went, nothing, nothing)
    return _join(came, went, *_pair(signature, came, went))


def _pair(signature: Signature, came: pa.Table, went: pa.Table) -> tuple[Numbers, Numbers]:
    """The numbers of the rows that came in the place of one that went, and of those that went.

    An open dynamic may turn out to have been several; the one that ends first takes its place.
    """
    both = pa.concat_tables([came, went])
    identity = (*signature.arguments, "ts")
    codes = code_rows([both[name] for name in identity], both.num_rows)
    earlier = np.arange(went.num_rows)
    if signature.kind == "dynamic":
        earlier = np.flatnonzero(mark_nulls(went["te"]))
    here, there = codes[: came.num_rows], codes[came.num_rows :][earlier]
    ends = to_ints(came["te"], null=np.iinfo(np.int64).max)
    order = np.lexsort((ends, here))
    different, places = np.unique(here[order], return_index=True)
    _, of_different, of_earlier = np.intersect1d(
        different, there, assume_unique=True, return_indices=True
    )
    return order[places[of_different]], earlier[of_earlier]


def _join(came: pa.Table, went: pa.Table, revised: Numbers, replaced: Numbers) -> pa.Table:
    kinds = np.full(came.num_rows + went.num_rows, _NEW)
    kinds[came.num_rows :] = _WITHDRAWN
    kinds[revised] = _REVISED
    was = pa.nulls(len(kinds), pa.int64())
    if len(revised):
        ends = np.zeros(len(kinds), dtype=np.int64)
        unknown = np.ones(len(kinds), dtype=bool)
        te = went["te"].take(wrap(replaced))
        ends[revised], unknown[revised] = to_ints(te), mark_nulls(te)
        was = wrap(ends, unknown)
    table = pa.concat_tables([came, went])
    table = table.append_column("change", _WORDS.take(wrap(kinds))).append_column("was", was)
    if not len(replaced):
        return table
    keep: Mask = np.ones(len(kinds), dtype=bool)
    keep[came.num_rows + replaced] = False
    return table.filter(wrap(keep))


def add_query(tables: Mapping[str, pa.Table], query: int) -> dict[str, pa.Table]:
    """The tables of one query with a column that tells it, before `change` and `was`."""
    marked = {}
    for name, table in tables.items():
        place = table.num_columns - 2 * ("was" in table.column_names)
        column = wrap(np.full(table.num_rows, query))
        marked[name] = table.add_column(place, "query", column)
    return marked
