"""What to say when a declaration does not have the shape the grammar gives it."""

import re

from phenesthe.diagnostics.model import Diagnostic, Edit
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.suggest import closest
from phenesthe.syntax.grammar import Mismatch
from phenesthe.syntax.scan import Chunk
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tokens import DECLARING, KINDS

_TOKEN = re.compile(r'\w+|"(?:\\.|[^"\\\r\n])*"|~>|[<>=!]=|\S')
#: A text, or a character that no part of the language is made of: a mistake by itself.
_STRANGE = re.compile(
    r'"(?:\\.|[^"\\\r\n])*"|(?P<strange>[^a-zA-Z0-9_ \t\r\n"~<>=!+\-*/(),;:{}.\\⊔⊓⤳↣↦∨∧¬∈∉≤≥≠])'
)
_SHAPES = {
    "import": "import maritime.core;",
    "unit": "unit second;",
    "param": "param stop_speed: float = 0.5;",
    "input": "input event ais(vessel: int, speed: float);",
    "fact": "fact vessel_type(vessel: int, type: str);",
    "exclusive": "exclusive state mode(V, M) { on : a(V) ~> b(V); off : b(V) ~> a(V); }",
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
    word = re.match(r"\w*", chunk.text)
    keyword = word[0] if word else ""
    if keyword not in DECLARING:
        return _explain_beginning(source, chunk, keyword)
    found = _TOKEN.search(chunk.text, offset - chunk.start)
    span, name = _found(source, chunk, found)
    if _is_capital_name(keyword, mismatch, found):
        assert found is not None
        return _explain_capital(span, found[0])
    if "a variable" in mismatch.expected and found is not None and found[0][0].islower():
        return _explain_head(span, found[0])
    if found is not None and found[0] in _MEANT and "a formula" in mismatch.expected:
        return _explain_character(source, span.start, found[0])
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
    code = f"U+{ord(character):04X}"
    shown = f"`{character}` ({code})" if character.isprintable() else code
    hint, replacement = _MEANT.get(character, ("", None))
    if not hint and character.isalnum():
        hint = "names are made of the letters a to z, digits and `_`; other texts stand in quotes"
    text = source.text
    end = offset + (2 if replacement and text[offset : offset + 2] == character * 2 else 1)
    span = Span(source, offset, end)
    if replacement and replacement.isalpha():
        # A word needs blanks around it where a sign needs none.
        before = "" if text[offset - 1 : offset].isspace() else " "
        after = "" if text[end : end + 1].isspace() else " "
        replacement = before + replacement + after
    if character == "!" and text[end : end + 1].isspace():
        replacement = None
    return error(
        "S003",
        f"the character {shown} has no meaning here",
        span,
        label="not expected",
        hint=hint or "remove it; in a text, between quotes, it may stand",
        fix=(Edit(span=span, text=replacement),) if replacement is not None else None,
    )


_QUOTES = 'texts stand between straight quotes: `"`'
_COMMENT = "comments begin with `//`"
#: What a character from elsewhere probably means, and what to write for it if that is certain.
_MEANT: dict[str, tuple[str, str | None]] = {
    "&": ("write `and`", "and"),
    "|": ("write `or`", "or"),
    "!": ("write `not`; unequal is `!=`", "not"),
    "~": ("a range is written `~>`", None),
    ".": ("a number begins and ends with a digit: `0.5`", None),
    "'": (_QUOTES, None),
    "“": (_QUOTES, None),
    "”": (_QUOTES, None),
    "„": (_QUOTES, None),
    "«": (_QUOTES, None),
    "#": (_COMMENT, None),
    "%": (_COMMENT, None),
    "[": ("arguments stand in round parentheses", None),
    "−": ("write the ordinary minus sign, `-`", "-"),
    "–": ("write the ordinary minus sign, `-`", "-"),
    "\u00a0": ("this space is no ordinary one; type it again", " "),
}


def _explain_beginning(source: Source, chunk: Chunk, keyword: str) -> Diagnostic:
    length = len(keyword) or 1
    span = Span(source, chunk.start, min(chunk.start + length, chunk.end))
    suggestion = closest(keyword, DECLARING)
    fix = (Edit(span=span, text=suggestion),) if suggestion else None
    hint = (
        f"did you mean `{suggestion}`?"
        if suggestion
        else "write `event`, `state` or `dynamic` before a definition, `input` before an input"
    )
    if chunk.text == ";":
        hint, fix = "remove it", (Edit(span=span, text=""),)
    what = f"`{keyword}`" if keyword else f"`{chunk.text[:1]}`"
    return error(
        "S007",
        f"a declaration cannot begin with {what}",
        span,
        label="one of " + ", ".join(f"`{word}`" for word in DECLARING) + " is expected",
        hint=hint,
        fix=fix,
    )


def _is_capital_name(keyword: str, mismatch: Mismatch, found: "re.Match[str] | None") -> bool:
    return (
        "a name" in mismatch.expected
        and found is not None
        and (found[0][0].isupper() or found[0][0] == "_")
        and keyword != "import"
    )


def _explain_capital(span: Span, word: str) -> Diagnostic:
    lower = word.lower().lstrip("_") or "name"
    return error(
        "S017",
        f"`{word}` begins like a variable, but a name is expected here",
        span,
        label="names begin with a lower-case letter",
        hint=f"write `{lower}`",
        fix=(Edit(span=span, text=lower),),
    )


def _explain_head(span: Span, word: str) -> Diagnostic:
    variable = "".join(part.capitalize() for part in word.split("_")) or "X"
    return error(
        "S017",
        f"the arguments of a head are variables, but `{word}` is a name",
        span,
        label="variables begin with an upper-case letter",
        hint=f"write `{variable}`",
    )
