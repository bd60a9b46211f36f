"""Timelines, character by character."""

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phenesthe.diagnostics.render.cells import show_character
from phenesthe.report.drawing_marks import ASCII, UNICODE, Marks
from phenesthe.report.rows import Row
from phenesthe.report.timeline import MIN_WIDTH, draw
from phenesthe.report.tracks import MAX_LANES
from tests.unit.report.samples import rows, text

STORY = [
    *rows("drop", "event", 4, args=("alice", "wallet")),
    *rows("holds", "state", (1, 4), args=("alice", "wallet")),
    *rows("holds", "state", (10, 15), (17, None), args=("bob", "wallet")),
    *rows("found", "dynamic", (4, 10), (6, None), (11, 12), args=()),
]


def test_a_story() -> None:
    assert text(STORY, width=80) == [
        "                   1  2  3  4  5  6  7  8  9  10 11 12 13 14 15 16 17",
        "                   ┬╌╌┬╌╌┬╌╌┬╌╌┬╌╌┬╌╌┬╌╌┬╌╌┬╌╌┬╌╌┬╌╌┬╌╌┬╌╌┬╌╌┬╌╌┬╌╌┬",
        "drop event",
        "  (alice, wallet)           |",
        "holds state",
        "  (alice, wallet)  ━━━━━━━━━━",
        "  (bob, wallet)                               ━━━━━━━━━━━━━━━━     ━▶",
        "found dynamic",
        "  ()                        [─────────────────]  [──]",
        "                                  [─────────────────────────────────▶",
        "▶ still open",
    ]


def test_without_unicode() -> None:
    found = [*STORY, *rows("s", "state", (1, 2), args=("é",))]
    assert text(found, width=80, marks=ASCII)[-5:] == [
        "  ()                        [-----------------]  [--]",
        "                                  [--------------------------------->",
        "s state",
        '  ("\\u{E9}")       ====',
        "> still open",
    ]
    assert all(line.isascii() for line in text(found, marks=ASCII))


def test_a_window_cuts_what_goes_on_outside() -> None:
    assert text(STORY, width=60, from_=5, to=11) == [
        "                 5     6     7     8     9     10    11",
        "                 ┬╌╌╌╌╌┬╌╌╌╌╌┬╌╌╌╌╌┬╌╌╌╌╌┬╌╌╌╌╌┬╌╌╌╌╌┬",
        "holds state",
        "  (bob, wallet)                                ━━━━━━━…",
        "found dynamic",
        "  ()             …─────────────────────────────]     […",
        "                       [──────────────────────────────▶",
        "▶ still open   … goes on outside",
    ]


def test_a_window_keeps_what_touches_its_ends() -> None:
    found = rows("s", "state", (1, 5), (9, 12))
    assert text(found, width=60, from_=5, to=9)[3] == "  (x)  …" + " " * 31 + "━…"
    assert text(found, from_=6, to=8) == []


def test_an_open_interval_is_all_there_is_after_from() -> None:
    assert text(rows("s", "state", (1, None)), from_=50) == [
        "       50",
        "       ┬",
        "s state",
        "  (x)  …▶",
        "▶ still open   … goes on outside",
    ]


def test_nothing_to_draw() -> None:
    assert text([]) == []
    assert text(STORY, from_=9, to=3) == []


def test_coarse_columns_do_not_hide_that_there_are_several() -> None:
    found = [
        *rows("e", "event", 0, 1, 50, 99),
        *rows("s", "state", (0, 20), (21, 40), (42, 60), (60, 62), (70, 71)),
        *rows("d", "dynamic", (0, 1), (10, 30)),
    ]
    drawn = text(found, width=60)
    assert drawn[2:] == [
        "e event",
        "  (x)  ‖                        |                         |",
        "s state",
        "  (x)  ━━━━━━━━━━╋━━━━━━━━━╸━━━━━━━━━╋━    ━",
        "d dynamic",
        "  (x)  ◆    [─────────]",
        "‖ several events   ╸ ends, the next begins",
        "╋ several states   ◆ shorter than a column",
    ]


def test_the_same_row_twice_is_one() -> None:
    assert text([*STORY, *STORY]) == text(STORY)


def test_overlapping_dynamics_are_stacked_up_to_a_limit() -> None:
    found = rows("d", "dynamic", *((start, start + 40) for start in range(MAX_LANES + 3)))
    drawn = text(found)
    assert len(drawn) == 3 + MAX_LANES + 1
    assert drawn[-1] == "       … and 3 more at the same time"


