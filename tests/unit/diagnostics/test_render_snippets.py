"""The lines shown of a source, and the marks under them."""

from textwrap import dedent

import pytest

from phenesthe.diagnostics.render import render
from phenesthe.syntax.source import Source, Span
from tests.unit.diagnostics.samples import find, make_error, show


def show_snippet(source: Source, start: int, end: int, label: str = "") -> list[str]:
    """The source line and the line of marks, without the rest."""
    return render([make_error(Span(source, start, end), label)], "full").splitlines()[3:5]


@pytest.mark.parametrize(
    ("label", "shown"), [("", "… to line 3"), ("not closed", "… to line 3: not closed")]
)
def test_a_span_of_several_lines_is_marked_to_the_end_of_the_first(label: str, shown: str) -> None:
    source = Source("a.phe", "state s :\r\n  a ~>\r\n  b;\r\n")
    span = find(source, "s :\r\n  a ~>\r\n  b")
    assert show_snippet(source, span.start, span.end, label) == [
        " 1 | state s :",
        f"   |       ^^^ {shown}",
    ]


def test_a_line_end_belongs_to_its_line() -> None:
    source = Source("a.phe", "event a;\nevent b;\n")
    assert show_snippet(source, 6, 9) == [" 1 | event a;", "   |       ^^"]
    assert show_snippet(source, 8, 9) == [" 1 | event a;", "   |         ^"]


def test_no_characters_are_marked_by_one_caret() -> None:
    source = Source("a.phe", "event a")
    assert show_snippet(source, 6, 6, "here") == [" 1 | event a", "   |       ^ here"]
    assert show_snippet(source, 7, 7, "`;` expected") == [
        " 1 | event a",
        "   |        ^ `;` expected",
    ]


def test_the_end_of_the_file() -> None:
    source = Source("a.phe", "event a\n")
    assert show_snippet(source, 8, 8, "`;` expected") == [" 2 |", "   | ^ `;` expected"]


def test_an_empty_file() -> None:
    assert show(make_error(Span(Source("a.phe", ""), 0, 0), "nothing here")) == dedent("""
        error[K012]: wrong
          --> a.phe:1:1
           |
         1 |
           | ^ nothing here

        1 error
        """)


@pytest.mark.parametrize(
    ("text", "marked", "line", "carets"),
    [
        ("\tx\ty;", "y", "    x    y;", "         ^"),
        ("x\ty;", "\t", "x    y;", " ^^^^"),
        ("港 港口 x", "港口", "港 港口 x", "   ^^^^"),
        ("港港 x", "x", "港港 x", "     ^"),
        ("e\u0301e\u0301 x", "x", "e\u0301e\u0301 x", "   ^"),
        ("ae\u0301 x", "\u0301", "ae\u0301 x", " ^"),
        ("\x1b[31m x", "x", "\\u{1B}[31m x", "           ^"),
        ("\x07x", "\x07", "\\u{07}x", "^^^^^^"),
        ("\u202ex", "x", "\\u{202E}x", "        ^"),
        ("\ud800x", "x", "\\u{D800}x", "        ^"),
        ("a\u2028b", "b", "a\\u{2028}b", "         ^"),
    ],
)
def test_marks_stand_under_what_they_mean(text: str, marked: str, line: str, carets: str) -> None:
    source = Source("a.phe", text)
    span = find(source, marked)
    assert show_snippet(source, span.start, span.end) == [f" 1 | {line}", f"   | {carets}"]


def test_a_long_line_is_shown_around_the_span() -> None:
    source = Source("a.phe", "abcdefghi " * 30 + "TARGET" + " jklmnopqr" * 30)
    diagnostic = make_error(find(source, "TARGET"), "here")
    assert show(diagnostic, width=45) == dedent("""
        error[K012]: wrong
          --> a.phe:1:301
           |
         1 | …efghi abcdefghi TARGET jklmnopqr jklmn…
           |                  ^^^^^^ here

        1 error
        """)


def test_a_long_line_is_not_cut_where_it_ends() -> None:
    source = Source("a.phe", "BEGIN " + "abcdefghi " * 20 + "END")
    assert show(make_error(find(source, "BEGIN")), width=45).splitlines()[4:6] == [
        " 1 | BEGIN abcdefghi abcdefghi abcdefghi ab…",
        "   | ^^^^^",
    ]
    assert show(make_error(find(source, "END")), width=45).splitlines()[4:6] == [
        " 1 | …fghi abcdefghi abcdefghi abcdefghi END",
        "   |                                     ^^^",
    ]


def test_a_cut_does_not_part_a_character_from_its_accents() -> None:
    source = Source("a.phe", "e\u0301" * 100 + "X" + " " * 100)
    shown = show(make_error(find(source, "X")), width=45).splitlines()[4]
    assert shown.startswith(" 1 | …e\u0301")


def test_a_span_longer_than_the_line_is_shown_from_its_start() -> None:
    source = Source("a.phe", "x" * 100 + "Y" * 200)
    assert show(make_error(find(source, "Y" * 200)), width=45).splitlines()[4:6] == [
        " 1 | …xxxx" + "Y" * 34 + "…",
        "   |      " + "^" * 34,
    ]


def test_a_line_as_wide_as_the_terminal_is_shown_whole() -> None:
    source = Source("a.phe", "x" * 40)
    assert show(make_error(Span(source, 0, 1)), width=45).splitlines()[4] == " 1 | " + "x" * 40
