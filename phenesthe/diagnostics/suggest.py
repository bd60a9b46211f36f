"""«Did you mean …?»"""

from collections.abc import Iterable

#: How often one check asks. To compare every unknown name of a large file with every known one
#: takes long, and nobody reads that many answers.
MOST_QUESTIONS = 100
#: Longer words are not compared: nobody mistypes them, and what it takes grows with their product.
_LONGEST = 200


def closest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like `word`, if one is like it at all."""
    # Only where something is wrong: to load it takes a fifth of the time of a check.
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import extractOne

    if len(word) > _LONGEST:
        return None
    known = sorted(one for one in candidates if len(one) <= _LONGEST)
    found = extractOne(word, known, scorer=Indel.normalized_similarity, score_cutoff=0.7)
    return found[0] if found else None
