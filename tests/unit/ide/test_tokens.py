"""What each word of a file is, for its colour."""

from itertools import pairwise

from phenesthe.ide.tokens import TOKEN_MODIFIERS, TOKEN_TYPES, list_tokens
from tests.unit.ide.marked import INPUTS, MAIN, analyse_text

TEXT = """\
import maritime.core;
unit second;
/// Near a port.
exclusive state near_by(V, How) {
    inside : ais(V, S) and S ≤ limit ~> alarm();   /* one
    two */
    9 : ais(V, _) in stopped(V) ~> alarm();
}
state r(V) : repeat ais(V, S) while gap < pause and abs(S - prev(S)) < 6;
state s(V) : in_port(V, "brest") before r(V) as source;
dynamic d(V) : convoy(V, _) before d(V) and nobody(V);
"""


def list_shown(text: str) -> list[tuple[str, str, str]]:
    analysis = analyse_text(text)
    return [
        (token.span.text, token.type, " ".join(sorted(token.modifiers)))
        for token in list_tokens(analysis, MAIN)
    ]


def test_what_is_reported() -> None:
    text = "/* first */ report s, d;\nstate s(V) : in_port(V, report) lasting > pause;\n"
    shown = list_shown(INPUTS + text)
    assert ("report", "keyword", "") in shown
    assert ("s", "class", "") in shown
    assert ("report", "string", "") in shown


def test_words_that_are_names_elsewhere() -> None:
    text = (
        "state a(P) : (at least 2 V of in_port(V, P)) without in_port(_, P) limit;\n"
        "state b(P, K) : count V of in_port(V, P) as K;\n"
        "state c(V) : ais(V, _) limit 5 expires 3;\n"
        "dynamic d(V) : ais(V, _) before ais(V, _) from 5;\n"
        "event without(V) : from(V) and of(V, least) and count(V) and at(V, limit);\n"
    )
    shown = list_shown(text)
    kinds = [
        (word, kind) for word, kind, _ in shown
        if word in ("at", "least", "of", "without", "count", "as", "limit", "from")
    ]  # fmt: skip
    assert kinds == [
        ("at", "keyword"), ("least", "keyword"), ("of", "keyword"), ("without", "keyword"),
        ("limit", "keyword"),
        ("count", "keyword"), ("of", "keyword"), ("as", "keyword"),
        ("limit", "keyword"), ("from", "keyword"),
        ("without", "function"), ("from", "function"), ("of", "function"), ("least", "string"),
        ("count", "function"), ("at", "function"), ("limit", "string"),
    ]  # fmt: skip


def test_what_is_built_in_until_it_is_hidden() -> None:
    text = 'state s() : daily("22:00", "06:00") union always();\nevent e(V) : ais(V, daily);\n'
    shown = list_shown(INPUTS + text)
    assert ("daily", "class", "defaultLibrary") in shown
    assert ("always", "class", "defaultLibrary") in shown
    assert ("daily", "string", "") in shown
    shown = list_shown(f"{INPUTS}event daily(V) : ais(V, _);\nevent e(V) : daily(V);\n")
    assert ("daily", "function", "") in shown


def test_every_word() -> None:
    shown = list_shown(INPUTS + TEXT)
    for token in [
        ("input", "keyword", ""),
        ("ais", "function", "declaration"),
        ("vessel", "property", "declaration"),
        ("int", "type", ""),
        ("vessel_type", "struct", "declaration readonly"),
        ("limit", "parameter", "declaration readonly"),
        ("10m", "number", ""),
        ("maritime.core", "namespace", ""),
        ("second", "type", ""),
        ("/// Near a port.", "comment", "documentation"),
        ("near_by", "class", "declaration"),
        ("V", "variable", ""),
        ("inside", "string", ""),
        ("ais", "function", ""),
        ("and", "keyword", ""),
        ("≤", "operator", ""),
        ("limit", "parameter", "readonly"),
        ("~>", "operator", ""),
        ("/* one", "comment", ""),
        ("    two */", "comment", ""),
        ("9", "number", ""),
        ("stopped", "class", "defaultLibrary"),
        ("gap", "keyword", ""),
        ("pause", "parameter", "readonly"),
        ("abs", "function", "defaultLibrary"),
        ("prev", "keyword", ""),
        ('"brest"', "string", ""),
        ("source", "keyword", ""),
        ("d", "method", "declaration"),
        ("convoy", "method", ""),
        ("nobody", "function", ""),
    ]:
        assert token in shown, token
    assert "(" not in {text for text, _, _ in shown}


def test_in_order_and_apart() -> None:
    analysis = analyse_text(INPUTS + TEXT)
    tokens = list_tokens(analysis, MAIN)
    assert all(one.span.end <= next_.span.start for one, next_ in pairwise(tokens))
    assert all("\n" not in token.span.text and token.span.text for token in tokens)
    assert {token.type for token in tokens} == set(TOKEN_TYPES)
    used = frozenset[str]().union(*[token.modifiers for token in tokens])
    assert used == set(TOKEN_MODIFIERS)


def test_a_declaration_with_errors_keeps_its_colours() -> None:
    whole = list_shown(INPUTS + "state x(V) : in_port(V, brest) lasting > pause;")
    broken = list_shown(INPUTS + "state x(V) : in_port(V, brest) ) lasting > pause")
    assert broken == whole


def test_a_text_that_is_not_closed_goes_to_the_end_of_its_line() -> None:
    shown = list_shown(INPUTS + 'state x(V) : in_port(V, "br est) // no;\nevent y(V) : ais(V, _);')
    assert ('"br est) // no;', "string", "") in shown
    assert ("y", "function", "declaration") in shown
