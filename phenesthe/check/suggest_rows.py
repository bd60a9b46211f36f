"""Remedies for aggregates, in the names of the program."""

from collections.abc import Collection, Iterable, Iterator
from typing import TypeAlias

from phenesthe.check.aggregates import list_aggregates
from phenesthe.check.kind_words import text_of
from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.model import Edit
from phenesthe.diagnostics.shorten import MAX_REMEDY, shorten
from phenesthe.diagnostics.suggest import MOST_QUESTIONS
from phenesthe.syntax.source import Span
from phenesthe.syntax.suggest_aggregates import rewrite_calls, suggest_at
from phenesthe.syntax.tree import Aggregate, Atom, Definition, Variable
from phenesthe.syntax.tree.walk import Expression, children, walk

Fix: TypeAlias = tuple[Edit, ...] | None


def suggest_rows(work: Work, draft: Draft, place: Span) -> str | None:
    """What to write for the aggregate around a place, or for what was meant as one."""
    # All of a definition is looked at, and not for ever.
    work.suggestions += 1
    if work.suggestions > MOST_QUESTIONS:
        return None
    whole = draft.declaration.span
    return suggest_at(place.start - whole.start, whole.text, place.source.text)


def suggest_event(definition: Definition) -> str:
    """What to join with a condition that is all of a definition."""
    body = definition.body
    aggregates = list(list_aggregates(body))
    if not aggregates:
        if definition.kind == "event":
            return "join it with an event: `ais(V, S) and S > 3`"
        return f"filter a {definition.kind} with it: `… where {text_of(body)}`"
    atom = next((one for one in walk(aggregates[0].operand) if isinstance(one, Atom)), None)
    beside = _write_beside(atom, aggregates[0]) if atom is not None else "…"
    happens = f"{beside} and {_rewrite(definition, 'event')}"
    if definition.kind == "event":
        return f"join it with an event: `{shorten(happens, MAX_REMEDY)}`"
    name = definition.head.span.text
    filtered = f"… where {_rewrite(definition, definition.kind)}"
    return (
        f"filter a {definition.kind} with it: `{shorten(filtered, MAX_REMEDY)}`; or say when it is "
        f"asked, in `event {shorten(name, 60)} : {shorten(happens, MAX_REMEDY)};`"
    )


def _write_beside(atom: Atom, aggregate: Aggregate) -> str:
    """The event once more, without a value for what has many."""
    many = {one.name for one in aggregate.of}
    arguments = ("_" if one.span.text in many else one.span.text for one in atom.arguments)
    return f"{atom.name.text}({', '.join(arguments)})"


def _rewrite(definition: Definition, kind: str) -> str:
    """The body as it is written in a definition of another kind."""
    whole, body = definition.span, definition.body.span
    text = kind + whole.text.removeprefix(definition.kind)
    grown = len(text) - len(whole.text) - whole.start
    return rewrite_calls(body.start + grown, body.end + grown, text, body.source.text)


def rename_inside(node: Aggregate, name: str, taken: Collection[str]) -> tuple[str, Fix]:
    """Another variable inside an aggregate: the remedy, and the fix."""
    number = 2
    while f"{name}{number}" in taken:
        number += 1
    edits = tuple(
        Edit(span=one.span, text=f"{name}{number}")
        for one in sorted((*node.of, *_list_variables(node)), key=lambda one: one.span.start)
        if one.name == name
    )
    text, start = node.span.text, node.span.start
    for edit in reversed(edits):
        text = text[: edit.span.start - start] + edit.text + text[edit.span.end - start :]
    return f"name it otherwise in the aggregate: `{shorten(text, MAX_REMEDY)}`", edits


def _list_variables(node: Aggregate) -> Iterator[Variable]:
    return (one for one in walk(node.operand) if isinstance(one, Variable))


def find_mentioned(bodies: Iterable[Expression]) -> frozenset[str]:
    """What phenomena and facts give a value to, outside of aggregates."""
    return frozenset(one.name for body in bodies for one in _list_mentioned(body))


def _list_mentioned(node: Expression) -> Iterator[Variable]:
    if isinstance(node, Aggregate):
        return
    if isinstance(node, Atom):
        yield from (one for one in node.arguments if isinstance(one, Variable))
    for part in children(node):
        yield from _list_mentioned(part)
