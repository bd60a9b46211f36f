"""What to say about mistakes at the tight end of a formula: operands, names, signs."""

import re

from phenesthe.diagnostics.model import Diagnostic, Edit, Label
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.shorten import shorten
from phenesthe.syntax.cursor import Cursor, Item
from phenesthe.syntax.problem import SyntaxProblem
from phenesthe.syntax.source import Span
from phenesthe.syntax.spelling import lower_name
from phenesthe.syntax.tokens import FUNCTIONS, RELATIONS, RESERVED

MAX_NESTING = 100
#: Of the text around a mistake.
_LOOKED_AT = 2_000
_BETWEEN = (*RELATIONS, "union", "intersection", "complement", "without", "then")


def too_deep(span: Span) -> Diagnostic:
    return error(
        "S010",
        f"this formula is nested more than {MAX_NESTING} levels deep",
        span,
        label="too deep here",
        hint="give an inner part a name: define it as a phenomenon of its own",
    )


def reserved_text(word: str, span: Span) -> Diagnostic:
    return error(
        "S013",
        f"`{span.text}` is a word of the language and cannot be a value",
        span,
        label="a reserved word",
        hint=f'as a string it stands in quotes: `"{word}"`',
        fix=(Edit(span=span, text=f'"{word}"'),),
    )


def reserved_name(word: str, span: Span) -> Diagnostic:
    return error(
        "S013",
        f"`{word}` is a word of the language and cannot name a phenomenon",
        span,
        label="a reserved word",
        hint=(
            f"`{word}` stands between two formulas: `A {word} B`"
            if word in _BETWEEN
            else f"choose another name, such as `{word}_`"
        ),
    )


def capital_name(word: str, span: Span) -> Diagnostic:
    lower = lower_name(word)
    return error(
        "S017",
        f"`{word}` is not a name: names begin with a lower-case letter",
        span,
        label="read as a variable",
        hint=f"write `{lower}(…)`",
        fix=(Edit(span=span, text=lower),),
    )


def misspelt(message: str, span: Span, sign: str, meaning: str = "") -> Diagnostic:
    """A sign as another language writes it. `meaning` is what differs there."""
    return error(
        "S008",
        message,
        span,
        label=f"not an operator here: `{span.text}`",
        hint=f"write `{sign}`; {meaning}" if meaning else f"write `{sign}`",
        fix=(Edit(span=span, text=sign),),
    )


def single_equals(cursor: Cursor) -> SyntaxProblem:
    """At a `=`, which may be half of another sign."""
    sign = {"<": "<=", ">": ">="}.get(cursor.word_after(), "==")
    span = cursor.here()
    if sign != "==":
        cursor.take()
        span = span.to(cursor.here())
    what = "equality" if sign == "==" else "this comparison"
    before = cursor.tokens[cursor.at - 1].text if cursor.at else ""
    if sign == "==" and before[:1].isupper() and not _is_given(before, span):
        value = re.split(r";|\b(?:and|or|where|let)\b", span.source.text[span.end :], maxsplit=1)[0]
        named = f"{shorten(before, 40)} = {shorten(value, 80)}"
        return SyntaxProblem(
            error(
                "S008",
                f"nothing gives `{shorten(before, 40)}` a value, and `=` compares nothing",
                span,
                label="not an operator here: `=`",
                hint=f"name a new value behind the formula: `… let {named}`; two values are "
                "compared with `==`",
            )
        )
    return SyntaxProblem(misspelt(f"{what} is written `{sign}`", span, sign))


def _is_given(variable: str, place: Span) -> bool:
    """Whether a phenomenon of the formula has a variable, so that it can be compared."""
    text = place.source.text
    before = text[max(0, place.start - _LOOKED_AT) : place.start]
    body = before[max(before.rfind(";"), before.rfind(":"), before.rfind("{")) + 1 :]
    after = text[place.end : place.end + _LOOKED_AT].partition(";")[0]
    return re.search(rf"\b[a-z]\w*\s*\([^()]*\b{variable}\b", f"{body} {after}") is not None


