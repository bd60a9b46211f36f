"""From a file's bytes to declarations, with every syntax error of the file."""

import re
from codecs import BOM_UTF8
from collections.abc import Callable
from dataclasses import replace

from phenesthe.diagnostics.model import Diagnostic
from phenesthe.diagnostics.report import error
from phenesthe.frozen import dataclass
from phenesthe.syntax.aggregates import AggregateProblem
from phenesthe.syntax.cursor import Cursor
from phenesthe.syntax.declarations import read_declaration
from phenesthe.syntax.grammar import Mismatch, tokens_of
from phenesthe.syntax.problem import SyntaxProblem
from phenesthe.syntax.scan import Chunk, Comment, scan
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tree import Declaration

MAX_FILE_BYTES = 2 * 1024 * 1024
MAX_DECLARATION = 64 * 1024
MAX_ERRORS = 100
#: Said of what no habit of another language can be the reason for.
_CLEAR = ("S025", "S009", "S010", "S013")
#: Reads the declaration of a chunk as `read_chunk` does, or knows it already.
ChunkReader = Callable[[Source, Chunk], Declaration]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    source: Source
    declarations: tuple[Declaration, ...]
    comments: tuple[Comment, ...]
    diagnostics: tuple[Diagnostic, ...]
    #: Names that the declarations which cannot be read may declare: to call them unknown is wrong.
    lost: frozenset[str] = frozenset()
    #: Something of the file was not read at all, so that any name may be declared there.
    cut_short: bool = False


def decode(path: str, data: bytes) -> tuple[Source, tuple[Diagnostic, ...]]:
    """Bytes of a file as text; what is not UTF-8 is an error, and nothing else is read then."""
    if len(data) > MAX_FILE_BYTES:
        source = Source(path, "")
        return source, (_too_large(source, len(data)),)
    mark = len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0
    content = data[mark:]
    try:
        return Source(path, content.decode()), ()
    except UnicodeDecodeError as problem:
        before = len(content[: problem.start].decode())
        shown = Source(path, content.decode(errors="replace"))
        return shown, (
            error(
                "S001",
                f"this file is not UTF-8: byte 0x{content[problem.start]:02x} "
                f"at position {mark + problem.start}",
                Span(shown, before, before + 1),
                label="not a character in UTF-8",
                hint="save the file with the encoding UTF-8",
            ),
        )


def parse_bytes(path: str, data: bytes, *, read: ChunkReader | None = None) -> Parsed:
    source, problems = decode(path, data)
    if problems:
        return _unread(source, problems)
    return parse(source, read=read)


def parse(source: Source, *, read: ChunkReader | None = None) -> Parsed:
    """Every declaration that can be read, and a diagnostic for every one that cannot."""
    if len(source.text) > MAX_FILE_BYTES:
        empty = Source(source.path, "")
        return _unread(empty, (_too_large(empty, len(source.text)),))
    read = read or read_chunk
    scanned = scan(source)
    diagnostics = list(scanned.diagnostics[:MAX_ERRORS])
    declarations: list[Declaration] = []
    # A chunk with an unclosed text in it was already reported, and reads as something else.
    reported = [d.span.start for d in diagnostics if d.code in ("S004", "S005")]
    lost: set[str] = set()
    cut_short = any(d.code == "S005" for d in diagnostics)
    for chunk in scanned.chunks:
        if len(diagnostics) >= MAX_ERRORS:
            diagnostics.append(_too_many(source, max(chunk.start, diagnostics[-1].span.start)))
            cut_short = True
            break
        try:
            declarations.append(read(source, chunk))
        except SyntaxProblem as problem:
            lost |= _names_before_arguments(chunk)
            cut_short = cut_short or chunk.text.startswith("import")
            found = problem.diagnostic
            if found.span.first.line < source.position(chunk.end).line:
                # Where it was meant to end is not where it ends.
                diagnostics = [d for d in diagnostics if not _is_end_of(chunk, d)]
            if not any(chunk.start <= offset < chunk.end for offset in reported):
                ends = [d for d in diagnostics if _is_end_of(chunk, d)]
                if _writes_end(chunk, found):
                    ends = []
                diagnostics = [d for d in diagnostics if not _is_end_of(chunk, d)]
                diagnostics += _explain_together(source, chunk, [found, *ends])
    return Parsed(
        source=source,
        declarations=tuple(declarations),
        comments=scanned.comments,
        diagnostics=tuple(diagnostics),
        lost=frozenset(lost),
        cut_short=cut_short,
    )


