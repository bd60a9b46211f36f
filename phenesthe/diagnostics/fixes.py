"""Applies the edits of a fix to the text they were made for."""

from collections.abc import Iterable, Sequence

from phenesthe.diagnostics.model import Edit


def apply_fixes(text: str, edits: Sequence[Edit]) -> str:
    """Apply all edits at once; each span counts in `text`, not in what earlier edits left.

    Raises ValueError for edits that overlap, lie outside the text or were made for another one:
    a fix applied by half, or in the wrong place, is worse than none.
    """
    for edit in edits:
        if edit.span.source.text != text:
            raise ValueError(f"the edit at {edit.span!r} was made for another text")
    return replace_ranges(text, ((edit.span.start, edit.span.end, edit.text) for edit in edits))


def replace_ranges(text: str, replacements: Iterable[tuple[int, int, str]]) -> str:
    """Replace each range (start, end) of `text`; insertions at one place keep the order given."""
    parts: list[str] = []
    done = 0
    for start, end, new in sorted(replacements, key=lambda item: item[:2]):
        if not 0 <= start <= end <= len(text):
            raise ValueError(f"the edit of characters {start} to {end} lies outside the text")
        if start < done:
            raise ValueError(f"the edit of characters {start} to {end} overlaps another")
        parts += (text[done:start], new)
        done = end
    return "".join((*parts, text[done:]))
