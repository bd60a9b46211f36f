"""From a file's bytes to declarations, with every syntax error of the file."""

from dataclasses import dataclass

from phenesthe.diagnostics.model import Diagnostic
from phenesthe.diagnostics.report import error
from phenesthe.syntax.cursor import Cursor
from phenesthe.syntax.declarations import read_declaration
from phenesthe.syntax.grammar import Mismatch, tokens_of
from phenesthe.syntax.problem import SyntaxProblem
from phenesthe.syntax.scan import Chunk, Comment, scan
from phenesthe.syntax.shape import explain_mismatch
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tree import Declaration

MAX_FILE_BYTES = 2 * 1024 * 1024
MAX_DECLARATION = 64 * 1024
MAX_ERRORS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    source: Source
    declarations: tuple[Declaration, ...]
    comments: tuple[Comment, ...]
    diagnostics: tuple[Diagnostic, ...]


def decode(path: str, data: bytes) -> tuple[Source, tuple[Diagnostic, ...]]:
    """Bytes of a file as text; what is not UTF-8 is an error, and nothing else is read then."""
    if len(data) > MAX_FILE_BYTES:
        source = Source(path, "")
        return source, (_too_large(source, len(data)),)
    try:
        return Source(path, data.decode("utf-8-sig")), ()
    except UnicodeDecodeError as problem:
        source = Source(path, data.decode("utf-8-sig", errors="replace"))
        before = len(data[: problem.start].decode("utf-8-sig"))
        return Source(path, source.text[: before + 1]), (
            error(
                "S001",
                f"this file is not UTF-8: byte 0x{data[problem.start]:02x} "
                f"at position {problem.start}",
                Span(Source(path, source.text), before, before + 1),
                label="not a character in UTF-8",
                hint="save the file with the encoding UTF-8",
            ),
        )


def parse_bytes(path: str, data: bytes) -> Parsed:
    source, problems = decode(path, data)
    if problems:
        return Parsed(source=source, declarations=(), comments=(), diagnostics=problems)
    return parse(source)


def parse(source: Source) -> Parsed:
    """Every declaration that can be read, and a diagnostic for every one that cannot."""
    if len(source.text) > MAX_FILE_BYTES:
        empty = Source(source.path, "")
        problem = _too_large(empty, len(source.text))
        return Parsed(source=empty, declarations=(), comments=(), diagnostics=(problem,))
    scanned = scan(source)
    diagnostics = list(scanned.diagnostics)
    declarations: list[Declaration] = []
    # A chunk with an unclosed text in it was already reported, and reads as something else.
    reported = [d.span.start for d in diagnostics if d.code in ("S004", "S005")]
    for chunk in scanned.chunks:
        if len(diagnostics) >= MAX_ERRORS:
            diagnostics.append(_too_many(source, chunk))
            break
        try:
            declarations.append(_read(source, chunk))
        except SyntaxProblem as problem:
            if not any(chunk.start <= offset < chunk.end for offset in reported):
                diagnostics.append(problem.diagnostic)
    return Parsed(
        source=source,
        declarations=tuple(declarations),
        comments=scanned.comments,
        diagnostics=tuple(diagnostics),
    )


def _read(source: Source, chunk: Chunk) -> Declaration:
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
        raise SyntaxProblem(explain_mismatch(source, chunk, mismatch)) from None
    return read_declaration(Cursor(source, tokens), chunk.doc)


def _too_large(source: Source, size: int) -> Diagnostic:
    return error(
        "S002",
        f"this file has {size:,} bytes; at most {MAX_FILE_BYTES:,} are read",
        Span(source, 0, 0),
        hint="split it into modules and `import` them",
    )


def _too_many(source: Source, chunk: Chunk) -> Diagnostic:
    return error(
        "S018",
        f"more than {MAX_ERRORS} syntax errors: the rest of the file was not read",
        Span(source, chunk.start, chunk.start + 1),
        label="reading stops here",
        hint="is this a Phenesthe file?",
    )


__all__ = ["Parsed", "decode", "parse", "parse_bytes"]
