"""`fmt`: one layout for every file, and nothing lost on the way to it."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from phenesthe.syntax.format import format_source
from phenesthe.syntax.lines import WIDTH
from phenesthe.syntax.parser import Parsed, parse
from phenesthe.syntax.printer import print_module
from phenesthe.syntax.source import Source
from tests.strategies.trees import MODULES, scatter


def format_text(text: str, *, unicode: bool = False) -> str:
    return format_source(Source("t.phe", text), unicode=unicode)


def comments_of(parsed: Parsed) -> list[str]:
    return [
        "\n".join(line.rstrip() for line in comment.span.text.splitlines())
        for comment in parsed.comments
    ]


@st.composite
def files(draw: st.DrawFn) -> str:
    return draw(scatter(print_module(draw(MODULES), unicode=draw(st.booleans()))))


@given(files())
@settings(max_examples=100, deadline=None)
def test_formatting_keeps_the_tree_and_the_comments(text: str) -> None:
    before = parse(Source("t.phe", text.removeprefix("\ufeff")))
    assert before.diagnostics == ()
    for unicode in (False, True):
        after = parse(Source("t.phe", format_text(text, unicode=unicode)))
        assert after.diagnostics == ()
        assert after.declarations == before.declarations
        assert [d.doc for d in after.declarations] == [d.doc for d in before.declarations]
        assert comments_of(after) == comments_of(before)


@given(files())
@settings(max_examples=100, deadline=None)
def test_formatting_twice_changes_nothing(text: str) -> None:
    plain = format_text(text)
    signs = format_text(text, unicode=True)
    assert format_text(plain) == plain
    assert format_text(signs, unicode=True) == signs
    assert format_text(signs) == plain
    assert format_text(plain, unicode=True) == signs


@given(files())
@settings(max_examples=50, deadline=None)
def test_the_page_is_tidy(text: str) -> None:
    formatted = format_text(text)
    assume(formatted)
    assert formatted.endswith("\n")
    assert not formatted.endswith("\n\n")
    assert not formatted.startswith(("\n", "\ufeff"))
    assert "\n\n\n" not in formatted
    assert "\r" not in formatted
    assert all(line == line.rstrip() for line in formatted.split("\n"))


MARITIME = """\
// The maritime definitions.
input event ais(vessel: int, speed: float, course: float, heading: float);
fact vessel_type(vessel: int, type: str);

event stop_start(V) : ais(V, S, _, _) and S <= 0.5;
event stop_end(V)   : ais(V, S, _, _) and S > 0.5;

state no_major_speed_changes(V): repeat ais(V, S, _, _) while gap < 600 and abs(S - prev(S)) < 6;
state underway(V)              : ais(V, S1, _, _) and S1 >= 2.7 and not end(in_range(V))
                              ~> (ais(V, S2, _, _) and S2 < 2.7) or end(in_range(V));

dynamic trip(V, PA, PB) : end(moored(V, PA)) before (underway(V) before start(moored(V, PB)));
dynamic fishing_trip(V, PA, A, PB) :
    (end(moored(V, PA)) and vessel_type(V, fishing))
      before ((underway(V) contains in_fishing_area(V, A)) before start(moored(V, PB)));
"""


def test_maritime() -> None:
    assert format_text(MARITIME) == (
        """\
// The maritime definitions.
input event ais(vessel: int, speed: float, course: float, heading: float);
fact vessel_type(vessel: int, type: str);

event stop_start(V) : ais(V, S, _, _) and S <= 0.5;
event stop_end(V) : ais(V, S, _, _) and S > 0.5;

state no_major_speed_changes(V) : repeat ais(V, S, _, _) while gap < 600 and abs(S - prev(S)) < 6;
state underway(V) :
    ais(V, S1, _, _) and S1 >= 2.7 and not end(in_range(V))
      ~> (ais(V, S2, _, _) and S2 < 2.7) or end(in_range(V));

dynamic trip(V, PA, PB) : end(moored(V, PA)) before (underway(V) before start(moored(V, PB)));
dynamic fishing_trip(V, PA, A, PB) :
    (end(moored(V, PA)) and vessel_type(V, fishing))
      before ((underway(V) contains in_fishing_area(V, A)) before start(moored(V, PB)));
"""
    )


def test_nested_groups_step_to_the_right() -> None:
    text = (
        "dynamic d(V, PA, PB) : (end(moored(V, PA)) and vessel_type(V, fishing)) before "
        "((underway(V) contains in_fishing_area(V, Area) within 10m as union) before "
        "start(moored(V, PB))) where known(V) or not (X < 5 and X - 2 > 7 * 5);"
    )
    assert format_text(text) == (
        """\
