"""The table of durations: nothing of the tree is missing in it."""

from dataclasses import fields, is_dataclass
from typing import Any, get_args

import pytest

from phenesthe.ide.meanings import MEANINGS
from phenesthe.ide.words import read_words
from phenesthe.syntax import tree
from phenesthe.syntax.clauses import CONTEXTUAL, is_operator, list_durations
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tree.walk import Expression

_PLACE = Span(Source("x", "x"), 0, 1)
_NODES: list[Any] = [one for one in get_args(Expression) if is_dataclass(one)]


def _list_fields(node: Any) -> list[str]:
    return [one.name for one in fields(node) if one.type in (tree.Duration, tree.Duration | None)]


@pytest.mark.parametrize("node", [one for one in _NODES if _list_fields(one)], ids=str)
def test_every_duration_of_a_node_is_listed(node: Any) -> None:
    wanted = _list_fields(node)
    made: Any = object.__new__(node)
    for number, name in enumerate(wanted):
        object.__setattr__(made, name, tree.IntLiteral(span=_PLACE, value=number))
    found = {clause.field for clause, _ in list_durations(made)}
    assert found == set(wanted)


def test_there_are_durations() -> None:
    assert {one.__name__ for one in _NODES if _list_fields(one)} >= {
        "Relation", "MaximalRange", "Repeat", "Lasting",
    }  # fmt: skip


@pytest.mark.parametrize("word", sorted(CONTEXTUAL))
def test_a_word_that_may_be_a_name_is_one_only_where_a_name_stands(word: str) -> None:
    text = (
        f"dynamic {word}(X) : {word}(X, {word}) before ({word}(_, X) or a(X)) {word} {word} "
        f"within {word} ;"
    )
    (sentence,) = read_words(Source("x", text)).sentences
    found = [
        is_operator(sentence.tokens, at)
        for at, token in enumerate(sentence.tokens)
        if token.text == word
    ]
    assert found == [False, False, False, False, True, False, False]
    assert word in MEANINGS
