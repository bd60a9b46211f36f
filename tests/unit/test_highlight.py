"""The Pygments lexer: it loses nothing, and knows every word of the language."""

import tomllib
from importlib.metadata import EntryPoint

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.token import (
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    String,
    _TokenType,
    is_token_subtype,
)

from phenesthe.highlight import PhenestheLexer
from phenesthe.syntax.tokens import DURATIONS, RESERVED, TYPES, UNICODE_SPELLINGS, UNITS
from tests.conformance.programs import ROOT, Program, all_programs

CORRECT = [
    *(program.path for program in all_programs() if program.is_clean),
    *sorted((ROOT / "stdlib").rglob("*.phe")),
    *sorted((ROOT / "examples").rglob("*.phe")),
]


def lex(text: str) -> list[tuple[_TokenType, str]]:
    return [(token, part) for _, token, part in PhenestheLexer().get_tokens_unprocessed(text)]


def kind_of(text: str, part: str) -> _TokenType:
    """The token that `part` is in `text`, where it stands once."""
    (found,) = (token for token, found in lex(text) if found == part)
    return found


def test_correct_files_have_no_errors_and_lose_nothing() -> None:
    assert len(CORRECT) > 200
    for file in CORRECT:
        text = file.read_bytes().decode("utf-8-sig")
        tokens = lex(text)
        assert "".join(part for _, part in tokens) == text, file
        assert [part for token, part in tokens if token is Error] == [], file


@pytest.mark.parametrize("program", all_programs(), ids=lambda program: program.name)
def test_wrong_files_lose_nothing(program: Program) -> None:
    assert "".join(part for _, part in lex(program.text)) == program.text


@given(st.lists(st.sampled_from([*'"/*\\\n\r\t ;:()aZ_0.5e~>⊔é\u2028', "///", "state", "while "])))
def test_any_text_is_kept(parts: list[str]) -> None:
    text = "".join(parts)
    tokens = lex(text)
    assert "".join(part for _, part in tokens) == text
    assert all(part for _, part in tokens)


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_reserved_words_are_no_names(word: str) -> None:
    token = kind_of(f"x {word} ;", word)
    assert any(is_token_subtype(token, kind) for kind in (Keyword, Operator.Word, Name.Builtin))


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_words_that_begin_like_reserved_ones_are_names(word: str) -> None:
    assert kind_of(f"{word}_x ;", f"{word}_x") is Name
    assert kind_of(f"x{word}(V)", f"x{word}") is Name.Function


@pytest.mark.parametrize("symbol", [*UNICODE_SPELLINGS, *UNICODE_SPELLINGS.values(), "\\", "=="])
def test_operators(symbol: str) -> None:
    for part in symbol.split():
        assert is_token_subtype(kind_of(f"a(V) {part} b(W)", part), Operator)


@pytest.mark.parametrize(
    ("text", "part", "token"),
    [
        ("input event ais(vessel: int);", "ais", Name.Function),
        ("exclusive state gap(V) {", "gap", Name.Function),
        ("param min_stay: duration = 30m;", "min_stay", Name.Constant),
        ("import maritime.core;", "maritime.core", Name.Namespace),
        ("repeat x(V) while gap < 10m", "gap", Keyword.Pseudo),
        ("state s(V) : gap(V)", "gap", Name.Function),
        ("a(V) before b(V) as source", "source", Keyword.Pseudo),
        ("a(V, source)", "source", Name),
        ("report moored, fast;", "report", Keyword.Declaration),
        ("a(V, report)", "report", Name),
        ("event report(V)", "report", Name.Function),
        ("always() where x(V)", "always", Name.Builtin),
        ("event daily(V)", "daily", Name.Function),
        ("a(V, daily)", "daily", Name),
        ("a(V) as union", "union", Keyword.Pseudo),
        ("a(V) without b(V)", "without", Operator.Word),
        ("a(V) without (b(V) union c(V))", "without", Operator.Word),
        ("a(V)\n    without (b(V))", "without", Operator.Word),
        ("event without(V)", "without", Name.Function),
        ("a(V) and of(V)", "of", Name.Function),
        ("at least 3 V of a(V)", "of", Operator.Word),
        ("count V of (a(V))", "of", Operator.Word),
        ("count (V, W) of a(V, W)", "count", Operator.Word),
        ("a(V)\n    limit 10m", "limit", Operator.Word),
        ("a(V) before b(V) from 5m within 10m", "from", Operator.Word),
        ("S > limit and a(V)", "limit", Name),
        ("state s(V) : int(V) union a(V)", "int", Name.Function),
        ("/// What it is.", "/// What it is.", String.Doc),
        (r'"a\n"', r"\n", String.Escape),
        (r'"a\x"', "\\", Error),
        ("12monkeys", "12monkeys", Error),
        ("1.5e-3", "1.5e-3", Number.Float),
        ("_", "_", Name.Variable),
    ],
)
def test_words_where_they_stand(text: str, part: str, token: _TokenType) -> None:
    assert kind_of(text, part) is token


@pytest.mark.parametrize("unit", DURATIONS)
def test_durations(unit: str) -> None:
    assert kind_of(f"1.5{unit}", f"1.5{unit}") is Number


@pytest.mark.parametrize("word", [*TYPES, "duration"])
def test_types(word: str) -> None:
    assert kind_of(f"param x: {word} = 1;", word) is Keyword.Type


@pytest.mark.parametrize("word", UNITS)
def test_units(word: str) -> None:
    assert kind_of(f"unit {word};", word) is Keyword.Type


def test_an_open_text_ends_with_its_line() -> None:
    assert kind_of('"never closed\nstate', "state") is Keyword.Declaration


def test_pygments_is_told_of_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    ((name, value),) = project["entry-points"]["pygments.lexers"].items()
    assert EntryPoint(name, value, "pygments.lexers").load() is PhenestheLexer