dynamic d(V, PA, PB) :
    (end(moored(V, PA)) and vessel_type(V, fishing))
        before ((underway(V) contains in_fishing_area(V, Area) within 10m as union)
          before start(moored(V, PB)))
      where known(V) or not (X < 5 and X - 2 > 7 * 5);
"""
    )


@pytest.mark.parametrize("surplus", [0, 1])
def test_a_line_is_filled_to_the_last_column(surplus: int) -> None:
    line = "event e(V) : a(V) and b(" + "V" * (WIDTH - 26 + surplus) + ");"
    assert len(line) == WIDTH + surplus
    broken = line.replace(" : ", " :\n    ")
    assert format_text(line) == (broken if surplus else line) + "\n"


def test_exclusive_states_have_a_line_per_branch() -> None:
    text = (
        "exclusive state gap(V,Where){// one at a time\n"
        "/// first\n"
        "near:gap_start(V)∈near_port(V)⤳gap_end(V); // by the coast\n\n"
        "far:gap_start(V)not in near_port(V) and speed_is_high_enough(V, S) and S > 12.5"
        "~>gap_end(V) /* or */ or lost(V); /* none */\n"
        "};"
    )
    assert format_text(text) == (
        """\
exclusive state gap(V, Where) {  // one at a time
    /// first
    near : gap_start(V) in near_port(V) ~> gap_end(V);  // by the coast
    far :
        gap_start(V) not in near_port(V) and speed_is_high_enough(V, S) and S > 12.5
          ~> gap_end(V) /* or */ or lost(V); /* none */
}
"""
    )


def test_long_argument_lists() -> None:
    names = ("Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "Bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "C")
    text = f"event z(V) : ais({', '.join(names)}, {names[0]});"
    assert format_text(text) == (
        f"event z(V) :\n    ais({names[0]}, {names[1]}, C,\n      {names[0]});\n"
    )
    columns = ", ".join(f"{name.lower()}: int" for name in names)
    text = f"input event long_ais({columns}, d: str);"
    assert format_text(text) == (
        "input event long_ais(\n    " + columns.replace(", ", ",\n    ") + ",\n    d: str\n);\n"
    )


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        ("", ""),
        ("\ufeff\r\n", ""),
        ("  // only\t", "// only\n"),
        ("import a . b ;unit  second;", "import a.b;\nunit second;\n"),
        ("param x:float=-0.50;// why", "param x: float = -0.50;  // why\n"),
        ("\n\n/// doc\r\nfact f ( ) ;\n\n\n\n// end", "/// doc\nfact f();\n\n// end\n"),
        ("/* a */ /* b */ fact f(x:int);", "/* a */ /* b */\nfact f(x: int);\n"),
        ("event e():a()∧¬b()∨X≤-1;", "event e() : a() and not b() or X <= -1;\n"),
        ("event e() : X -1 < - 1 and --Y > -\nZ;", "event e() : X - 1 < - 1 and --Y > -Z;\n"),
        ("state s():a()\\b();", "state s() : a() complement b();\n"),
        ("state s():a() meets b()as ⊔;", "state s() : a() meets b() as union;\n"),
        ("event e():((a()));", "event e() : ((a()));\n"),
        ('event e():a("x  y",1.50,2h);', 'event e() : a("x  y", 1.50, 2h);\n'),
        ("event e():not /*c*/ in_x()not/*c*/in b();",
         "event e() : not /*c*/ in_x() not in /*c*/ b();\n"),
    ],
)  # fmt: skip
def test_small_files(text: str, formatted: str) -> None:
    assert format_text(text) == formatted


def test_comments_stay_with_their_words() -> None:
    text = (
        "state x(V) : a(V) and b(V) // first\n"
        "~> // second\n"
        "     // own line\n"
        "  c(V);// last\n"
        "event y(V):\n"
        "/* two\n"
        "   lines */ a(V) and /* inline */ b(V)\n"
        "// before the end\n"
        ";\n"
    )
    assert format_text(text) == (
        """\
state x(V) :
    a(V) and b(V)  // first
      ~>  // second
      // own line
      c(V);  // last
event y(V) :
    /* two
   lines */
    a(V) and /* inline */ b(V)
    // before the end
    ;
"""
    )


def test_unicode_signs() -> None:
    text = "state s(V) : (a(V) not in b(V) and X >= 2 ~> not c(V)) complement d(V);\n"
    signs = "state s(V) : (a(V) ∉ b(V) ∧ X ≥ 2 ⤳ ¬c(V)) \\ d(V);\n"
    assert format_text(text, unicode=True) == signs
    assert format_text(signs) == text
