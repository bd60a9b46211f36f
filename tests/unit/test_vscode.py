"""The extension for Visual Studio Code says the same about the language as the language does."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from pygments.token import Keyword, Name, Operator, is_token_subtype

import phenesthe
from phenesthe.highlight import PhenestheLexer
from phenesthe.syntax.clauses import CONTEXTUAL
from phenesthe.syntax.parser import parse_bytes
from phenesthe.syntax.tokens import (
    COUNTING,
    DURATIONS,
    MODES,
    RESERVED,
    TYPES,
    UNICODE_SPELLINGS,
    UNITS,
)
from phenesthe.vocabulary import AGGREGATES, BUILT_IN, FUNCTIONS, RESERVED_FUNCTIONS
from tests.conformance.programs import ROOT

EXTENSION = ROOT / "language" / "editors" / "vscode"


def read(name: str) -> Any:
    return json.loads((EXTENSION / name).read_text("utf-8"))


REPOSITORY = read("syntaxes/phenesthe.tmLanguage.json")["repository"]
SNIPPETS = read("snippets/phenesthe.json")


def alternatives(part: str) -> Iterator[list[str]]:
    """The words or symbols between which each pattern of a part of the grammar chooses."""
    for rule in REPOSITORY[part]["patterns"]:
        for group in re.findall(r"\((?:\?:)?([a-z_]+(?:\|[a-z_]+)*)\)", rule["match"]):
            yield group.split("|")


def test_every_reserved_word_and_no_other() -> None:
    words = [word for group in alternatives("words") for word in group]
    assert sorted(words) == sorted(RESERVED)


def test_pygments_agrees() -> None:
    for group in alternatives("words"):
        for word in group:
            ((_, token, _),) = PhenestheLexer().get_tokens_unprocessed(word)
            assert any(
                is_token_subtype(token, family) for family in (Keyword, Operator.Word, Name.Builtin)
            ), word


def test_words_that_are_special_in_one_place() -> None:
    assert {"|".join(group) for group in alternatives("contextual")} == {
        "as", "|".join(MODES), "while", "gap", "|".join(sorted(CONTEXTUAL)), "|".join(BUILT_IN),
        "|".join(
            name
            for name in dict.fromkeys((*FUNCTIONS, *AGGREGATES))
            if name not in RESERVED_FUNCTIONS
        ),
        *" ".join(COUNTING).split(),
    }  # fmt: skip
    declarations = {"|".join(group) for group in alternatives("declarations")}
    assert declarations == {
        "import", "unit", "report", "param", "event|state|dynamic|fact",
        "machine", "|".join(UNITS),
        "|".join((*TYPES, "duration")),
    }  # fmt: skip
    assert ["|".join(group) for group in alternatives("numbers")] == ["|".join(DURATIONS)]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("a(V) without b(V)", "without"),
        ("a(V) without (b(V))", "without"),
        # `fmt` breaks lines before them.
        ("      without b(V)", "without"),
        ("    limit 10m", "limit"),
        ("  from 5m within 10m", "from"),
        ("at least 3 V of a(V)", "of"),
        ("a(V) expires 5m limit longest", "limit"),
        ("S > limit and a(V)", None),
        ("    limit : a(V) ~> b(V);", None),
        ("x(V) and without(V)", None),
        ("report limit;", None),
    ],
)
def test_words_behind_an_operand(line: str, found: str | None) -> None:
    """As Python reads the pattern, which it does in the same way as editors."""
    (pattern,) = (
        rule["match"]
        for rule in REPOSITORY["contextual"]["patterns"]
        if "|".join(sorted(CONTEXTUAL)) in rule["match"]
    )
    match = re.search(pattern, line)
    assert (match and match[1]) == found


def test_every_operator_and_no_other() -> None:
    patterns = [rule["match"] for rule in REPOSITORY["operators"]["patterns"]]
    symbols = [re.sub(r"\\(.)", r"\1", part) for match in patterns for part in match.split("|")]
    ascii_symbols = ["~>", "->", "<=", ">=", "==", "!=", *"<>=+-*/%\\"]
    assert sorted(symbols) == sorted([*ascii_symbols, *UNICODE_SPELLINGS])


@pytest.mark.parametrize("name", SNIPPETS)
def test_snippets_can_be_read(name: str) -> None:
    body = SNIPPETS[name]["body"]
    text = expand(body if isinstance(body, str) else "\n".join(body))
    assert "$" not in text
    parsed = parse_bytes("snippet.phe", text.encode())
    assert parsed.diagnostics == ()
    assert len(parsed.declarations) == 1


def expand(body: str) -> str:
    """A snippet as it stands when nothing is typed: first choices, defaults, and their copies."""
    values: dict[str, str] = {}

    def keep(match: re.Match[str]) -> str:
        values[match[1]] = match[2]
        return match[2]

    body = re.sub(r"\$\{(\d)\|([^,|]*)[^|]*\|\}", keep, body)
    body = re.sub(r"\$\{(\d):([^${}]*)\}", keep, body)
    body = re.sub(r"\$(\d)", lambda match: values[match[1]], body)
    return re.sub(r"\$\{(\d):([^${}]*)\}", keep, body)


def test_the_versions_agree() -> None:
    assert read("package.json")["version"] == phenesthe.__version__


def test_the_lock_names_no_addresses() -> None:
    """Packages come from whatever registry npm is set up with, and are known by their hashes."""
    lock = read("package-lock.json")["packages"]
    assert lock.pop("")["version"] == phenesthe.__version__
    assert all("resolved" not in package for package in lock.values())
    assert all(package["integrity"].startswith("sha512-") for package in lock.values())
