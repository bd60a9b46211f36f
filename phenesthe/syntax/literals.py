"""Numbers, durations and strings, from their spelling to their value."""

import json
import math
import re
from fractions import Fraction

from phenesthe.diagnostics.model import Diagnostic
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.shorten import shorten
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import DurationLiteral, FloatLiteral, IntLiteral, StrLiteral
from phenesthe.vocabulary import INT_MAX, INT_MIN

_NUMBER = re.compile(r"(-?\d+)(\.\d+)?([eE][+-]?\d+)?(ms|s|m|h|d)?")
_MICROSECONDS = {
    "ms": 1_000,
    "s": 1_000_000,
    "m": 60_000_000,
    "h": 3_600_000_000,
    "d": 86_400_000_000,
}
_MAX_DIGITS = 40
_GOOD_CHARACTERS = re.compile(r'"(?:[^\\]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*')


def read_number(text: str, span: Span) -> IntLiteral | FloatLiteral | DurationLiteral | Diagnostic:
    match = _NUMBER.fullmatch(text)
    if match is None:
        return error(
            "S012",
            f"`{shorten(text, _MAX_DIGITS)}` is not a number",
            span,
            label="not a number or a duration",
            hint="write `12`, `0.5`, `1e-3`, or a duration such as `90s` (ms, s, m, h, d)",
        )
    whole, fraction, exponent, suffix = match.groups()
    if len(text) > _MAX_DIGITS:
        return error(
            "S012",
            f"`{shorten(text, _MAX_DIGITS)}` has more than {_MAX_DIGITS} characters",
            span,
            label="too long a number",
            hint="leave out digits: a float keeps about 16 of them",
        )
    if suffix is not None:
        if exponent is not None:
            return error(
                "S012",
                f"`{text}`: a duration is written without an exponent",
                span,
                label="a duration with an exponent",
                hint="write the number out",
            )
        amount = Fraction(whole + (fraction or ""))
        return DurationLiteral(span=span, microseconds=amount * _MICROSECONDS[suffix], text=text)
    if fraction is None and exponent is None:
        value = int(whole)
        return (
            IntLiteral(span=span, value=value)
            if INT_MIN <= value <= INT_MAX
            else _too_large(text, span)
        )
    # What is added makes 0.0 of -0.0: no two constants are equal and different.
    number = float(text) + 0.0
    return (
        FloatLiteral(span=span, value=number, text=text)
        if math.isfinite(number)
        else _too_large(text, span)
    )


def _too_large(text: str, span: Span) -> Diagnostic:
    return error(
        "S012",
        f"`{shorten(text, _MAX_DIGITS)}` does not fit into 64 bits",
        span,
        label="too large",
        hint="use a smaller number",
    )


def read_string(text: str, span: Span) -> StrLiteral | Diagnostic:
    try:
        value = json.loads(text, strict=False)
    except json.JSONDecodeError:
        good = _GOOD_CHARACTERS.match(text)
        start = span.start + (good.end() if good else 0)
        return error(
            "S012",
            "this string has an escape that does not exist",
            Span(span.source, start, min(start + 2, span.end)),
            label="no such escape",
            hint='an escape is a `\\` and one of `" \\ / b f n r t`, or `u` and four hex digits',
        )
    assert isinstance(value, str)
    try:
        value.encode()
    except UnicodeEncodeError:
        return error(
            "S012",
            "this string has half of a surrogate pair",
            span,
            label="no character",
            hint="write both halves, or the character itself",
        )
    return StrLiteral(span=span, value=value)
