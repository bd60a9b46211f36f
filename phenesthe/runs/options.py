"""Options that are typed or given, read and checked."""

from collections.abc import Iterable
from operator import index
from typing import TYPE_CHECKING, SupportsIndex

from phenesthe.options import name_option
from phenesthe.runs.protect import Taken, find_clash
from phenesthe.runs.request import Emit, OnChange, Windows

if TYPE_CHECKING:
    from phenesthe.vocabulary import Unit


class UsageError(Exception):
    """An option that cannot be meant, and the remedy: exit code 2 on the command line."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(f"{message}\n  help: {hint}")
        self.message, self.hint = message, hint


def read_time(given: SupportsIndex | str | None, option: str, unit: "Unit") -> int | None:
    """Ticks of a number or a text; None for nothing. Raises `UsageError`."""
    from phenesthe.io import read_time as read_text
    from phenesthe.io.times import LIMIT

    if given is None:
        return None
    try:
        time = read_text(given, unit) if isinstance(given, str) else index(given)
    except (TypeError, ValueError):
        raise UsageError(
            f"{name_option(option)} takes a time, not `{given}`",
            f"write a whole number of {unit}s, or a date such as 2022-01-03T00:00:00 (ISO 8601)",
        ) from None
    if abs(time) >= LIMIT:
        raise UsageError(
            f"{name_option(option)} is out of range", "times are less than 2^62 ticks from 0"
        )
    return int(time)


def read_duration(given: object, option: str, unit: "Unit") -> int:
    """Ticks of a number or a text such as `8h`. Raises `UsageError`."""
    from phenesthe.check.override_parameters import read_duration as count_ticks
    from phenesthe.io.times import LIMIT

    name = name_option(option)
    ticks = count_ticks(given, unit)
    if ticks is None:
        raise UsageError(
            f"{name} takes a duration in whole {unit}s, not `{given}`",
            f"write 90s, 10m, 8h or 2d, or a number of {unit}s",
        )
    if ticks >= LIMIT:
        raise UsageError(
            f"{name} must be less than 2^62 ticks, not `{given}`",
            "give a shorter one, for example 30d",
        )
    if ticks < 1:
        raise UsageError(f"{name} must be at least 1 {unit}, not `{given}`", "for example 8h")
    return ticks


def check_time_format(text: str | None) -> None:
    from phenesthe.io import DataError
    from phenesthe.io.time_format import make_clock

    try:
        make_clock("second", text)
    except DataError as problem:
        raise UsageError(problem.message, problem.hint or "") from None


def read_windows(
    *,
    window: object,
    step: object,
    emit: Emit | None,
    state: str | None,
    on_change: OnChange | None,
    unit: "Unit",
) -> Windows | None:
    """How to replay; None for a run of one query. Raises `UsageError`."""
    if on_change is not None and state is None:
        kept = name_option("state", "kept/", python='state="kept/"')
        raise UsageError(
            f"{name_option('on_change')} is for a run with a state",
            f"add the folder in which it is kept, for example {kept}",
        )
    if window is None:
        for option, value in (("step", step), ("emit", emit), ("state", state)):
            if value is not None:
                eight = name_option("window", "8h", python='window="8h"')
                raise UsageError(
                    f"{name_option(option)} works only with {name_option('window')}",
                    f"add a window, for example {eight}",
                )
        return None
    width = read_duration(window, "window", unit)
    every = width if step is None else read_duration(step, "step", unit)
    if every > width:
        raise UsageError(
            f"{name_option('step', step)} is longer than {name_option('window', window)}",
            "what lies between two windows would be left out; give at most "
            + name_option("step", window),
        )
    return Windows(width, every, emit or "final")


def check_span(windows: Windows | None, start: int | None, until: int | None) -> None:
    if windows is not None and start is not None and until is not None and until <= start:
        first, last = name_option("start"), name_option("until")
        raise UsageError(
            f"{last} is not after {first}, so there is nothing to ask about",
            f"what lies at or before {first} is too late to be used; give a later {last}",
        )


def check_state(path: str, others: Iterable[Taken]) -> None:
    """A state has a folder of its own, and nothing else is written or read there."""
    from phenesthe.io.address import is_address

    name = name_option("state")
    if is_address(path):
        raise UsageError(
            f"{name} takes a folder of this machine, not `{path}`", "keep the state here"
        )
    clash = find_clash(path, others)
    if clash is not None:
        where, what = clash
        raise UsageError(f"{name} `{path}` {where} {what}", "give a folder of its own to the state")


def refuse_parts(state: str | None, partitions: int | None) -> None:
    """What is kept is not cut into parts."""
    if state is not None and partitions is not None:
        raise UsageError(
            f"{name_option('partitions')} is for a run without {name_option('state')}",
            "what is kept is one memory; leave it out",
        )
