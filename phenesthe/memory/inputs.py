"""Inputs: what was given, as far as the window still lets it be changed, and what is seen of it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa

from phenesthe.arrow import to_ints, wrap
from phenesthe.graph.operator import Source
from phenesthe.io.apply import apply_in_order, mark_closed
from phenesthe.io.codes import code_rows
from phenesthe.kernels.arrays import OPEN, Array, Intervals, Mask
from phenesthe.kernels.order import encode
from phenesthe.kernels.states import coalesce
from phenesthe.memory.operations import Operations, Refused, make_refused
from phenesthe.operators import tables
from phenesthe.operators.domains import Domains
from phenesthe.operators.held import NOTHING, Holder
from phenesthe.operators.load import filter_rows, read_raw
from phenesthe.operators.rows import Keys, Rows, from_intervals
from phenesthe.operators.unchanged import Part, UnchangedUntil
from phenesthe.vocabulary import ValueType

#: So many pieces of what was given are joined to one, unless one of them is large by itself.
_PIECES, _LARGE = 64, 10_000


class Input(Holder):
    """`frontier` is the window's own: nothing at or before it is accepted any more."""

    def __init__(self, source: Source, domains: Domains) -> None:
        super().__init__(source, Keys(domains, source.types))
        self.source, self.signature, self.domains = source, source.signature, domains

    def move(self, frontier: int) -> None:
        self.operand_frontier = self.frontier = UnchangedUntil(frontier, ())
        if self.kind == "event" and self.can_rest:
            passed = self.list_passed(frontier)
            self.settle_passed(passed, np.zeros(len(passed), dtype=np.bool_))
        else:
            self.settle(self.live & (self.rows.te > frontier))


class GivenInput(Input, ABC):
    """An input whose rows are given and taken back."""

    @abstractmethod
    def take_in(
        self, operations: Operations | None, last: int, q: int, horizon: int
    ) -> Refused | None:
        """What became known by q; nothing at or before the horizon is used."""


class EventInput(GivenInput):
    """Events with the columns that are used; the whole rows are kept for retractions to find."""

    can_rest = True

    def __init__(self, source: Source, domains: Domains) -> None:
        super().__init__(source, domains)
        self.scan = source.scan
        self.joined = [(name, source.types[name]) for name in source.variables]
        self.compared = [(name, source.types[name]) for name in source.extras]
        self.chunks: list[pa.Table] = []
        self._pieces = 0

    def take_in(
        self, operations: Operations | None, last: int, q: int, horizon: int
    ) -> Refused | None:
        if operations is None:
            self.forget_changes()
            return None
        table, retract = operations.table, operations.mark_retractions()
        too_late = to_ints(table["t"]) <= horizon
        of_nothing = np.zeros(len(too_late), dtype=np.bool_)
        used = np.flatnonzero(~too_late)
        if retract[used].any():
            of_nothing[used] = self._take_with_retractions(table.take(wrap(used)), retract[used])
        else:
            rows = table if len(used) == len(too_late) else table.take(wrap(used))
            self._add_chunk(rows)
            new = self.encode(rows)
            at = self.find(new)
            self.change(NOTHING, new.take(at < 0))
        return make_refused(too_late, of_nothing)

    def _add_chunk(self, rows: pa.Table) -> None:
        """Queries with few rows each leave many pieces, all of which are looked at now and then."""
        self.chunks.append(rows)
        self._pieces = 0 if rows.num_rows > _LARGE else self._pieces + 1
        if self._pieces == _PIECES:
            self._pieces = 0
            joined = pa.concat_tables(self.chunks[-_PIECES:], promote_options="default")
            self.chunks[-_PIECES:] = [joined.combine_chunks()]

    def _take_with_retractions(self, table: pa.Table, retract: Mask) -> Mask:
        """Rows are identical over all columns that were given; several may look alike to us."""
        window = pa.concat_tables([*self.chunks, table], promote_options="default")
        there = window.num_rows - table.num_rows
        identity = code_rows(window.columns, window.num_rows)
        of_nothing, named, is_there = apply_in_order(identity[there:], retract, identity[:there])
        gone = np.isin(identity[:there], named[~is_there])
        come = np.isin(identity[there:], named[is_there]) & ~retract
        before, after = window.slice(0, there), window.slice(there)
        self.chunks = [before.filter(wrap(~gone)), after.filter(wrap(come))]
        left, new = self.encode(pa.concat_tables(self.chunks)), self.encode(self.chunks[1])
        if table.num_rows:
            # What is found there stays where it is.
            self.recall(int(to_ints(table["t"]).min()) - 1)
        candidates = self.encode(before.filter(wrap(gone)))
        at = self.find(candidates.take(tables.compare(self.keys, left, candidates)[1]))
        self.change(np.unique(at[at >= 0]), new.take(self.find(new) < 0))
        return of_nothing

    def encode(self, table: pa.Table) -> Rows:
        """The columns that are used, of the rows that some formula can match, each once."""
        if self.scan.alternatives and table.num_rows:
            table = filter_rows(table, self.scan)
        t = to_ints(table["t"])
        columns = tuple([self.domains[kind].encode(table[name]) for name, kind in self.joined])
        extra = {name: read_raw(table[name], kind) for name, kind in self.compared}
        rows = self.keys.sort(Rows(self.variables, columns, t, t, extra))
        return rows.take(tables.mark_distinct(self.keys, rows)) if extra else rows

    def move(self, frontier: int) -> None:
        super().move(frontier)
        kept = []
        for chunk in self.chunks:
            inside = to_ints(chunk["t"]) > frontier
            if inside.all():
                kept.append(chunk)
            elif inside.any():
                kept.append(chunk.filter(wrap(inside)))
        self.chunks = [chunk for chunk in kept if chunk.num_rows]


