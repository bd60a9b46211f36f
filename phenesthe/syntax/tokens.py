"""The words of the language."""

from enum import Enum
from typing import NamedTuple


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

RELATIONS = (
    "before", "meets", "overlaps", "finishes", "starts", "equals", "contains",
    "after", "met_by", "overlapped_by", "finished_by", "started_by", "during",
)  # fmt: skip
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
#: Words that join, filter or limit formulas.
OPERATORS = (
    "and", "or", "not", "in", "where", "within", "as", "lasting", "expires", "repeat", "while",
    "then", "union", "intersection", "complement", "without", *RELATIONS,
)  # fmt: skip
#: Operators that are names wherever no operator can stand.
FREE_OPERATORS = ("without",)
MODES = ("source", "target", "union", "intersection", "complement", "inverse_complement")
KINDS = ("event", "state", "dynamic")
TYPES = ("int", "float", "str", "bool")
UNITS = ("second", "millisecond", "microsecond")
DURATIONS = ("ms", "s", "m", "h", "d")
FUNCTIONS = {"abs": 1, "min": 2, "max": 2, "angle_diff": 2, "distance": 4}

#: Words that begin a declaration; they occur nowhere else, which is what lets the parser recover.
DECLARING = ("import", "unit", "param", "input", "fact", "exclusive", *KINDS)

#: Words that cannot be names. `gap`, the modes that are not operators, types and units are only
#: special where the grammar expects them.
RESERVED = frozenset(
    (
        *DECLARING, *RELATIONS, "within", "as", "then", "union", "intersection", "complement",
        "lasting", "expires", "repeat", "while", "and", "or", "not", "in", "start", "end", "where",
        "prev", "true", "false", *FUNCTIONS,
    )
)  # fmt: skip
