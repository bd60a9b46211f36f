"""Up to when nothing changes, by binding: each such instant is called a cut.

A formula is computed again only for the bindings that something touched, and for each of them only
from the time on at which its operands differ. The same table, made of how far back the future can
reach, says what may be forgotten.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from phenesthe.frozen import dataclass
from phenesthe.kernels.arrays import NEVER, OPEN, Array, Mask, join_columns
from phenesthe.kernels.order import mark_new
from phenesthe.kernels.spans import subtract
from phenesthe.operators.rows import Bindings, Keys, Rows
from phenesthe.vocabulary import Names

#: Before every time, and far enough from the least integer to be counted back from.
BEGINNING = NEVER // 2 - 2**40
#: Of a formula with more variables not every choice of them has cuts of its own.
_MANY_VARIABLES = 6


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """For some bindings a time each. Several times for one binding: the earliest counts."""

    bindings: Bindings
    at: Array
    #: Whether it is known that no binding has several.
    is_distinct: bool = False

    def rename(self, names: Sequence[str | None]) -> "Part":
        """Under the names of another formula; without a name only the rest of a binding counts.

        Where a name stands twice, bindings with two values for it are none of that formula's.
        """
        chosen: dict[str, Array] = {}
        same: Mask | None = None
        for name, column in zip(names, self.bindings.columns, strict=True):
            if name in chosen:
                equal = chosen[name] == column
                same = equal if same is None else same & equal
            elif name:
                chosen[name] = column
        bindings = Bindings(tuple(chosen), tuple(chosen.values()), self.bindings.count)
        is_distinct = self.is_distinct and all(names)
        if same is None:
            return Part(bindings, self.at, is_distinct)
        return Part(bindings.take(same), self.at[same], is_distinct)


def touch_all(at: int) -> Part:
    return Part(Bindings((), (), 1), np.array([at], dtype=np.int64))


def touch(rows: Rows, at: int) -> list[Part]:
    """The bindings of the rows, all from one time on."""
    if not len(rows):
        return []
    bindings = Bindings(rows.variables, rows.columns, len(rows))
    return [Part(bindings, np.full(len(rows), at, dtype=np.int64))]


class UnchangedUntil:
    """The cut of each binding: `default` if no part knows it, else the earliest of all parts."""

    def __init__(self, default: int, parts: Iterable[Part]) -> None:
        self.default = default
        self.parts = [part for part in parts if part.bindings.count]
        self._least: int | None = None
        #: What was asked already: a formula asks of the same rows again and again.
        self._known: dict[int, tuple[Rows | Bindings, Array]] = {}

    def mark_beyond(self, keys: Keys, rows: Rows) -> Mask:
        """Which rows reach beyond their cut. Most end before the earliest cut of all."""
        least = self.find_least()
        beyond = rows.te > least
        names = {name for part in self.parts for name in part.bindings.variables}
        if not names or least == self.default:
            return beyond
        near = np.flatnonzero(beyond)
        if 2 * len(near) > len(rows):
            return rows.te > self.of(keys, rows)
        chosen = [
            (name, column[near])
            for name, column in zip(rows.variables, rows.columns, strict=True)
            if name in names
        ]
        bindings = Bindings(
            tuple([name for name, _ in chosen]), tuple([column for _, column in chosen]), len(near)
        )
        beyond[near] = rows.te[near] > self._find(keys, bindings)
        return beyond

    def of(self, keys: Keys, rows: Rows | Bindings) -> Array:
        """The cut of each row: what is not said of its binding is said of a part of it."""
        known = self._known.get(id(rows))
        if known is None:
            known = self._known[id(rows)] = (rows, self._find(keys, rows))
        return known[1]

    def _find(self, keys: Keys, rows: Rows | Bindings) -> Array:
        count = rows.count if isinstance(rows, Bindings) else len(rows)
        least = self.default
        found: Array | None = None
        for part in self.parts:
            shared = [name for name in part.bindings.variables if name in rows.variables]
            if not shared:
                least = min(least, int(part.at.min()))
                continue
            if not count:
                continue
            times = _look_up(keys, part, tuple(shared), rows)
            found = times if found is None else np.minimum(found, times)
        if found is None:
            return np.full(count, least, dtype=np.int64)
        return np.minimum(found, least)

    def project(self, names: Collection[str]) -> "UnchangedUntil":
        """By these variables alone: the earliest for all values of the others."""
        return UnchangedUntil(
            self.default,
            [
                part.rename([n if n in names else None for n in part.bindings.variables])
                for part in self.parts
            ],
        )

    def find_least(self) -> int:
        """The earliest cut of all."""
        if self._least is None:
            self._least = min([self.default, *[int(part.at.min()) for part in self.parts]])
        return self._least

    def shift(self, span: int) -> "UnchangedUntil":
        """The same, earlier by a length of time; what is untouched stays so."""
        default = OPEN if self.default == OPEN else max(self.default - span, BEGINNING)
        return UnchangedUntil(
            default,
            [
                Part(
                    part.bindings,
                    np.maximum(subtract(part.at, span), BEGINNING),
                    part.is_distinct,
                )
                for part in self.parts
            ],
        )

    def remap(self, types: Mapping[str, str], codes: Mapping[str, Array]) -> "UnchangedUntil":
        """The same values under new codes."""
        parts = []
        for part in self.parts:
            old = part.bindings
            columns = [
                codes[types[name]][column] if types[name] in codes else column
                for name, column in zip(old.variables, old.columns, strict=True)
            ]
            bindings = Bindings(old.variables, tuple(columns), old.count)
            parts.append(Part(bindings, part.at, part.is_distinct))
        return UnchangedUntil(self.default, parts)

    def merge(self, keys: Keys, variables: Names) -> "UnchangedUntil":
        """The same for a formula of these variables, each binding once, what says nothing left out.

        Otherwise what is said of an operand would be said as often as formulas above it use it,
        and what these say as often again.
        """
        groups: dict[Names, list[Part]] = {}
        for part in self.parts:
            groups.setdefault(_choose_names(part.bindings.variables, variables), []).append(part)
        for_all = [int(part.at.min()) for part in groups.get((), ())]
        limit = min([self.default, *for_all])
        parts = [_merge(keys, names, found, limit) for names, found in groups.items() if names]
        if for_all and limit < self.default:
            parts.append(touch_all(limit))
        return UnchangedUntil(self.default, parts)


def _choose_names(known: Collection[str], variables: Names) -> Names:
    """By which variables to tell bindings apart of which these are known.

    There are more choices of variables than programs have words. With many variables they are told
    apart by all, by the first few, or by one; which of these depends on nothing but the names, so
    that a cut never moves back.
    """
    names = tuple([name for name in variables if name in known])
    if len(variables) <= _MANY_VARIABLES or len(names) in (0, len(variables)):
        return names
    first = next(at for at, name in enumerate(variables) if name not in known)
    return variables[:first] or names[:1]


def _merge(keys: Keys, names: Names, parts: Sequence[Part], limit: int) -> Part:
    """Of each binding the earliest time, if it is before what is said of all."""
    first = parts[0]
    if len(parts) == 1 and first.is_distinct and len(first.bindings.variables) == len(names):
        early = first.at < limit
        return first if early.all() else Part(first.bindings.take(early), first.at[early], True)
    columns = [join_columns(*[part.bindings.column(name) for part in parts]) for name in names]
    at = join_columns(*[part.at for part in parts])
    bindings = Bindings(names, tuple(columns), len(at))
    (key,) = keys.pack(names, bindings)
    by = np.lexsort((at, key))
    by = by[mark_new(key[by])]
    by = by[at[by] < limit]
    return Part(bindings.take(by), at[by], True)


def _look_up(keys: Keys, part: Part, names: tuple[str, ...], rows: Rows | Bindings) -> Array:
    if len(names) == 1:
        # Codes are dense: a table of them is quicker than a search.
        (name,) = names
        table = np.full(keys.domains[keys.types[name]].size, OPEN, dtype=np.int64)
        np.minimum.at(table, part.bindings.column(name), part.at)
        return table[rows.column(name)]
    known, wanted = keys.pack(names, part.bindings, rows)
    by = np.lexsort((part.at, known))
    known, at = known[by], part.at[by]
    place = np.searchsorted(known, wanted)
    there = place < len(known)
    there[there] = known[place[there]] == wanted[there]
    found = np.full(len(wanted), OPEN, dtype=np.int64)
    found[there] = at[place[there]]
    return found
