"""`phenesthe run` on each of the engines."""

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from phenesthe.cli.judge import Read, judge, report_rejects
from phenesthe.cli.order import Order
from phenesthe.cli.progress import Progress
from phenesthe.cli.summary import Ran
from phenesthe.io.address import is_address

if TYPE_CHECKING:
    import pyarrow as pa

    from phenesthe.io.meta import Meta
    from phenesthe.io.putting import Putting
    from phenesthe.io.unseen import Values


R = TypeVar("R", bound=Read)


def evaluate(given: argparse.Namespace, order: Order, progress: Progress) -> Ran:
    """Do what is ordered, on the engine asked for."""
    if order.windows is not None and given.engine == "spark":
        from phenesthe.cli.replay_spark import replay_on_spark

        return replay_on_spark(given, order, order.windows, progress)
    if order.windows is not None:
        from phenesthe.cli.replay import replay_locally

        return replay_locally(given, order, order.windows, progress)
    if given.engine == "spark":
        return evaluate_on_spark(given, order, progress)
    return evaluate_locally(given, order, progress)


def evaluate_locally(given: argparse.Namespace, order: Order, progress: Progress) -> Ran:
    from phenesthe.engines.local import run_local
    from phenesthe.io import read_input
    from phenesthe.io.unseen import TableValues

    progress.say("reading the input")
    loaded = read(read_input, given, order)
    judge(given, order, loaded)
    report_rejects(given, loaded.rejects)
    began = perf_counter()
    results = run_local(
        order.program,
        loaded.tables,
        loaded.facts,
        until=order.until,
        start=order.start,
        only=order.only,
        on_definition=lambda name, at, of: progress.say(f"evaluating {name} ({at} of {of})"),
    )
    inputs = sum(table.num_rows for table in loaded.tables.values())
    _write_stats(given, order, loaded, inputs, perf_counter() - began)
    write(results, given, order, progress, make_meta(order, loaded, loaded.last))
    values = TableValues({**loaded.tables, **loaded.facts})
    return make_ran(order, loaded, count_rows(results), values)


def evaluate_on_spark(given: argparse.Namespace, order: Order, progress: Progress) -> Ran:
    from phenesthe.engines.spark.failures import explained
    from phenesthe.engines.spark.progress import watch
    from phenesthe.engines.spark.reading import read_input
    from phenesthe.engines.spark.run import run_spark
    from phenesthe.engines.spark.session import open_session
    from phenesthe.engines.spark.unseen import FrameValues
    from phenesthe.engines.spark.write import write_folder
    from phenesthe.io.target import find_form

    is_folder = given.output is not None and (
        is_address(given.output) or find_form(given.output) == "directory"
    )
    progress.say("starting Spark")
    with open_session(given.master, say=progress.say) as session, watch(session, progress.say):
        inputs = read(partial(read_input, session.spark), given, order)
        judge(given, order, inputs)
        report_rejects(given, inputs.rejects)
        values = FrameValues({**inputs.frames, **inputs.facts})
        count = sum(inputs.counts[one.name] for one in order.program.inputs)
        began = perf_counter()
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
                written = write_folder(
                    session.spark,
                    order.program,
                    found,
                    given.output,
                    overwrite=given.overwrite,
                    times=given.times,
                    meta=make_meta(order, inputs, inputs.last),
                    # The output comes last: a run that was killed before it is made again.
                    before=lambda: _write_stats(
                        given, order, inputs, count, perf_counter() - began
                    ),
                )
                return make_ran(order, inputs, written, values)
            results = found.collect()
        ran = make_ran(order, inputs, count_rows(results), values)
    _write_stats(given, order, inputs, count, perf_counter() - began)
    write(results, given, order, progress, make_meta(order, inputs, inputs.last))
    return ran


def read(read_input: Callable[..., R], given: argparse.Namespace, order: Order) -> R:
    """The input, by the way of reading that an engine has.

    Where the memory is kept a later run may take any row back, which it must name in full.
    """
    from phenesthe.plan.needed import list_columns

    return read_input(
        order.program,
        given.input,
        facts=given.facts,
        mapping=order.mapping,
        strict=given.strict,
        time_format=given.time_format,
        columns=None if given.state else list_columns(order.program, order.only),
    )


def write(
    results: "dict[str, pa.Table]",
    given: argparse.Namespace,
    order: Order,
    progress: Progress,
    meta: "Meta",
    putting: "Putting | None" = None,
) -> None:
    from phenesthe.io import write_results
    from phenesthe.io.putting import AT_ONCE

    progress.say("writing the results")
    write_results(
        order.program,
        results,
        given.output,
        overwrite=given.overwrite,
        times=given.times,
        meta=meta,
        putting=putting or AT_ONCE,
    )


def make_meta(order: Order, found: Read, last: int | None) -> "Meta":
    """What is told beside the results. `last` is the last query, if it was not asked for."""
    from phenesthe.io.meta import Meta
    from phenesthe.plan.needed import prune
    from phenesthe.plan.print_program import find_fingerprint, print_program

    return Meta(
        unit=order.program.unit,
        query=last if order.until is None else order.until,
        dates=found.account.dated,
        program=find_fingerprint(print_program(prune(order.program, order.only))),
    )


def _write_stats(
    given: argparse.Namespace, order: Order, found: Read, inputs: int, seconds: float
) -> None:
    """The line of the only query, if one was made."""
    from phenesthe.cli.stats import describe_query, writing_stats

    with writing_stats(given.stats) as tell:
        query = found.last if order.until is None else order.until
        if query is not None:
            rejected = len(found.rejects)
            tell(describe_query(query, inputs=inputs, rejected=rejected, seconds=seconds))


def count_rows(tables: "Mapping[str, pa.Table]") -> dict[str, int]:
    return {name: table.num_rows for name, table in tables.items()}


def make_ran(
    order: Order,
    found: Read,
    counts: Mapping[str, int] | None,
    values: "Values | None" = None,
) -> Ran:
    """What is told of a run at its end; with the `values` that were read, what they lack."""
    from phenesthe.io.unseen import warn_unseen
    from phenesthe.plan.needed import prune

    needed = prune(order.program, order.only)
    return Ran(
        program=needed,
        account=found.account,
        rejects=found.rejects,
        found=counts,
        warnings=() if values is None else warn_unseen(needed, found.account, values),
    )
