"""The words of the language."""

import re
from enum import Enum
from typing import NamedTuple

from phenesthe import vocabulary
from phenesthe.vocabulary import Names


class TokenKind(Enum):
    WORD = "word"  # lower-case names and reserved words
    VARIABLE = "variable"
    NUMBER = "number"  # with its time suffix, if it has one
    STRING = "string"
    SYMBOL = "symbol"


class Token(NamedTuple):
    kind: TokenKind
    text: str
    start: int
    end: int


#: Unicode spellings and the canonical ASCII one; `fmt --unicode` writes the first of several.
UNICODE_SPELLINGS: dict[str, str] = {
    "⊔": "union",
    "⊓": "intersection",
    "⤳": "~>",
    "↣": "~>",
    "↦": "~>",
    "∨": "or",
    "∧": "and",
    "¬": "not",
    "∈": "in",
    "∉": "not in",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
}

RELATIONS: Names = vocabulary.RELATIONS
COMPARISONS: Names = vocabulary.COMPARISONS
#: Words that join, filter or limit formulas.
OPERATORS = (
    "and", "or", "not", "in", "where", "let", "within", "as", "lasting", "expires", "repeat",
    "while", "then", "union", "intersection", "complement", "without", *RELATIONS,
)  # fmt: skip
#: Operators that are names wherever no operator can stand.
FREE_OPERATORS = ("without", "of", "let")
#: How a formula begins that counts; names wherever such a one cannot be meant.
COUNTING = ("at least", "count")
MODES: Names = vocabulary.MODES
KINDS: Names = vocabulary.KINDS
TYPES: Names = vocabulary.VALUE_TYPES
UNITS: Names = vocabulary.UNITS
DURATIONS = ("ms", "s", "m", "h", "d")
FUNCTIONS = vocabulary.FUNCTIONS

#: Words that begin a declaration; they occur nowhere else, which is what lets the parser recover.
DECLARING = ("import", "unit", "param", "input", "fact", "exclusive", *KINDS)
#: Words that begin a declaration where one can begin, and are names anywhere else.
FREE_DECLARING = ("report", "machine")
BEGINNING = (*DECLARING, *FREE_DECLARING)
_OPENING = re.compile(rf"(?:{'|'.join(DECLARING)})\b|(?:{'|'.join(FREE_DECLARING)})\b(?!\s*[(=])")


def find_opening(text: str, start: int = 0) -> str:
    """The word with which a text begins a declaration; nothing where it begins none."""
    found = _OPENING.match(text, start)
    return found[0] if found else ""


#: Words that cannot be names. `gap`, the modes that are not operators, types and units are only
#: special where the grammar expects them.
RESERVED = frozenset(
    (
        *DECLARING, *RELATIONS, "within", "as", "then", "union", "intersection", "complement",
        "lasting", "expires", "repeat", "while", "and", "or", "not", "in", "start", "end", "where",
        "prev", "true", "false", *vocabulary.RESERVED_FUNCTIONS,
    )
)  # fmt: skip
