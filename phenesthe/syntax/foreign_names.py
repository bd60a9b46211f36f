"""Functions and predicates of other languages, and what there is in their place."""

from typing import NamedTuple

from phenesthe.syntax.foreign_aggregates import FOREIGN_AGGREGATES


class ForeignName(NamedTuple):
    """What the language has none of, as the end of a sentence, and the remedy.

    `{event}`, `{operand}`, `{variable}`, `{input}` and `{aggregate}` of a remedy are words of the
    program; see `own_names.py`.
    """

    lacks: str
    remedy: str


_STATISTICS = ForeignName(
    "of several rows there are `count`, `sum`, `avg`, `min`, `max`, `first` and `last`",
    "compute it in the data, and declare what comes out as an input: `{input}`",
)
_LISTS = ForeignName(
    "values are not collected: each row is a result of its own",
    "leave this condition out, and put `{variable}` into the head; how many different ones there "
    "are is `count({variable} of …)`",
)
_CLOCK = ForeignName(
    "a formula cannot ask for the time of day or the date",
    'say when with a calendar state: `{event} in daily("22:00", "06:00", "Europe/Copenhagen")`, '
    "with your own times and time zone; others are `weekly`, `yearly` and `dates`",
)
_EXISTS = ForeignName(
    "it is not needed: a variable that occurs nowhere else stands for some value",
    "write what is in the parentheses by itself; `_` stands for any value",
)
_ALL = ForeignName(
    "there is no such quantifier",
    "say that no counterexample happens: `not` with the opposite inside",
)
_STRINGS = ForeignName(
    "texts are not cut or put together",
    "compare them with `==`, `starts_with`, `ends_with` and `includes`, also of `lower(…)`; "
    "prepare the rest in the data, as a fact",
)
_OTHER_LENGTH = ForeignName(
    "how many characters a text has is its `length`",
    "write `length({variable})`; how many rows of an event there are is their `count(…)`",
)
_OTHER_TESTS = ForeignName(
    "what a text begins and ends with is asked with underscores",
    "write `starts_with({variable}, …)` or `ends_with({variable}, …)`",
)
_ARITHMETIC = ForeignName(
    "the functions of numbers are `abs`, `min`, `max`, `sqrt`, `floor`, `round`, `angle_diff` and "
    "`distance`",
    "compute it in the data, or with `+`, `-`, `*`, `/` and `%`",
)
_WHOLE = ForeignName(
    "whole numbers are made of others by `floor` and `round`",
    "write `floor({variable})` or `round({variable})`",
)
_MISSING = ForeignName(
    "there are no missing values: every argument has a value",
    "leave it out; rows without a value are set aside when they are read",
)
_WINDOWS = ForeignName(
    "windows belong to a run, not to a program",
    "leave it out; `within`, `lasting` and `gap` limit how long something takes",
)
_LENGTH = ForeignName(
    "how long something holds is filtered with `lasting`",
    "write `{operand} lasting >= 20m`; as a value it is `duration()`, after `let`",
)
_SEQUENCE = ForeignName(
    "a sequence is written between its parts",
    "write `a(V) before b(V)`, or `a(V) then b(V)` for a state",
)
_DISTANCE = ForeignName(
    "distances on the earth are computed by `distance`, in metres",
    "write `distance(Lon1, Lat1, Lon2, Lat2)`",
)
_HAPPENS = ForeignName(
    "events are written without a time: all that is joined with `and` happens at one instant",
    "write the event itself: `{operand}`",
)
_HOLDS = ForeignName(
    "states are written without a time",
    "write `… in {operand}` for an event while the state holds, `{operand}` for the state itself",
)
_FLUENT = ForeignName(
    "a state is one definition: what begins it, `~>`, and what ends it",
    "write `state my_name(V) : begins(V) ~> ends(V);`, with names of your own",
)

#: The others are words of this language too.
_AGGREGATES = {
    name: ForeignName(meant.lacks, "{aggregate}")
    for name, meant in FOREIGN_AGGREGATES.items()
    if name not in ("min", "max", "prev")
}
FOREIGN_NAMES: dict[str, ForeignName] = _AGGREGATES | {
    name: foreign
    for names, foreign in (
        (
            "median mode var stddev stdev std stddev_pop stddev_samp variance var_pop var_samp "
            "percentile percentile_cont percentile_disc approx_percentile quantile corr covar",
            _STATISTICS,
        ),
        (
            "array_agg collect_list collect_set collect group_concat string_agg listagg "
            "json_agg to_list",
            _LISTS,
        ),
        (
            "hour minute day month year weekday dayofweek day_of_week time_of_day now date "
            "today timestamp current_time current_date current_timestamp",
            _CLOCK,
        ),
        ("exists some any", _EXISTS),
        ("forall foreach every all", _ALL),
        (
            "concat substr substring trim regexp regex matches",
            _STRINGS,
        ),
        ("pow power sin cos tan ceil ceiling mod log exp sign", _ARITHMETIC),
        ("int integer cast trunc truncate", _WHOLE),
        ("coalesce ifnull isnull nvl", _MISSING),
        ("tumble hop session window tumbling sliding", _WINDOWS),
        ("elapsed", _LENGTH),
        ("len", _OTHER_LENGTH),
        ("startswith endswith", _OTHER_TESTS),
        ("seq sequence followed_by followedby", _SEQUENCE),
        ("haversine st_distance geo_distance", _DISTANCE),
        ("happensat happens", _HAPPENS),
        ("holdsat holdsfor holds", _HOLDS),
        ("initiatedat terminatedat initially initiates terminates", _FLUENT),
    )
    for name in names.split()
}  # fmt: skip


def find_foreign(name: str) -> ForeignName | None:
    return FOREIGN_NAMES.get(name.lower())
