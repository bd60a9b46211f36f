"""The words of the language that more than one room has to know."""

from typing import Literal, TypeAlias, get_args

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

#: States that time alone makes.
CalendarName: TypeAlias = Literal["always", "daily", "weekly", "yearly", "dates"]

#: Both take one state away from another; `without` keeps the border instants.
Difference: TypeAlias = Literal["complement", "without"]
#: What is said of either, so that who knows one of them hears of the other.
BORDERS = (
    "`complement` leaves out the instants at which the right side begins and ends, `without` keeps "
    "them"
)
TAKE_AWAY = (
    "take a state away from another with `complement`, or with `without`, which keeps border "
    "instants"
)

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

# The same as lists, in the order in which they are shown.

KINDS: tuple[Kind, ...] = get_args(Kind)
VALUE_TYPES: tuple[ValueType, ...] = get_args(ValueType)
UNITS: tuple[Unit, ...] = get_args(Unit)
COMPARISONS: tuple[ComparisonOperator, ...] = get_args(ComparisonOperator)
RELATIONS: tuple[RelationName, ...] = get_args(RelationName)
MODES: tuple[Mode, ...] = get_args(Mode)
#: The arguments of each, by the names that people are told; a time zone may be left out.
CALENDARS: dict[CalendarName, Names] = {
    "always": (),
    "daily": ("from", "to", "zone"),
    "weekly": ("from", "to", "zone"),
    "yearly": ("from", "to", "zone"),
    "dates": ("from", "to", "zone"),
}
#: What is built in and called with parentheses, unless a program declares something of the name.
BUILT_IN: Names = tuple(CALENDARS)
#: How many arguments each takes, or at least takes.
FUNCTIONS: dict[str, int] = {"abs": 1, "min": 2, "max": 2, "angle_diff": 2, "distance": 4}

#: Each inverse and the relation it is with its sides swapped.
INVERSES: dict[str, PlainRelation] = {
    "after": "before",
    "met_by": "meets",
    "overlapped_by": "overlaps",
    "finished_by": "finishes",
    "started_by": "starts",
    "during": "contains",
}
