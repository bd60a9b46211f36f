"""Remedies in the names that the program itself uses, so that they can be copied."""

import re

from phenesthe.diagnostics.shorten import shorten
from phenesthe.syntax.declared import (
    ATOM,
    MAX_TEXT,
    find_body,
    find_declared,
    find_mentions,
    find_types,
)  # fmt: skip
from phenesthe.syntax.foreign_names import ForeignName
from phenesthe.syntax.spelling import lower_name
from phenesthe.syntax.suggest_aggregates import suggest_at

#: A name of no one, where the program has none to speak of.
_SOME_EVENT, _SOME_VARIABLE = "a(V)", "X"
_LONGEST = 60
_FLUENT = re.compile(
    rf"\b(?P<word>initiatedAt|terminatedAt)\s*\(\s*(?P<fluent>{ATOM})[^.]{{0,500}}?"
    rf"\bhappensAt\s*\(\s*(?P<event>{ATOM})",
    re.IGNORECASE,
)


def find_event(text: str) -> str:
    """The first phenomenon of a declaration's formula."""
    found = next(find_mentions(find_body(text)), None)
    return _SOME_EVENT if found is None else shorten(str(found), _LONGEST)


def suggest_instead(
    foreign: ForeignName, name: str, text: str, whole: str, place: int | None = None
) -> str:
    """What to write for a foreign name of a declaration; `whole` is the text of its file.

    `place` is where it stands in the declaration, without which it is the first of its name.
    """
    if name.lower() in ("initiatedat", "terminatedat"):
        found = _FLUENT.match(text)
        if found is not None:
            return _write_state(found, whole)
    called = re.search(rf"\b{re.escape(name)}\s*\(\s*(?P<variable>[A-Z]\w*)", text)
    variable = shorten(called["variable"], 40) if called else _SOME_VARIABLE
    if "{aggregate}" in foreign.remedy:
        at = re.search(rf"\b{re.escape(name)}\s*\(", text)
        return (at and suggest_at(at.start() if place is None else place, text, whole)) or ""
    operand = re.search(rf"\b{re.escape(name)}\s*\(\s*(?P<operand>{ATOM})", text)
    event = _find_rows(name, text) or find_event(text)
    return (
        foreign.remedy.replace("{event}", event)
        .replace("{input}", _declare(name, called and variable, text, whole))
        .replace("{operand}", shorten(operand["operand"], _LONGEST) if operand else event)
        .replace("{variable}", variable)
    )


def _find_rows(name: str, text: str) -> str | None:
    """The event of an aggregate that says of which rows it is, though not as it should."""
    of = r"(?:\([^()]*\)|[^()]*?)\s*\bof\s+"
    found = re.search(rf"\b{re.escape(name)}\s*\(\s*(?:{of})?(?P<event>{ATOM})", text)
    return shorten(found["event"], _LONGEST) if found else None


def _declare(name: str, variable: str | None, text: str, whole: str) -> str:
    """An input for what is computed elsewhere, about the same as the event it is computed of."""
    mention = next(find_mentions(find_body(text)), None)
    about = "vessel: int"
    if mention is not None and find_declared(whole).get(mention.name):
        about = f"{find_declared(whole)[mention.name][0]}: {find_types(whole)[mention.name][0]}"
    called = f"{name.lower()}_{lower_name(variable)}" if variable else f"my_{name.lower()}"
    return f"input event {called}({about}, value: float);"


def _write_state(found: "re.Match[str]", whole: str) -> str:
    """The rules that begin and end a fluent as one definition, as far as the file has both."""
    sides = {found["word"].lower(): found["event"]}
    name = re.match(r"\w+", found["fluent"])
    for other in _FLUENT.finditer(whole) if len(whole) <= MAX_TEXT else ():
        if name and re.match(rf"{name[0]}\s*\(", other["fluent"]):
            sides.setdefault(other["word"].lower(), other["event"])
    begins, ends = (
        shorten(sides.get(word, "…"), _LONGEST) for word in ("initiatedat", "terminatedat")
    )
    more = ", with what begins it on the left" if begins == "…" else ""
    more = ", with what ends it on the right" if ends == "…" else more
    return f"write `state {shorten(found['fluent'], _LONGEST)} : {begins} ~> {ends};`{more}"