def _unread(source: Source, problems: tuple[Diagnostic, ...]) -> Parsed:
    return Parsed(source=source, declarations=(), comments=(), diagnostics=problems, cut_short=True)


def _is_end_of(chunk: Chunk, diagnostic: Diagnostic) -> bool:
    return diagnostic.code == "S006" and diagnostic.span.end == chunk.end


def _writes_end(chunk: Chunk, diagnostic: Diagnostic) -> bool:
    """Whether a fix ends the declaration itself, or removes it."""
    return any(
        edit.span.end == chunk.end
        and (edit.text.endswith(";") or (not edit.text and edit.span.start == chunk.start))
        for edit in diagnostic.fix or ()
    )


def _names_before_arguments(chunk: Chunk) -> set[str]:
    """The words among which the name is that a broken declaration was meant to declare."""
    words = re.findall(r"\w+", re.split(r"[(:]", chunk.text, maxsplit=1)[0])
    return {*words, *(word.lower() for word in words)}


def read_chunk(source: Source, chunk: Chunk) -> Declaration:
    """Raises `SyntaxProblem`."""
    # Blanks do not count, so that formatting cannot make a declaration too long.
    if len(chunk.text) > MAX_DECLARATION and sum(map(len, chunk.text.split())) > MAX_DECLARATION:
        raise SyntaxProblem(
            error(
                "S018",
                f"this declaration is longer than {MAX_DECLARATION // 1024} KiB",
                Span(source, chunk.start, chunk.start + 1),
                label="begins here",
                hint="split it into several definitions",
            )
        )
    try:
        tokens = tokens_of(chunk)
    except Mismatch as mismatch:
        # As habits: what explains mistakes is loaded when there is one.
        from phenesthe.syntax.shape import explain_mismatch

        found = explain_mismatch(source, chunk, mismatch)
        raise SyntaxProblem(_explain_habit(source, chunk, found.span) or found) from None
    try:
        return read_declaration(Cursor(source, tokens), chunk.doc)
    except SyntaxProblem as problem:
        found = problem.diagnostic
        if isinstance(problem, AggregateProblem):
            raise SyntaxProblem(_suggest_aggregate(source, chunk, found)) from None
        habit = _explain_habit(source, chunk, found.span) if found.code not in _CLEAR else None
        if habit is not None:
            raise SyntaxProblem(habit) from None
        raise


def _explain_habit(source: Source, chunk: Chunk, at: Span) -> Diagnostic | None:
    # A tenth of the time of a command, of which most read no mistake.
    from phenesthe.syntax.habits import explain_habit

    return explain_habit(source, chunk, at)


def _suggest_aggregate(source: Source, chunk: Chunk, found: Diagnostic) -> Diagnostic:
    """With a remedy in the names of the program."""
    # As above.
    from phenesthe.syntax.suggest_aggregates import suggest_at

    remedy = suggest_at(found.span.start - chunk.start, chunk.text, source.text)
    return found if remedy is None else replace(found, hint=remedy)


def _explain_together(source: Source, chunk: Chunk, found: list[Diagnostic]) -> list[Diagnostic]:
    # As above.
    from phenesthe.syntax.together import explain_together

    return explain_together(source, chunk, found, read_chunk)


def _too_large(source: Source, size: int) -> Diagnostic:
    return error(
        "S002",
        f"this file has {size:,} bytes; at most {MAX_FILE_BYTES:,} are read"
        if size != MAX_FILE_BYTES + 1
        # As much as is read of a file to see that it is too large.
        else f"this file has more than the {MAX_FILE_BYTES:,} bytes that are read at most",
        Span(source, 0, 0),
        hint="split it into modules and `import` them",
    )


def _too_many(source: Source, place: int) -> Diagnostic:
    return error(
        "S018",
        f"{MAX_ERRORS} syntax errors: the rest of the file was not read",
        Span(source, place, place + 1),
        label="reading stops here",
        hint="is this a Phenesthe file?",
    )


__all__ = ["ChunkReader", "Parsed", "decode", "parse", "parse_bytes", "read_chunk"]
