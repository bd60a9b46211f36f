"""The words of the language that more than one room has to know."""

from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["event", "state", "dynamic"]
ValueType: TypeAlias = Literal["int", "float", "str", "bool"]
Unit: TypeAlias = Literal["second", "millisecond", "microsecond"]
Scalar: TypeAlias = int | float | str | bool
Names: TypeAlias = tuple[str, ...]
INT_MIN, INT_MAX = -(2**63), 2**63 - 1
#: As it is told.
FLOAT_MAX = "1.8e308"

ComparisonOperator: TypeAlias = Literal["<", "<=", ">", ">=", "==", "!="]
ArithmeticOperator: TypeAlias = Literal["+", "-", "*", "/"]
Function: TypeAlias = Literal["abs", "min", "max", "angle_diff", "distance"]

#: Both take one state away from another; `without` keeps the border instants.
Difference: TypeAlias = Literal["complement", "without"]

PlainRelation: TypeAlias = Literal[
    "before", "meets", "overlaps", "starts", "finishes", "equals", "contains"
]
#: Those that ask for the same instant, which `within D` takes less exactly.
ExactRelation: TypeAlias = Literal["meets", "starts", "finishes", "equals"]
RelationName: TypeAlias = Literal[
    "before", "meets", "overlaps", "finishes", "starts", "equals", "contains",
    "after", "met_by", "overlapped_by", "finished_by", "started_by", "during",
]  # fmt: skip
Mode: TypeAlias = Literal[
    "source", "target", "union", "intersection", "complement", "inverse_complement"
]

#: Each inverse and the relation it is with its sides swapped.
INVERSES: dict[str, PlainRelation] = {
    "after": "before",
    "met_by": "meets",
    "overlapped_by": "overlaps",
    "finished_by": "finishes",
    "started_by": "starts",
    "during": "contains",
}
