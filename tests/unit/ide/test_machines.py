"""Machines in an editor: what is offered, told, coloured, outlined and folded, read or not."""

import pytest

from phenesthe.diagnostics.fixes import apply_fixes
from phenesthe.ide.completion import complete
from phenesthe.ide.folding import list_folds
from phenesthe.ide.hover import hover
from phenesthe.ide.navigate import find_definition, find_references
from phenesthe.ide.rename import Refusal, rename
from phenesthe.ide.signatures import help_signature
from phenesthe.ide.symbols import list_symbols
from phenesthe.ide.tokens import list_tokens
from tests.unit.ide.marked import INPUTS, MAIN, analyse_marked, analyse_text

MACHINE = """\
/// Where it is.
machine trip(V, Where) initially home {
    home -> sea : ais(V, _);
    sea -> sea : ais(V, S) and S > limit;
    sea -> home : after pause;
    _ -> _ : alarm() and ais(V, _);
}
"""
HEAD = "machine m(V, W) initially idle { "


def offer(text: str) -> set[str]:
    analysis, offset = analyse_marked(INPUTS + text)
    return {one.label for one in complete(analysis, MAIN, offset)}


def describe(text: str) -> str:
    analysis, offset = analyse_marked(INPUTS + text)
    found = hover(analysis, MAIN, offset)
    return found.text if found is not None else ""


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("machine |", set()),
        ("machine m(V, W) |", {"initially"}),
        ("machine m(V, W) initially |", set()),
        (HEAD + "|", {"_", "idle"}),
        (HEAD + "idle |", set()),
        (HEAD + "idle -> |", {"_", "idle"}),
        (HEAD + "idle -> busy : after |", {"pause"}),
        (HEAD + "idle -> busy : after 5m |", set()),
        (HEAD + "idle -> busy : ais(V, _) |", {"and", "or", "in", "not in", "where", "let"}),
        (HEAD + "idle -> busy : ais(V, _); |", {"_", "idle", "busy"}),
        (HEAD + "idle -> busy : ais(V, _); b|", {"_", "idle", "busy"}),
        (MACHINE + "state x(V) : trip(V, |", {"Where", "_", "home", "sea"}),
    ],
)
def test_what_is_offered(text: str, offered: set[str]) -> None:
    assert offer(text) == offered


def test_a_transition_begins_with_an_event_or_with_a_time() -> None:
    found = offer(HEAD + "idle -> busy : |")
    assert {"after", "ais", "alarm", "start", "end", "not"} <= found
    # The value is not among the variables, and states hold too long.
    assert not found & {"W", "in_port", "convoy", "repeat", "always"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("mach|ine m(V, W) initially a { a -> b : ais(V, _); }",
         "one value after the other, as transitions say"),
        ("machine m(V, W) initi|ally a { a -> b : ais(V, _); }", "before its first transition"),
        ("machine m(V, W) initially a { a -|> b : ais(V, _); }", "from one value of a machine"),
        ("machine m(V, W) initially a { |_ -> b : ais(V, _); }", "any value of the machine"),
        ("machine m(V, W) initially a { a -> |_ : ais(V, _); }", "ends the machine"),
        ("machine m(V, W) initially a { a -> b : af|ter 5m; }", "after the value was entered"),
        ("machine m(V, W) initially a { a -> b : after 9|0m; }", "5,400 seconds"),
        ("machine m(V, W) initially a { a -> b : ais(V, |_); }", "every `_` is a variable"),
        ("event x(V) : ais(V, _) aft|er ais(V, _);", "`before` with its sides swapped"),
        ("event initially(V) : init|ially(V);", "event initially(V"),
    ],
)  # fmt: skip
def test_what_is_told(text: str, told: str) -> None:
    assert told in describe(text)


def test_a_machine_tells_its_type_its_comment_and_what_it_remembers() -> None:
    assert describe(MACHINE + "event x(V) : start(tr|ip(V, sea));") == (
        "```phenesthe\nmachine trip(V: int, Where: str)\n```\n\n"
        "Where it is.\n\n"
        "level 1, declared in main.phe, line 9\n\n"
        "On a stream it\n\n"
        "```text\n"
        "remembers the value that holds, for each binding, and the instant at which it was "
        "entered\n"
        "  in machine\n"
        "  bounded for each binding: one row for as long as a value holds; the rest is final\n"
        "```"
    )


def test_arguments() -> None:
    analysis, offset = analyse_marked(INPUTS + MACHINE + "state x(V) : trip(V, |")
    found = help_signature(analysis, MAIN, offset)
    assert found is not None
    assert (found.label, found.active) == ("machine trip(V: int, Where: str)", 1)
    assert found.doc == "Where it is."


def test_colours() -> None:
    shown = [
        (token.span.text, token.type)
        for token in list_tokens(analyse_text(INPUTS + MACHINE), MAIN)
        if token.span.start >= len(INPUTS)
    ]
    assert ("machine", "keyword") in shown
    assert ("initially", "keyword") in shown
    assert ("after", "keyword") in shown
    # Values are texts, wherever they stand.
    assert {kind for text, kind in shown if text in ("home", "sea")} == {"string"}
    assert {kind for text, kind in shown if text == "_"} == {"variable"}


def test_the_outline_has_its_values() -> None:
    (one,) = (found for found in list_symbols(analyse_text(MACHINE), MAIN))
    assert (one.name, one.kind, one.detail) == ("trip", "state", "machine (V, Where)")
    assert [(part.name, part.kind) for part in one.parts] == [("home", "value"), ("sea", "value")]


def test_it_folds() -> None:
    folds = list_folds(analyse_text(MACHINE), MAIN)
    assert [(fold.span.first.line, fold.span.last.line) for fold in folds] == [(2, 7)]


def test_navigation_and_rename() -> None:
    text = INPUTS + MACHINE + "event x(V) : start(trip(V, sea));\n"
    analysis = analyse_text(text)
    event = text.index("ais(V, S)")
    (found,) = find_definition(analysis, MAIN, event)
    assert found.span.first.line == 1
    places = find_references([analysis], MAIN, text.index("trip(V, W"))
    assert [place.span.first.line for place in places] == [9, 15]
    edits = rename([analysis], MAIN, text.index("trip(V, W"), "journey")
    assert not isinstance(edits, Refusal)
    assert apply_fixes(text, tuple(edits[MAIN])) == text.replace("trip(", "journey(")
