"""What to say where an operator or a comparison belongs and something else stands."""

from phenesthe.diagnostics.model import Edit, Label
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.suggest import closest
from phenesthe.syntax.cursor import Cursor
from phenesthe.syntax.problem import SyntaxProblem
from phenesthe.syntax.tokens import COMPARISONS, OPERATORS, RESERVED
from phenesthe.syntax.tree import Node


def unexpected(cursor: Cursor, before: Node) -> SyntaxProblem:
    """After a formula that is complete."""
    word = cursor.word
    here = cursor.here()
    meant: str | None = None
    if word == ",":
        meant = " and"
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


def _operator_hint(word: str) -> str:
    match word:
        case "within":
            return (
                "`within` follows the right side of `before` or `after`; "
                "a range is limited with `expires` or `lasting`"
            )
        case "as":
            return "`as` follows the right side of a relation"
        case "expires":
            return "`expires` follows the right side of `~>`"
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
