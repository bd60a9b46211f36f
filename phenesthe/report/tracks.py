"""One binding of one phenomenon, as lines of characters under the axis.

The column after the last instant is kept for intervals that go on beyond it.
"""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias, assert_never

from phenesthe.report.drawing_marks import Marks
from phenesthe.report.scale import Scale
from phenesthe.vocabulary import Kind

#: First and last instant; None is an end that is not known yet.
Span: TypeAlias = tuple[int, int | None]
#: So many dynamics of one binding are drawn above each other; more would bury the rest.
MAX_LANES = 12


class Drawn(NamedTuple):
    lines: list[str]
    #: Overlapping dynamics for which there was no line left.
    hidden: int = 0


class _Placed(NamedTuple):
    """The columns of an interval; `before` and `after` are marks for what the window cuts off."""

    low: int
    high: int
    before: str
    after: str


def draw_track(kind: Kind, spans: Iterable[Span], scale: Scale, marks: Marks) -> Drawn:
    match kind:
        case "event":
            return Drawn([_draw_events((start for start, _ in spans), scale, marks)])
        case "state":
            return Drawn([_draw_states(_place(spans, scale, marks), scale, marks)])
        case "dynamic":
            return _draw_dynamics(_place(spans, scale, marks), scale, marks)
        case _:
            assert_never(kind)


def touches(span: Span, scale: Scale) -> bool:
    """Is any part of it between the first and the last instant of the axis?"""
    start, end = span
    return start <= scale.last and (end is None or end >= scale.first)


def _draw_events(instants: Iterable[int], scale: Scale, marks: Marks) -> str:
    cells = [" "] * scale.columns
    for instant in set(instants):
        column = scale.find_column(instant)
        cells[column] = marks.event if cells[column] == " " else marks.several_events
    return "".join(cells).rstrip()


def _place(spans: Iterable[Span], scale: Scale, marks: Marks) -> list[_Placed]:
    placed = []
    for start, end in sorted(set(spans), key=_order_span):
        last = scale.last if end is None else min(end, scale.last)
        after = marks.open if end is None else marks.cut if end > scale.last else ""
        placed.append(
            _Placed(
                scale.find_column(max(start, scale.first)),
                scale.find_column(last),
                marks.cut if start < scale.first else "",
                after,
            )
        )
    return placed


def _order_span(span: Span) -> tuple[int, bool, int]:
    start, end = span
    return start, end is None, end or 0


def _draw_states(placed: list[_Placed], scale: Scale, marks: Marks) -> str:
    cells = [" "] * (scale.columns + 1)
    reached = -1
    for low, high, before, after in placed:
        if low <= reached:
            cells[low] = marks.several_states
        elif low == reached + 1 and reached >= 0 and cells[reached] == marks.state:
            cells[reached] = marks.touching
        for column in range(max(low, reached + 1), high + 1):
            cells[column] = marks.state
        if before:
            cells[low] = before
        if after:
            cells[-1] = after
        reached = max(reached, high)
    return "".join(cells).rstrip()


def _draw_dynamics(placed: list[_Placed], scale: Scale, marks: Marks) -> Drawn:
    """First come, first served: an interval takes the highest line that is free."""
    lanes: list[list[str]] = []
    reached: list[int] = []
    hidden = 0
    for low, high, before, after in placed:
        lane = next((lane for lane, column in enumerate(reached) if column < low), len(lanes))
        if lane == MAX_LANES:
            hidden += 1
            continue
        if lane == len(lanes):
            lanes.append([" "] * (scale.columns + 1))
            reached.append(-1)
        cells = lanes[lane]
        cells[low : high + 1] = [marks.during] * (high + 1 - low)
        if after:
            cells[-1] = after
        else:
            cells[high] = marks.finish
        if before:
            cells[low] = before
        elif low == high and not after:
            cells[low] = marks.short
        else:
            cells[low] = marks.begin
        reached[lane] = scale.columns if after else high
    return Drawn(["".join(lane).rstrip() for lane in lanes], hidden)
