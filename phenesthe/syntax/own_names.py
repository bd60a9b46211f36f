"""Remedies in the names that the program itself uses, so that they can be copied."""

import re

from phenesthe.diagnostics.shorten import shorten
from phenesthe.syntax.declared import (
    ATOM,
    MAX_TEXT,
    find_body,
    find_head,
    find_kind,
    find_mentions,
)  # fmt: skip
from phenesthe.syntax.foreign_names import ForeignName
from phenesthe.syntax.spelling import lower_name

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


def suggest_instead(foreign: ForeignName, name: str, text: str, whole: str) -> str:
    """What to write for a foreign name of a declaration; `whole` is the text of its file."""
    if name.lower() in ("initiatedat", "terminatedat"):
        found = _FLUENT.match(text)
        if found is not None:
            return _write_state(found, whole)
    called = re.search(rf"\b{re.escape(name)}\s*\(\s*(?P<variable>[A-Z]\w*)", text)
    variable = shorten(called["variable"], 40) if called else _SOME_VARIABLE
    column = f"{name.lower()}_{lower_name(variable)}" if called else f"my_{name.lower()}"
    operand = re.search(rf"\b{re.escape(name)}\s*\(\s*(?P<operand>{ATOM})", text)
    event = _find_rows(name, text) or find_event(text)
    return (
        foreign.remedy.replace("{begin}", _begin_state(text))
        .replace("{name}", name.lower())
        .replace("{event}", event)
        .replace("{operand}", shorten(operand["operand"], _LONGEST) if operand else event)
        .replace("{variable}", variable)
        .replace("{column}", column)
    )


def _find_rows(name: str, text: str) -> str | None:
    """The event of an aggregate that says of which rows it is, though not as it should."""
    of = r"(?:\([^()]*\)|[^()]*?)\s*\bof\s+"
    found = re.search(rf"\b{re.escape(name)}\s*\(\s*(?:{of})?(?P<event>{ATOM})", text)
    return shorten(found["event"], _LONGEST) if found else None


def _begin_state(text: str) -> str:
    """What stands before a formula that is a state, where the definition is of another kind."""
    head = find_head(text) if find_kind(text) != "state" else None
    return f"state {shorten(head, _LONGEST)} : " if head else ""


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
