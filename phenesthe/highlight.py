"""A Pygments lexer, for documentation and terminals: `pygmentize -l phenesthe FILE`.

It colours any text, broken or not, line by line as one reads it; what only the checker can know
(is a bare word a parameter or a text?) it leaves plain.
"""

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups, default, words
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
)

from phenesthe.syntax.tokens import (
    DECLARING,
    DURATIONS,
    FUNCTIONS,
    KINDS,
    MODES,
    RESERVED,
    TYPES,
    UNICODE_SPELLINGS,
    UNITS,
)
from phenesthe.vocabulary import AGGREGATES, BUILT_IN, RESERVED_FUNCTIONS

_CONSTANTS = ("true", "false")
_FUNCTIONS = ("start", "end", "prev", *RESERVED_FUNCTIONS)
#: Names where nothing in parentheses follows.
_FREE_FUNCTIONS = tuple(sorted({*FUNCTIONS, *AGGREGATES}.difference(RESERVED_FUNCTIONS)))
#: What joins formulas: all other reserved words.
_OPERATORS = tuple(sorted(RESERVED.difference(DECLARING, _CONSTANTS, _FUNCTIONS)))
_SYMBOLS = ("~>", "->", "<=", ">=", "==", "!=", *"-+*/%<>=\\", *UNICODE_SPELLINGS)
_END = r"(?![a-zA-Z0-9_])"
_NAME = r"[a-z][a-zA-Z0-9_]*"


def _any(choice: tuple[str, ...]) -> str:
    return f"({'|'.join(choice)}){_END}"


class PhenestheLexer(RegexLexer):
    """The language of `.phe` files."""

    name = "Phenesthe"
    aliases: ClassVar[list[str]] = ["phenesthe", "phe"]
    filenames: ClassVar[list[str]] = ["*.phe"]
    mimetypes: ClassVar[list[str]] = ["text/x-phenesthe"]

    tokens: ClassVar[dict[str, list[object]]] = {
        "root": [
            (r"\s+", Whitespace),
            (r"///(?!/)[^\r\n]*", String.Doc),
            (r"//[^\r\n]*", Comment.Single),
            (r"/\*(?:[^*]|\*(?!/))*(?:\*/)?", Comment.Multiline),
            (r'"', String, "string"),
            (
                rf"(import)(\s+)({_NAME}(?:\.{_NAME})*)",
                bygroups(Keyword.Declaration, Whitespace, Name.Namespace),
            ),
            (
                rf"(unit)(\s+){_any(UNITS)}",
                bygroups(Keyword.Declaration, Whitespace, Keyword.Type),
            ),
            # A machine is one only where a name follows it; its `initially` stands before a brace.
            (
                rf"(machine)(\s+)({_NAME})(?=\s*\()",
                bygroups(Keyword.Declaration, Whitespace, Name.Function),
            ),
            (
                rf'(initially)(?=\s+(?:{_NAME}|"[^"\r\n]*")\s*\{{)',
                Keyword.Declaration,
            ),
            (
                rf"(report)(\s+)(?={_NAME}\s*(?:[,;]|$))",
                bygroups(Keyword.Declaration, Whitespace),
            ),
            # The name a declaration gives, not the `state` of `exclusive state`.
            (
                rf"({'|'.join((*KINDS, 'fact'))})(\s+)({_NAME})(?=\s*\()",
                bygroups(Keyword.Declaration, Whitespace, Name.Function),
            ),
            (
                rf"(param)(\s+)({_NAME})",
                bygroups(Keyword.Declaration, Whitespace, Name.Constant),
            ),
            (
                rf"(:)(\s*){_any((*TYPES, 'duration'))}(?=\s*[,)=])",
                bygroups(Punctuation, Whitespace, Keyword.Type),
            ),
            (rf"(as)(\s+){_any(MODES)}", bygroups(Operator.Word, Whitespace, Keyword.Pseudo)),
            (rf"(while)(\s+)(gap){_END}", bygroups(Operator.Word, Whitespace, Keyword.Pseudo)),
            (rf"(at)(\s+)(least){_END}", bygroups(Operator.Word, Whitespace, Operator.Word)),
            (rf"count(?=\s+[A-Z_]|\s*\([^()]*\)\s*of{_END})", Operator.Word),
            # Before parentheses these are words only at some distance: `of(X)` is a phenomenon.
            (r"(?:of|without)(?=\s+\()", Operator.Word),
            (words(DECLARING, suffix=_END), Keyword.Declaration),
            (words(_OPERATORS, suffix=_END), Operator.Word),
            (words(_FUNCTIONS, suffix=_END), Name.Builtin),
            (words(_FREE_FUNCTIONS, suffix=r"(?=\s*\()"), Name.Builtin),
            (words(_CONSTANTS, suffix=_END), Keyword.Constant),
            (r"let(?=\s+[A-Z_])", Operator.Word),
            # No two names stand side by side: the first is a word of the language after all.
            (
                rf"{_NAME}(?=\s+(?:[0-9]|(?!(?:{'|'.join(sorted(RESERVED))}){_END})[a-z]))",
                Operator.Word,
            ),
            (rf"(?:{'|'.join(BUILT_IN)})(?=\s*\()", Name.Builtin),
            (rf"{_NAME}(?=\s*\()", Name.Function),
            (_NAME, Name),
            (r"[A-Z_][a-zA-Z0-9_]*", Name.Variable),
            (rf"[0-9]+(?:\.[0-9]+)?(?:{'|'.join(DURATIONS)}){_END}", Number),
            (rf"[0-9]+(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+){_END}", Number.Float),
            (rf"[0-9]+{_END}", Number.Integer),
            (r"[0-9][a-zA-Z0-9_]*", Error),
            (words(_SYMBOLS), Operator),
            (r"[(){},:;.]", Punctuation),
        ],
        "string": [
            (r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})', String.Escape),
            (r'[^"\\\r\n]+', String),
            (r'"', String, "#pop"),
            (r"\\", Error),
            default("#pop"),  # never closed: the line ends it
        ],
    }
