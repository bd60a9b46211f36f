"""Which run has left a state, so that it is recognised when somebody makes it again.

A run is the same if it is asked the same (which the state's header tells), reports the same way to
the same places, and takes in the same rows. Rows after its last query were not taken in, and may
be others.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
import pyarrow as pa

from phenesthe.arrow import mark_nulls, to_floats, to_ints
from phenesthe.io.codes import encode_column
from phenesthe.io.columns import Numbers, list_times
from phenesthe.io.rejects import Rejects
from phenesthe.io.stream import Feed, Stream
from phenesthe.memory.shape import (
    is_bool,
    is_count,
    is_int,
    is_text,
    list_of,
    or_none,
    record,
    require,
)  # fmt: skip
from phenesthe.memory.waiting import Target

_Words = np.ndarray[Any, np.dtype[np.uint64]]
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))
_STEP = np.uint64(0x9E3779B97F4A7C15)
#: Two sums of 64 bits are enough to tell any two inputs apart.
_SEEDS = (np.uint64(1), np.uint64(0xD1B54A32D192ED03))


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How a run reports, and where to: paths, or None for stdout."""

    emit: str
    times: str
    until: int | None
    places: tuple[str | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What a run took in up to its last query: its rows, and what it set aside as unfit."""

    rows: int
    digest: str
    rejects: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    way: Way
    taken: Taken
    #: How many it made.
    queries: int
    targets: tuple[Target, ...]


_IS_RUN = record(
    way=record(
        emit=is_text, times=is_text, until=or_none(is_int), places=list_of(or_none(is_text))
    ),
    taken=record(rows=is_count, digest=is_text, rejects=is_text),
    queries=is_count,
    targets=list_of(record(name=is_text, path=or_none(is_text), overwrite=is_bool, digest=is_text)),
)


def read_run(content: Mapping[str, Any] | None) -> Run | None:
    """Raises `Damage`."""
    if content is None:
        return None
    require(_IS_RUN(content))
    way, taken = content["way"], content["taken"]
    return Run(
        way=Way(**{**way, "places": tuple(way["places"])}),
        taken=Taken(**taken),
        queries=content["queries"],
        targets=tuple(Target(**one) for one in content["targets"]),
    )


def is_repeated(run: Run | None, way: Way, stream: Stream, unfit: str, last: int | None) -> bool:
    """Whether this is the run that has left a state, whose last query was then.

    `unfit` is of the rows that do not fit (`hash_rejects`).
    """
    if run is None or run.way != way or run.taken.rejects != unfit:
        return False
    counts = [(_count_taken(feed, last), len(feed.known)) for feed in stream.feeds.values()]
    if sum(taken for taken, _ in counts) != run.taken.rows:
        return False
    if way.until is None and any(taken != given for taken, given in counts):
        return False  # it would go on to later rows
    return find_taken(stream, unfit, last) == run.taken


def find_taken(stream: Stream, unfit: str, last: int | None) -> Taken:
    digest = blake2b()
    rows = 0
    for name, feed in sorted(stream.feeds.items()):
        taken = _count_taken(feed, last)
        rows += taken
        if taken:
            assert last is not None
            digest.update(f"{name} {taken} {hash_feed(feed.drop_after(last))}\n".encode())
    return Taken(rows=rows, digest=digest.hexdigest()[:32], rejects=unfit)


def hash_rejects(rejects: Rejects) -> str:
    """The same for the same rows, in whatever order."""
    total = sum(
        int.from_bytes(blake2b(line.encode(), digest_size=16).digest())
        for line in rejects.read_lines()
    )
    return f"{len(rejects)} {total % 2**128:032x}"


def hash_feed(feed: Feed) -> str:
    """The same for the same rows that become known at the same times, in whatever order."""
    retract = np.zeros(len(feed.known), dtype=np.int64)
    if feed.retract is not None:
        retract = feed.retract.astype(np.int64)
    columns = [_make_words(feed.table[name]) for name in sorted(feed.table.column_names)]
    columns += [feed.known.view(np.uint64), retract.view(np.uint64)]
    sums = []
    for seed in _SEEDS:
        words = np.full(len(feed.known), seed)
        for column in columns:
            words = _mix(words + _STEP + column)
        sums.append(int(words.sum(dtype=np.uint64)))
    return " ".join(f"{one:016x}" for one in sums)


def _count_taken(feed: Feed, last: int | None) -> int:
    if last is None:
        return 0
    times: Numbers = to_ints(feed.table[list_times(feed.signature)[0]])
    return int(np.count_nonzero(times <= last))


def _make_words(column: Any) -> _Words:
    """A number for each value, the same for the same one, and one more for null."""
    if pa.types.is_floating(column.type):
        plain = to_floats(column) + 0.0
        words = np.where(np.isnan(plain), np.nan, plain).view(np.uint64)
    elif pa.types.is_integer(column.type) or pa.types.is_boolean(column.type):
        words = to_ints(column).view(np.uint64)
    else:
        places, different = encode_column(column)
        hashes = [
            int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
            for text in different.to_pylist()
        ]
        words = np.array([*hashes, 0], dtype=np.uint64)[places]
    if not column.null_count:
        return words
    return np.where(mark_nulls(column), _STEP, _mix(words))


def _mix(words: _Words) -> _Words:
    """Each bit of a number in every bit of another one (the end of SplitMix64)."""
    words = (words ^ (words >> _SHIFTS[0])) * _MIX[0]
    words = (words ^ (words >> _SHIFTS[1])) * _MIX[1]
    return words ^ (words >> _SHIFTS[2])
