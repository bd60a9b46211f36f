"""Whatever has happened to a file, reading it in an editor raises nothing and tells something."""

import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phenesthe.ide.analysis import Analysis, analyse
from phenesthe.ide.completion import complete
from phenesthe.ide.hints import list_hints
from phenesthe.ide.hover import hover
from phenesthe.ide.places import find_place, list_occurrences
from phenesthe.ide.signatures import help_signature
from phenesthe.ide.sound import select_sound
from phenesthe.ide.tokens import list_tokens
from phenesthe.ide.words import read_words
from phenesthe.resources import LANGUAGE
from phenesthe.syntax.source import Span
from tests.strategies.corpus import corpus, read_corpus
from tests.strategies.programs import damaged_files
from tests.unit.ide.marked import cover

FILE = LANGUAGE / "conformance" / "constructs" / "damaged.phe"
SAMPLE = settings(deadline=None, suppress_health_check=list(HealthCheck))


def is_inside(span: Span, whole: Span) -> bool:
    return span.source == whole.source and 0 <= span.start <= span.end <= whole.end


def examine_file(analysis: Analysis, file: Path) -> Counter[str]:
    """What is asked for a whole file."""
    whole = cover(analysis)
    occurrences = list_occurrences(analysis, file)
    for one in occurrences:
        assert is_inside(one.span, whole)
        assert one.span.text
        if one.scope is not None:
            assert one.scope.start <= one.span.start <= one.span.end <= one.scope.end
    tokens = list_tokens(analysis, file)
    assert all(one.span.end <= other.span.start for one, other in pairwise(tokens))
    assert all(is_inside(one.span, whole) and one.span.text for one in tokens)
    hints = list_hints(analysis, file, whole)
    assert all(0 < hint.offset <= whole.end and hint.text for hint in hints)
    return Counter(occurrences=len(occurrences), tokens=len(tokens), hints=len(hints))


def examine_place(analysis: Analysis, file: Path, offset: int) -> Counter[str]:
    """What is asked for a place."""
    whole = cover(analysis)
    place = find_place(analysis, file, offset)
    assert place is not None
    told = hover(analysis, file, offset)
    if told is not None:
        assert told.text.strip()
        assert told.span.start <= offset <= told.span.end
    offered = complete(analysis, file, offset)
    for one in offered:
        assert is_inside(one.replaced, whole)
        assert one.replaced.start <= offset <= one.replaced.end
        assert one.label
        assert one.insert
    helped = help_signature(analysis, file, offset)
    if helped is not None:
        assert all(0 < start < end < len(helped.label) for start, end in helped.arguments)
        assert helped.active is None or 0 <= helped.active < len(helped.arguments)
    in_comment = read_words(whole.source).is_in_comment(offset)
    return Counter(
        places=place.token is not None,
        code=not in_comment,
        hovers=told is not None,
        completions=bool(offered),
        signatures=helped is not None,
    )


@settings(SAMPLE, max_examples=60)
@given(damaged_files(), st.randoms(use_true_random=False))
def test_damaged_files_raise_nothing(data: bytes, chance: random.Random) -> None:
    analysis = analyse(FILE, data, read=read_corpus)
    examine_file(analysis, FILE)
    sound = select_sound(analysis)
    assert sound is None or len(sound[1].definitions) <= len(analysis.work.drafts)
    length = cover(analysis).end
    for _ in range(6):
        examine_place(analysis, FILE, chance.randint(0, length))


def test_files_that_break_off_anywhere_tell_something() -> None:
    """As when somebody types: the text ends at the cursor, or the cursor is inside it."""
    chance = random.Random(6)
    typed: Counter[str] = Counter()
    read: Counter[str] = Counter()
    files = [file for file, data in corpus().items() if len(data) > 300]
    for file in chance.sample(files, 80):
        whole = analyse(file, corpus()[file], read=read_corpus)
        text = cover(whole).source.text
        if not text:
            continue
        read.update(examine_file(whole, file))
        for _ in range(5):
            cut = chance.randint(1, len(text))
            analysis = analyse(file, text[:cut].encode(), read=read_corpus)
            typed.update(examine_place(analysis, file, cut))
            damaged = text[: cut - 1] + text[cut:]
            analysis = analyse(file, damaged.encode(), read=read_corpus)
            read.update(examine_place(analysis, file, chance.randint(0, len(damaged))))
    assert typed["completions"] > 0.5 * typed["code"]
    assert typed["signatures"] > 0.05 * typed["code"]
    assert read["hovers"] > 0.7 * read["places"]
    assert read["tokens"] > read["occurrences"] > 500
    assert read["hints"] > 50
