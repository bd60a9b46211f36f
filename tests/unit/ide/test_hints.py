"""Types that nobody wrote, shown where they belong."""

from phenesthe.ide.hints import list_hints
from phenesthe.syntax.source import Span
from tests.unit.ide.marked import INPUTS, MAIN, analyse_text, cover


def show(text: str) -> str:
    """The text with its hints written into it."""
    analysis = analyse_text(INPUTS + text)
    shown = INPUTS + text
    for hint in sorted(list_hints(analysis, MAIN, cover(analysis)), key=lambda hint: -hint.offset):
        shown = f"{shown[: hint.offset]}<{hint.text}>{shown[hint.offset :]}"
    return shown.removeprefix(INPUTS)


def test_heads_get_their_types() -> None:
    assert show("event x(V, S) : ais(V, S);") == "event x(V<: int>, S<: float>) : ais(V, S);"
    assert show("event x() : alarm();") == "event x() : alarm();"


def test_what_is_declared_gets_none() -> None:
    assert show("") == ""


def test_types_go_through_definitions_with_errors() -> None:
    text = "event x(V) : ais(V, ; state y(V, P) : x(V) union in_port(V, P); event z(P) : y(_, P);"
    assert show(text) == (
        "event x(V<: int>) : ais(V, ; "
        "state y(V<: int>, P<: str>) : x(V) union in_port(V, P); event z(P<: str>) : y(_, P);"
    )


def test_a_variable_without_a_type_gets_none() -> None:
    assert show("event x(V, W) : nobody(W) and ais(V, _);") == (
        "event x(V<: int>, W) : nobody(W) and ais(V, _);"
    )


def test_the_value_of_an_exclusive_state() -> None:
    text = "exclusive state m(V, H) { 1 : ais(V, _) ~> alarm(); }"
    assert show(text) == "exclusive state m(V<: int>, H<: int>) { 1 : ais(V, _) ~> alarm(); }"


def test_only_what_is_asked_for() -> None:
    first = INPUTS + "event x(V) : ais(V, _);\n"
    analysis = analyse_text(first + "event y(V) : x(V);")
    source = cover(analysis).source
    hints = list_hints(analysis, MAIN, Span(source, len(first), len(source.text)))
    assert [hint.offset for hint in hints] == [len(first) + len("event y(V")]


def test_other_files_have_their_own() -> None:
    analysis = analyse_text(
        "import a; event x(V) : y(V);", {"a.phe": INPUTS + "event y(V) : ais(V, _);"}
    )
    assert len(list_hints(analysis, MAIN, cover(analysis))) == 1
