"""The message for people, character by character."""

import re
from textwrap import dedent

import pytest

from phenesthe.diagnostics.model import Diagnostic, Edit, Label, Severity
from phenesthe.diagnostics.render import render
from phenesthe.syntax.source import Source, Span
from tests.unit.diagnostics.samples import find, make_error, show

PORT_CALLS = Source(
    "port_calls.phe",
    "\n" * 8
    + "state stopped(V) : stop_start(V) ~> stop_end(V);\n"
    + "\n" * 4
    + "state visit(V) : stopped(V) ~> leaves_port(V, _);\n",
)


def test_the_whole_shape() -> None:
    diagnostic = make_error(
        find(PORT_CALLS, "stopped(V)", after=60),
        "a state",
        Label(span=find(PORT_CALLS, "stopped"), message="defined here"),
        message="`~>` joins events, but `stopped` is a state",
        hint="write `start(stopped(V))`",
    )
    assert show(diagnostic) == dedent("""
        error[K012]: `~>` joins events, but `stopped` is a state
          --> port_calls.phe:14:18
           |
        14 | state visit(V) : stopped(V) ~> leaves_port(V, _);
           |                  ^^^^^^^^^^ a state
           |
         9 | state stopped(V) : stop_start(V) ~> stop_end(V);
           |       ------- defined here
           |
           = help: write `start(stopped(V))`

        1 error
        """)


def test_several_diagnostics_and_the_count() -> None:
    source = Source("a.phe", "event a;\nevent b;\n")
    unused = Diagnostic(
        code="W001", severity=Severity.WARNING, message="`b` is not used", span=find(source, "b")
    )
    error = make_error(find(source, "a"))
    assert show(error, unused, error) == dedent("""
        error[K012]: wrong
          --> a.phe:1:7
           |
         1 | event a;
           |       ^

        warning[W001]: `b` is not used
          --> a.phe:2:7
           |
         2 | event b;
           |       ^

        error[K012]: wrong
          --> a.phe:1:7
           |
         1 | event a;
           |       ^

        2 errors, 1 warning
        """)


def test_related_places_in_other_files_name_the_file_each_time_it_changes() -> None:
    here = Source("here.phe", "use other;\nstate s : a ~> b;\n")
    other = Source("lib/other.phe", "event b;\n" * 2 + "state a : b ~> b;\n")
    diagnostic = make_error(
        find(here, "a ~>"),
        "",
        Label(span=find(other, "a :"), message="a state"),
        Label(span=find(other, "b", 26), message="from this"),
        Label(span=find(here, "other"), message="imported here"),
    )
    assert show(diagnostic) == dedent("""
        error[K012]: wrong
          --> here.phe:2:11
           |
         2 | state s : a ~> b;
           |           ^^^^
           |
          ::: lib/other.phe:3:7
           |
         3 | state a : b ~> b;
           |       --- a state
           |
         3 | state a : b ~> b;
           |           - from this
           |
          ::: here.phe:1:5
           |
         1 | use other;
           |     ----- imported here

        1 error
        """)


def test_the_gutter_grows_with_the_largest_line_number() -> None:
    source = Source("a.phe", "event a;\n" + "\n" * 1233 + "event a;\n")
    diagnostic = make_error(
        find(source, "a;", 20),
        "again",
        Label(span=find(source, "a;"), message="first"),
        hint="rename one",
    )
    assert show(diagnostic) == dedent("""
        error[K012]: wrong
            --> a.phe:1235:7
             |
        1235 | event a;
             |       ^^ again
             |
           1 | event a;
             |       -- first
             |
             = help: rename one

        1 error
        """)


def test_other_texts_are_made_safe_and_kept_on_their_line() -> None:
    source = Source("a\n\x1b.phe", "x")
    diagnostic = make_error(
        Span(source, 0, 1),
        "one\n  two",
        message="first\r\nsecond \x1b[2J",
        hint="do this:\n  \x1b[31mthat",
    )
    assert show(diagnostic) == dedent(r"""
        error[K012]: first second \u{1B}[2J
          --> a\u{0A}\u{1B}.phe:1:1
           |
         1 | x
           | ^ one two
           |
           = help: do this:
                     \u{1B}[31mthat

        1 error
        """)


