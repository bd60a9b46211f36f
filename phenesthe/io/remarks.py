"""What is worth saying of an input once it is read, the same on every engine."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.io.columns import list_times
from phenesthe.io.rejects import Reject, Rejects, make_plain
from phenesthe.io.spelling import fold
from phenesthe.io.times import LAST_SECOND, TICKS_PER_SECOND, format_time
from phenesthe.io.words import Wanted, describe_unreadable
from phenesthe.vocabulary import Unit

#: What times that are too large may be counted in, and how many of it are a second.
_FINER = (("millisecond", 10**3), ("microsecond", 10**6), ("nanosecond", 10**9))


def list_remarks(
    program: CheckedProgram, rejects: Rejects, last: Mapping[str, int | None]
) -> Iterator[str]:
    """Values that cannot be read, and times that are too late to be meant.

    `last` is the last time of each input.
    """
    signatures = program.given
    for (name, column), (first, count) in rejects.unreadable.items():
        signature = signatures.get(name)
        found = None if signature is None else _find_wanted(signature, column)
        if signature is not None and found is not None:
            argument, wanted = found
            sample = find_sample(signature, first, column)
            kind = "fact" if signature.kind is None else "input"
            place = first.describe_place()
            text = describe_unreadable(column, wanted, sample, count, place, argument)
            yield f"{kind} `{name}`, {text}"
    for signature in program.inputs:
        time = last.get(signature.name)
        if time is not None:
            yield from _doubt(signature.name, time, program.unit)


def _find_wanted(signature: Signature, column: str) -> tuple[str, Wanted] | None:
    """The argument of a column, which may be spelt in another way, and what it must hold."""
    types: dict[str, Wanted] = dict(zip(signature.arguments, signature.types, strict=True))
    types |= dict.fromkeys((*list_times(signature), "arrival"), "time")
    if column in types:
        return column, types[column]
    return next((one for one in types.items() if fold(one[0]) == fold(column)), None)


def find_sample(signature: Signature, reject: Reject, column: str) -> str:
    """What a row that was set aside has in a column."""
    row: Any = reject.row
    if isinstance(row, str):
        return row
    if column not in row and isinstance(row.get("args"), list):
        row = dict(zip(signature.arguments, row["args"], strict=False))
    value = make_plain(row.get(column))
    # As JSON has it: `true`, not Python's `True`.
    return json.dumps(value) if isinstance(value, bool | list | dict) else str(value)


def _doubt(name: str, time: int, unit: Unit) -> Iterator[str]:
    """A time beyond the year 9999 is more likely one in a finer unit."""
    scale = TICKS_PER_SECOND[unit]
    if time <= LAST_SECOND * scale:
        return
    year = format_time(time, unit).lstrip("+").partition("-")[0].lstrip("0")
    text = f"input `{name}`: its times go up to {time}, which in {unit}s is the year {int(year):,}"
    for finer, parts in _FINER:
        if parts > scale and time // parts <= LAST_SECOND:
            declare = (
                "" if finer == "nanosecond" else f"write `unit {finer};` into the program, or "
            )
            yield (
                f"{text}; they look like {finer}s\n"
                f"  help: {declare}divide them by {parts // scale:,}"
            )
            return
    yield text
