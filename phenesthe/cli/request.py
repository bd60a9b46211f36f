"""What `phenesthe run` is asked to do, read from its options."""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from phenesthe.runs.options import (
    UsageError,
    check_span,
    check_state,
    check_time_format,
    read_time,
    read_windows,
    refuse_parts,
)
from phenesthe.runs.request import Output, Places, Request, State

if TYPE_CHECKING:
    from phenesthe.check.program import CheckedProgram
    from phenesthe.program import Program


def make_request(given: argparse.Namespace, program: "Program") -> Request:
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
        check_state(
            given.state,
            (
                (given.file, "the program"),
                (given.input, "the input"),
                (given.facts, "the facts"),
                (given.output, "the output"),
                (given.rejects, "the file of rejects"),
                (given.stats, "the file of statistics"),
            ),
        )
    if given.output is not None:
        _check_output(given)
    _check_inputs(given, checked, bool(mapping))
    until = read_time(given.until, "until", checked.unit)
    start = read_time(given.start, "start", checked.unit)
    windows = read_windows(
        window=given.window,
        step=given.step,
        emit=given.emit,
        state=given.state,
        on_change=given.on_change,
        unit=checked.unit,
    )
    if windows is not None:
        _check_spark(given)
    check_span(windows, start, until)
    return Request(
        program=checked,
        only=only,
        source=Places(given.input, given.facts),
        allowed=allowed,
        output=Output(given.output, given.overwrite, given.times),
        until=until,
        start=start,
        windows=windows,
        state=None if given.state is None else State(given.state, given.on_change or "refuse"),
        mapping=mapping,
        time_format=given.time_format,
        strict=given.strict,
        rejects=given.rejects,
        stats=given.stats,
    )


def _check_spark(given: argparse.Namespace) -> None:
    """What a replay on Spark does not do."""
    from phenesthe.io.address import is_address

    if given.engine != "spark":
        return
    refuse_parts(given.state, given.partitions)
    if given.emit in ("changes", "snapshots") and given.output and is_address(given.output):
        raise UsageError(
            f"--emit {given.emit} is written on this machine, not to `{given.output}`",
            "write to a file or folder here, and copy it there afterwards",
        )


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
