"""The durations that operators take: which word says one, what it means, and its place in a tree.

One table for the parser, the printer, the checker, the plan and the editor: a word that is added
here is read, printed, resolved, checked and explained.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from phenesthe.syntax.tokens import COUNTING, FREE_OPERATORS, RESERVED, TokenKind
from phenesthe.syntax.tree import (
    Aggregate,
    Counting,
    Duration,
    Lasting,
    MaximalRange,
    Relation,
    Repeat,
    Variable,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression


class Clause(NamedTuple):
    """`… OPERATOR … WORD D`, or a word that is the operator itself."""

    word: str
    #: Where a node has the duration.
    field: str
    #: In ticks.
    least: int
    meaning: str
    #: The operators whose right side it may follow.
    follows: tuple[str, ...] = ()
    #: A number of things, and not of ticks.
    is_count: bool = False


_CLAUSES: dict[type, tuple[Clause, ...]] = {
    Relation: (
        Clause(
            "from", "apart", 1,
            "at least this much time lies between the two sides of `before` or `after`",
            ("before", "after"),
        ),
        Clause(
            "within", "within", 0,
            "at most this much time may lie between the two sides of `before` or `after`; with "
            "`meets`, `starts`, `finishes` and `equals`, how far apart the same instant may be",
            (
                "before", "after", "meets", "met_by", "starts", "started_by", "finishes",
                "finished_by", "equals",
            ),
        ),
    ),
    MaximalRange: (
        Clause(
            "expires", "expires", 1,
            "the state also ends this long after the last event of its left side",
            ("~>",),
        ),
        Clause(
            "limit", "limit", 1,
            "the state ends this long after it began at the latest; what happens meanwhile on its "
            "left side does not extend it",
            ("~>",),
        ),
    ),
    Repeat: (Clause("gap", "gap", 0, "the time between two neighbours in a `repeat`"),),
    Lasting: (
        Clause(
            "lasting", "duration", 0,
            "keeps the intervals whose length satisfies the comparison",
        ),
    ),
    Aggregate: (
        Clause(
            "over", "over", 1,
            "of an aggregate beside an event: the rows of this long, up to its instant",
            ("of",),
        ),
        Clause(
            "past", "past", 1,
            "of an aggregate beside an event: the rows of this long, up to before its instant",
            ("of",),
        ),
    ),
    Counting: (
        Clause(
            "at least", "least", 2,
            "holds where a state holds for so many different values at once: `at least 3 V of "
            "in_area(V, A)`",
            is_count=True,
        ),
    ),
}  # fmt: skip

#: The kinds of nodes that take durations.
WITH_DURATIONS = tuple(_CLAUSES)
MEANINGS = {one.word: one.meaning for clauses in _CLAUSES.values() for one in clauses}
#: Those that say how long, and not how many.
DURATIONS = tuple(one for clauses in _CLAUSES.values() for one in clauses if not one.is_count)
#: The words that a duration follows at once.
BEFORE_DURATION = tuple(one.word for clauses in _CLAUSES.values() for one in clauses if one.follows)
#: Names everywhere but after an operand.
CONTEXTUAL = frozenset((*BEFORE_DURATION, *FREE_OPERATORS)) - RESERVED
#: The same, and what is one only where a formula begins that counts.
NAMES_ELSEWHERE = CONTEXTUAL.union(*[one.split() for one in COUNTING])


class Written(Protocol):
    @property
    def kind(self) -> TokenKind: ...
    @property
    def text(self) -> str: ...


def ends_operand(words: Sequence[Written], at: int) -> bool:
    """Whether an operator may follow a word: a `-` after it subtracts. `at` is −1 for none."""
    if at < 0:
        return False
    word = words[at]
    match word.kind:
        case TokenKind.SYMBOL:
            return word.text == ")"
        case TokenKind.WORD:
            is_value = word.text in ("true", "false")
            return is_value or not (word.text == "not in" or is_operator(words, at))
        case TokenKind.VARIABLE | TokenKind.NUMBER | TokenKind.STRING:
            return True


def is_operator(words: Sequence[Written], at: int) -> bool:
    """Whether a word is one of the language where it stands, and not a name.

    No two names stand side by side, so the word before tells.
    """
    if words[at].text in RESERVED or begins_counting(words, at) or ends_counting_word(words, at):
        return True
    first = at
    while first >= 0 and words[first].text in CONTEXTUAL:
        first -= 1
    # Of several in a row every second one is the name of a duration.
    return (at - first) % 2 == 1 and ends_operand(words, first)


def begins_counting(words: Sequence[Written], at: int) -> bool:
    """Whether `at least …` or `count …` begins here: nothing else is written like it.

    After `count` stands what is counted, which is no operator: a variable, or several in
    parentheses with `of` behind them.
    """
    following = [one.text for one in words[at + 1 : at + 2]]
    if words[at].kind is not TokenKind.WORD or not following:
        return False
    if f"{words[at].text} {following[0]}" in COUNTING:
        return True
    if words[at].text not in COUNTING:
        return False
    return words[at + 1].kind is TokenKind.VARIABLE or are_counted(words, at + 1)


def are_counted(words: Sequence[Written], at: int) -> bool:
    """Whether `(X, Y) of` stands here."""
    if at >= len(words) or words[at].text != "(":
        return False
    at += 1
    while at < len(words) and (words[at].kind is TokenKind.VARIABLE or words[at].text == ","):
        at += 1
    return [one.text for one in words[at : at + 2]] == [")", "of"]


def ends_counting_word(words: Sequence[Written], at: int) -> bool:
    """Whether this is the second half of `at least`."""
    return at > 0 and f"{words[at - 1].text} {words[at].text}" in COUNTING


def list_clauses(kind: type) -> tuple[Clause, ...]:
    return _CLAUSES[kind]


def list_clauses_after(operator: str) -> list[str]:
    """The words that may follow the right side of an operator."""
    return [one.word for many in _CLAUSES.values() for one in many if operator in one.follows]


def list_durations(node: Expression) -> Iterator[tuple[Clause, Duration]]:
    """Those that are written."""
    for clause in _CLAUSES.get(type(node), ()):
        duration = getattr(node, clause.field)
        if duration is not None:
            yield clause, duration


def list_varying(node: Expression) -> Iterator[tuple[Clause, Variable]]:
    """Those that are variables."""
    for clause, duration in list_durations(node):
        if isinstance(duration, Variable):
            yield clause, duration


def name_varying(node: Expression) -> frozenset[str]:
    return frozenset([variable.name for _, variable in list_varying(node)])


def replace_durations(node: Expression, change: Callable[[Duration], Duration]) -> Expression:
    if type(node) not in _CLAUSES:
        return node
    new: dict[str, Any] = {}
    for clause, duration in list_durations(node):
        changed = change(duration)
        if changed is not duration:
            new[clause.field] = changed
    return replace(node, **new) if new else node
