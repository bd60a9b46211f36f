"""What is told about a name, a word or a duration under the mouse."""

import pytest

from phenesthe.explain import explain
from phenesthe.ide.hover import hover
from phenesthe.ide.markdown import code, escape
from phenesthe.ide.meanings import MEANINGS, MODE_MEANINGS, TYPE_MEANINGS, UNIT_MEANINGS
from phenesthe.syntax.tokens import MODES, RESERVED, TYPES, UNITS
from tests.unit.ide.marked import INPUTS, MAIN, analyse_marked

STOPPED = """\
/// At rest.
state stopped(V) : ais(V, S) and S < limit ~> ais(V, T) and T >= limit;
"""


def describe(text: str, *, before: str = INPUTS) -> str:
    analysis, offset = analyse_marked(before + text)
    found = hover(analysis, MAIN, offset)
    return found.text if found is not None else ""


def test_a_definition() -> None:
    assert describe(STOPPED + "event x(V) : start(stop|ped(V));") == (
        "```phenesthe\nstate stopped(V: int)\n```\n\n"
        "At rest.\n\n"
        "level 1, declared in main.phe, line 9\n\n"
        "On a stream it\n\n"
        "```text\n"
        "remembers the start of the interval that still holds, for each binding\n"
        "  bounded for each binding: one row for as long as it holds; the rest is final\n"
        "```"
    )


def test_memory_is_told_as_compile_tells_it() -> None:
    text = INPUTS + "dynamic tr|ip(V) : ais(V, _) before (in_port(V, _) lasting > 3) within pause;"
    analysis, offset = analyse_marked(text)
    found = hover(analysis, MAIN, offset)
    assert found is not None
    assert analysis.program is not None
    _, _, explained = explain(analysis.program, "text").partition("    uses ais, in_port\n")
    told = found.text.partition("```text\n")[2].removesuffix("\n```").splitlines()
    assert len(told) > 3
    assert [line.strip() for line in explained.splitlines()[: len(told)]] == [
        line.strip() for line in told
    ]


@pytest.mark.parametrize(
    "broken",
    [
        "event y(V) : ais(V, ",
        "event y(V) : unknown(V);",
        "event y(V) : stopped(V);",
        "state y(V) : stopped(V) lasting > nothing;",
        "param wrong: duration = brest;",
        "import nowhere;",
    ],
)
def test_errors_elsewhere_hide_nothing(broken: str) -> None:
    assert describe(STOPPED.replace("stopped", "sto|pped") + broken) == describe(
        STOPPED.replace("stopped", "sto|pped")
    )


def test_a_definition_with_errors_is_told_as_far_as_it_is_known() -> None:
    told = describe("state x|(V, P, Q) : in_port(V, P) union union")
    assert "state x(V: int, P: str, Q)" in told
    assert "stream" not in told
    told = describe("event x(V, P) : in_port(V, P); event y(P) : |x(_, P);")
    assert "event x(V: int, P: str)" in told
    told = describe(
        "exclusive state m(V, H) { near : ais(V, _) ~> ; } event y(V) : start(|m(V, _));"
    )
    assert "exclusive state m(V: int, H: str)" in told


