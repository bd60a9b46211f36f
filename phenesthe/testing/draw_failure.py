"""A failed test: expected and found on one time axis, then the lines that differ."""

from collections.abc import Iterable, Sequence

from rich.text import Text

from phenesthe.report.drawing_marks import UNICODE, Marks
from phenesthe.report.rows import order_args, write_args
from phenesthe.report.timeline import DEFAULT_WIDTH, Group, Track, draw_groups, fit_label
from phenesthe.testing.compare import Difference, write_expectation
from phenesthe.testing.model import Entry

#: Enough to see what is wrong; a thousand wrong rows are mostly one mistake.
MAX_BINDINGS = 10
MAX_LINES = 10
MAX_TITLE = 300


def draw_failure(
    title: str,
    differences: Iterable[Difference],
    *,
    width: int = DEFAULT_WIDTH,
    marks: Marks = UNICODE,
) -> list[Text]:
    groups: list[Group] = []
    listed: list[Text] = []
    for difference in differences:
        groups.extend(_group_bindings(difference, marks))
        listed += _list_entries("missing", difference.missing, difference, marks)
        listed += _list_entries("not expected", difference.unexpected, difference, marks)
    heading = fit_label(title, MAX_TITLE, ascii_only=marks is not UNICODE)
    drawing = draw_groups(groups, width=width, marks=marks)
    return [Text(heading, style="bold red"), Text(), *drawing, Text(), *listed, Text()]


def _group_bindings(difference: Difference, marks: Marks) -> list[Group]:
    """Only bindings with a difference, but all there is of them."""
    wrong = {
        order_args(entry.args): entry.args
        for entry in (*difference.missing, *difference.unexpected)
    }
    kind = difference.signature.kind
    assert kind is not None
    groups = [
        Group(
            difference.signature.name + write_args(wrong[key]),
            kind,
            (
                Track("expected", _find_spans(difference.expected, key), "green"),
                Track("found", _find_spans(difference.found, key), "red"),
            ),
        )
        for key in sorted(wrong)[:MAX_BINDINGS]
    ]
    if len(wrong) > MAX_BINDINGS:
        more = f"{marks.more} and {len(wrong) - MAX_BINDINGS} more arguments with differences"
        groups[-1] = groups[-1]._replace(note=more)
    return groups


def _find_spans(entries: Iterable[Entry], key: object) -> list[tuple[int, int | None]]:
    return [(entry.start, entry.end) for entry in entries if order_args(entry.args) == key]


def _list_entries(
    label: str, entries: Sequence[Entry], difference: Difference, marks: Marks
) -> list[Text]:
    lines = [
        Text(f"{label}: {write_expectation(entry, difference.signature)}")
        for entry in entries[:MAX_LINES]
    ]
    if len(entries) > MAX_LINES:
        lines.append(Text(f"{label}: {marks.more} and {len(entries) - MAX_LINES} more"))
    return lines
