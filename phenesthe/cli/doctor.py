"""`phenesthe doctor`: what is installed, what is missing, and the command that mends it."""

import argparse
import sys
import time
from typing import TYPE_CHECKING

from phenesthe.cli.progress import Progress

if TYPE_CHECKING:
    from phenesthe.engines.spark.health import Finding


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--master", metavar="URL", help="see whether this Spark master can be used, too"
    )
    parser.add_argument(
        "--run", action="store_true", help="start Spark and let a worker do something"
    )
    parser.add_argument(
        "--warm-up",
        action="store_true",
        help="make an archive of Java's classes, with which Spark on this machine starts quicker",
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")


def run(given: argparse.Namespace) -> int:
    from phenesthe import __version__
    from phenesthe.engines.spark.health import State, examine

    print(f"phenesthe {__version__}, Python {sys.version.split()[0]} ({sys.executable})\n")
    findings = []
    for finding in examine(given.master):
        findings.append(finding)
        _print(finding)
    local = not any(one.state is State.MISSING and not one.only_spark for one in findings)
    spark = not any(one.state is State.MISSING for one in findings)
    if spark:
        for finding in _try_spark(given):
            _print(finding)
            spark = spark and finding.state is not State.MISSING
    print(f"\n--engine spark: {'ready' if spark else 'not ready, see above'}")
    print(f"--engine local: {'ready' if local else 'not ready, see above'}")
    return 0 if spark else 1


def _try_spark(given: argparse.Namespace) -> "list[Finding]":
    """Knock at the master and, if that is asked for, work there."""
    from phenesthe.engines.spark.health import Finding, State
    from phenesthe.io.errors import DataError

    findings = []
    try:
        if given.master is not None:
            from phenesthe.engines.spark.masters import check_master, hide_token

            check_master(given.master)
            findings.append(Finding(State.OK, "master", f"{hide_token(given.master)} answers"))
        if given.run:
            findings += _run_tiny_job(given)
        if given.warm_up:
            findings.append(_warm_up(given))
    except DataError as problem:
        what = "Spark" if findings or given.master is None else "master"
        log = getattr(problem, "log", None)
        remedy = "; ".join(filter(None, (problem.hint, f"log: {log}" if log else None)))
        findings.append(Finding(State.MISSING, what, problem.message, remedy or None))
    return findings


def _run_tiny_job(given: argparse.Namespace) -> "list[Finding]":
    from phenesthe.engines.spark.health import Finding, State
    from phenesthe.engines.spark.session import open_session
    from phenesthe.engines.spark.try_workers import try_workers

    with Progress(quiet=given.quiet) as progress:
        progress.say("starting Spark")
        begun = time.monotonic()
        with open_session(given.master) as session:
            started = time.monotonic()
            progress.say("a worker at work")
            workers = try_workers(session)
            worked = time.monotonic()
        text = f"{session.text}; started in {started - begun:.1f} s"
    return [
        Finding(State.OK, "Spark", text),
        Finding(State.OK, "workers", f"{workers}; a job took {worked - started:.1f} s"),
    ]


def _warm_up(given: argparse.Namespace) -> "Finding":
    """Nothing of it is needed: a run without an archive starts as ever."""
    from phenesthe.engines.spark.health import Finding, State
    from phenesthe.engines.spark.java import Java, find_java
    from phenesthe.engines.spark.machine import write_size
    from phenesthe.engines.spark.start import has_own_options
    from phenesthe.runs.warm_up import make_class_archive

    what, java = "class archive", find_java()
    if given.master is not None or has_own_options():
        text = "not made: it is for Spark as it starts without a master or options for Java"
        return Finding(State.POOR, what, text, "leave them out of this command, and of the runs")
    assert isinstance(java, Java)  # or nothing here were tried
    begun = time.monotonic()
    with Progress(quiet=given.quiet) as progress:
        progress.say("running something, for Java to write down its classes")
        try:
            made = make_class_archive(java)
        except OSError as problem:
            text = f"not made: {problem.filename}: {problem.strerror}"
            remedy = "let XDG_CACHE_HOME name a folder of yours with 300 MB to spare"
            return Finding(State.POOR, what, text, remedy)
    if made is None:
        return Finding(State.POOR, what, f"not made: Java {java.version} wrote none")
    size, seconds = write_size(made.stat().st_size), time.monotonic() - begun
    return Finding(State.OK, what, f"{made}, {size}, made in {seconds:.0f} s")


def _print(finding: "Finding") -> None:
    print(f"  {finding.state.value:<8} {finding.what:<14} {finding.found}")
    if finding.remedy is not None:
        print(f"  {'':<8} {'':<14} mend: {finding.remedy}")