def missing_operand(cursor: Cursor) -> Diagnostic:
    """Where a formula or a value is expected and the next token is none."""
    text = cursor.word
    here = cursor.here()
    previous = cursor.tokens[cursor.at - 1] if cursor.at else None
    before = previous.text if previous is not None else ""
    if text in RESERVED and text != "not":
        if cursor.word_after() == "(":
            return reserved_name(text, here)
        if len(cursor.tokens) == 1 or before in ("==", "!="):
            return reserved_text(text, here)
    if previous is not None and (before, text) == ("<", ">"):
        return misspelt("inequality is written `!=`", cursor.span(previous).to(here), "!=")
    if previous is not None and cursor.canonical(previous) == "~>" and text == "expires":
        return no_right_side("S008", previous, here)
    if text == "repeat":
        return error(
            "S008",
            "`repeat` cannot stand here without parentheses",
            here,
            label="begins a formula of its own",
            hint="put all of it in parentheses: `(repeat … while gap < 10m)`",
        )
    if text in FUNCTIONS or text in ("start", "end", "prev"):
        hint = f"what `{text}` is about stands in parentheses: `{text}(…)`"
    else:
        hint = "write a phenomenon such as `ais(V, S)`, a comparison, or a formula in parentheses"
    after = f" after `{before}`" if before else ""
    return error(
        "S008",
        f"expected a formula or a value{after}, found {cursor.describe()}",
        here,
        label="something is missing here",
        hint=hint,
    )


def no_right_side(code: str, arrow: Item, word: Span) -> Diagnostic:
    """`A ~> limit 5`: the word for a length of time right behind the operator."""
    return error(
        code,
        f"between `{arrow.text}` and `{word.text}` nothing says what ends the state",
        word,
        label="a formula is expected before this",
        hint=f"leave `{arrow.text}` out if it ends by `{word.text}` alone, or write the event that "
        "ends it",
        fix=(Edit(span=Span(word.source, arrow.start, word.start), text=""),),
    )


def no_value(needer: str, wildcard: Span) -> Diagnostic:
    return error(
        "S014",
        f"`_` has no value for {needer}",
        wildcard,
        label="any value at all",
        hint="name it: use a variable in both places",
    )


def not_a_value(needer: str, formula: Span, sign: Span) -> Diagnostic:
    return error(
        "S014",
        f"{needer} works on values, but `{shorten(formula.text, 40)}` is a formula",
        formula,
        label="a formula",
        related=(Label(span=sign, message="needs values"),),
        hint="take the value from an argument: `ais(V, S) and S < 3`",
    )


def moment_of(function: str, formula: Span) -> Diagnostic:
    """A time that is asked of a formula instead of the row."""
    shown = shorten(formula.text, 60)
    return error(
        "S014",
        f"`{function}()` takes nothing: it is asked of the row that is looked at",
        formula,
        label="a formula",
        hint=f"filter by how long it holds with `lasting`: `{shown} lasting >= 20m`; as a value it "
        f"is `({shown} let X = duration())`",
    )


def not_a_formula(value: Span, *, is_word: bool) -> Diagnostic:
    return error(
        "S014",
        f"expected a formula, but `{shorten(value.text, 40)}` is a value",
        value,
        label="a value",
        hint=(
            f"a phenomenon is written with its arguments: `{value.text}(…)`"
            if is_word
            else "compare it with something, or write a phenomenon such as `ais(V, S)`"
        ),
    )


def not_an_argument(name: str, place: Span, what: str) -> Diagnostic:
    """`what` it is instead: a formula, a duration, computed."""
    return error(
        "S015",
        f"an argument of `{name}` is a variable or a constant, not `{shorten(place.text, 40)}`",
        place,
        label=what,
        hint=(
            "join the two formulas with `and` or a relation instead"
            if what == "a formula"
            else f"use a variable here and compare it: `and X == {shorten(place.text, 40)}`"
        ),
    )
