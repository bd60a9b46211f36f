"""The reference sees for itself where variables end, whatever the checker made of a formula."""

import pytest

from phenesthe.syntax import tree
from phenesthe.syntax.printer import print_formula
from phenesthe.syntax.tree import Formula
from tests.reference import build as b
from tests.reference.close import close
from tests.reference.find import EX, KINDS, find

S, U = b.atom("s", "L"), b.atom("u", "L")


def exists(name: str, operand: Formula) -> Formula:
    return tree.Exists(variables=(name,), operand=operand, span=b.SPAN, reach=b.SPAN)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (S, "exists L: (s(L))"),
        (b.lasting(S, ">", 5), "exists L: (s(L)) lasting > 5"),
        (b.union(b.lasting(S, ">", 5), U), "exists L: (s(L) lasting > 5 union u(L))"),
        (
            b.union(b.lasting(S, ">", 5), b.atom("t"), U),
            "exists L: (s(L) lasting > 5 union t() union u(L))",
        ),
        (
            b.intersection(b.union(S, U), b.union(b.atom("s", "K"), b.atom("t"))),
            "exists L: (s(L) union u(L)) intersection (exists K: (s(K)) union t())",
        ),
        (
            b.conjunction(EX, b.negation(b.conjunction(b.atom("f", "L", "L"), b.end(S)))),
            "e(X) and not exists L: (f(L, L) and end(s(L)))",
        ),
        # What is there already is looked for again.
        (b.union(b.lasting(exists("L", S), ">", 5), exists("L", U)),
         "exists L: (s(L) lasting > 5 union u(L))"),
        (exists("L", b.lasting(S, ">", 5)), "exists L: (s(L)) lasting > 5"),
    ],
)  # fmt: skip
def test_the_smallest_formula_with_all_occurrences(formula: Formula, expected: str) -> None:
    assert print_formula(close(formula, frozenset("X"), KINDS)) == expected


def test_the_pairs_of_a_repetition() -> None:
    steady = b.comparison("L", "==", b.previous("L"))
    closed = close(b.repeat(b.atom("e", "X", "L"), "<", 9, steady), frozenset("X"), KINDS)
    assert isinstance(closed, tree.Repeat)
    assert closed.local == ("L",)


def test_alternatives_are_looked_at_per_value_of_what_they_share() -> None:
    rows = [(1, 1, 5), (2, 3, 8)]
    body = b.union(b.lasting(S, ">", 5), U)
    assert find("state", body, s=rows, u=[(1, 30, 40)]) == {(30, 40)}
    assert find("state", b.lasting(S, ">", 5), s=rows, u=[(1, 30, 40)]) == {(1, 8)}