def test_dynamics_share_a_line_where_they_do_not_overlap() -> None:
    drawn = text(rows("d", "dynamic", (0, 4), (2, 6), (5, 9), (4, 5)), width=60)
    assert drawn[3:] == [
        "  (x)  [───────────────────]    [───────────────────]",
        "                 [───────────────────]",
        "                           [────]",
    ]


def test_more_bindings_than_the_limit() -> None:
    found = [row for i in range(5) for row in rows("a", "event", i, args=(i,))]
    found += rows("b", "event", 1)
    drawn = text(found, limit=3)
    assert [line.split()[0] for line in drawn[2:]] == ["a", "(0)", "(1)", "(2)", "…"]
    assert drawn[-1] == "… and 3 more (use only, args or limit)"
    assert "more" not in text(found, limit=6)[-1]


def test_bindings_are_in_order_of_their_values() -> None:
    found = [row for i in (10, 9, 2.5, True, "b", "a") for row in rows("a", "event", 1, args=(i,))]
    labels = [line.split()[0] for line in text(found)[3:]]
    assert labels == ["(true)", "(2.5)", "(9)", "(10)", "(a)", "(b)"]


def test_the_axis_is_repeated_below_many_lines() -> None:
    found = [row for i in range(40) for row in rows("a", "event", i, args=(i,))]
    drawn = text(found)
    assert drawn[:2] == drawn[-1:-3:-1]


def test_text_of_the_data_does_not_act() -> None:
    evil = 'a\x1b[31m[bold]\u202e\n"'
    found = [Row(evil, "event", (evil,), 1, 1)]
    shown = 'a\\u{1B}[31m[bold]\\u{202E}\\u{0A}"'
    title, label = text(found, width=120)[2:]
    assert title == f"{shown} event"
    assert label.startswith('  ("a\\u001b[31m[bold]\\u{202E}\\n\\"")  |')


def test_a_long_label_is_shortened() -> None:
    found = rows("e", "event", 1, args=("w" * 200,))
    assert text(found, width=60)[3] == "  (" + "w" * 16 + "…  |"
    assert text(found, width=60, marks=ASCII)[3] == "  (" + "w" * 14 + "...  |"


SPANS = st.tuples(st.integers(-(2**62), 2**62), st.none() | st.integers(1, 2**62)).map(
    lambda pair: (pair[0], None if pair[1] is None else pair[0] + pair[1])
)
VALUES = st.integers() | st.text(max_size=8) | st.booleans() | st.floats() | st.none()


@st.composite
def results(draw_: st.DrawFn) -> list[Row]:
    found = []
    for _ in range(draw_(st.integers(0, 12))):
        kind: Any = draw_(st.sampled_from(("event", "state", "dynamic")))
        start, end = draw_(SPANS | st.tuples(st.integers(0, 99), st.integers(100, 150)))
        args = draw_(st.tuples(VALUES))
        name = draw_(st.sampled_from("ab") | st.text(max_size=5))
        found.append(Row(name, kind, args, start, start if kind == "event" else end))
    return found


@given(
    results(),
    st.integers(0, 200),
    st.sampled_from((None, "second", "millisecond", "microsecond")),
    st.sampled_from((ASCII, UNICODE)),
)
def test_whatever_is_drawn_fits_and_is_printable(
    found: list[Row], width: int, unit: Any, marks: Marks
) -> None:
    lines = [line.plain for line in draw(found, width=width, unit=unit, marks=marks)]
    assert bool(lines) == bool(found)
    for line in lines:
        columns = sum(show_character(char).columns for char in line)
        assert columns <= max(width, MIN_WIDTH)
        assert not any(unicodedata.category(char).startswith("C") for char in line)
        assert marks is UNICODE or line.isascii()


@pytest.mark.parametrize("kind", ["event", "state", "dynamic"])
@given(data=st.data())
def test_every_row_leaves_a_mark_at_its_ends(kind: Any, data: st.DataObject) -> None:
    spans = data.draw(
        st.lists(st.tuples(st.integers(0, 500), st.integers(501, 900)), min_size=1, max_size=5)
    )
    found = [Row("a", kind, (), start, start if kind == "event" else end) for start, end in spans]
    drawn = [line[6:] for line in text(found, from_=0, to=900)[3:]]
    for row in found:
        assert row.end is not None
        for instant in (row.start, row.end):
            column = instant * 92 // 900
            assert any(line[column : column + 1].strip() for line in drawn)
