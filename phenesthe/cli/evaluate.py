"""`phenesthe run` on each of the engines."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from phenesthe.cli.order import Order
from phenesthe.cli.progress import Progress
from phenesthe.cli.terminal import warn
from phenesthe.io.address import is_address

if TYPE_CHECKING:
    from phenesthe.io import Rejects


def evaluate_locally(given: argparse.Namespace, order: Order, progress: Progress) -> None:
    from phenesthe.engines.local import run_local
    from phenesthe.io import read_input, write_results
    from phenesthe.plan.needed import list_columns

    progress.say("reading the input")
    loaded = read_input(
        order.program,
        given.input,
        facts=given.facts,
        mapping=order.mapping,
        strict=given.strict,
        columns=list_columns(order.program, order.only),
    )
    _report_input(given, loaded.rejects, loaded.warnings)
    results = run_local(
        order.program,
        loaded.tables,
        loaded.facts,
        until=order.until,
        start=order.start,
        only=order.only,
        on_definition=lambda name, at, of: progress.say(f"evaluating {name} ({at} of {of})"),
    )
    progress.say("writing the results")
    write_results(
        order.program, results, given.output, overwrite=given.overwrite, times=given.times
    )


def evaluate_on_spark(given: argparse.Namespace, order: Order, progress: Progress) -> None:
    from phenesthe.engines.spark.failures import explained
    from phenesthe.engines.spark.progress import watch
    from phenesthe.engines.spark.reading import read_input
    from phenesthe.engines.spark.run import run_spark
    from phenesthe.engines.spark.session import open_session
    from phenesthe.engines.spark.write import write_folder
    from phenesthe.io import write_results
    from phenesthe.io.target import find_form
    from phenesthe.plan.needed import list_columns

    is_folder = given.output is not None and (
        is_address(given.output) or find_form(given.output) == "directory"
    )
    progress.say("starting Spark")
    with open_session(given.master, say=progress.say) as session, watch(session, progress.say):
        inputs = read_input(
            session.spark,
            order.program,
            given.input,
            facts=given.facts,
            mapping=order.mapping,
            strict=given.strict,
            columns=list_columns(order.program, order.only),
        )
        _report_input(given, inputs.rejects, inputs.warnings)
        with explained("evaluating", log=session.log):
            found = run_spark(
                session.spark,
                order.program,
                inputs,
                until=order.until,
                start=order.start,
                only=order.only,
                partitions=given.partitions,
                together=not (given.output and is_address(given.output)),
            )
            if is_folder:
                write_folder(
                    session.spark,
                    order.program,
                    found,
                    given.output,
                    overwrite=given.overwrite,
                    times=given.times,
                )
                return
            results = found.collect()
    progress.say("writing the results")
    write_results(
        order.program, results, given.output, overwrite=given.overwrite, times=given.times
    )


def _report_input(given: argparse.Namespace, rejects: "Rejects", warnings: tuple[str, ...]) -> None:
    for text in warnings:
        warn(text)
    if not rejects:
        return
    counts = ", ".join(f"{count:,} {reason}" for reason, count in rejects.count_reasons().items())
    hint = "" if given.rejects else "; --rejects PATH keeps them"
    total = len(rejects)
    rows = "row was" if total == 1 else "rows were"
    warn(f"{total:,} {rows} set aside ({counts}){hint}")
    if given.rejects:
        Path(given.rejects).parent.mkdir(parents=True, exist_ok=True)
        rejects.write(given.rejects)
