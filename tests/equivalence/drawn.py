"""Replays drawn by hypothesis, which makes one that fails small: few rows, no delay, no trouble."""

from collections.abc import Callable, Iterator
from functools import cache

from hypothesis import strategies as st

import phenesthe
from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.vocabulary import ValueType
from tests.equivalence.cases import Sample
from tests.equivalence.late import WindowedCase
from tests.equivalence.operators import OPERATORS
from tests.equivalence.vocabulary import VALUES
from tests.reference import Row, Scalar
from tests.reference.windowed import Operation

#: Random programs, besides one for every operator.
_PROGRAMS = 25
_LENGTH = 10
#: What becomes of a row; the last two only of an interval.
_FATES = ("stays", "twice", "withdrawn", "back", "ends later", "other end")


@cache
def compile_cached(text: str) -> CheckedProgram:
    return phenesthe.compile(text=text).checked


@cache
def write_text(number: int) -> str:
    """A program by its number: small ones first."""
    if number < len(OPERATORS):
        return OPERATORS[number]
    return Sample(2 * number).case.text


@st.composite
def draw_replay(draw: st.DrawFn, *, timely: bool) -> WindowedCase:
    """`timely`: nothing comes too late."""
    text = write_text(draw(st.integers(0, len(OPERATORS) + _PROGRAMS - 1)))
    program = compile_cached(text)
    window = draw(st.integers(1, 10))
    step = draw(st.integers(1, window))
    # What is known this long after its time is still seen by a query that accepts it.
    delays = st.integers(0, window - step if timely else 2 * window)
    operations = {
        one.name: [made for row in draw(_draw_rows(one)) for made in draw(_disturb(row, delays))]
        for one in program.inputs
    }
    facts = {one.name: draw(st.lists(_draw_values(one.types), max_size=3)) for one in program.facts}
    return WindowedCase(
        text=text,
        operations=operations,
        facts=facts,
        window=window,
        step=step,
        resume=draw(st.integers(1, 4)),
        session=draw(st.booleans()),
    )


def _draw_values(types: tuple[ValueType, ...]) -> st.SearchStrategy[tuple[Scalar, ...]]:
    # A NaN comes too seldom to be worth it; the seeded cases have them.
    return st.tuples(*(st.sampled_from(VALUES[one][:2]) for one in types))


def _draw_rows(signature: Signature) -> st.SearchStrategy[list[Row]]:
    """No two intervals with one start: what comes in time for one can be too late for both."""
    starts, arguments = st.integers(0, _LENGTH), _draw_values(signature.types)
    if signature.kind == "event":
        return st.lists(st.tuples(arguments, starts), max_size=6)
    lengths = st.none() | st.integers(1, 8)
    rows = st.builds(_make_interval, arguments, starts, lengths)
    return st.lists(rows, max_size=4, unique_by=lambda row: row[:2])


def _make_interval(arguments: tuple[Scalar, ...], ts: int, length: int | None) -> Row:
    return (arguments, ts, None if length is None else ts + length)


@st.composite
def _disturb(draw: st.DrawFn, row: Row, delays: st.SearchStrategy[int]) -> list[Operation]:
    """The operations that make a row known, or what is left of it."""
    fates = _FATES if len(row) == 3 and row[2] is not None else _FATES[:4]
    fate = draw(st.sampled_from(fates))

    def delay() -> int:
        return draw(delays)

    if len(row) == 3 and row[2] is not None and fate not in _FATES[:4]:
        return list(_change_end(row[0], row[1], row[2], fate, delay))
    return list(_keep_or_not(row, fate, delay))


def _keep_or_not(row: Row, fate: str, delay: Callable[[], int]) -> Iterator[Operation]:
    time = row[1]
    known = time + delay()
    yield Operation(row, arrival=known)
    if fate == "twice":
        yield Operation(row, arrival=time + delay())
    if fate in ("withdrawn", "back"):
        known = max(known, time + delay())
        yield Operation(row, retract=True, arrival=known)
    if fate == "back":
        yield Operation(row, arrival=max(known, time + delay()))


def _change_end(
    arguments: tuple[Scalar, ...], ts: int, te: int, fate: str, delay: Callable[[], int]
) -> Iterator[Operation]:
    first = Operation(
        (arguments, ts, None if fate == "ends later" else te + 2), arrival=ts + delay()
    )
    yield first
    known = max(first.known, te + delay())
    if fate == "other end":
        yield Operation(first.row, retract=True, arrival=known)
    yield Operation((arguments, ts, te), arrival=known)
