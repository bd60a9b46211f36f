"""What `phenesthe run` is asked to do, read from its options."""

import argparse
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from phenesthe.check.program import CheckedProgram
    from phenesthe.io.judge import Allowed
    from phenesthe.program import Program
    from phenesthe.syntax.tree import Unit


Emit: TypeAlias = Literal["final", "changes", "snapshots"]


@dataclass(frozen=True, slots=True)
class Windows:
    """How a run is replayed."""

    width: int
    step: int
    emit: Emit


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be done, whichever engine does it. Without windows there is one query."""

    program: "CheckedProgram"
    only: tuple[str, ...]
    until: int | None
    start: int | None
    mapping: Mapping[str, str]
    windows: Windows | None
    allowed: "Allowed"


def make_order(given: argparse.Namespace, program: "Program") -> Order:
    """Raises `UsageError` for options that cannot be meant, `DataError` for names and targets."""
    from phenesthe.io.judge import allow_empty
    from phenesthe.plan.needed import check_names

    checked = program.checked
    only = check_names(checked, given.only)
    if given.engine == "local" and (given.master or given.partitions):
        option = "--master" if given.master else "--partitions"
        raise UsageError(f"{option} is for Spark", "leave it out, or leave --engine local out")
    if given.partitions is not None and given.partitions < 1:
        raise UsageError("--partitions must be at least 1", "leave it out for an automatic choice")
    mapping = _read_mapping(given.map)
    check_time_format(given.time_format)
    allowed = allow_empty(checked, given.allow_empty)
    _protect_files(given)
    if given.state is not None:
        _protect_state(given)
    if given.output is not None:
        _check_output(given)
    _check_inputs(given, checked, bool(mapping))
    until = _read_time(given.until, "--until", checked.unit)
    start = _read_time(given.start, "--start", checked.unit)
    windows = _read_windows(given, checked.unit)
    if windows is not None and start is not None and until is not None and until <= start:
        raise UsageError(
            "--until is not after --start, so there is nothing to ask about",
            "what lies at or before --start is too late to be used; give a later --until",
        )
    return Order(checked, only, until, start, mapping, windows, allowed)


class UsageError(Exception):
    """An option that cannot be meant, and the remedy: exit code 2."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(f"{message}\n  help: {hint}")


def _read_time(text: str | None, option: str, unit: "Unit") -> int | None:
    from phenesthe.io import read_time
    from phenesthe.io.times import LIMIT

    if text is None:
        return None
    try:
        time = read_time(text, unit)
    except ValueError:
        raise UsageError(
            f"{option} takes a time, not `{text}`",
            f"write a whole number of {unit}s, or a date such as 2022-01-03T00:00:00 (ISO 8601)",
        ) from None
    if abs(time) >= LIMIT:
        raise UsageError(f"{option} is out of range", "times are less than 2^62 ticks from 0")
    return time


def check_time_format(text: str | None) -> None:
    from phenesthe.io import DataError
    from phenesthe.io.time_format import make_clock

    try:
        make_clock("second", text)
    except DataError as problem:
        raise UsageError(problem.message, problem.hint or "") from None


def _read_windows(given: argparse.Namespace, unit: "Unit") -> Windows | None:
    if given.on_change is not None and given.state is None:
        raise UsageError(
            "--on-change is for a run with a state",
            "add the folder in which it is kept, for example --state kept/",
        )
    if given.window is None:
        for option in ("--step", "--emit", "--state"):
            value = getattr(given, option[2:])
            if value is not None:
                raise UsageError(
                    f"{option} works only with --window", "add a window, for example --window 8h"
                )
        return None
    width = read_duration(given.window, "--window", unit)
    step = width if given.step is None else read_duration(given.step, "--step", unit)
    if step > width:
        raise UsageError(
            f"--step {given.step} is longer than --window {given.window}",
            f"what lies between two windows would be left out; give at most --step {given.window}",
        )
    _check_spark(given)
    return Windows(width, step, given.emit or "final")


def _check_spark(given: argparse.Namespace) -> None:
    """What a replay on Spark does not do."""
    from phenesthe.io.address import is_address

    if given.engine != "spark":
        return
    if given.state is not None and given.partitions is not None:
        raise UsageError(
            "--partitions is for a run without --state", "what is kept is one memory; leave it out"
        )
    if given.emit in ("changes", "snapshots") and given.output and is_address(given.output):
        raise UsageError(
            f"--emit {given.emit} is written on this machine, not to `{given.output}`",
            "write to a file or folder here, and copy it there afterwards",
        )


