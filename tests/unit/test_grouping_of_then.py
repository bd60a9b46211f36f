"""How far `then` is associative, as the reference says it.

Operands that share no instant follow one another in some order, and nothing else about them
matters to `then`: to try every word of their letters is to try every stream of that length.
"""

from itertools import product
from typing import Any

import pyarrow as pa
import pytest

import phenesthe
from tests.reference.intervals import Interval, sequence

INPUTS = "".join(f"input event {letter}(word: str);\n" for letter in "abcd")
LEFT = "state left(W) : (a(W) then b(W)) then c(W);\n"
RIGHT = "state right(W) : a(W) then (b(W) then c(W));\n"
CHAIN = "state chain(W) : a(W) then b(W) then c(W);\n"

Found = dict[str, set[Interval]]


def find(program: str, words: list[str]) -> dict[str, Found]:
    """By definition and word: letter i of a word is an event at 2i."""
    rows = [(letter, word, 2 * at) for word in words for at, letter in enumerate(word)]
    tables = {
        letter: pa.table(
            {
                "word": pa.array([word for one, word, _ in rows if one == letter], pa.string()),
                "t": pa.array([t for one, _, t in rows if one == letter], pa.int64()),
            }
        )
        for letter in "abcd"
    }
    results: Any = phenesthe.compile(text=INPUTS + program).run(tables, allow_empty=True)
    found: dict[str, Found] = {}
    for name in results:
        for row in results[name].to_pylist():
            intervals = found.setdefault(name, {}).setdefault(row["W"], set())
            intervals.add((row["ts"], row["te"]))
    return found


def list_instants(word: str) -> list[set[Interval]]:
    return [{(2 * at, 2 * at) for at, one in enumerate(word) if one == letter} for letter in "abcd"]


def test_three_operands_that_share_no_instant_group_either_way() -> None:
    words = ["".join(word) for length in range(3, 9) for word in product("abc", repeat=length)]
    found = find(LEFT + RIGHT + CHAIN, words)
    assert found["left"] == found["right"] == found["chain"]
    assert len(found["left"]) > len(words) / 3


def test_so_they_do_in_the_reference() -> None:
    for word in product("abc", repeat=6):
        a, b, c, _ = list_instants("".join(word))
        assert sequence(sequence(a, b), c) == sequence(a, sequence(b, c))


@pytest.mark.parametrize(
    ("word", "left", "middle", "right"),
    [
        ("abacbcd", {(0, 12)}, {(4, 12)}, {(4, 12)}),
        # Whether there is anything at all depends on it.
        ("abacbdc", set(), {(0, 10)}, {(0, 10)}),
        ("bacbdcd", {(2, 12)}, {(2, 12)}, set()),
    ],
)
def test_four_do_not(
    word: str, left: set[Interval], middle: set[Interval], right: set[Interval]
) -> None:
    found = find(
        "state left(W) : ((a(W) then b(W)) then c(W)) then d(W);\n"
        "state middle(W) : (a(W) then b(W)) then (c(W) then d(W));\n"
        "state right(W) : a(W) then (b(W) then (c(W) then d(W)));\n"
        "state chain(W) : a(W) then b(W) then c(W) then d(W);\n",
        [word],
    )
    expected = {"left": left, "middle": middle, "right": right, "chain": right}
    assert found == {name: {word: intervals} for name, intervals in expected.items() if intervals}
    a, b, c, d = list_instants(word)
    assert sequence(sequence(sequence(a, b), c), d) == left
    assert sequence(sequence(a, b), sequence(c, d)) == middle
    assert sequence(a, sequence(b, sequence(c, d))) == right


def test_inside_four_three_still_do() -> None:
    """What is regrouped is three of the operands, and these share no instant."""
    words = ["".join(word) for word in product("abcd", repeat=7)]
    found = find(
        "state left(W) : ((a(W) then b(W)) then c(W)) then d(W);\n"
        "state left_too(W) : (a(W) then (b(W) then c(W))) then d(W);\n"
        "state right(W) : a(W) then (b(W) then (c(W) then d(W)));\n"
        "state right_too(W) : a(W) then ((b(W) then c(W)) then d(W));\n",
        words,
    )
    assert found["left"] == found["left_too"] != found["right"] == found["right_too"]


def test_three_that_share_a_border_do_not() -> None:
    a, b, c = {(0, 0), (1, 3)}, {(3, 5), (6, 6)}, {(7, 7)}
    assert sequence(sequence(a, b), c) == {(0, 7)}
    assert sequence(a, sequence(b, c)) == {(1, 7)}