class IntervalInput(GivenInput):
    """Intervals as given in `raw` (te OPEN: still holding), and as seen at the query in `rows`."""

    def __init__(self, source: Source, domains: Domains) -> None:
        super().__init__(source, domains)
        self.raw = tables.make_empty(source.variables, (), "state")

    def take_in(
        self, operations: Operations | None, last: int, q: int, horizon: int
    ) -> Refused | None:
        refused = None
        reached = self.raw.take((self.raw.te > last) & (self.raw.te <= q))
        parts = [Part(tables.as_bindings(reached), reached.te - 1)]
        if operations is not None:
            refused, part = self._apply(operations, q, horizon)
            parts.append(part)
        self._see(UnchangedUntil(OPEN, parts), q)
        return refused

    def encode(self, table: pa.Table) -> Rows:
        columns = [
            self.domains[kind].encode(table[name])
            for name, kind in zip(self.signature.arguments, self.signature.types, strict=True)
        ]
        ts, te = to_ints(table["ts"]), to_ints(table["te"], null=OPEN)
        return Rows(self.variables, tuple(columns), ts, te)

    def _apply(self, operations: Operations, q: int, horizon: int) -> tuple[Refused | None, Part]:
        given, retract = self.encode(operations.table), operations.mark_retractions()
        mine, theirs = self.keys.pack(self.variables, self.raw, given)
        # Only intervals that begin where one of the given ones does play a part.
        group, other = encode((mine, self.raw.ts), (theirs, given.ts))
        near = np.flatnonzero(np.isin(group, other))
        known = self.raw.take(near)
        identity, other_identity = encode((group[near], known.te), (other, given.te))
        of_nothing, named, is_there = apply_in_order(other_identity, retract, identity)
        # Only what began before the horizon can come too late, and that is little.
        early = np.flatnonzero(given.ts <= horizon)
        is_named = is_there[np.searchsorted(named, other_identity[early])]
        too_late = np.zeros(len(given), dtype=np.bool_)
        too_late[early] = _judge(
            (other[early], given.ts[early], given.te[early], is_named),
            (group[near], known.te),
            q,
            horizon,
        )
        used = ~np.isin(named, other_identity[too_late])  # of these no operation counts
        gone = np.isin(identity, named[used & ~is_there])
        come = np.isin(other_identity, named[used & is_there]) & ~retract & ~too_late
        come &= ~np.isin(other_identity, identity)
        new = given.take(come)
        if len(new):
            (key,) = encode((other_identity[come], new.ts))
            new = new.take(np.unique(key, return_index=True)[1])
        touched = tables.join([known.take(gone), new])
        keep = np.ones(len(self.raw), dtype=np.bool_)
        keep[near[gone]] = False
        self.raw = tables.join([self.raw.take(keep), new])
        refused = make_refused(too_late, of_nothing & ~too_late)
        at = np.maximum(touched.ts - 1, self.frontier.default)
        return refused, Part(tables.as_bindings(touched), at)

    def list_codes(self) -> Iterator[tuple[ValueType, Array]]:
        yield from super().list_codes()
        for name, column in zip(self.raw.variables, self.raw.columns, strict=True):
            yield self.keys.types[name], column

    def remap(self, codes: Mapping[str, Array]) -> None:
        super().remap(codes)
        self.raw = tables.remap(self.raw, self.keys.types, codes)

    def _mark_active(self) -> Mask:
        """Still-holding rows without one of the same arguments and start that has an end."""
        return ~mark_closed(self._number_starts(), self.raw.te == OPEN)

    def _number_starts(self) -> Array:
        """The same number for rows with the same arguments and start."""
        (key,) = self.keys.pack(self.variables, self.raw)
        return encode((key, self.raw.ts))[0]

    def _see(self, cuts: UnchangedUntil, q: int) -> None:
        """What is known at q: ends after it are not. States are coalesced as by `Coalesce`."""
        if not cuts.parts:
            self.forget_changes()
            return
        at = cuts.of(self.keys, self.raw)
        raw = self.raw.take((self.raw.te > at) & self._mark_active())
        seen = Rows(raw.variables, raw.columns, raw.ts, np.where(raw.te > q, OPEN, raw.te))
        if self.kind == "state":
            before = tables.sum_up(self.rows, cuts.of(self.keys, self.rows))
            seen = tables.join([seen, before])
            bindings, key = self.keys.bind(self.variables, seen)
            seen = from_intervals(bindings, coalesce(Intervals(key, seen.ts, seen.te)))
        else:
            seen = self.keys.sort(seen)
        affected = self.rows.te > cuts.of(self.keys, self.rows)
        self.replace(affected, seen.take(seen.te > cuts.of(self.keys, seen)))

    def move(self, frontier: int) -> None:
        super().move(frontier)
        # All rows with one start stay as long as one of them can change: together they say how.
        group = self._number_starts()
        reaching = (self.raw.te > frontier) & self._mark_active()
        self.raw = self.raw.take(np.isin(group, group[reaching]))