def read_duration(text: str, option: str, unit: "Unit") -> int:
    """Ticks of what an option was given. Raises `UsageError`."""
    from phenesthe.check.override_parameters import read_duration as count_ticks
    from phenesthe.io.times import LIMIT

    ticks = count_ticks(text, unit)
    if ticks is None:
        raise UsageError(
            f"{option} takes a duration in whole {unit}s, not `{text}`",
            f"write 90s, 10m, 8h or 2d, or a number of {unit}s",
        )
    if ticks >= LIMIT:
        raise UsageError(
            f"{option} must be less than 2^62 ticks, not `{text}`",
            "give a shorter one, for example 30d",
        )
    if ticks < 1:
        raise UsageError(f"{option} must be at least 1 {unit}, not `{text}`", "for example 8h")
    return ticks


_FILES = {
    "--output": "results.jsonl",
    "--rejects": "rejects.jsonl",
    "--stats": "stats.jsonl",
}


def _protect_files(given: argparse.Namespace) -> None:
    """What a run writes must not take the place of what it reads, or of what else it writes."""
    from phenesthe.io.links import find_real
    from phenesthe.io.putting import is_nowhere

    taken = {find_real(given.file): "the program", find_real(given.input): "the input"}
    if given.facts is not None:
        taken[find_real(given.facts)] = "the facts"
    for option, target, what in (
        ("--output", given.output, "the output"),
        ("--rejects", given.rejects, "the file of rejects"),
        ("--stats", given.stats, "the file of statistics"),
    ):
        if target is None or is_nowhere(Path(target)):
            continue
        path = find_real(target)
        if path in taken:
            raise UsageError(
                f"{option} `{target}` is {taken[path]}",
                f"give another file, for example {option} {_FILES[option]}",
            )
        if option != "--output" and path.is_dir():
            raise UsageError(f"{option} `{target}` is a folder", "give the name of a file in it")
        taken[path] = what


def _protect_state(given: argparse.Namespace) -> None:
    """A state has a folder of its own, and nothing else is written or read there."""
    from phenesthe.io.address import is_address
    from phenesthe.io.links import find_real

    if is_address(given.state):
        raise UsageError(
            f"--state takes a folder of this machine, not `{given.state}`", "keep the state here"
        )
    place = find_real(given.state)
    for path, what in (
        (given.file, "the program"),
        (given.input, "the input"),
        (given.facts, "the facts"),
        (given.output, "the output"),
        (given.rejects, "the file of rejects"),
        (given.stats, "the file of statistics"),
    ):
        if path is None or is_address(path):
            continue
        other = find_real(path)
        if other == place:
            where = "is"
        elif other.is_relative_to(place):
            where = "holds"
        elif what == "the output" and place.is_relative_to(other):
            where = "lies in"  # and would go when the folder of results is replaced
        else:
            continue
        raise UsageError(
            f"--state `{given.state}` {where} {what}", "give a folder of its own to the state"
        )


def _check_inputs(given: argparse.Namespace, program: "CheckedProgram", mapped: bool) -> None:
    """What is not there, or cannot be an input, is refused before anything is started."""
    from phenesthe.io.address import is_address
    from phenesthe.io.foreign import refuse_web
    from phenesthe.io.load import check_place

    for place, only_facts in ((given.input, False), (given.facts, True)):
        if place is None:
            continue
        refuse_web(place)
        if not is_address(place) and _reads_here(given):
            check_place(program, place, only_facts=only_facts, mapped=mapped)


def _reads_here(given: argparse.Namespace) -> bool:
    """Whether a path without a scheme is surely one of this machine.

    A cluster may have a file system of its own for these, and a server sees other disks.
    """
    if given.engine == "local":
        return True
    return (given.master or "local").startswith("local") and "HADOOP_CONF_DIR" not in os.environ


def _check_output(given: argparse.Namespace) -> None:
    from phenesthe.io import check_target
    from phenesthe.io.address import is_address

    if not is_address(given.output):
        # Where a state is kept, what exists may be the output of this very run.
        may_exist = given.overwrite or given.state is not None
        check_target(given.output, overwrite=may_exist)
    elif given.engine == "local":
        raise UsageError(
            f"the local engine writes local files, not `{given.output}`",
            "leave --engine local out, or copy the results there afterwards",
        )
    elif given.output.endswith((".jsonl", ".csv", ".parquet")):
        raise UsageError(
            f"`{given.output}` would be one file, which is written on this machine",
            "give a folder there, for one Parquet table per phenomenon",
        )


def _read_mapping(items: list[str]) -> dict[str, str]:
    mapping: dict[str, str] = {}
    for item in items:
        argument, _, column = item.partition("=")
        if not column or "." not in argument:
            raise UsageError(
                f"--map takes INPUT.ARG=COLUMN, not `{item}`",
                "for example --map ais.speed=SOG",
            )
        mapping[argument] = column
    return mapping
