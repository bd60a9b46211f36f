"""Random declarations that make sense to the parser, if to nobody else, and random ways to write
a file.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeVar, get_args

from hypothesis import strategies as st

from phenesthe.syntax.grammar import tokens_of
from phenesthe.syntax.scan import scan
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tokens import FUNCTIONS
from phenesthe.syntax.tree import (
    And,
    Argument,
    Arithmetic,
    ArithmeticOperator,
    Assignment,
    Atom,
    BoolLiteral,
    Branch,
    Call,
    Comparison,
    ComparisonOperator,
    Complement,
    Counting,
    Declaration,
    Definition,
    Duration,
    DurationLiteral,
    End,
    ExclusiveState,
    Fact,
    FloatLiteral,
    Formula,
    Head,
    Import,
    In,
    Input,
    Intersection,
    IntLiteral,
    Kind,
    Lasting,
    Let,
    Literal_,
    MaximalRange,
    Mode,
    Name,
    Negate,
    Not,
    Or,
    Parameter,
    Previous,
    Relation,
    RelationName,
    Repeat,
    Report,
    Start,
    StrLiteral,
    Term,
    Then,
    TypeName,
    Union,
    Unit,
    UnitDeclaration,
    Value,
    Variable,
    Where,
    Wildcard,
    Word,
)  # fmt: skip
from phenesthe.vocabulary import Difference

NOWHERE = Span(Source("made.phe", ""), 0, 0)
T = TypeVar("T")


def _one(alias: Any) -> st.SearchStrategy[Any]:
    """One of the values of a `Literal`."""
    return st.sampled_from(get_args(alias))


def _some(items: st.SearchStrategy[T], least: int, most: int) -> st.SearchStrategy[tuple[T, ...]]:
    return st.lists(items, min_size=least, max_size=most).map(tuple)


def _node(node: type[T], **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[T]:
    return st.builds(node, span=st.just(NOWHERE), **fields)


# The words that are special only in some places are names in all others.
_WORDS = st.sampled_from(
    (
        "a", "ais", "b_c", "duration", "exists", "gap", "int", "inverse_complement", "second",
        "source", "speedOfVessel", "x9", "a_name_that_takes_a_third_of_a_line",
    )
)  # fmt: skip
_NAMES = _node(Name, text=_WORDS)
_VARIABLES = _node(Variable, name=st.sampled_from(("V", "S1", "_x", "Vessel", "ALL_OF_THEM")))

_INTS = _node(IntLiteral, value=st.integers(-(2**63), 2**63 - 1) | st.integers(-9, 9))
_STRINGS = _node(StrLiteral, value=st.text(max_size=6) | _WORDS)
_BOOLS = _node(BoolLiteral, value=st.booleans())


@st.composite
def _floats(draw: st.DrawFn) -> FloatLiteral:
    value = draw(st.floats(allow_nan=False, allow_infinity=False))
    return FloatLiteral(span=NOWHERE, value=value, text=draw(st.sampled_from(("", repr(value)))))


@st.composite
def _durations(draw: st.DrawFn) -> DurationLiteral:
    amount = draw(st.sampled_from(("0", "1", "90", "1.5", "0.25")))
    unit, length = draw(st.sampled_from((("ms", 1_000), ("s", 1_000_000), ("m", 60_000_000))))
    return DurationLiteral(span=NOWHERE, microseconds=Fraction(amount) * length, text=amount + unit)


LITERALS: st.SearchStrategy[Literal_] = st.one_of(_INTS, _floats(), _STRINGS, _BOOLS, _durations())
DURATIONS: st.SearchStrategy[Duration] = st.one_of(
    _durations(), _INTS, _node(Word, name=_WORDS), _VARIABLES
)
TERMS: st.SearchStrategy[Term] = st.one_of(
    _VARIABLES, _node(Wildcard), _node(Word, name=_WORDS), _INTS, _floats(), _STRINGS, _BOOLS
)


@st.composite
def _calls(draw: st.DrawFn, values: st.SearchStrategy[Value]) -> Call:
    function: Any = draw(st.sampled_from(tuple(FUNCTIONS)))
    count = FUNCTIONS[function].least
    return Call(
        span=NOWHERE,
        function=function,
        name=Name(span=NOWHERE, text=function),
        arguments=draw(_some(values, count, count)),
    )


def _grow_values(values: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    return st.one_of(
        _node(Arithmetic, operator=_one(ArithmeticOperator), left=values, right=values),
        _node(Negate, operand=values),
        _calls(values),
    )


VALUES: st.SearchStrategy[Value] = st.recursive(
    st.one_of(LITERALS, _VARIABLES, _node(Word, name=_WORDS), _node(Previous, variable=_VARIABLES)),
    _grow_values,
    max_leaves=5,
)


_ASSIGNMENTS = _node(Assignment, variable=_VARIABLES, value=VALUES)


def _ranges(formulas: st.SearchStrategy[Formula]) -> st.SearchStrategy[MaximalRange]:
    durations = {"expires": st.none() | DURATIONS, "limit": st.none() | DURATIONS}
    whole = _node(MaximalRange, start=formulas, stop=formulas, **durations)
    return whole | _node(MaximalRange, start=formulas, stop=st.none(), expires=DURATIONS)


def _relations(
    formulas: st.SearchStrategy[Formula], names: st.SearchStrategy[Any]
) -> st.SearchStrategy[Relation]:
    return _node(
        Relation,
        name=names,
        left=formulas,
        right=formulas,
        apart=st.none() | DURATIONS,
        within=st.none() | DURATIONS,
        mode=st.none() | _one(Mode),
    )


def _grow_formulas(formulas: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    several = _some(formulas, 2, 3)
    return st.one_of(
        _node(And, operands=several),
        _node(Or, operands=several),
        _node(Not, operand=formulas),
        _node(In, event=formulas, state=formulas, negated=st.booleans()),
        _node(Start, operand=formulas),
        _node(End, operand=formulas),
        _ranges(formulas),
        _node(
            Repeat,
            event=formulas,
            operator=_one(ComparisonOperator),
            gap=DURATIONS,
            condition=st.none() | formulas,
        ),
        _node(Union, operands=several),
        _node(Intersection, operands=several),
        _node(Complement, left=formulas, right=formulas, name=_one(Difference)),
        _node(Lasting, operand=formulas, operator=_one(ComparisonOperator), duration=DURATIONS),
        _node(
            Counting,
            counted=_some(_VARIABLES, 1, 2),
            operand=formulas,
            least=_INTS | _node(Word, name=_WORDS),
        ),
        _node(Counting, counted=_some(_VARIABLES, 1, 2), operand=formulas, number=_VARIABLES),
        _node(Then, left=formulas, right=formulas),
        _relations(formulas, _one(RelationName)),
        # Chains of one relation are rare by chance.
        _relations(formulas, st.just("before")),
        _node(Where, operand=formulas, condition=formulas),
        _node(Let, operand=formulas, assignments=_some(_ASSIGNMENTS, 1, 3)),
    )


FORMULAS: st.SearchStrategy[Formula] = st.recursive(
    st.one_of(
        _node(Atom, name=_NAMES, arguments=_some(TERMS, 0, 3)),
        _node(Comparison, operator=_one(ComparisonOperator), left=VALUES, right=VALUES),
    ),
    _grow_formulas,
    max_leaves=8,
)

_DOC_LINES = st.text(alphabet="ab/*é ", max_size=8).map(str.rstrip)
_DOCS = st.none() | st.lists(_DOC_LINES, min_size=1, max_size=3).map("\n".join)
_HEADS = _node(Head, name=_NAMES, variables=_some(_VARIABLES, 0, 3))
_COLUMN_TYPES = st.sampled_from(("int", "float", "str", "bool"))
_ARGUMENTS = _some(_node(Argument, name=_NAMES, type=_COLUMN_TYPES), 0, 4)
_LABELS = st.one_of(_STRINGS, _INTS, _BOOLS)

DECLARATIONS: st.SearchStrategy[Declaration] = st.one_of(
    _node(Import, module=_some(_WORDS, 1, 3), doc=_DOCS),
    _node(UnitDeclaration, unit=_one(Unit), doc=_DOCS),
    _node(Report, names=_some(_NAMES, 1, 12), doc=_DOCS),
    _node(Parameter, name=_NAMES, type=_one(TypeName), default=LITERALS, doc=_DOCS),
    _node(Input, kind=_one(Kind), name=_NAMES, arguments=_ARGUMENTS, doc=_DOCS),
    _node(Fact, name=_NAMES, arguments=_ARGUMENTS, doc=_DOCS),
    _node(Definition, kind=_one(Kind), head=_HEADS, body=FORMULAS, doc=_DOCS),
    _node(
        ExclusiveState,
        head=_HEADS,
        branches=_some(_node(Branch, label=_LABELS, body=_ranges(FORMULAS)), 1, 3),
        doc=_DOCS,
    ),
)
MODULES: st.SearchStrategy[tuple[Declaration, ...]] = _some(DECLARATIONS, 0, 4)


_INSIDE = (
    " ", "  ", "\n", "\r\n\t", " // end \n", " /* in */ ", "\n// own\n", "\n /* own */ ",
    " /* two\r\n  lines */ ", " /* a *//* b */ ", "\n/* a */ // b\n", " /// no doc\n",
)  # fmt: skip
_OUTSIDE = (
    "\n", "\r\n", "\n\n", "\n \n\n\n", " ", " // end\t\n", "\n// own\n", "\n\n// own\n\n",
    "/* in */", "\n/* two\n lines */ /* b */\n", "\n/// doc \n", "/* a */ // b\n",
)  # fmt: skip


@st.composite
def scatter(draw: st.DrawFn, text: str) -> str:
    """The same tokens, with other space and with comments between them."""

    def pick(choices: Sequence[str]) -> str:
        plain = choices[0]
        return draw(st.sampled_from(choices)) if draw(st.booleans()) else plain

    parts: list[str] = [draw(st.sampled_from(("", "\ufeff", "\n\n", "// first\n")))]
    for chunk in scan(Source("made.phe", text)).chunks:
        tokens = tokens_of(chunk)
        for token, following in zip(tokens, (*tokens[1:], None), strict=True):
            parts.append(token.text)
            if following is None:
                parts.append(pick(_OUTSIDE))
            elif token.text == "-" and token.end == following.start:
                # A minus and a number are one token to the reader.
                continue
            else:
                parts.append(pick(_INSIDE))
    return "".join(parts)
