"""Diagnostics as data. Scripts read the keys, so all of them are always there."""

import json
import re
from collections.abc import Sequence

from phenesthe.diagnostics.model import Diagnostic, Edit, Label
from phenesthe.syntax.source import Position, Span

# JSON itself only escapes the controls below U+0020. The others would reach the terminal, and a
# lone surrogate cannot be written as UTF-8. Outside strings the output is ASCII.
_UNSAFE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def render_json(diagnostics: Sequence[Diagnostic]) -> str:
    text = json.dumps([_convert(item) for item in diagnostics], indent=2, ensure_ascii=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def _convert(diagnostic: Diagnostic) -> dict[str, object]:
    fix = diagnostic.fix
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "file": diagnostic.span.source.path,
        "range": _convert_range(diagnostic.span),
        "related": [_convert_label(label) for label in diagnostic.related],
        "hint": diagnostic.hint or None,
        "fix": None if fix is None else [_convert_edit(edit) for edit in fix],
    }


def _convert_label(label: Label) -> dict[str, object]:
    return {
        "message": label.message,
        "file": label.span.source.path,
        "range": _convert_range(label.span),
    }


def _convert_edit(edit: Edit) -> dict[str, object]:
    return {"range": _convert_range(edit.span), "text": edit.text}


def _convert_range(span: Span) -> dict[str, dict[str, int]]:
    """The end is the place after the last character, as in editors."""
    return {"start": _convert_position(span.first), "end": _convert_position(span.last)}


def _convert_position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.column}
