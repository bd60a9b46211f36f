"""What can be folded away: long declarations, the values of exclusive states, comments, imports."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import groupby, pairwise
from pathlib import Path

from phenesthe.ide.analysis import Analysis
from phenesthe.syntax.scan import Chunk, Comment, CommentKind, scan
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tree import Declaration, ExclusiveState, Machine


class FoldKind(Enum):
    DECLARATION = "declaration"
    COMMENT = "comment"
    IMPORTS = "imports"


@dataclass(frozen=True, slots=True)
class Fold:
    """Everything after the first line of `span`, which has more than one, can be hidden."""

    span: Span
    kind: FoldKind


def list_folds(analysis: Analysis, file: Path) -> list[Fold]:
    """From the scanned text, so that a declaration folds whether it can be read or not."""
    module = analysis.find_module(file)
    if module is None:
        return []
    source = module.parsed.source
    scanned = scan(source)
    found = [
        *_fold(FoldKind.DECLARATION, _list_declarations(source, scanned.chunks)),
        *_fold(FoldKind.DECLARATION, _list_branches(module.parsed.declarations)),
        *_fold(FoldKind.IMPORTS, _join_imports(source, scanned.chunks)),
        *_fold(FoldKind.COMMENT, _join_comments(source, scanned.comments)),
    ]
    return sorted(found, key=lambda fold: (fold.span.start, -fold.span.end))


def _fold(kind: FoldKind, spans: Iterable[Span]) -> Iterator[Fold]:
    return (Fold(span, kind) for span in spans if span.first.line < span.last.line)


def _list_declarations(source: Source, chunks: Iterable[Chunk]) -> Iterator[Span]:
    return (Span(source, chunk.start, chunk.end) for chunk in chunks)


def _list_branches(declarations: Iterable[Declaration]) -> Iterator[Span]:
    for declaration in declarations:
        match declaration:
            case ExclusiveState(branches=branches):
                yield from (branch.span for branch in branches)
            case Machine(transitions=transitions):
                yield from (one.span for one in transitions)


def _join_imports(source: Source, chunks: Iterable[Chunk]) -> Iterator[Span]:
    """Imports with no other declaration between them."""
    for is_import, group in groupby(chunks, lambda chunk: chunk.text.split()[:1] == ["import"]):
        if is_import:
            first, *others = group
            if others:
                yield Span(source, first.start, others[-1].end)


def _join_comments(source: Source, comments: Iterable[Comment]) -> Iterator[Span]:
    """Blocks, and comments of one sort that fill the lines of a run."""
    alone = [comment for comment in comments if _fills_line(source, comment)]
    block: list[Comment] = []
    for comment, after in pairwise((*alone, None)):
        assert comment is not None
        block.append(comment)
        if after is None or not _continues(comment, after):
            yield block[0].span.to(block[-1].span)
            block = []


def _fills_line(source: Source, comment: Comment) -> bool:
    """Nothing but blanks stands before it, so that folding it away hides no formula."""
    line = source.line_starts[comment.span.first.line - 1]
    return not source.text[line : comment.span.start].strip()


def _continues(comment: Comment, after: Comment) -> bool:
    return (
        comment.kind is after.kind
        and comment.kind is not CommentKind.BLOCK
        and after.span.first.line == comment.span.last.line + 1
    )
