"""What to say where an operator or a comparison belongs and something else stands."""

from collections.abc import Callable

from phenesthe.diagnostics.model import Edit, Label
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.suggest import closest
from phenesthe.syntax.cursor import Cursor
from phenesthe.syntax.problem import SyntaxProblem
from phenesthe.syntax.source import Span
from phenesthe.syntax.spelling import lower_name
from phenesthe.syntax.tokens import COMPARISONS, OPERATORS, RESERVED
from phenesthe.syntax.tree import Node, Variable


def unexpected(cursor: Cursor, before: Node) -> SyntaxProblem:
    """After a formula that is complete."""
    word = cursor.word
    here = cursor.here()
    meant: str | None = None
    if word == ",":
        if _is_decimal_comma(cursor):
            return SyntaxProblem(
                error(
                    "S008",
                    "a number has a point, not a comma",
                    here,
                    label="a comma",
                    hint="write `.`",
                    fix=(Edit(span=here, text="."),),
                )
            )
        is_apart = here.source.text[here.end : here.end + 1].isspace()
        meant = " and" if is_apart else " and "
    elif word not in RESERVED:
        meant = closest(word.lower(), OPERATORS)
    hint = _operator_hint(word)
    if meant is not None and word != ",":
        hint = f"did you mean `{meant}`?"
    return SyntaxProblem(
        error(
            "S008",
            f"expected an operator or the end of the formula, found {cursor.describe()}",
            here,
            label="not expected here",
            related=(Label(span=before.span, message="the formula ends here"),),
            hint=hint,
            fix=(Edit(span=here, text=meant),) if meant is not None else None,
        )
    )


def _is_decimal_comma(cursor: Cursor) -> bool:
    """`1,5`: digits on both sides, and no blank."""
    here = cursor.here()
    text = here.source.text
    before = cursor.tokens[cursor.at - 1].text if cursor.at else ""
    return (
        before.isdigit()
        and text[here.start - 1].isdigit()
        and text[here.end : here.end + 1].isdigit()
    )


def _operator_hint(word: str) -> str:
    match word:
        case "within":
            return (
                "`within` follows the right side of `before` or `after`, once; "
                "a range is limited with `limit`, `expires` or `lasting`"
            )
        case "from":
            return "`from` follows the right side of `before` or `after`, once"
        case "as":
            return "`as` follows the right side of a relation"
        case "expires" | "limit":
            return f"`{word}` follows an event or the right side of `~>`, once"
        case ",":
            return "join conditions with `and`"
        case _:
            return (
                "join two formulas with an operator such as `and`, or end the definition with `;`"
            )


def missing_comparison(cursor: Cursor, context: str) -> SyntaxProblem:
    """After `lasting` or `gap`."""
    given = cursor.token.text if cursor.token.text[:1].isdigit() else "10m"
    sign = ">=" if context == "lasting" else "<="
    others = ", ".join(f"`{other}`" for other in COMPARISONS if other != sign)
    return SyntaxProblem(
        error(
            "S007",
            f"expected a comparison after `{context}`, found {cursor.describe()}",
            cursor.here(),
            label="a comparison is expected here",
            hint=f"write `{context} {sign} {given}`; also {others}",
        )
    )


_A_DURATION = "write a duration such as `90s` or `2h`, a whole number, a parameter, or a variable"


def no_duration(cursor: Cursor, context: str) -> SyntaxProblem:
    """After a word that takes one, at the end of the formula."""
    before = cursor.tokens[cursor.at - 1]
    return SyntaxProblem(
        error(
            "S016",
            f"`{context}` takes a duration, and there is none",
            cursor.span(before),
            label="nothing follows it",
            hint=_A_DURATION,
        )
    )


def not_a_duration(span: Span, context: str) -> SyntaxProblem:
    is_sign = span.text in COMPARISONS
    rest = span.source.text[span.end :]
    sign = Span(span.source, span.start, span.end + len(rest) - len(rest.lstrip()))
    return SyntaxProblem(
        error(
            "S016",
            f"`{context}` takes a duration, not `{span.text}`",
            span,
            label="not a duration",
            hint=f"nothing is compared here: leave out `{span.text}`" if is_sign else _A_DURATION,
            fix=(Edit(span=sign, text=""),) if is_sign else None,
        )
    )


def fixed_duration(variable: Variable, context: str, code: str) -> SyntaxProblem:
    """Where a duration is asked for that is the same for all bindings."""
    lower = lower_name(variable.name)
    return SyntaxProblem(
        error(
            code,
            f"`{context}` takes one duration for all, not the variable `{variable.name}`",
            variable.span,
            label="not a duration",
            hint="write a duration such as `90s` or `2h`, a whole number, or a parameter: "
            f"`param {lower}: duration = 10m;`",
        )
    )


def before_arrow(cursor: Cursor, left_end: int, read_right: Callable[[], object]) -> SyntaxProblem:
    """`φ limit D ~> ψ`: the duration is about the whole range. At the `~>`."""
    arrow = cursor.here()
    source = arrow.source
    durations = Span(source, left_end, arrow.start)
    written = durations.text.strip()
    cursor.take()
    read_right()
    end = cursor.since(left_end).end
    start = left_end + len(durations.text) - len(durations.text.lstrip())
    return SyntaxProblem(
        error(
            "S008",
            f"`{written.split()[0]}` stands before `~>`",
            Span(source, start, start + len(written)),
            label="it is about the whole range",
            hint="the durations of a range stand behind its right side: `a(V) ~> b(V) limit 10m`",
            # A comment in between has its own place.
            fix=None
            if "/" in written
            else (
                Edit(span=durations, text=" "),
                Edit(span=Span(source, end, end), text=f" {written}"),
            ),
        )
    )
