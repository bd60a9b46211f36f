"""Parentheses, from the innermost outwards.

Reading a formula recursively would let a file of parentheses exhaust the stack. Here each pair is
read when it closes, its contents by then holding no parentheses any more.
"""

from phenesthe.diagnostics.report import error
from phenesthe.syntax.cursor import Cursor, Group, Item
from phenesthe.syntax.formulas import FormulaParser
from phenesthe.syntax.mistakes import MAX_NESTING, too_deep
from phenesthe.syntax.problem import SyntaxProblem
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tokens import Token, TokenKind
from phenesthe.syntax.tree import Formula, Value


def open_formula(source: Source, tokens: tuple[Token, ...]) -> FormulaParser:
    """A parser for these tokens, with everything in parentheses already read."""
    depths: dict[int, int] = {}
    opened: list[Token] = []
    levels: list[list[Item]] = [[]]
    for token in tokens:
        if token.text == "(":
            opened.append(token)
            levels.append([])
            if len(opened) > MAX_NESTING:
                raise SyntaxProblem(too_deep(Span(source, token.start, token.end)))
        elif token.text == ")":
            if not opened:
                raise SyntaxProblem(
                    error(
                        "S009",
                        "this `)` closes nothing",
                        Span(source, token.start, token.end),
                        label="no `(` before it",
                        hint="remove it, or add the missing `(`",
                    )
                )
            opening = opened.pop()
            elements = _read_elements(source, levels.pop(), token, depths)
            levels[-1].append(Group(TokenKind.SYMBOL, "(", opening.start, token.end, elements))
        else:
            levels[-1].append(token)
    if opened:
        raise SyntaxProblem(
            error(
                "S009",
                "this `(` is never closed",
                Span(source, opened[-1].start, opened[-1].end),
                label="opened here",
                hint="add the missing `)`",
            )
        )
    return FormulaParser(Cursor(source, tuple(levels[0])), depths)


def _read_elements(
    source: Source, items: list[Item], closing: Token, depths: dict[int, int]
) -> tuple[Formula | Value, ...]:
    """The comma-separated contents of one pair of parentheses."""
    if not items:
        return ()
    found: list[Formula | Value] = []
    begin = 0
    for at in range(len(items) + 1):
        if at < len(items) and (items[at].text != "," or _goes_on(items, begin, at)):
            continue
        if begin == at:
            place = items[at] if at < len(items) else closing
            raise SyntaxProblem(
                error(
                    "S008",
                    f"expected a formula or a value, found `{place.text}`",
                    Span(source, place.start, place.end),
                    label="something is missing before this",
                    hint="remove a comma, or write what is missing; `_` stands for any value",
                )
            )
        found.append(FormulaParser(Cursor(source, tuple(items[begin:at])), depths).whole())
        begin = at + 1
    return tuple(found)


def _goes_on(items: list[Item], begin: int, comma: int) -> bool:
    """Whether a comma parts two values of one `let`, and not what the parentheses hold."""

    def assigns(at: int) -> bool:
        return [one.text for one in items[at + 2 : at + 3]] == ["="]

    words = (at for at in range(begin + 1, comma) if items[at].text == "let")
    return assigns(comma) and any(map(assigns, words))
