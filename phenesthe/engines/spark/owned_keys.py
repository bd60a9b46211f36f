"""The keys that a partition owns: what it finds for others is dropped."""

from collections.abc import Mapping

import pyarrow as pa

from phenesthe.arrow import mark_nulls, wrap
from phenesthe.check.program import Signature
from phenesthe.engines.share import Share, find_owned, mark_owned
from phenesthe.operators.domains import Domains, build_domain
from phenesthe.plan.routes import Route
from phenesthe.vocabulary import VALUE_TYPES, ValueType


class OwnedKeys:
    """The keys that were sent here as a whole, over all queries.

    They are the same for all queries, so they are coded once.
    """

    def __init__(
        self, share: Share, routed: Mapping[Route, pa.Table], whole: Mapping[str, pa.Table]
    ) -> None:
        self._share = share
        names = [route.name for route in routed]
        #: Each row came one way, by a key, so that nothing can be found but for the keys it has.
        self._has_all = not share.keys or (
            not whole
            and len(set(names)) == len(names)
            and all(route.through is None for route in routed)
        )
        if self._has_all:
            return
        arriving = share.program.given
        columns: dict[ValueType, list[pa.ChunkedArray]] = {name: [] for name in VALUE_TYPES}
        for route, table in routed.items():
            if route.through is None:
                for name, kind in _list_key(arriving[route.name], route.positions):
                    columns[kind].append(table[name])
        self._domains = Domains(
            {kind: build_domain(kind, columns[kind], []) for kind in VALUE_TYPES}
        )
        self._keys = find_owned(routed, arriving, self._domains)
        self._signatures = share.program.defined

    def keep(self, name: str, table: pa.Table) -> pa.Table:
        """The rows of a definition whose key is owned, or known in part only (null)."""
        if self._has_all or not table.num_rows:
            return table
        key = _list_key(self._signatures[name], self._share.keys[name])
        codes = [self._domains[kind].look_up(table[argument]) for argument, kind in key]
        types = tuple(kind for _, kind in key)
        mask = mark_owned(codes, self._keys.get(types, []), table.num_rows)
        for argument, _ in key:
            if table[argument].null_count:
                mask |= mark_nulls(table[argument])
        return table if mask.all() else table.filter(wrap(mask))


def _list_key(signature: Signature, positions: tuple[int, ...]) -> list[tuple[str, ValueType]]:
    return [(signature.arguments[at], signature.types[at]) for at in positions]
