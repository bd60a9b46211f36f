"""What to say when a declaration does not have the shape the grammar gives it."""

import re

from phenesthe.diagnostics.model import Diagnostic, Edit
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.shorten import shorten
from phenesthe.syntax.beginnings import MACHINE, explain_start
from phenesthe.syntax.grammar import Mismatch
from phenesthe.syntax.machines import explain_kind_of_machine, explain_machine
from phenesthe.syntax.mistakes import misspelt
from phenesthe.syntax.scan import Chunk
from phenesthe.syntax.slips import explain_lower_case, explain_slip
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.spelling import lower_name
from phenesthe.syntax.tokens import KINDS, find_opening

_TOKEN = re.compile(r'\w+|"(?:\\.|[^"\\\r\n])*"|~>|[<>=!]=|\S')
#: A text, or a character that no part of the language is made of: a mistake by itself.
_STRANGE = re.compile(
    r'"(?:\\.|[^"\\\r\n])*"|(?P<strange>[^a-zA-Z0-9_% \t\r\n"~<>=!+\-*/(),;:{}.\\⊔⊓⤳↣↦∨∧¬∈∉≤≥≠])'
)
_SHAPES = {
    "import": "import maritime.core;",
    "unit": "unit second;",
    "report": "report stopped, moored;",
    "param": "param stop_speed: float = 0.5;",
    "input": "input event ais(vessel: int, speed: float);",
    "fact": "fact vessel_type(vessel: int, type: str);",
    "exclusive": "exclusive state mode(V, M) { on : a(V) ~> b(V); off : b(V) ~> a(V); }",
    "machine": MACHINE,
    "event": "event stop_start(V) : ais(V, S) and S <= 0.5;",
    "state": "state stopped(V) : stop_start(V) ~> stop_end(V);",
    "dynamic": "dynamic visit(V) : arrives(V) before leaves(V);",
}


def explain_mismatch(source: Source, chunk: Chunk, mismatch: Mismatch) -> Diagnostic:
    offset = min(mismatch.offset, chunk.end)
    strange = next(
        (
            match
            for match in _STRANGE.finditer(chunk.text)
            if match["strange"] and chunk.start + match.start() <= offset
        ),
        None,
    )
    if strange is not None:
        return _explain_character(source, chunk.start + strange.start(), strange[0])
    keyword = find_opening(chunk.text)
    if not keyword:
        return explain_start(source, chunk)
    if kind := explain_kind_of_machine(source, chunk):
        return kind
    found = _TOKEN.search(chunk.text, offset - chunk.start)
    span, name = _found(source, chunk, found)
    if _is_capital_name(keyword, mismatch, found):
        assert found is not None
        return _explain_capital(span, found[0])
    if keyword == "machine" and (
        machine := explain_machine(source, chunk, span, mismatch.expected)
    ):
        return machine
    if "a variable" in mismatch.expected and found is not None and found[0][0].islower():
        return explain_lower_case(source, chunk, span)
    if found is not None and found[0] in _MEANT and "a formula" in mismatch.expected:
        return _explain_character(source, span.start, found[0])
    simple = explain_slip(source, chunk, span, mismatch.expected)
    if simple is not None:
        return simple
    expected = _join(_worth_saying(mismatch.expected))
    return error(
        "S007",
        f"expected {expected}, found {name}",
        span,
        label=f"{expected} is expected here",
        hint=f"the shape is `{_SHAPES[keyword]}`",
    )


def _join(items: list[str]) -> str:
    *others, last = items
    return f"{', '.join(others)} or {last}" if others else last


def _found(source: Source, chunk: Chunk, found: "re.Match[str] | None") -> tuple[Span, str]:
    if found is None or chunk.start + found.start() >= chunk.end:
        return Span(source, chunk.end - 1, chunk.end), "the end of the declaration"
    start = chunk.start + found.start()
    return Span(source, start, start + len(found[0])), f"`{found[0]}`"


def _worth_saying(expected: tuple[str, ...]) -> list[str]:
    """A list of everything possible helps nobody: a closing mark says enough."""
    if set(expected) == {f"`{kind}`" for kind in KINDS}:
        return [f"`{kind}`" for kind in KINDS]
    ranked = [item for item in expected if item not in ("the next declaration",)]
    if "a formula" in ranked and len(ranked) > 1 and "`;`" in ranked:
        return ["an operator", "`;`"]
    return ranked[:3] or ["the next declaration"]


