"""What is said of one instant, or of a binding: the inside of an operator.

Everything between the operands of an operator that needs no rows of its own to be remembered:
conditions, and the formulas over instants. Of each is known what can be known before it runs.
"""

from collections.abc import Iterable, Iterator
from typing import TypeAlias, assert_never

from phenesthe.frozen import dataclass
from phenesthe.graph.origin import Origin
from phenesthe.vocabulary import (
    ArithmeticOperator,
    ComparisonOperator,
    Function,
    Names,
    Scalar,
    ValueType,
)  # fmt: skip
from phenesthe.vocabulary import Moment as MomentName

# Values


@dataclass(frozen=True, slots=True)
class Column:
    """The value of a variable; `is_previous`: at the occurrence before."""

    name: str
    is_previous: bool = False


@dataclass(frozen=True, slots=True)
class Constant:
    value: Scalar
    type: ValueType


@dataclass(frozen=True, slots=True)
class Negative:
    operand: "Value"


@dataclass(frozen=True, slots=True)
class Arithmetic:
    operator: ArithmeticOperator
    left: "Value"
    right: "Value"


@dataclass(frozen=True, slots=True)
class Call:
    function: Function
    arguments: "tuple[Value, ...]"


@dataclass(frozen=True, slots=True)
class Moment:
    """When the row is true; the end of an interval is not known while it holds."""

    name: MomentName


@dataclass(frozen=True, slots=True)
class Measured:
    """What an aggregate of the operator is of the row, by its number there."""

    number: int
    type: ValueType


Value: TypeAlias = Column | Constant | Negative | Arithmetic | Call | Moment | Measured


# Formulas


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """The variables of a formula, and how it lies in time.

    `free` by first occurrence; those in `bound` have a value wherever the formula is true.
    A condition is timeless. What is dense is true at almost every instant, what is guarded only at
    instants at which an event is. A condition has no `origin`, since nothing is told about it.
    `repeated` is the same for formulas that are the same but for the names of their variables, if
    a program has several.
    """

    free: Names
    bound: frozenset[str]
    is_condition: bool = False
    is_dense: bool = False
    is_guarded: bool = True
    origin: Origin | None = None
    repeated: str | None = None

    @property
    def is_self_sufficient(self) -> bool:
        """Its own parts give all its variables a value: it can be evaluated by itself."""
        return self.bound.issuperset(self.free)


@dataclass(frozen=True, slots=True)
class Meaning:
    """A phenomenon or a formula, by its id, and of each of its arguments what stands there.

    None: anything. The arguments of an input are in the order of its declaration, those of an
    operator in the order of its columns.
    """

    phenomenon: str
    terms: tuple[str | Constant | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """An operand, by its number, of which the rows that pass the tests are meant.

    `tests` say which columns must be equal to a constant or to another column; `names` are the
    columns to keep, as the operand names them. `is_whole`: nothing is left out. `id` is the same
    for the same selection under whatever names.
    """

    scope: Scope
    id: str
    meaning: Meaning
    operand: int
    names: Names
    tests: tuple[tuple[str, Constant | str], ...] = ()
    is_whole: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A fact: of each argument the variable, the constant, or None for any value."""

    scope: Scope
    fact: str
    arguments: tuple[str | Constant | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Occurring:
    """The bindings that an operand has at any time, as if they were a fact."""

    scope: Scope
    source: Leaf


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    scope: Scope
    operator: ComparisonOperator
    left: Value
    right: Value


@dataclass(frozen=True, slots=True, eq=False)
class And:
    scope: Scope
    operands: "tuple[Formula, ...]"


@dataclass(frozen=True, slots=True, eq=False)
class Or:
    scope: Scope
    operands: "tuple[Formula, ...]"


@dataclass(frozen=True, slots=True, eq=False)
class Not:
    scope: Scope
    operand: "Formula"


@dataclass(frozen=True, slots=True, eq=False)
class In:
    """Instants at which a state holds, or with `negated` does not."""

    scope: Scope
    event: "Formula"
    state: Leaf
    negated: bool


@dataclass(frozen=True, slots=True, eq=False)
class Boundary:
    """Where a state starts, or with `is_end` where it ends.

    What comes of a calendar may begin before the timeline, where nothing happens: `is_bounded`.
    """

    scope: Scope
    state: Leaf
    is_end: bool
    is_bounded: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Exists:
    scope: Scope
    operand: "Formula"


Formula: TypeAlias = (
    Leaf | Known | Occurring | Comparison | And | Or | Not | In | Boundary | Exists
)  # fmt: skip


def follows_timeline(formula: Formula) -> bool:
    """Whether it may be true elsewhere because the timeline begins at another instant."""
    return not formula.scope.is_guarded or _is_bounded(formula)


def _is_bounded(formula: Formula) -> bool:
    match formula:
        case Boundary():
            return formula.is_bounded
        case And() | Or():
            return any(map(_is_bounded, formula.operands))
        case Not() | Exists():
            return _is_bounded(formula.operand)
        case In():
            return _is_bounded(formula.event)
        case Leaf() | Known() | Occurring() | Comparison():
            return False
        case _:
            assert_never(formula)


def list_contexts(formula: Formula) -> Iterator[Occurring]:
    """Where only the bindings of an operand are looked at, whenever they are there."""
    match formula:
        case Occurring():
            yield formula
        case And() | Or():
            for part in formula.operands:
                yield from list_contexts(part)
        case Not() | Exists():
            yield from list_contexts(formula.operand)
        case In():
            yield from list_contexts(formula.event)
        case Leaf() | Known() | Comparison() | Boundary():
            return
        case _:
            assert_never(formula)


def find_contexts(formulas: Iterable[Formula]) -> dict[int, Names]:
    """By operand the variables of which only the bindings are looked at."""
    found = [one for formula in formulas for one in list_contexts(formula)]
    return {one.source.operand: one.scope.free for one in found}


def list_moments(node: Formula | Value) -> set[MomentName]:
    """What a condition or a value asks of the row it looks at."""
    match node:
        case Moment():
            return {node.name}
        case (
            Column() | Constant() | Measured() | Leaf() | Known() | Occurring() | In() | Boundary()
        ):
            return set()
        case Negative() | Not() | Exists():
            parts: tuple[Formula | Value, ...] = (node.operand,)
        case Arithmetic() | Comparison():
            parts = (node.left, node.right)
        case Call():
            parts = node.arguments
        case And() | Or():
            parts = node.operands
        case _:
            assert_never(node)
    return set[MomentName]().union(*[list_moments(part) for part in parts])
