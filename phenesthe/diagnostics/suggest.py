"""«Did you mean …?»"""

from collections.abc import Iterable
from difflib import get_close_matches


def closest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like `word`, if one is like it at all."""
    found = get_close_matches(word, sorted(candidates), n=1, cutoff=0.7)
    return found[0] if found else None
