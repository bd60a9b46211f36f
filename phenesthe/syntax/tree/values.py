"""What stands for a value: variables, constants, arithmetic."""

from dataclasses import field
from fractions import Fraction
from typing import TypeAlias

from phenesthe.frozen import dataclass
from phenesthe.syntax.tree.aggregates import Aggregate
from phenesthe.syntax.tree.base import Name, Node
from phenesthe.vocabulary import ArithmeticOperator, Function


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable(Node):
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wildcard(Node):
    """`_`: a variable that occurs here and nowhere else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Word(Node):
    """A bare lower-case word: the parameter of that name if there is one, else a string."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterRef(Node):
    """A word the checker found to be a parameter. Never built by the parser."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IntLiteral(Node):
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FloatLiteral(Node):
    value: float
    text: str = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class StrLiteral(Node):
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoolLiteral(Node):
    value: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DurationLiteral(Node):
    """A number with a unit of time; how many ticks it is depends on the file's unit."""

    microseconds: Fraction
    text: str = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Negate(Node):
    operand: "Value"


@dataclass(frozen=True, slots=True, kw_only=True)
class Arithmetic(Node):
    operator: ArithmeticOperator
    left: "Value"
    right: "Value"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Node):
    function: Function
    name: Name = field(compare=False, repr=False)
    arguments: "tuple[Value, ...]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Previous(Node):
    """`prev(X)`: X at the previous occurrence, in the condition of a `repeat`."""

    variable: Variable


Literal_: TypeAlias = IntLiteral | FloatLiteral | StrLiteral | BoolLiteral | DurationLiteral
Term: TypeAlias = Variable | Wildcard | Word | ParameterRef | Literal_
#: A variable where an operator takes one: it then works for each value by itself.
Duration: TypeAlias = DurationLiteral | IntLiteral | Word | ParameterRef | Variable
Value: TypeAlias = Term | Negate | Arithmetic | Call | Aggregate | Previous
