"""One line on every word and sign of the language."""

from phenesthe.check.machines import AFTER
from phenesthe.ide.words import spell
from phenesthe.syntax.clauses import MEANINGS as CLAUSES
from phenesthe.syntax.tokens import MODES, Token
from phenesthe.vocabulary import BUILT_IN, CALENDARS, FUNCTIONS, MOMENTS, PREDICATES

_DECLARATIONS = {
    "import": "makes what another module declares visible here",
    "unit": "says what one tick of time is: `second`, `millisecond` or `microsecond`",
    "report": "names the definitions that a run of this file reports, imported ones too; without "
    "it those that the file defines",
    "param": "a constant with a default that a run may override",
    "input": "a phenomenon that comes with the data",
    "fact": "knowledge without time that comes with the data",
    "exclusive": "a state whose last argument has at most one value at a time",
    "machine": "a state whose last argument takes one value after the other, as transitions say",
    "initially": "the value that a machine has before its first transition; it is reported once a "
    "transition enters it",
    "event": "a phenomenon that is true at instants",
    "state": "a phenomenon that holds on intervals; for the same arguments they never touch",
    "dynamic": "a phenomenon that holds on intervals that may overlap",
}
_RELATIONS = {
    "before": "left ends before right starts, and nothing of either lies between; "
    "from the start of left to the end of right",
    "meets": "left ends at the instant at which right starts; holds over both",
    "overlaps": "left starts first, right starts inside left and ends after it; holds over both",
    "starts": "both start together and left ends first; holds as long as right",
    "finishes": "both end together and left starts later; holds as long as right",
    "equals": "both start together and end together",
    "contains": "right lies inside left and touches neither end; holds as long as left",
    "after": "`before` with its sides swapped",
    "met_by": "`meets` with its sides swapped",
    "overlapped_by": "`overlaps` with its sides swapped",
    "finished_by": "`finishes` with its sides swapped",
    "started_by": "`starts` with its sides swapped",
    "during": "`contains` with its sides swapped: left lies inside right",
    "as": "makes a state of a relation, from the intervals that take part in it",
}
_OPERATORS = {
    "then": "pairs each interval of left with the next one of right, from start to end",
    "union": "holds where any of the states holds; what overlaps or touches grows together",
    "intersection": "holds where all of the states hold",
    "complement": "holds where left holds and right does not, without the instants at which right "
    "begins and ends; `without` keeps those",
    "without": "the parts of left that share no more than a border with right, so that they meet "
    "what cut them; `complement` leaves the border instants out",
    "count": "how many different values of a variable a state holds for, as a number: `count V of "
    "in_area(V, A) as K`; with parentheses how many rows of an event there are, "
    "`count(call(V, _))`, or how many different values of a variable they have, "
    "`count(P of call(V, P))`",
    "of": "says which state `at least` and `count` look at, in parentheses unless it is one "
    "phenomenon",
    "~>": "holds from the first event of left to the next event of right",
    "repeat": "runs of two or more events, as long as each follows the one before closely enough",
    "while": "says what neighbours in a `repeat` must satisfy",
    "or": "true where one of the two events, or of the two conditions, is",
    "and": "true where both are; a condition filters the event beside it",
    "not": "true where the event or the condition is not",
    "in": "true when the event happens while the state holds, its two ends included",
    "not in": "true when the event happens while the state does not hold",
    "start": "the instants at which a state begins",
    "end": "the instants at which a state ends; one that still holds has no end yet",
    "where": "keeps what satisfies a condition, whatever the kind",
    "->": "leads from one value of a machine to another; `_` on the left leaves any value, on the "
    "right it ends the machine",
    "let": "names what is computed from each row; it can be compared, joined and reported",
    "prev": "the value that the variable had at the neighbour before, inside a `repeat`",
}
_CALENDARS = {
    "always": "holds from the first instant of the timeline on, for ever",
    "daily": "holds every day from one time to the next other one, in UTC or in a time zone: "
    '`daily("22:00", "06:00", "Europe/Copenhagen")`',
    "weekly": "holds every week from one day and time to the next other one, in UTC or in a time "
    'zone: `weekly("Sat 00:00", "Mon 00:00", "Europe/Copenhagen")`',
    "yearly": "holds every year from one date to the end of another, in UTC or in a time zone: "
    '`yearly("03-01", "06-15", "Europe/Copenhagen")`',
    "dates": "holds once, from one date to the end of another, in UTC or in a time zone: "
    '`dates("2026-03-01", "2026-06-15", "Europe/Copenhagen")`',
}
_VALUES = {
    "true": "the value `true` of the type `bool`",
    "false": "the value `false` of the type `bool`",
    "abs": "the absolute value",
    "min": "the smallest of two or more numbers, or of the rows of an event: `min(S of ais(V, S))`",
    "max": "the largest of two or more numbers, or of the rows of an event: `max(S of ais(V, S))`",
    "angle_diff": "the angle between two directions, in degrees from 0 to 180",
    "distance": "metres along a great circle between two places given in degrees",
    "sqrt": "the square root; of a negative number there is none",
    "floor": "the greatest whole number that is not greater",
    "round": "the nearest whole number, halves away from zero",
    "length": "how many characters a text has",
    "lower": "the text in lower case",
    "upper": "the text in upper case",
    "starts_with": "whether a text begins with another",
    "ends_with": "whether a text ends with another",
    "includes": "whether a text has another in it",
    "time": "the instant of the event",
    "start_time": "the instant at which the interval begins",
    "end_time": "the instant at which the interval ends; there is none while it holds",
    "duration": "how long the interval lasts, in ticks; undefined while it holds, unlike `lasting`",
    "sum": "the sum of a variable over the rows of an event: `sum(A of pay(C, A))`; 0 without rows",
    "avg": "the average of a variable over the rows of an event: `avg(S of ais(V, S))`",
    "first": "the value at the first instant of an event, of several the least: "
    "`first(P of call(V, P))`",
    "last": "the value at the last instant of an event, of several the least: "
    "`last(P of call(V, P))`",
    "total": "for how many ticks of an interval a state holds: `total(stopped(V))`",
    "_": "any value; every `_` is a variable of its own",
    "<": "less than",
    "<=": "at most",
    ">": "more than",
    ">=": "at least",
    "==": "equal",
    "!=": "not equal",
    "+": "the sum",
    "-": "the difference, or the negative",
    "*": "the product",
    "%": "the remainder, with the sign of the divisor; by zero there is none",
    "/": "the quotient; always divides as floats, and by zero nothing holds",
}
MODE_MEANINGS = {
    "source": "the intervals of left that take part in the relation",
    "target": "the intervals of right that take part in the relation",
    "union": "where an interval of either side that takes part holds",
    "intersection": "where intervals of both sides that take part hold",
    "complement": "where those of left that take part hold and those of right do not",
    "inverse_complement": "where those of right that take part hold and those of left do not",
}
TYPE_MEANINGS = {
    "int": "whole numbers of 64 bits",
    "float": "floating-point numbers of 64 bits",
    "str": "texts",
    "bool": "`true` or `false`",
    "duration": "a length of time, such as `90s` or `2h`; only parameters have this type",
}
NUMBER_MEANING = "the variable after it takes the number that `count` finds, which is at least 1"
UNIT_MEANINGS = {
    "second": "time is counted in seconds, which is what is taken when nothing is said",
    "millisecond": "time is counted in thousandths of a second",
    "microsecond": "time is counted in millionths of a second",
}
MEANINGS = {**_DECLARATIONS, **_RELATIONS, **_OPERATORS, **CLAUSES, **_CALENDARS, **_VALUES}
ANY_VALUE_MEANING = "any value of the machine, also the initial one before it is entered"
NO_VALUE_MEANING = "ends the machine, which is then as before its first transition"
#: What the functions take, by name.
FUNCTION_ARGUMENTS: dict[str, tuple[str, ...]] = {
    "abs": ("x",),
    "min": ("x", "y"),
    "max": ("x", "y"),
    "angle_diff": ("a", "b"),
    "distance": ("lon1", "lat1", "lon2", "lat2"),
    **dict.fromkeys(("sqrt", "floor", "round"), ("x",)),
    **dict.fromkeys(("length", "lower", "upper"), ("text",)),
    **dict.fromkeys(PREDICATES, ("text", "part")),
    **dict.fromkeys(MOMENTS, ()),
    "count": ("event",),
    **dict.fromkeys(("sum", "avg", "first", "last"), ("X of event",)),
    "total": ("state",),
    "start": ("state",),
    "end": ("state",),
    "prev": ("variable",),
    **{str(name): takes for name, takes in CALENDARS.items()},
}
#: What stands between the parentheses of what is built in, to be written over.
EXAMPLES: dict[str, tuple[str, ...]] = {
    "always": (),
    "daily": ('"22:00"', '"06:00"'),
    "weekly": ('"Sat 00:00"', '"Mon 00:00"'),
    "yearly": ('"03-01"', '"06-15"'),
    "dates": ('"2026-03-01"', '"2026-06-15"'),
}


def find_meaning(before: str, token: Token, after: str) -> str | None:
    """What a word means between its neighbours: `union` after `as` is a mode, for example."""
    word = spell(token)
    if before == "as" and word in MODES:
        return MODE_MEANINGS[word]
    if word == "as" and (after[:1].isupper() or after[:1] == "_"):
        return NUMBER_MEANING
    if (before, word) == (":", "after"):
        return AFTER.meaning
    if word == "_" and "->" in (before, after):
        return ANY_VALUE_MEANING if after == "->" else NO_VALUE_MEANING
    if before == "unit":
        return UNIT_MEANINGS.get(word)
    if before == ":" and word in TYPE_MEANINGS:
        return TYPE_MEANINGS[word]
    if (word, after) == ("at", "least") or (before, word) == ("at", "least"):
        return MEANINGS["at least"]
    if (word, after) == ("not", "in") or (before, word) == ("not", "in"):
        return MEANINGS["not in"]
    if (word == "gap" and before != "while") or (word in BUILT_IN and after != "("):
        return None
    if (word in FUNCTIONS or word in ("sum", "avg", "first", "last", "total")) and after != "(":
        return None
    return MEANINGS.get(word)
