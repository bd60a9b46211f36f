"""How much of the truth is recognised, and how much of what is recognised is true.

A true interval is *found* when some recognised interval of the same name and arguments shares at
least half of the time that the two cover together; a recognised interval is *right* when the same
holds for it and some true one. So an interval in two pieces, or one that is twice as long, is not
found. Intervals shorter than `SHORTEST` are not counted, on neither side: a vessel at rest reports
every three minutes, and what is over between two reports cannot be seen. The shares of time count
every second of every interval, however short.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from examples.maritime.intervals import Span, close_pauses, intersect, measure_total
from phenesthe.report.rows import Key, Row, order_args

SHORTEST = 300
"""Seconds."""

Groups = Mapping[str, Mapping[Key, Collection[Span]]]


@dataclass(frozen=True, slots=True)
class Score:
    """Counts and seconds, which add up over runs."""

    true: int = 0
    found: int = 0
    recognised: int = 0
    right: int = 0
    true_time: int = 0
    recognised_time: int = 0
    shared_time: int = 0

    def __add__(self, other: "Score") -> "Score":
        return Score(
            self.true + other.true,
            self.found + other.found,
            self.recognised + other.recognised,
            self.right + other.right,
            self.true_time + other.true_time,
            self.recognised_time + other.recognised_time,
            self.shared_time + other.shared_time,
        )

    @property
    def recall(self) -> float | None:
        return _divide(self.found, self.true)

    @property
    def precision(self) -> float | None:
        return _divide(self.right, self.recognised)

    @property
    def time_recall(self) -> float | None:
        return _divide(self.shared_time, self.true_time)

    @property
    def time_precision(self) -> float | None:
        return _divide(self.shared_time, self.recognised_time)


def compare(
    truth: Iterable[Row], results: Iterable[Row], judged: Collection[str] = ()
) -> dict[str, Score]:
    """A score for every name that the truth has rows of, and for those that are judged: on a day
    without a search each one that is recognised is wrong. An open interval lasts until the last
    instant of either."""
    true_rows = list(truth)
    names = {*judged, *(row.name for row in true_rows)}
    found_rows = [row for row in results if row.name in names]
    last = max((row.end or row.start for row in (*true_rows, *found_rows)), default=0)
    true, found = (_group(rows, names, last) for rows in (true_rows, found_rows))
    return {
        name: sum(
            (
                _score(list(true[name].get(key, ())), list(found[name].get(key, ())))
                for key in {**true[name], **found[name]}
            ),
            Score(),
        )
        for name in sorted(names)
    }


def _group(rows: Iterable[Row], names: Iterable[str], last: int) -> Groups:
    groups: dict[str, dict[Key, set[Span]]] = {name: defaultdict(set) for name in names}
    for row in rows:
        end = last if row.end is None else row.end
        groups[row.name][order_args(row.args)].add((row.start, end))
    return groups


def _score(true: list[Span], found: list[Span]) -> Score:
    shared = intersect(close_pauses(true, 0), close_pauses(found, 0))
    return Score(
        true=len(_list_long(true)),
        found=_count_matched(_list_long(true), found),
        recognised=len(_list_long(found)),
        right=_count_matched(_list_long(found), true),
        true_time=measure_total(true),
        recognised_time=measure_total(found),
        shared_time=measure_total(shared),
    )


def _list_long(spans: list[Span]) -> list[Span]:
    return [(start, end) for start, end in spans if end - start >= SHORTEST]


def _count_matched(spans: list[Span], others: list[Span]) -> int:
    """How many share half of their common time with one of the others."""
    if not spans or not others:
        return 0
    starts, ends = np.array(spans).T[:, :, None]
    other_starts, other_ends = np.array(others).T[:, None, :]
    common = np.minimum(ends, other_ends) - np.maximum(starts, other_starts)
    whole = np.maximum(ends, other_ends) - np.minimum(starts, other_starts)
    return int((2 * common >= whole).any(axis=1).sum())


def _divide(part: int, whole: int) -> float | None:
    return part / whole if whole else None