def test_what_uses_a_definition_with_errors_remembers_what_nobody_knows() -> None:
    wrong = "state y(V) : in_port(V, _) lasting > lost; param lost: duration = ;"
    assert "level" in describe("state x|(V) : y(V) lasting > 3;" + wrong)
    assert "stream" not in describe("state x|(V) : y(V) lasting > 3;" + wrong)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("event x(V) : a|is(V, _);", "input event ais(vessel: int, speed: float)"),
        ("event x(V) : ais(V, _);\nreport |x;", "event x(V: int)"),
        ("event x(V) : ais(V, _);\nre|port x;", "report"),
        ('state x() : dai|ly("22:00", "06:00");', "daily(from, to, zone)"),
        ("state x() : alw|ays();", "always()"),
        ("state x(V) : in_port(V, _) with|out in_port(V, brest);", "`complement` leaves"),
        ("state x(V) : in_port(V, _) compl|ement in_port(V, brest);", "`without` keeps those"),
        ("state x(V) : ais(V, _) lim|it 5m;", "does not extend it"),
        ("dynamic x(V) : ais(V, _) before ais(V, _) fr|om 5m;", "at least this much time"),
        ("state x(P) : at le|ast 2 V of in_port(V, P);", "so many different values at once"),
        ("state x(P, K) : co|unt V of in_port(V, P) as K;", "how many different values"),
        ("state x(P, K) : count V o|f in_port(V, P) as K;", "which state"),
        ("state x(P, K) : count V of in_port(V, P) a|s K;", "takes the number that `count` finds"),
        ("state x(P, K) : count V| of in_port(V, P) as K;", "how many different values it has"),
        ("state x(P, K) : count (V, W|) of in_port(V, W) as K;", "how many different values it"),
        ("state x(P, K) : count V of in_port(V, P) as K|;", "K: int"),
        ("state x(V) : in_port(V, P) meets in_port(V, P) a|s source;", "makes a state"),
        ("event daily(V) : ais(V, _);\nevent x(V) : dai|ly(V);", "event daily(V: int)"),
        ("event x(V) : vessel_|type(V, a);", "fact vessel_type(vessel: int, type: str)"),
        ("event x(V) : ais(V, S) and S > li|mit;", "param limit: float = 0.5"),
        ("param low|: int = - 3;", "param low: int = -3"),
        ("event x(V) : ais(|V, _);", "V: int"),
        ("event x(V) : ais(V, |_);", "_: float"),
        ("exclusive state m(V, H|) { near : ais(V, _) ~> alarm(); }", "H: str"),
        ("exclusive state m(V, H|) { 3 : ais(V, _) ~> alarm(); }", "H: int"),
        ("exclusive state m(V, H|) { true : ais(V, _) ~> ; }", "H: bool"),
        ("input event y(spe|ed: float);", "speed: float"),
        ("input event y(speed: flo|at);", "floating-point"),
        ("unit mill|isecond;", "thousandths"),
        ("event x(V) : ais(V, _) in in_port(V, br|est);", '"brest"'),
        ("state x(V) : in_port(V, _) lasting > 1.|5m;", "90 seconds"),
        ("state x(V) : in_port(V, _) lasting > 6|00;", "600 seconds: one tick is a second"),
        ("state x(V) : in_port(V, _) lasting > 1|s;", "1 second"),
        ("state x(V) : in_port(V, _) lasting > 2|50ms;", "0.25 seconds, which is no whole number"),
        ("event x(V) : ais(V, _) no|t in in_port(V, _);", "while the state does not hold"),
        ("event x(V) : ais(V, _) not i|n in_port(V, _);", "while the state does not hold"),
        ("event x(V) : ais(V, _) ∉| in_port(V, _);", "while the state does not hold"),
        ("event x(V) : ais(V, _) in| in_port(V, _);", "while the state holds"),
        ("state x(V) : in_port(V, P) meets in_port(V, P) as uni|on;", "either side"),
        ("state x(V) : in_port(V, P) uni|on in_port(V, P);", "any of the states"),
        ("event x(V) : ais(V, S) and abs(S) |> 3;", "more than"),
        ("event x(V) : ais(V, S) and a|bs(S) > 3;", "abs(x)"),
        ("import maritime.c|ore;", "from the library, maritime/core.phe"),
    ],
)
def test_a_word(text: str, told: str) -> None:
    assert told in describe(text)


@pytest.mark.parametrize(
    "text",
    [
        "event x(V) : ais(V, S) and S > 0|.5;",
        'event x(V) : ais(V, _) in in_port(V, "br|est");',
        "event x(V) : ais(V, _); // aft|er",
        "event x(V) : ais(V, _) and no|body(V);",
        "event x(V) : ais(V, _)   |   and alarm();",
        "import now|here;",
        "|",
    ],
)
def test_nothing_to_tell(text: str) -> None:
    assert describe(text) == ""


def test_a_local_variable_says_how_far_it_reaches() -> None:
    told = describe("event x(V) : ais(V, |S) and S > 3 or alarm() and ais(V, _);")
    assert "S: float" in told
    assert "the same throughout `ais(V, S) and S > 3`" in told


def test_the_library_is_named() -> None:
    told = describe("import maritime.core; event x(V) : start(stop|ped(V));", before="")
    assert "from the library, core.phe, line " in told


def test_every_word_has_a_meaning() -> None:
    assert MEANINGS.keys() >= RESERVED
    assert MODE_MEANINGS.keys() == set(MODES)
    assert TYPE_MEANINGS.keys() == {*TYPES, "duration"}
    assert UNIT_MEANINGS.keys() == set(UNITS)


def test_the_text_of_a_file_is_no_markup() -> None:
    doc = "/// # Big [link](http://e.com) <b>bold</b> `code` *a* www.e.com\n/// 1. one\n/// - two\n"
    told = describe(doc + "event x|(V) : ais(V, _);")
    assert (
        "\\# Big \\[link\\](http\\://e.com) \\<b\\>bold\\</b\\> \\`code\\` \\*a\\* www\\.e.com\n"
        "1\\. one\n\\- two" in told
    )


def test_code_holds_any_backticks() -> None:
    assert code("a  b") == "`a b`"
    assert code('x("``")') == '``` x("``") ```'
    assert len(code("x" * 10_000)) < 300
    assert escape("a_b & c") == "a\\_b \\& c"


def test_the_span_is_what_is_told_about() -> None:
    analysis, offset = analyse_marked("import maritime.|core; event é(V) : ais(V, _);")
    found = hover(analysis, MAIN, offset)
    assert found is not None
    assert found.span.text == "maritime.core"
