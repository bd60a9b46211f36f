"""Lay the words of one declaration out in lines.

The printer and the formatter both end here, so a generated declaration and a formatted one look
the same. A declaration is cut into groups at its loosest operators; a group that fits the line
stays on it, one that does not is broken before each of its operators, two columns deeper than
the group around it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from phenesthe.frozen import dataclass
from phenesthe.syntax.clauses import (
    CONTEXTUAL,
    are_counted,
    ends_operand,
    is_operator,
    list_clauses_after,
)
from phenesthe.syntax.lines import (
    BREAK,
    SPACE,
    Block,
    Document,
    Gap,
    Piece,
    Remark,
    block,
    fill_lines,
)
from phenesthe.syntax.tokens import (
    COMPARISONS,
    FUNCTIONS,
    RELATIONS,
    RESERVED,
    UNICODE_SPELLINGS,
    TokenKind,
)

INDENT = 4
_STEP = 2

_ASCII = {**UNICODE_SPELLINGS, "\\": "complement"}
# Read backwards, so that of several spellings the first listed one stays.
_UNICODE = {ascii_: sign for sign, ascii_ in reversed(_ASCII.items())}

_LEVELS = {
    **dict.fromkeys(("where", "let"), 0),
    **dict.fromkeys((*RELATIONS, *list_clauses_after("before"), "as"), 1),
    "then": 2,
    **dict.fromkeys(("union", "intersection", "complement", "without"), 3),
    "lasting": 4,
    **dict.fromkeys(("~>", *list_clauses_after("~>"), "while", "of"), 5),
    "or": 6,
    "and": 7,
    **dict.fromkeys(("in", "not in"), 9),
    **dict.fromkeys(COMPARISONS, 10),
    **dict.fromkeys(("+", "-"), 11),
    **dict.fromkeys(("*", "/", "%"), 12),
}
_OPERATORS = frozenset((TokenKind.WORD, TokenKind.SYMBOL))
_CALLED = frozenset(("start", "end", "prev", *FUNCTIONS))
_KEYWORDS = RESERVED | {"not in"}
_CLOSING = frozenset((",", ";", ")"))


class Lexeme(NamedTuple):
    """A word or sign to write, and the comments between it and the next one."""

    kind: TokenKind
    text: str
    remarks: tuple[Remark, ...] = ()


def lay_out(lexemes: Iterable[Lexeme], *, unicode: bool = False) -> str:
    """The lines of one declaration, without a line end after the last."""
    elements = _nest(_prepare(lexemes, unicode))
    first = elements[0]
    word = first.text if isinstance(first, Piece) else ""
    match word:
        case "import" | "unit" | "param":
            document = block(_join(elements), indent=INDENT)
        case "report":
            document = _listed(elements)
        case "input" | "fact":
            document = _declared(elements)
        case "exclusive" if any(isinstance(one, Piece) and one.text == "{" for one in elements):
            document = _exclusive(elements)
        case "machine":
            document = _exclusive(elements)
        case _:
            document = block((_defined(elements),), indent=INDENT)
    return fill_lines(document)


def write_flat(lexemes: Iterable[Lexeme], *, unicode: bool = False) -> str:
    """A formula or a value on one line, however long."""
    parts: list[str] = []
    previous: Piece | None = None
    for piece in _prepare(lexemes, unicode):
        if previous is not None and _is_spaced(previous, piece):
            parts.append(" ")
        parts.append(piece.shown)
        previous = piece
    return "".join(parts)


# Words


def _prepare(lexemes: Iterable[Lexeme], unicode: bool) -> list[Piece]:
    """Settle the spelling of every word, and give each comment to the word it belongs to."""
    pieces: list[Piece] = []
    before: tuple[Remark, ...] = ()
    previous: Lexeme | None = None
    joined = _join_not_in(lexemes)
    for at, lexeme in enumerate(joined):
        kind, text, remarks = lexeme
        is_minus = text == "-" and kind is TokenKind.SYMBOL and not ends_operand(joined, at - 1)
        shown = text
        if unicode and kind in _OPERATORS and not (previous and previous.text == "as"):
            shown = _UNICODE.get(text, text)
        after, following = _split(remarks)
        is_parted = _is_parted(joined, at)
        pieces.append(Piece(kind, text, shown, is_minus or shown == "¬", before, after, is_parted))
        before, previous = following, lexeme
    return pieces


def _is_parted(words: list[Lexeme], at: int) -> bool:
    """Before `(X, Y) of` nothing is called, nor by `of`."""
    return are_counted(words, at + 1) or (words[at].text == "of" and is_operator(words, at))


def _join_not_in(lexemes: Iterable[Lexeme]) -> list[Lexeme]:
    """ASCII spellings, with the two words `not in` made the one operator they are."""
    joined: list[Lexeme] = []
    for kind, written, remarks in lexemes:
        text = _ASCII.get(written, written) if kind in _OPERATORS else written
        if text == "in" and joined and joined[-1].text == "not":
            joined[-1] = Lexeme(TokenKind.WORD, "not in", joined[-1].remarks + remarks)
        elif text == written:
            joined.append(Lexeme(kind, text, remarks))
        else:
            known = TokenKind.WORD if text[0].isalpha() else TokenKind.SYMBOL
            joined.append(Lexeme(known, text, remarks))
    return joined


def _split(remarks: tuple[Remark, ...]) -> tuple[tuple[Remark, ...], tuple[Remark, ...]]:
    """The comments that stay on the line of the word before them, and the others."""
    for index, remark in enumerate(remarks):
        if remark.own_line:
            return remarks[:index], remarks[index:]
        if remark.ends_line:
            return remarks[: index + 1], remarks[index + 1 :]
    return remarks, ()


def _is_spaced(left: Piece, right: Piece) -> bool:
    if right.text in _CLOSING:
        return False
    if left.after:
        return True
    if left.is_prefix:
        # `-5` is a number, `- 5` the negation of one.
        return left.text == "-" and right.kind is TokenKind.NUMBER and right.text[0] != "-"
    if left.text in ("(", ".") or right.text in (".", ":"):
        return False
    if right.text == "(" and left.kind is TokenKind.WORD:
        return left.is_parted or (left.text in _KEYWORDS and left.text not in _CALLED)
    return True


# Groups


@dataclass(frozen=True, slots=True)
class _Brackets:
    opening: Piece
    inner: "list[_Element]"
    closing: Piece


_Element: TypeAlias = Piece | _Brackets


def _nest(pieces: list[Piece]) -> list[_Element]:
    levels: list[list[_Element]] = [[]]
    openings: list[Piece] = []
    for piece in pieces:
        if piece.text == "(":
            openings.append(piece)
            levels.append([])
        elif piece.text == ")":
            inner = levels.pop()
            levels[-1].append(_Brackets(openings.pop(), inner, piece))
        else:
            levels[-1].append(piece)
    return levels[0]


def _first(element: _Element) -> Piece:
    return element.opening if isinstance(element, _Brackets) else element


def _last(element: _Element) -> Piece:
    return element.closing if isinstance(element, _Brackets) else element


def _index(elements: list[_Element], text: str) -> int:
    return next(i for i, e in enumerate(elements) if isinstance(e, Piece) and e.text == text)


def _split_at(elements: list[_Element], text: str) -> list[list[_Element]]:
    """The elements cut after each one that is `text`."""
    parts: list[list[_Element]] = [[]]
    for element in elements:
        parts[-1].append(element)
        if isinstance(element, Piece) and element.text == text:
            parts.append([])
    return [part for part in parts if part]


def _join(elements: Sequence[_Element]) -> list[Document]:
    """Everything in a row, to be broken only inside brackets."""
    parts: list[Document] = []
    for index, element in enumerate(elements):
        if index and _is_spaced(_last(elements[index - 1]), _first(element)):
            parts.append(SPACE)
        parts.append(_bracketed(element) if isinstance(element, _Brackets) else element)
    return parts


def _bracketed(brackets: _Brackets) -> Block:
    arguments = _split_at(brackets.inner, ",")
    parts: list[Document] = [brackets.opening]
    if brackets.opening.after and arguments:
        parts.append(SPACE)
    for index, argument in enumerate(arguments):
        if index:
            # Each of these breaks by itself: arguments fill their lines.
            parts.append(block((BREAK,), group=True))
        parts.append(_expression(argument))
    parts.append(brackets.closing)
    return block(parts, indent=_STEP if len(arguments) > 1 else 0)


def _expression(elements: list[_Element]) -> Document:
    """A formula, broken before its loosest operators if it must be."""
    levels = dict(_levels(elements))
    if not levels:
        return block(_join(elements))
    loosest = min(levels.values())
    cuts = [index for index, level in levels.items() if level == loosest]
    parts: list[Document] = [_expression(elements[: cuts[0]])]
    for cut, end in zip(cuts, (*cuts[1:], len(elements)), strict=True):
        operator = elements[cut]
        assert isinstance(operator, Piece)
        parts += [BREAK, operator, SPACE, _expression(elements[cut + 1 : end])]
    return block(parts, indent=_STEP, group=True)


def _levels(elements: list[_Element]) -> Iterator[tuple[int, int]]:
    """Where the operators between operands are, and how loosely they bind."""
    for index, element in enumerate(elements[1:], start=1):
        if isinstance(element, _Brackets) or element.kind not in _OPERATORS or element.is_prefix:
            continue
        before = _last(elements[index - 1])
        if element.text in CONTEXTUAL and not ends_operand([before], 0):
            continue
        if element.text == "as" and _names_number(elements[index + 1 : index + 2]):
            yield index, _LEVELS["of"]
        elif element.text in _LEVELS and before.text != "as":
            yield index, _LEVELS[element.text]


def _names_number(following: list[_Element]) -> bool:
    return any(isinstance(one, Piece) and one.kind is TokenKind.VARIABLE for one in following)


def _defined(elements: list[_Element]) -> Block:
    """A head or a label, and its formula."""
    colon = _index(elements, ":")
    head = [*_join(elements[:colon]), SPACE, _last(elements[colon])]
    body = _expression(elements[colon + 1 : -1])
    return block((block(head), BREAK, body, _last(elements[-1])), group=True)


def _listed(elements: list[_Element]) -> Block:
    """A word and names, which fill their lines."""
    parts: list[Document] = [_first(elements[0]), SPACE]
    for index, name in enumerate(_split_at(elements[1:], ",")):
        parts += [block((BREAK,), group=True)] if index else []
        parts.append(block(_join(name)))
    return block(parts, indent=INDENT)


def _declared(elements: list[_Element]) -> Block:
    """An input or a fact: if its arguments do not fit one line, each has its own."""
    index = next(i for i, element in enumerate(elements) if isinstance(element, _Brackets))
    brackets = elements[index]
    assert isinstance(brackets, _Brackets)
    head = block([*_join(elements[:index]), brackets.opening], indent=INDENT)
    edge = Gap(" " if brackets.opening.after else "", can_break=True)
    arguments: list[Document] = [edge]
    for number, argument in enumerate(_split_at(brackets.inner, ",")):
        arguments += [BREAK] if number else []
        arguments.append(block(_join(argument)))
    inner = block(arguments, indent=INDENT)
    closing = [Gap("", can_break=True), brackets.closing, *_join(elements[index + 1 :])]
    return block((head, inner, *closing), group=True)


def _exclusive(elements: list[_Element]) -> Block:
    opening = _index(elements, "{")
    head = _join(elements[: opening + 1])
    branches: list[Document] = []
    for branch in _split_at(elements[opening + 1 : -1], ";"):
        branches += [BREAK, block((_defined(branch),), indent=INDENT)]
    closing = _last(elements[-1])
    # Comments before the brace speak of the branches.
    last_words = replace(closing, text="", shown="", after=())
    if last_words.before:
        branches += [BREAK, last_words]
    return block(
        (
            block(head, indent=INDENT),
            block(branches, indent=INDENT),
            BREAK,
            replace(closing, before=()),
        )
    )