def _explain_character(source: Source, offset: int, character: str) -> Diagnostic:
    if character in _CLOSING_QUOTES:
        return _explain_quote(source, offset, character)
    if character == "!" and source.text[offset - 1 : offset] == "=":
        return misspelt("inequality is written `!=`", Span(source, offset - 1, offset + 1), "!=")
    code = f"U+{ord(character):04X}"
    shown = f"`{character}` ({code})" if character.isprintable() else code
    hint, replacement = _MEANT.get(character, ("", None))
    if not hint and character.isalnum():
        hint = "names are made of the letters a to z, digits and `_`; strings stand in quotes"
    text = source.text
    end = offset + (2 if replacement and text[offset : offset + 2] == character * 2 else 1)
    span = Span(source, offset, end)
    message = f"the character {shown} has no meaning here"
    if replacement and replacement.isalpha():
        message = f"`{span.text}` is not an operator: the word is `{replacement}`"
        # A word needs blanks around it where a sign needs none.
        before = "" if text[offset - 1 : offset].isspace() else " "
        after = "" if text[end : end + 1].isspace() else " "
        replacement = before + replacement + after
    if character == "!" and text[end : end + 1].isspace():
        replacement = None
    return error(
        "S003",
        message,
        span,
        label="not expected",
        hint=hint or "remove it; in a string, between quotes, it may stand",
        fix=(Edit(span=span, text=replacement),) if replacement is not None else None,
    )


#: Quotes that are none here, and what closes them.
_CLOSING_QUOTES = {"'": "'", "‘": "’", "“": "”", "”": "”", "„": "“”", "«": "»", "`": "`"}


def _explain_quote(source: Source, offset: int, quote: str) -> Diagnostic:
    line = source.position(offset).line
    rest = source.text[offset + 1 : source.line_starts[line - 1] + len(source.line_text(line))]
    end = next((at for at, char in enumerate(rest) if char in _CLOSING_QUOTES[quote]), None)
    span = Span(source, offset, offset + 1)
    what = "single quotes" if quote == "'" else f"`{quote}`" if quote != "`" else "back quotes"
    inside = rest[:end] if end is not None else "fishing"
    return error(
        "S003",
        f"a string stands between double quotes, not between {what}",
        span,
        label="not a quote here",
        hint=f'write `"{shorten(inside, 40)}"`',
        fix=None
        if end is None or '"' in inside or "\\" in inside
        else (
            Edit(span=span, text='"'),
            Edit(span=Span(source, offset + 1 + end, offset + 2 + end), text='"'),
        ),
    )


_PARAMETER = "a value that a run may set is a parameter: `param limit: float = 5.0;`, then `limit`"
#: What a character from elsewhere probably means, and what to write for it if that is certain.
_MEANT: dict[str, tuple[str, str | None]] = {
    "&": ("write `and`", "and"),
    "|": ("write `or`", "or"),
    "!": ("write `not`; unequal is `!=`", "not"),
    "~": ("a state from one event to another is written `~>`", None),
    ".": ("a number begins and ends with a digit: `0.5`", None),
    "$": (_PARAMETER, None),
    "@": (_PARAMETER, None),
    "?": (
        "there is no conditional value: write each case with its condition, joined with `or`",
        None,
    ),
    "[": ("arguments stand in round parentheses", None),
    "−": ("write the ordinary minus sign, `-`", "-"),
    "–": ("write the ordinary minus sign, `-`", "-"),
    "\u00a0": ("this space is no ordinary one; type it again", " "),
}


def _is_capital_name(keyword: str, mismatch: Mismatch, found: "re.Match[str] | None") -> bool:
    return (
        "a name" in mismatch.expected
        and found is not None
        and (found[0][0].isupper() or found[0][0] == "_")
        and keyword != "import"
    )


def _explain_capital(span: Span, word: str) -> Diagnostic:
    lower = lower_name(word)
    return error(
        "S017",
        f"`{word}` is not a name: names begin with a lower-case letter",
        span,
        label="a name is expected here",
        hint=f"write `{lower}`",
        fix=(Edit(span=span, text=lower),),
    )
