"""Calls that compute over several rows, found in text that cannot be read as one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from phenesthe.syntax.foreign_aggregates import FOREIGN_AGGREGATES, METHODS

_NAME = re.compile(rf"\b(?P<name>{'|'.join(FOREIGN_AGGREGATES)})\s*\(", re.IGNORECASE)
#: What a method is called on: names, calls and columns, one after the other.
_OWNER = re.compile(r"(?:\w+(?:\([^()]*\))?[.:])*\w+(?:\([^()]*\))?\.\s*$")
#: What belongs to a call and stands behind it.
_FRAME = re.compile(r"\s*over\s*\(", re.IGNORECASE)
_SPAN = re.compile(r"\s*(?:over|past)\s+(?:\d+\s*[a-z]+|INTERVAL\s*'[^']*'\s*\w+)\b", re.IGNORECASE)
#: What is longer is not looked at.
_LONGEST = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignCall:
    name: str
    #: In the text, with what it is called on and what belongs to it behind it.
    start: int
    end: int
    #: Where its name stands.
    at: int
    #: What stands in its parentheses, and around it what belongs to it.
    owner: str
    inside: str
    behind: str

    @property
    def is_elsewhere(self) -> bool:
        """Whether no call of this language looks like it, whatever is in its parentheses."""
        return bool(self.owner) or self.behind.rstrip().endswith(")")

    @property
    def said(self) -> str:
        """What it is computed of."""
        return f"{self.owner} {self.inside}"

    @property
    def all(self) -> str:
        return f"{self.said} {self.behind}"


def find_calls(text: str, start: int = 0, end: int | None = None) -> Iterator[ForeignCall]:
    """Those that begin between two places, from left to right; those in others too."""
    for match in _NAME.finditer(text, start, len(text) if end is None else end):
        close = find_close(text, match.end())
        if close is None:
            continue
        owner = _OWNER.search(text, max(0, match.start() - 200), match.start())
        if owner is None and text[: match.start()].rstrip().endswith("."):
            continue
        if owner is not None and match["name"].lower() not in METHODS:
            continue
        yield ForeignCall(
            name=match["name"],
            start=owner.start() if owner else match.start(),
            end=_find_end(text, close),
            at=match.start(),
            owner=owner[0].rstrip(". \n\t") if owner else "",
            inside=text[match.end() : close - 1],
            behind=text[close : _find_end(text, close)],
        )


def find_call(text: str, place: int) -> ForeignCall | None:
    """The innermost one around a place."""
    near = find_calls(text, max(0, place - _LONGEST), place + _LONGEST)
    around = [one for one in near if one.start <= place < one.end + 2 * bool(one.behind)]
    return min(around, key=lambda one: one.end - one.start, default=None)


def _find_end(text: str, close: int) -> int:
    frame = _FRAME.match(text, close)
    if frame is not None:
        return find_close(text, frame.end()) or close
    span = _SPAN.match(text, close)
    return span.end() if span is not None else close


def find_close(text: str, start: int) -> int | None:
    """Behind what closes the parenthesis that was opened before `start`."""
    depth = 1
    for at in range(start, min(len(text), start + _LONGEST)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return None
