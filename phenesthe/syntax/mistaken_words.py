"""What to say about a word or a value where a formula is expected, by what stands beside it."""

from phenesthe.diagnostics.model import Diagnostic, Edit
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.shorten import shorten
from phenesthe.syntax.cursor import Cursor
from phenesthe.syntax.mistakes import no_right_side, not_a_formula
from phenesthe.syntax.source import Span
from phenesthe.syntax.tokens import TokenKind
from phenesthe.syntax.tree import Aggregate, Value, Word

_CONNECTIVES = ("and", "where")


def explain_value(cursor: Cursor, node: Value) -> Diagnostic:
    # How far it looks back, behind the parentheses, is explained with other habits.
    if isinstance(node, Aggregate) and node.name.text and cursor.word not in ("over", "past"):
        return _not_compared(node.span)
    if isinstance(node, Word):
        found = _explain_word(cursor, node)
        if found is not None:
            return found
    return not_a_formula(node.span, is_word=isinstance(node, Word))


def _not_compared(place: Span) -> Diagnostic:
    shown = shorten(place.text, 60)
    return error(
        "S025",
        f"`{shown}` is a value, and nothing is asked of it",
        place,
        label="a value",
        hint=f"compare it with another one, as in `{shown} > 3`, or name it with `let`",
    )


def _explain_word(cursor: Cursor, word: Word) -> Diagnostic | None:
    if word.name == "always":
        end = Span(word.span.source, word.span.end, word.span.end)
        return error(
            "S014",
            "expected a formula, but `always` is a value",
            word.span,
            label="a value",
            hint="what always holds is written `always()`",
            fix=(Edit(span=end, text="()"),),
        )
    at = next((at for at, one in enumerate(cursor.tokens) if one.start == word.span.start), 0)
    if not 0 < at < len(cursor.tokens) - 1:
        return None
    before, after = cursor.tokens[at - 1], cursor.tokens[at + 1]
    if cursor.canonical(before) == "~>" and word.name == "limit":
        return no_right_side("S014", before, word.span)
    place = Span(word.span.source, before.start, word.span.start)
    if word.name == "let" and before.text in _CONNECTIVES and after.kind is TokenKind.VARIABLE:
        return error(
            "S014",
            f"`let` is no condition: it follows a formula without `{before.text}`",
            word.span,
            label="not a formula",
            hint=f"leave `{before.text}` out",
            fix=(Edit(span=place, text=""),),
        )
    return None
