"""What is said of one instant, or of a binding: the inside of an operator.

Everything between the operands of an operator that needs no rows of its own to be remembered:
conditions, and the formulas over instants. Of each is known what can be known before it runs.
"""

from dataclasses import dataclass
from typing import TypeAlias, assert_never

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


Value: TypeAlias = Column | Constant | Negative | Arithmetic | Call | Moment


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
    """Where a state starts, or with `is_end` where it ends."""

    scope: Scope
    state: Leaf
    is_end: bool


@dataclass(frozen=True, slots=True, eq=False)
class Exists:
    scope: Scope
    operand: "Formula"


Formula: TypeAlias = Leaf | Known | Comparison | And | Or | Not | In | Boundary | Exists


def list_moments(node: Formula | Value) -> set[MomentName]:
    """What a condition or a value asks of the row it looks at."""
    match node:
        case Moment():
            return {node.name}
        case Column() | Constant() | Leaf() | Known() | In() | Boundary():
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
