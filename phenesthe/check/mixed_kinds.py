"""What to say about `and` between events, states and conditions, and about relations as states.

`and` is for what happens at one instant. Newcomers use it for everything: here is which operator
they mean, with the change where that is certain.
"""

import re
from dataclasses import dataclass

from phenesthe.check.kind_words import inside
from phenesthe.check.work import FormulaKind
from phenesthe.diagnostics.model import Edit
from phenesthe.diagnostics.shorten import shorten
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import And, Atom, End, Formula, In, Kind, Not, Relation, Start
from phenesthe.vocabulary import TAKE_AWAY

_COMMENT = r"//[^\r\n]*|/\*[\s\S]*?\*/"
_CONNECTIVE = re.compile(rf"{_COMMENT}|(?P<word>\band\b|∧)")
_NEGATION = re.compile(rf"{_COMMENT}|(?P<word>(?:\band\b|∧)\s*(?:\bnot\b|¬))")


@dataclass(frozen=True, slots=True)
class Remedy:
    hint: str
    fix: tuple[Edit, ...] | None = None


def explain_conjunction(
    node: And, kinds: list[FormulaKind | None], at: int, whole: Kind | None
) -> Remedy | None:
    """For the operand `at`, a state; `kinds` are those of the operands without their `not`.

    `whole` is the kind of the definition, if the conjunction is all of its formula.
    """
    events = [
        other
        for other, kind in enumerate(kinds)
        if kind == "event" and not isinstance(node.operands[other], Not)
    ]
    if events:
        fix = _move_states(node, kinds, events)
        return _use_in(node, at, _choose(events, at), fix)
    if None in kinds or "dynamic" in kinds or "event" in kinds:
        return None
    remedy = _join_states(node, kinds, whole)
    if whole in (None, "state"):
        return remedy
    return Remedy(f"{remedy.hint}; the event at which that begins is its `start(…)`")


def _choose(events: list[int], at: int) -> int:
    """The event right before a state, else the first one after it."""
    return max((other for other in events if other < at), default=events[0])


def _use_in(node: And, at: int, chosen: int, fix: tuple[Edit, ...] | None) -> Remedy:
    operand = node.operands[at]
    event, state = node.operands[chosen], inside(operand)
    word = _word_for(operand)
    meaning = "while a state does not hold" if isinstance(operand, Not) else "while a state holds"
    written = f"{shorten(event.span.text)} {word} {shorten(state.span.text)}"
    return Remedy(f"an event {meaning} is written `{word}`: `{written}`", fix)


def _word_for(operand: Formula) -> str:
    return "not in" if isinstance(operand, Not) else "in"


def _move_states(
    node: And, kinds: list[FormulaKind | None], events: list[int]
) -> tuple[Edit, ...] | None:
    """All states of the conjunction, each behind its event; None where that is not certain."""
    added: dict[int, str] = {}
    removed: list[Span] = []
    for at in (at for at, kind in enumerate(kinds) if kind == "state"):
        operand, chosen = node.operands[at], _choose(events, at)
        state, place = inside(operand), _remove(node, at)
        movable = isinstance(node.operands[chosen], Atom | Start | End | In)
        if place is None or not movable or not isinstance(state, Atom):
            return None
        if removed and removed[-1].end > place.start:
            return None
        added[chosen] = f"{added.get(chosen, '')} {_word_for(operand)} {state.span.text}"
        removed.append(place)
    ends = {chosen: node.operands[chosen].span.end for chosen in added}
    source = node.span.source
    return (
        *(Edit(span=Span(source, ends[at], ends[at]), text=text) for at, text in added.items()),
        *(Edit(span=place, text="") for place in removed),
    )


def _remove(node: And, at: int) -> Span | None:
    """An operand with its `and`, if there are only blanks between them."""
    source, operand = node.span.source, node.operands[at].span
    text = source.text
    if at:
        end = node.operands[at - 1].span.end
        before = re.search(r"(?<!\s)\s*(?:\band|∧)\s*$", text[end - 1 : operand.start])
        if before is None:
            return None
        return Span(source, end - 1 + before.start(), operand.end)
    after = re.match(r"\s*(?:and\b|∧)\s*", text[operand.end : node.operands[1].span.start])
    return Span(source, operand.start, operand.end + after.end()) if after is not None else None


def _join_states(node: And, kinds: list[FormulaKind | None], whole: Kind | None) -> Remedy:
    negated = [isinstance(operand, Not) for operand in node.operands]
    if any(negated):
        if len(kinds) == 2 and kinds == ["state", "state"] and negated == [False, True]:
            return Remedy(TAKE_AWAY, _replace(node, _NEGATION, ["complement"]))
        return Remedy(TAKE_AWAY)
    count = kinds.count("state")
    if count == len(kinds):
        fix = _replace(node, _CONNECTIVE, ["intersection"] * (count - 1))
        return Remedy("states are joined with `intersection`", fix)
    ordered = kinds[:count] == ["state"] * count
    words = [*["intersection"] * (count - 1), "where"]
    fix = _replace(node, _CONNECTIVE, words) if ordered and whole else None
    joined = "states are joined with `intersection`, and " if count > 1 else "a state is "
    return Remedy(f"{joined}filtered by a condition with `where`", fix)


def _replace(node: And, pattern: re.Pattern[str], words: list[str]) -> tuple[Edit, ...] | None:
    """Write other words for the first connectives."""
    source = node.span.source
    edits = []
    for at, word in enumerate(words):
        start = node.operands[at].span.end
        end = inside(node.operands[at + 1]).span.start
        found = [m for m in pattern.finditer(source.text, start, end) if m["word"]]
        if len(found) != 1:
            return None
        edits.append(Edit(span=Span(source, *found[0].span("word")), text=word))
    return tuple(edits)


def relation_as_state(node: Relation, sides: tuple[FormulaKind | None, ...]) -> str:
    """A relation where a state is wanted; `sides` are what it relates, where that is clear."""
    if sides == ("event", "event") and node.name == "before":
        left, right = shorten(node.left.span.text, 40), shorten(node.right.span.text, 40)
        return f"make it a state, from one event to the other: `{left} ~> {right}`"
    if "event" in sides or "dynamic" in sides:
        return "make it a state: from one event to another, `… ~> …`"
    return (
        f"make it a state that has the intervals on its left, `{shorten(node.span.text, 60)} as "
        "source`, or those on its right, with `as target`"
    )


def use_in(node: Relation, left: FormulaKind | None, right: FormulaKind | None) -> Remedy | None:
    """An event during a state, where an event is wanted."""
    if node.name != "during" or (left, right) != ("event", "state"):
        return None
    first, second = node.left.span, node.right.span
    hint = (
        f"an event while a state holds is written `in`: "
        f"`{shorten(first.text)} in {shorten(second.text)}`"
    )
    word = re.search(r"\bduring\b", first.source.text[first.end : second.start])
    if word is None or not (isinstance(node.left, Atom) and isinstance(node.right, Atom)):
        return Remedy(hint)
    start = first.end + word.start()
    return Remedy(hint, (Edit(span=Span(first.source, start, start + len(word[0])), text="in"),))
