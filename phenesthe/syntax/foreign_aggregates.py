"""What other languages compute over several rows, and which aggregate is meant by it."""

from typing import NamedTuple

from phenesthe.vocabulary import AggregateName


class Meant(NamedTuple):
    """An aggregate of this language for a word of another one."""

    function: AggregateName
    #: What the other word is, as the end of a sentence.
    lacks: str
    #: Different values are counted, and not rows.
    is_distinct: bool = False
    #: Of the rows before the one at hand.
    is_past: bool = False
    #: Taken away from the value at hand.
    is_difference: bool = False
    #: What else there is.
    besides: str = ""


_ROWS = "what is counted are rows of an event that is written out"
_VALUES = "what is computed over several rows says of which event they are"
_DIFFERENT = "`count(X of …)` counts different values"
_BEFORE = "the value before is the last one of the rows before"
_LENGTH = "how far back is a length of time, and not a number of rows"
_PREVIOUS = "from one occurrence of a `repeat` to the next it is `prev(X)`"
_ONE_ROW = {
    "min": "the lesser of two values of one row is `min(X, Y)`",
    "max": "the greater of two values of one row is `max(X, Y)`",
}

FOREIGN_AGGREGATES: dict[str, Meant] = {
    name: meant
    for names, meant in (
        ("count", Meant("count", _ROWS)),
        ("row_number rownum", Meant("count", "the number of a row is the `count` of those so far")),
        ("count_if countif", Meant("count", "a condition on what is counted stands beside it")),
        (
            "count_distinct countdistinct approx_count_distinct approx_distinct nunique n_distinct "
            "uniq dcount",
            Meant("count", _DIFFERENT, is_distinct=True),
        ),
        ("sum", Meant("sum", _VALUES)),
        ("cumsum running_total", Meant("sum", "a sum so far is the `sum` of the rows before")),
        ("rolling_count", Meant("count", _LENGTH)),
        ("rolling_sum moving_sum", Meant("sum", _LENGTH)),
        ("total", Meant("sum", "of intervals there is the `total`, of rows the `sum`")),
        ("avg", Meant("avg", _VALUES)),
        ("average mean", Meant("avg", "the average of several rows is `avg`")),
        ("rolling_mean rolling_avg moving_average moving_avg mavg", Meant("avg", _LENGTH)),
        ("min", Meant("min", _VALUES, besides=_ONE_ROW["min"])),
        ("max", Meant("max", _VALUES, besides=_ONE_ROW["max"])),
        ("rolling_min", Meant("min", _LENGTH)),
        ("rolling_max", Meant("max", _LENGTH)),
        (
            "rank dense_rank percent_rank ntile",
            Meant("max", "of ranks only the ends are there, the greatest and the least"),
        ),
        ("first", Meant("first", _VALUES)),
        ("last", Meant("last", _VALUES)),
        ("first_value", Meant("first", "the first value of several rows is `first`")),
        ("last_value latest", Meant("last", "the last value of several rows is `last`")),
        (
            "lag previous prior shift",
            Meant("last", _BEFORE, is_past=True, besides=_PREVIOUS),
        ),
        (
            # A word of the language, which stands in a `repeat` alone.
            "prev",
            Meant("last", _BEFORE, is_past=True),
        ),
        (
            "lead",
            Meant(
                "last",
                "what comes later is not known: at the later row ask for the value before it",
                is_past=True,
            ),
        ),
        (
            "diff delta",
            Meant("last", _BEFORE, is_past=True, is_difference=True, besides=_PREVIOUS),
        ),
    )
    for name in names.split()
}
#: Called on a value, as methods are; the others are words of users as likely.
METHODS = (
    *("count", "nunique", "sum", "cumsum", "mean", "avg", "average", "min", "max", "first"),
    *("last", "shift", "lag", "diff"),
)


def find_meant(name: str) -> Meant | None:
    return FOREIGN_AGGREGATES.get(name.lower())
