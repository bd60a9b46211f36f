"""However large what a program has in it, its diagnostics are short."""

import pytest

from phenesthe.diagnostics.model import Label
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.shorten import MAX_QUOTED, MAX_RELATED, MAX_TEXT, shorten, shorten_text
from phenesthe.syntax.source import Source, Span
from tests.unit.check.programs import check_files

HUGE = "n" * 393_000


def test_a_short_text_stays() -> None:
    assert shorten("ais(V, S)") == "ais(V, S)"
    assert shorten_text("`ais` is not defined") == "`ais` is not defined"


def test_a_long_text_keeps_its_ends() -> None:
    short = shorten("begin" + "x" * 1000 + "end")
    assert len(short) == MAX_QUOTED
    assert short.startswith("beginxxx")
    assert short.endswith("xxxend")


def test_lines_become_one() -> None:
    assert shorten("a(V)\n    and b(V)") == "a(V) and b(V)"


def test_only_the_quoted_part_is_shortened() -> None:
    text = shorten_text(f"`{HUGE}` is not defined, " + "and this is said in words " * 4)
    assert text.startswith("`nnn")
    assert "` is not defined, and this is said in words" in text


def test_words_between_quotes_are_not_taken_for_quoted() -> None:
    text = "`a` " + "stands a long way before the other one and nothing is cut " * 3 + "`b`"
    assert shorten_text(text) == text


def test_every_diagnostic_is_short() -> None:
    span = Span(Source("main.phe", "x"), 0, 1)
    found = error(
        "N001",
        f"`{HUGE}`",
        span,
        label=HUGE,
        hint=", ".join(f"`name{at}`" for at in range(5000)),
        related=tuple(Label(span=span, message=HUGE) for _ in range(1000)),
    )
    texts = [found.message, found.label, found.hint, *(label.message for label in found.related)]
    assert max(map(len, texts)) <= MAX_TEXT
    assert len(found.related) == MAX_RELATED


@pytest.mark.parametrize(
    "text",
    [
        f"event {HUGE[:60_000]}(V) : b(V);",
        f"event a(V) : {HUGE[:60_000]}(V);",
        f"event a(V) : b(V, {HUGE[:30_000]}) and {HUGE[:30_000]} > 3;",
        f"event a({'V' * 60_000}) : b(W);",
        f"param {HUGE[:60_000]} = 3;",
        f"{HUGE[:60_000]}(V) : b(V);",
        f"event {HUGE[:60_000]} : b(V);",
        f"input event b(vessel: {HUGE[:60_000]});",
        f"event a(V) : b(V) and V > {'9' * 60_000};",
        f"event a(V) : b(V) {HUGE[:60_000]} b(V);",
        f"event a(V) : b(V) and {'X' * 30_000} BETWEEN {'1' * 100} AND {'Y' * 30_000};",
        f"event a(V) : b(V) and {'b(V) and ' * 1000} s(V);",
        f"import {HUGE[:60_000]};",
        "".join(f"event a{at}(V) : a{at + 1}(V);\n" for at in range(2000))
        + "event a2000(V) : a0(V);",
    ],
    ids=lambda text: text[:12],
)
def test_a_large_program_is_told_in_few_words(text: str) -> None:
    _, diagnostics = check_files(
        text + "\ninput event b(vessel: int);\ninput state s(vessel: int);"
    )
    assert diagnostics
    for found in diagnostics:
        texts = [found.message, found.label, found.hint, *(each.message for each in found.related)]
        assert max(map(len, texts)) <= MAX_TEXT
        assert len(found.related) <= MAX_RELATED
