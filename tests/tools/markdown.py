"""Pieces of a page."""

from collections.abc import Iterable


def join(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"


def fence(text: str, language: str) -> str:
    return f"```{language}\n{_printable(text).rstrip()}\n```"


def _printable(text: str) -> str:
    """Control characters by their numbers: a page is text."""
    return "".join(
        c if c.isprintable() or c in "\n\t" else "" if c in "\r\ufeff" else f"\\u{{{ord(c):02x}}}"
        for c in text
    )
