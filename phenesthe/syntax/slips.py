"""Small slips in the shape of a declaration, for which there is a fix."""

import re
from collections.abc import Iterator

from phenesthe.diagnostics.model import Diagnostic, Edit
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.shorten import shorten
from phenesthe.syntax.foreign_marks import PARTED_BY_COLON
from phenesthe.syntax.heads import suggest_heads
from phenesthe.syntax.scan import Chunk
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.spelling import guess_type, variable_name
from phenesthe.syntax.tokens import KINDS, RESERVED

_NO_HEAD = re.compile(rf"(?:{'|'.join(KINDS)})\s+(?P<name>[a-z]\w*)\s*(?=:)")
_NO_NAME = re.compile(rf"(?P<kind>{'|'.join(KINDS)})\s*(?=[:(])")
_NO_TYPE = re.compile(r"param\s+(?P<name>[a-z]\w*)(?P<gap>\s*):?=\s*(?P<value>[^;]*?)\s*;?")
_OTHER_COLON = re.compile(r"=|<-|:=|=>|->|\bis\b|\bas\b|\bif\b|\bwhen\b|\{")
_CALLED = re.compile(r"report\b[^()]*?(?P<name>[a-z]\w*)\s*\(")
_ARGUMENTS = re.compile(r"(?<=\w)\s*\([^()]*\)")
_STRING = re.compile(r'"(?:\\.|[^"\\\r\n])*"')
_WORD = re.compile(r"\b[a-z]\w*\b(?!\s*\()")


def explain_slip(
    source: Source, chunk: Chunk, span: Span, expected: tuple[str, ...]
) -> Diagnostic | None:
    """`span` is what stands where one of `expected` should."""
    text = chunk.text
    if "`(`" in expected and (found := _NO_HEAD.match(text)) is not None:
        name = shorten(found["name"], 40)
        place = Span(source, chunk.start + found.end("name"), chunk.start + found.end("name"))
        return error(
            "S007",
            f"the parentheses of `{name}` are missing: a definition names its variables in them",
            span,
            label="`(` is expected before this",
            hint=suggest_heads(name, text[found.end() + 1 :], source.text),
            fix=(Edit(span=place, text="()"),),
        )
    if "a name" in expected and (found := _NO_NAME.match(text)) is not None:
        return error(
            "S007",
            f"this {found['kind']} has no name",
            span,
            label="a name is expected before this",
            hint=f"write `{found['kind']} my_name(V) : …;`",
        )
    if text.startswith("report") and span.text == "(" and (found := _CALLED.match(text)):
        return _explain_arguments(source, chunk, found)
    if text.startswith("param") and (found := _NO_TYPE.fullmatch(text)) is not None:
        kind = guess_type(found["value"])
        place = Span(source, chunk.start + found.end("name"), chunk.start + found.end("name"))
        name = shorten(found["name"], 40)
        return error(
            "S007",
            f"the type of the parameter `{name}` is missing",
            span,
            label="a `:` and a type are expected before this",
            hint=f"write `param {name}: {kind} = {found['value']};`",
            fix=(Edit(span=place, text=f": {kind}"),),
        )
    if expected == ("`:`",) and text.startswith(KINDS):
        other = _OTHER_COLON.match(text, span.start - chunk.start)
        if other is not None and other[0] == "{":
            return _explain_braces(source, chunk, span)
        if other is not None:
            place = Span(source, span.start, span.start + len(other[0]))
            return error(
                "S007",
                f"{PARTED_BY_COLON}, not by `{other[0]}`",
                place,
                label="`:` is expected here",
                hint="write `:`",
                fix=(Edit(span=place, text=":"),),
            )
    return None


def _explain_arguments(source: Source, chunk: Chunk, found: "re.Match[str]") -> Diagnostic:
    """A head where a name is meant; the fix changes all of them."""
    places = [match.span() for match in _ARGUMENTS.finditer(chunk.text)]
    start = chunk.start + found.end() - 1
    return error(
        "S007",
        "`report` takes names of definitions, without their variables",
        Span(source, start, start + 1),
        label="`,` or `;` is expected here",
        hint=f"write `report {shorten(found['name'], 40)};`",
        fix=tuple(
            Edit(span=Span(source, chunk.start + first, chunk.start + last), text="")
            for first, last in places
        )
        or None,
    )


def _explain_braces(source: Source, chunk: Chunk, opening: Span) -> Diagnostic:
    fix = None
    if chunk.text.count("{") == 1 and source.text[chunk.end - 1] == "}":
        # What stands before the closing brace is to end with the `;`, not the line after it.
        inside = source.text[opening.end : chunk.end - 1]
        last = opening.end + len(inside.rstrip().rstrip(";").rstrip())
        fix = (
            Edit(span=Span(source, opening.start, opening.start + 1), text=":"),
            Edit(span=Span(source, last, chunk.end), text=";"),
        )
    return error(
        "S007",
        "a formula stands after `:` and ends with `;`, not between `{` and `}`",
        opening,
        label="`:` is expected here",
        hint="write `:` instead of `{`, and `;` instead of `}`",
        fix=fix,
    )


def explain_lower_case(source: Source, chunk: Chunk, span: Span) -> Diagnostic:
    """A head whose variables are written in lower case; the fix changes the whole definition."""
    word = span.text
    # A word that the formula has not was meant as a constant, and cannot stand here at all.
    is_used = re.search(rf"\b{re.escape(word)}\b(?!\s*\()", chunk.text.partition(":")[2])
    return error(
        "S017",
        f"`{word}` is not a variable: variables begin with an upper-case letter",
        span,
        label="a variable is expected here",
        hint=f"write `{variable_name(word)}`"
        if is_used
        else "write a variable here and say in the formula what it is equal to, or leave it out",
        fix=tuple(_capitalise(source, chunk)) or None if is_used else None,
    )


def _capitalise(source: Source, chunk: Chunk) -> Iterator[Edit]:
    """Every word of the head, and every word that stands both in an argument and elsewhere."""
    text = _STRING.sub(lambda match: " " * len(match[0]), chunk.text)
    head, _, body = text.partition(")")
    arguments = set(re.findall(r"[(,]\s*([a-z]\w*)\s*(?=[,)])", body))
    words = [match[0] for match in _WORD.finditer(body)]
    meant = {word for word in arguments if words.count(word) > 1}
    meant |= set(re.findall(r"[(,]\s*([a-z]\w*)", head))
    meant -= RESERVED
    for match in _WORD.finditer(text, text.find("(")):
        if match[0] in meant:
            start = chunk.start + match.start()
            place = Span(source, start, start + len(match[0]))
            yield Edit(span=place, text=variable_name(match[0]))