def _judge(
    given: tuple[Array, Array, Array, Mask], known: tuple[Array, Array], q: int, horizon: int
) -> Mask:
    """Which operations are too late, those on one interval together.

    Given by the number of their interval, its start, an end, and whether that is there when all
    operations are done; known by the number of the interval and the ends that were there.
    """
    ends: dict[int, set[int]] = {}
    for number, end in zip(known[0].tolist(), known[1].tolist(), strict=True):
        ends.setdefault(number, set()).add(end)
    after: dict[int, set[int]] = {}
    starts: dict[int, int] = {}
    for number, start, end, is_there in zip(*[column.tolist() for column in given], strict=True):
        starts[number] = start
        found = after.setdefault(number, set(ends.get(number, ())))
        (found.add if is_there else found.discard)(end)
    late = set()
    for number, start in starts.items():
        before = ends.get(number, set())
        is_decided = all(end <= horizon for end in _see_ends(before, q))
        if is_decided or find_change(start, before, after[number], q) <= horizon:
            late.add(number)
    return np.array([number in late for number in given[0].tolist()], dtype=np.bool_)


def find_change(start: int, before: set[int], after: set[int], q: int) -> int:
    """From when on an interval differs; OPEN if it does not.

    One end for another is a changed end, and the earlier one counts. Everything else is an
    interval that comes or goes.
    """
    old, new = _see_ends(before, q), _see_ends(after, q)
    gone, come = old - new, new - old
    if not gone and not come:
        return OPEN
    return min(*gone, *come) if len(gone) == len(come) == 1 else start


def _see_ends(ends: set[int], q: int) -> set[int]:
    closed = {end for end in ends if end < OPEN}
    return {end if end <= q else OPEN for end in closed or ends}
