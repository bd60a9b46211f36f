"""Results drawn over time: one line per binding, under one axis."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.text import Text

from phenesthe.diagnostics.render.cells import show_character
from phenesthe.options import name_option
from phenesthe.report.drawing_marks import UNICODE, Marks, explain_marks
from phenesthe.report.rows import Key, Row, order_args, write_args
from phenesthe.report.scale import draw_axis, fit_scale
from phenesthe.report.tracks import Span, draw_track, touches
from phenesthe.vocabulary import Kind, Unit

MIN_WIDTH = 60
DEFAULT_WIDTH = 100
DEFAULT_LIMIT = 200
_INDENT = "  "
_GAP = 2
#: From so many lines on the axis is drawn below them too, where a terminal has stopped scrolling.
_REPEAT_AXIS = 30
_STYLES: dict[Kind, str] = {"event": "yellow", "state": "green", "dynamic": "cyan"}


class Track(NamedTuple):
    label: str
    spans: Sequence[Span]
    style: str = ""


class Group(NamedTuple):
    """A phenomenon, or whatever else deserves a heading. `note` is a remark below it."""

    title: str
    kind: Kind
    tracks: Sequence[Track]
    note: str = ""


def draw(
    rows: Iterable[Row],
    *,
    width: int = DEFAULT_WIDTH,
    from_: int | None = None,
    to: int | None = None,
    query: int | None = None,
    limit: int = DEFAULT_LIMIT,
    unit: Unit | None = None,
    marks: Marks = UNICODE,
) -> list[Text]:
    """The timelines, line by line; none where there is nothing between `from_` and `to`.

    What is open is drawn up to the `query`, where it is known. The axis has dates when a `unit` is
    given. Text of the data cannot act on a terminal or as
    markup. At most `limit` bindings are drawn.
    """
    bindings: dict[tuple[str, Kind], dict[Key, list[Row]]] = defaultdict(dict)
    for row in rows:
        if (from_ is None or row.end is None or row.end >= from_) and (
            to is None or row.start <= to
        ):
            bindings[row.name, row.kind].setdefault(order_args(row.args), []).append(row)
    groups = []
    left = limit
    for (name, kind), found in bindings.items():
        chosen = [found[key] for key in sorted(found)[: max(0, left)]]
        left -= len(found)
        tracks = [
            Track(write_args(held[0].args), [(row.start, row.end) for row in held])
            for held in chosen
        ]
        if tracks:
            groups.append(Group(name, kind, tracks))
    if to is None and query is not None and _has_open(groups):
        latest = (
            at for group in groups for one in group.tracks for span in one.spans for at in span
        )
        to = max(query, *(at for at in latest if at is not None))
    lines = draw_groups(groups, width=width, from_=from_, to=to, unit=unit, marks=marks)
    if left < 0:
        only, args, most = (name_option(one) for one in ("only", "args", "limit"))
        lines.append(Text(f"{marks.more} and {-left} more (use {only}, {args} or {most})"))
    return lines


def _has_open(groups: Iterable[Group]) -> bool:
    spans = (span for group in groups for track in group.tracks for span in track.spans)
    return any(end is None for _, end in spans)


def draw_groups(
    groups: Sequence[Group],
    *,
    width: int = DEFAULT_WIDTH,
    from_: int | None = None,
    to: int | None = None,
    unit: Unit | None = None,
    marks: Marks = UNICODE,
) -> list[Text]:
    known = find_extent(
        (span for group in groups for track in group.tracks for span in track.spans), from_, to
    )
    if known is None:
        return []
    ascii_only = marks is not UNICODE
    width = max(width, MIN_WIDTH)
    labels = [
        fit_label(_INDENT + track.label, width // 3, ascii_only=ascii_only)
        for group in groups
        for track in group.tracks
    ]
    margin = max(map(count_columns, labels), default=0) + _GAP
    room = width - margin - 1
    scale = fit_scale(*known, room)
    axis = [
        Text(" " * margin + line, style="dim") for line in draw_axis(scale, room + 1, unit, marks)
    ]
    lines: list[Text] = []
    used: set[str] = set()
    remaining = iter(labels)
    for group in groups:
        title = fit_label(group.title, width - 10, ascii_only=ascii_only)
        lines.append(Text.assemble((title, "bold"), (f" {group.kind}", "dim")))
        for track in group.tracks:
            drawn = draw_track(
                group.kind, [span for span in track.spans if touches(span, scale)], scale, marks
            )
            used.update(*drawn.lines)
            label = next(remaining)
            for line in drawn.lines or [""]:
                padding = " " * (margin - count_columns(label))
                lines.append(
                    Text.assemble(label, padding, (line, track.style or _STYLES[group.kind]))
                )
                lines[-1].rstrip()
                label = ""
            if drawn.hidden:
                note = f"{marks.more} and {drawn.hidden} more at the same time"
                lines.append(Text(" " * margin + note, style="dim"))
        if group.note:
            lines.append(Text(_INDENT + group.note, style="dim"))
    return [
        *axis,
        *lines,
        *(axis[::-1] if len(lines) >= _REPEAT_AXIS else ()),
        *(Text(line, style="dim") for line in explain_marks(used, marks, width)),
    ]


def find_extent(spans: Iterable[Span], from_: int | None, to: int | None) -> tuple[int, int] | None:
    """The first and the last instant to draw, or None where there is nothing to draw."""
    instants = [instant for span in spans for instant in span if instant is not None]
    if not instants:
        return None
    first = min(instants) if from_ is None else from_
    # An interval that began long ago and is still open is all there may be after `from_`.
    last = max(first, *instants) if to is None else to
    return (first, last) if first <= last else None


def fit_label(text: str, columns: int, *, ascii_only: bool) -> str:
    """Printable text, shortened at its end to so many columns of a terminal."""
    more = "..." if ascii_only else "…"
    kept: list[str] = []
    taken = 0
    for char in text:
        cell = show_character(char)
        if ascii_only and not char.isascii():
            shown = f"\\u{{{ord(char):02X}}}"
            cell = cell._replace(shown=shown, columns=len(shown))
        kept.append(cell.shown)
        taken += cell.columns
        if taken > columns:
            break
    else:
        return "".join(kept)
    while kept and count_columns("".join(kept)) > columns - len(more):
        kept.pop()
    return "".join(kept) + more


def count_columns(text: str) -> int:
    return sum(show_character(char).columns for char in text)
