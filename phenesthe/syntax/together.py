"""All mistakes of one declaration, with one fix for all of them.

Reading stops at the first mistake. So the fix of that one is tried, what is left is read again,
and what is found then is told too, where it stands in the file.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from phenesthe.diagnostics.fixes import apply_fixes
from phenesthe.diagnostics.model import Diagnostic, Edit
from phenesthe.syntax.problem import SyntaxProblem
from phenesthe.syntax.scan import Chunk, scan
from phenesthe.syntax.source import Source, Span

#: No declaration needs more fixes one after the other, or it is no declaration.
_MAX_ROUNDS = 8
#: The text is copied for every fix.
_MAX_TEXT = 64 * 1024


def explain_together(
    source: Source,
    chunk: Chunk,
    told: list[Diagnostic],
    read: Callable[[Source, Chunk], object],
) -> list[Diagnostic]:
    """`told` is what reading the chunk gave, and more where fixing it all is certain."""
    if len(source.text) > _MAX_TEXT or told[0].fix is None:
        return told
    found = list(told)
    current, end, waiting = source, chunk.end, told
    rounds: list[tuple[Edit, ...]] = []
    while len(rounds) < _MAX_ROUNDS:
        fix = next((d.fix for d in waiting if d.fix and _lies_in(d.fix, chunk.start, end)), None)
        if fix is None:
            break
        text = apply_fixes(current.text, fix)
        end += len(text) - len(current.text)
        current = Source(source.path, text)
        rounds.append(fix)
        waiting = list(_read_again(current, chunk.start, end, read))
        for diagnostic in waiting:
            start, last = _place_before(diagnostic.span, rounds)
            known = any(_is_same(diagnostic, start, other) for other in found)
            if diagnostic.fix and not known:
                # What is missing altogether is marked at what stands before it.
                first = start if start < last else max(start - 1, chunk.start)
                place = Span(source, first, max(last, first + 1))
                found.append(replace(diagnostic, span=place, related=(), fix=None))
    if waiting or len(found) == 1:
        return told
    joint = (_difference(source, chunk, current.text[chunk.start : end]),)
    return [replace(diagnostic, fix=joint) for diagnostic in found]


def _lies_in(fix: tuple[Edit, ...], start: int, end: int) -> bool:
    return all(start <= edit.span.start and edit.span.end <= end for edit in fix)


def _read_again(
    source: Source, start: int, end: int, read: Callable[[Source, Chunk], object]
) -> Iterator[Diagnostic]:
    scanned = scan(source, start, end)
    yield from (d for d in scanned.diagnostics if d.code == "S006")
    for chunk in scanned.chunks:
        try:
            read(source, chunk)
        except SyntaxProblem as problem:
            yield problem.diagnostic


def _place_before(span: Span, rounds: list[tuple[Edit, ...]]) -> tuple[int, int]:
    """Where a place was before all fixes."""
    start, end = span.start, span.end
    for fix in reversed(rounds):
        start, end = _offset_before(start, fix), _offset_before(end, fix)
    return start, end


def _offset_before(offset: int, fix: tuple[Edit, ...]) -> int:
    grown = 0
    for edit in sorted(fix, key=lambda edit: edit.span.start):
        start = edit.span.start + grown
        if offset < start:
            break
        if offset < start + len(edit.text):
            # In what was written anew: as far as there was something.
            return min(edit.span.start + offset - start, edit.span.end)
        grown += len(edit.text) - (edit.span.end - edit.span.start)
    return offset - grown


def _is_same(diagnostic: Diagnostic, start: int, other: Diagnostic) -> bool:
    # Commas and capitals come again and again; one of a kind is enough to tell.
    if diagnostic.message == other.message:
        return True
    return diagnostic.code == other.code == "S006" and start == other.span.start


def _difference(source: Source, chunk: Chunk, fixed: str) -> Edit:
    old = source.text[chunk.start : chunk.end]
    shorter = min(len(old), len(fixed))
    before = next((i for i in range(shorter) if old[i] != fixed[i]), shorter)
    after = next(
        (i for i in range(shorter - before) if old[-1 - i] != fixed[-1 - i]), shorter - before
    )
    span = Span(source, chunk.start + before, chunk.end - after)
    return Edit(span=span, text=fixed[before : len(fixed) - after])
