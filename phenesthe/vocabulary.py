"""The words of the language that more than one room has to know."""

from typing import Literal, NamedTuple, TypeAlias, get_args

Kind: TypeAlias = Literal["event", "state", "dynamic"]
ValueType: TypeAlias = Literal["int", "float", "str", "bool"]
Unit: TypeAlias = Literal["second", "millisecond", "microsecond"]
Scalar: TypeAlias = int | float | str | bool
Names: TypeAlias = tuple[str, ...]
INT_MIN, INT_MAX = -(2**63), 2**63 - 1
#: As it is told.
FLOAT_MAX = "1.8e308"

ComparisonOperator: TypeAlias = Literal["<", "<=", ">", ">=", "==", "!="]
ArithmeticOperator: TypeAlias = Literal["+", "-", "*", "/", "%"]
#: When the row is true that is looked at: of an event its instant, of an interval its ends.
Moment: TypeAlias = Literal["time", "start_time", "end_time", "duration"]
Function: TypeAlias = Literal[
    "abs", "min", "max", "angle_diff", "distance",
    "sqrt", "floor", "round",
    "length", "lower", "upper", "starts_with", "ends_with", "includes",
    Moment,
]  # fmt: skip

#: What is computed of many rows: of those of an event, `total` of the intervals of a state.
AggregateName: TypeAlias = Literal["count", "sum", "avg", "min", "max", "first", "last", "total"]
#: Of an event: the rows up to its instant, or up to the one before.
Span: TypeAlias = Literal["over", "past"]

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
MOMENTS: tuple[Moment, ...] = get_args(Moment)
AGGREGATES: tuple[AggregateName, ...] = get_args(AggregateName)
SPANS: tuple[Span, ...] = get_args(Span)
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


class FunctionShape(NamedTuple):
    """How many arguments of which type a function takes, or at least takes, and what it gives.

    Without a type it gives what its arguments are: a `float` if one of them is, else an `int`.
    """

    least: int
    takes: Literal["number", "text"]
    gives: ValueType | None
    takes_more: bool = False


FUNCTIONS: dict[str, FunctionShape] = {
    "abs": FunctionShape(1, "number", None),
    "min": FunctionShape(2, "number", None, takes_more=True),
    "max": FunctionShape(2, "number", None, takes_more=True),
    "angle_diff": FunctionShape(2, "number", "float"),
    "distance": FunctionShape(4, "number", "float"),
    "sqrt": FunctionShape(1, "number", "float"),
    "floor": FunctionShape(1, "number", "int"),
    "round": FunctionShape(1, "number", "int"),
    "length": FunctionShape(1, "text", "int"),
    "lower": FunctionShape(1, "text", "str"),
    "upper": FunctionShape(1, "text", "str"),
    "starts_with": FunctionShape(2, "text", "bool"),
    "ends_with": FunctionShape(2, "text", "bool"),
    "includes": FunctionShape(2, "text", "bool"),
    **dict.fromkeys(MOMENTS, FunctionShape(0, "number", "int")),
}
#: Those whose names no phenomenon can have; the others are functions only where a value stands.
RESERVED_FUNCTIONS = ("abs", "min", "max", "angle_diff", "distance")
#: Conditions by themselves.
PREDICATES = tuple(name for name, shape in FUNCTIONS.items() if shape.gives == "bool")

#: Each inverse and the relation it is with its sides swapped.
INVERSES: dict[str, PlainRelation] = {
    "after": "before",
    "met_by": "meets",
    "overlapped_by": "overlaps",
    "finished_by": "finishes",
    "started_by": "starts",
    "during": "contains",
}
