"""What to say about a `let` that is not written as one."""

from phenesthe.diagnostics.model import Edit
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.shorten import shorten
from phenesthe.syntax.cursor import Cursor, needs_parentheses
from phenesthe.syntax.problem import SyntaxProblem
from phenesthe.syntax.spelling import variable_name
from phenesthe.syntax.tokens import COMPARISONS, OPERATORS, TokenKind
from phenesthe.syntax.tree import Let


def no_new_variable(cursor: Cursor) -> SyntaxProblem:
    """After `let`, or after a comma of it."""
    here, text = cursor.here(), cursor.token.text
    is_word = cursor.token.kind is TokenKind.WORD and cursor.word_after() == "="
    name = variable_name(text) if is_word else "X"
    return SyntaxProblem(
        error(
            "S023",
            f"`let` takes a variable, not {cursor.describe()}",
            here,
            label="a variable is expected here",
            hint=f"write `let {name} = …`: variables begin with an upper-case letter",
            fix=(Edit(span=here, text=name),) if is_word else None,
        )
    )


def no_assignment(cursor: Cursor, name: str) -> SyntaxProblem:
    """After the variable."""
    here = cursor.here()
    is_equality = cursor.word == "=="
    return SyntaxProblem(
        error(
            "S023",
            f"expected `=` after `let {shorten(name, 40)}`, found {cursor.describe()}",
            here,
            label="`=` is expected here",
            hint="`let` gives a value with a single `=`"
            if is_equality
            else f"write `let {shorten(name, 40)} = …`, with what is computed",
            fix=(Edit(span=here, text="="),) if is_equality else None,
        )
    )


def after_let(cursor: Cursor, let: Let) -> SyntaxProblem:
    """A value is followed by what can follow none."""
    here, word = cursor.here(), cursor.word
    last = let.assignments[-1].variable.name
    if word in COMPARISONS:
        return SyntaxProblem(
            error(
                "S023",
                "`let` takes a value, not a comparison",
                here,
                label="compares",
                hint=f"filter with `where`: `let {shorten(last, 40)} = … where … {word} …`",
            )
        )
    if word in OPERATORS or word == "~>":
        return needs_parentheses(
            f"`{word}` cannot follow a `let`",
            here,
            let.span,
            hint="what `let` computes belongs to the formula before it: put both in parentheses",
        )
    return SyntaxProblem(
        error(
            "S023",
            f"expected the end of `let`, found {cursor.describe()}",
            here,
            label="not expected here",
            hint="several values are parted by commas, `let X = …, Y = …`; conditions follow "
            "`where`",
        )
    )
