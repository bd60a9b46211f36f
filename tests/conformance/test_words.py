"""The words of the second edition are reserved nowhere: old programs may be full of them."""

import re

import pytest

from phenesthe.check import check
from phenesthe.syntax.format import format_source
from phenesthe.syntax.parser import parse
from phenesthe.syntax.source import Source
from phenesthe.syntax.tokens import RESERVED
from phenesthe.vocabulary import BUILT_IN
from tests.conformance.programs import Program, all_programs

#: Those that were reserved before may stay so.
WORDS = [
    "always", "daily", "weekly", "yearly", "dates", "report", "machine", "initially", "after",
    "over", "past", "let", "count", "sum", "avg", "first", "last", "total", "at", "least", "of",
    "as", "time", "start_time", "end_time", "duration", "sqrt", "floor", "round", "lower", "upper",
    "length", "starts_with", "ends_with", "includes", "without", "limit", "from",
]  # fmt: skip
WORDS = [word for word in WORDS if word not in RESERVED]
PROGRAMS = [one for one in all_programs() if one.is_clean and one.name.startswith(("con", "pap"))]


def write_uses(word: str) -> str:
    """As the name of a definition, of an argument and of an input, and as a constant."""
    return f"""
input event of_{word}({word}: str, other_{word}: int);
event {word}(X) : of_{word}(X, _) and X != {word};
state while_{word}(X) :
    {word}(X)
    ~> of_{word}(X, N) and N > 1 and X ==
    {word};
exclusive state which_{word}(V, X) {{
    {word} : of_{word}(V, _) ~> {word}(V) expires 5;
    other : {word}(V) ~> of_{word}({word}, _) and of_{word}(V, _);
}}
dynamic both_{word}(X) : (while_{word}(X) union which_{word}(X, {word})) contains {word}(X);
"""


def add_words(program: Program) -> tuple[str, list[str]]:
    """A program with all words that it, and what it imports, does not have itself."""
    checked, _ = program.check()
    assert checked is not None
    there = {*re.findall(r"\w+", program.text), *checked.signatures}
    words = [word for word in WORDS if word not in there]
    return program.text + "\n" + "".join(map(write_uses, words)), words


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_program_may_use_every_new_word_as_a_name(program: Program) -> None:
    text, words = add_words(program)
    checked, found = check(program.path, text.encode(), name=program.path.name)
    told = [f"{one.span.first.line}: {one.message}" for one in found if one.code[0] != "W"]
    assert checked is not None, told
    assert {*words, *(f"both_{word}" for word in words)} <= set(checked.defined)
    hidden = {one.span.text for one in found if one.code == "W011"}
    assert hidden == {word for word in words if word in BUILT_IN}


def test_layout_keeps_the_words() -> None:
    before = parse(Source("before", "".join(map(write_uses, WORDS))))
    assert before.diagnostics == ()
    after = parse(Source("after", format_source(before.source)))
    assert after.declarations == before.declarations
    assert len(WORDS) > 30
