"""Texts of diagnostics in a length that people read, whatever a program has in it.

A name may have 400,000 letters, and a circle a thousand definitions. Every diagnostic goes through
`shorten_text`; what is quoted in it keeps its beginning and its end.
"""

import re
from collections.abc import Collection
from itertools import islice

from phenesthe.diagnostics.model import Label

MAX_QUOTED = 80
#: A remedy is to be copied, which what has no middle cannot be.
MAX_REMEDY = 200
MAX_TEXT = 800
MAX_RELATED = 20
#: Names that are told of one kind of trouble.
_MOST_NAMES = 8
_QUOTED = re.compile(r"`([^`]*)`")


def shorten(text: str, length: int = MAX_QUOTED) -> str:
    """On one line, without its middle if it is longer than that."""
    # Only the ends are looked at: a megabyte must not be split into words.
    if len(text) > 8 * length:
        text = text[: 4 * length] + "…" + text[-4 * length :]
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    end = length // 4
    return f"{text[: length - end - 1]}…{text[-end:]}"


def list_names(names: Collection[str]) -> str:
    """The first of them, and how many more there are."""
    shown = [f"`{shorten(name)}`" for name in islice(names, _MOST_NAMES)]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def shorten_text(text: str, quoted: int = MAX_QUOTED) -> str:
    """A message, label or hint: each quoted part shortened, then the whole."""
    if len(text) <= MAX_QUOTED:
        return text
    text = _QUOTED.sub(lambda match: f"`{_shorten_longer(match[1], quoted)}`", text)
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def _shorten_longer(text: str, length: int) -> str:
    return text if len(text) <= length else shorten(text, length)


def shorten_related(related: tuple[Label, ...]) -> tuple[Label, ...]:
    """The first of many places, with short texts."""
    return tuple(
        Label(span=label.span, message=shorten_text(label.message))
        for label in related[:MAX_RELATED]
    )
