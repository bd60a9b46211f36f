"""What `phenesthe run` is asked to do, read from its options."""

import argparse
import os
from collections.abc import Iterable, Iterator
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
from phenesthe.runs.protect import Taken, find_clash, list_program, list_tables
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
    read = _list_read(given, checked)
    _protect_files(given, read)
    if given.state is not None:
        check_state(given.state, (*read, *_list_written(given)))
    if given.output is not None:
        _check_output(given)
    _check_beside(given)
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
    "output": "results.jsonl",
    "rejects": "rejects.jsonl",
    "stats": "stats.jsonl",
}


def _list_read(given: argparse.Namespace, program: "CheckedProgram") -> list[Taken]:
    read = list(list_program(program))
    read += list_tables(program, given.input, "the input", only_facts=False)
    if given.facts is not None:
        read += list_tables(program, given.facts, "the facts", only_facts=True)
    return read


def _list_written(given: argparse.Namespace) -> Iterator[Taken]:
    # What lies in a folder of results would go when that is replaced.
    for target, what, whole in (
        (given.output, "the output", True),
        (given.rejects, "the file of rejects", False),
        (given.stats, "the file of statistics", False),
    ):
        if target is not None:
            yield Taken(target, what, whole)


def _protect_files(given: argparse.Namespace, read: Iterable[Taken]) -> None:
    """What a run writes must not take the place of what it reads, or of what else it writes."""
    from phenesthe.io.putting import is_nowhere, refuse_no_file

    taken = list(read)
    for name, example in _FILES.items():
        target = getattr(given, name)
        if target is None or is_nowhere(Path(target)):
            continue
        refuse_no_file(Path(target))
        clash = find_clash(target, taken)
        if clash is not None and (clash[0] != "holds" or name == "output"):
            where, what = clash
            raise UsageError(
                f"--{name} `{target}` {where} {what}",
                f"give another file, for example --{name} {example}",
            )
        if name != "output" and Path(target).is_dir():
            raise UsageError(f"--{name} `{target}` is a folder", "give the name of a file in it")
        taken += [one for one in _list_written(given) if one.path == target]


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


def _check_beside(given: argparse.Namespace) -> None:
    """What exists beside the output is replaced only where the output would be."""
    from phenesthe.io.target import check_beside

    for target in (given.rejects, given.stats):
        if target is not None:
            # As with the output.
            check_beside(target, overwrite=given.overwrite or given.state is not None)


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
