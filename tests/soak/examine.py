"""What must be true of the compiler whatever it is given."""

import ast
import json
import re
import time
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import phenesthe
from phenesthe.check import check
from phenesthe.check.program import CheckedProgram
from phenesthe.diagnostics.fixes import apply_fixes
from phenesthe.diagnostics.model import Diagnostic, ProgramError, Severity
from phenesthe.diagnostics.render import FORMATS, render
from phenesthe.explain import explain
from phenesthe.resources import LANGUAGE
from phenesthe.syntax.format import format_source
from phenesthe.syntax.parser import Parsed, parse, parse_bytes
from phenesthe.syntax.printer import print_module
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tree import Declaration
from tests.strategies.corpus import read_corpus

#: Far more than any input of these sizes may take, even on a busy machine.
MAX_SECONDS = 10.0
#: A file among the conformance programs, so that their imports are found.
_PLACE = LANGUAGE / "conformance" / "constructs" / "damaged.phe"
_CODE = re.compile(r"[A-Z]\d{3}")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Seen:
    """How an input was taken, for the statistics."""

    accepted: bool
    codes: Counter[str]


@cache
def known_codes() -> frozenset[str]:
    """Every code that the sources of the compiler mention."""
    found: set[str] = set()
    for file in Path(phenesthe.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and _CODE.fullmatch(text):
                found.add(text)
    return frozenset(found)


def examine_bytes(data: bytes) -> Seen:
    """Take a file through everything that `check`, `compile` and `fmt` do."""
    began = time.process_time()
    parsed = parse_bytes("damaged.phe", data)
    program, diagnostics = check(_PLACE, data, name="damaged.phe", read=read_corpus)
    errors = [d for d in diagnostics if d.severity is Severity.ERROR]
    assert (program is None) == bool(errors)
    assert set(parsed.diagnostics) <= set(diagnostics)
    for diagnostic in diagnostics:
        examine_diagnostic(diagnostic)
    examine_renderings(diagnostics)
    if errors:
        assert str(ProgramError(diagnostics))
    if program is not None:
        examine_explanations(program)
    if not parsed.diagnostics:
        examine_layout(parsed)
    seconds = time.process_time() - began
    assert seconds < MAX_SECONDS, f"took {seconds:.1f} s"
    return Seen(program is not None, Counter(d.code for d in diagnostics))


def examine_program(text: str) -> Seen:
    """A program that is right must be accepted, and printed and read again mean the same."""
    seen = examine_bytes(text.encode())
    wrong = {code for code in seen.codes if not code.startswith("W")}
    assert seen.accepted, f"rejected with {sorted(wrong)}"
    examine_module(parse(Source("program.phe", text)).declarations)
    return seen


def examine_module(declarations: tuple[Declaration, ...]) -> Seen:
    """Print, read: the same trees, in ASCII and in Unicode."""
    for unicode in (False, True):
        text = print_module(declarations, unicode=unicode)
        parsed = parse(Source("printed.phe", text))
        assert not parsed.diagnostics, parsed.diagnostics[0].message
        assert parsed.declarations == declarations
        assert [d.doc for d in parsed.declarations] == [d.doc for d in declarations]
    return Seen(True, Counter())


def examine_text(text: str) -> Seen:
    """A file without syntax errors keeps its meaning and its comments when it is laid out."""
    parsed = parse(Source("scattered.phe", text.removeprefix("\ufeff")))
    assert not parsed.diagnostics, parsed.diagnostics[0].message
    examine_layout(parsed)
    return Seen(True, Counter())


def examine_diagnostic(diagnostic: Diagnostic) -> None:
    assert diagnostic.code in known_codes()
    assert diagnostic.message.strip()
    assert diagnostic.hint.strip(), f"{diagnostic.code} has no remedy: {diagnostic.message}"
    _examine_span(diagnostic.span)
    for label in diagnostic.related:
        assert label.message.strip()
        _examine_span(label.span)
    if diagnostic.fix is not None:
        assert diagnostic.fix
        source = diagnostic.fix[0].span.source
        assert apply_fixes(source.text, diagnostic.fix) != source.text


def _examine_span(span: Span) -> None:
    length = len(span.source.text)
    assert 0 <= span.start <= span.end <= length
    assert span.start < span.end or not length, f"nothing is marked at {span!r}"
    assert (1, 1) <= span.first <= span.last


def examine_renderings(diagnostics: tuple[Diagnostic, ...]) -> None:
    for name in FORMATS:
        text = render(diagnostics, name)
        assert text.endswith("\n") or not diagnostics
        text.encode()
        assert not _CONTROL.search(text), f"{name} lets a control character through"
    assert len(json.loads(render(diagnostics, "json"))) == len(diagnostics)
    for name in ("full", "concise"):
        plain = re.sub(r"\x1b\[[0-9;]*m", "", render(diagnostics, name, color=True))
        assert plain == render(diagnostics, name)


def examine_explanations(program: CheckedProgram) -> None:
    names = [definition.signature.name for definition in program.definitions]
    described = json.loads(explain(program, "json"))
    assert [definition["name"] for definition in described["definitions"]] == names
    for name in names:
        assert name in explain(program, "text")
        assert f'"{name}"' in explain(program, "dot")


def examine_layout(parsed: Parsed) -> None:
    comments = _comments(parsed)
    plain = format_source(parsed.source)
    signs = format_source(parsed.source, unicode=True)
    for text in (plain, signs):
        again = parse(Source("formatted.phe", text))
        assert not again.diagnostics, again.diagnostics[0].message
        assert again.declarations == parsed.declarations
        assert [d.doc for d in again.declarations] == [d.doc for d in parsed.declarations]
        assert _comments(again) == comments
        assert format_source(again.source) == plain
        assert format_source(again.source, unicode=True) == signs


def _comments(parsed: Parsed) -> list[str]:
    lines = (re.split(r"\r\n|\r|\n", comment.span.text) for comment in parsed.comments)
    return ["\n".join(line.rstrip() for line in comment) for comment in lines]
