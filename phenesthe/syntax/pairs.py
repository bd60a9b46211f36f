"""What Esper's `every a -> b` becomes here, and what it does not mean here."""

import re

from phenesthe.diagnostics.shorten import shorten
from phenesthe.syntax.declared import ATOM, find_kind

NEAREST = "it pairs the nearest: of several on its left before one on its right only the last"
_SIDES = re.compile(rf"(?P<first>{ATOM})\s*->\s*(?P<then>{ATOM})")
_HEAD = re.compile(rf"dynamic\s+(?P<name>{ATOM})")
_LONGEST = 60


def suggest_pairs(declaration: str) -> str:
    """What `before` pairs, in the names of the definition."""
    sides = _SIDES.search(declaration)
    if sides is None:
        return NEAREST
    first, then = shorten(sides["first"], _LONGEST), shorten(sides["then"], _LONGEST)
    head = _HEAD.search(declaration)
    name = "" if head is None else f"state {shorten(head['name'], _LONGEST)} : "
    limit = ", its limit `lasting <= …` in place of `within …`" if "within" in declaration else ""
    return (
        f"it pairs the nearest: of several `{first}` before one `{then}` only the last; to begin "
        f"with the first of them define a state instead: `{name}{first} ~> {then}`{limit}"
    )


def suggest_every(declaration: str) -> str:
    match find_kind(declaration):
        case "dynamic" if "->" in declaration:
            return f"leave it out and write `before`; {suggest_pairs(declaration)}"
        case "state" if "->" in declaration:
            return "leave it out; a state is written `~>`, and begins with the first of several"
        case _:
            return "leave it out"