def test_the_fixed_line() -> None:
    source = Source("a.phe", "event a;\n  state s : a ~> b;  \n")
    fix = (
        Edit(span=find(source, "b"), text="start(b)"),
        Edit(span=find(source, "a ~>"), text="start(a) ~>"),
    )
    diagnostic = make_error(find(source, "~>"), hint="take the starts", fix=fix)
    assert show(diagnostic) == dedent("""
        error[K012]: wrong
          --> a.phe:2:15
           |
         2 |   state s : a ~> b;  
           |               ^^
           |
           = help: take the starts
           = fix: state s : start(a) ~> start(b);

        1 error
        """)  # noqa: W291 -- the spaces stand in the source line shown


def show_last_note(diagnostic: Diagnostic, width: int = 120) -> str:
    return show(diagnostic, width=width).splitlines()[-3]


def test_a_fix_elsewhere_says_where() -> None:
    here = Source("here.phe", "event a;\nevent b;\n")
    there = Source("there.phe", "event c;\n")
    above = make_error(find(here, "b"), fix=(Edit(span=find(here, "a"), text="x"),))
    assert show_last_note(above) == "   = fix at line 1: event x;"
    other = make_error(find(here, "b"), fix=(Edit(span=find(there, "c"), text="x\t"),))
    assert show_last_note(other) == "   = fix at there.phe:1: event x    ;"


def test_a_fix_that_empties_the_line() -> None:
    source = Source("a.phe", "  ;\n")
    assert (
        show_last_note(make_error(find(source, ";"), fix=(Edit(span=find(source, ";"), text=""),)))
        == "   = fix: an empty line"
    )


def test_a_long_fixed_line_is_cut_around_the_change() -> None:
    source = Source("a.phe", " " * 9 + "abcdefghi " * 30 + "OLD" + " jklmnopqr" * 30)
    span = find(source, "OLD")
    diagnostic = make_error(span, fix=(Edit(span=span, text="NEWER"),))
    assert show_last_note(diagnostic, width=45) == "   = fix: …ghi abcdefghi NEWER jklmnopqr jkl…"


@pytest.mark.parametrize(
    "fix",
    [
        (),
        (Edit(span=find(PORT_CALLS, "visit"), text="a\nb"),),
        (Edit(span=find(PORT_CALLS, ";\n"), text=""),),
        (
            Edit(span=find(PORT_CALLS, "visit"), text="a"),
            Edit(span=find(PORT_CALLS, "stopped"), text="b"),
        ),
        (
            Edit(span=find(PORT_CALLS, "visit"), text="a"),
            Edit(span=find(PORT_CALLS, "sit"), text="b"),
        ),
        (
            Edit(span=find(PORT_CALLS, "visit"), text="a"),
            Edit(span=find(Source("b.phe", PORT_CALLS.text), "leaves_port"), text="b"),
        ),
    ],
    ids=["no edit", "line break", "joins lines", "two lines", "overlap", "two files"],
)
def test_a_fix_that_one_line_cannot_show_is_left_out(fix: tuple[Edit, ...]) -> None:
    diagnostic = make_error(find(PORT_CALLS, "visit"), fix=fix)
    assert show(diagnostic) == show(make_error(find(PORT_CALLS, "visit")))


def test_colour_changes_nothing_but_colour() -> None:
    visit = find(PORT_CALLS, "visit")
    diagnostic = make_error(
        visit, "a", Label(span=visit, message="b"), hint="c", fix=(Edit(span=visit, text="d"),)
    )
    colored = render([diagnostic], "full", color=True)
    assert colored.startswith("\x1b[1;31merror[K012]\x1b[0m\x1b[1m: wrong\x1b[0m\n")
    assert "\x1b[1;31m^^^^^ a\x1b[0m" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == render([diagnostic], "full", color=False)


def test_nothing_to_say() -> None:
    assert render([], "full") == ""


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="use one of full, concise, json, github"):
        render([], "xml")
