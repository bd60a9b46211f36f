"""`phenesthe run --window`: stored data, as it would have been seen query by query."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from phenesthe.cli.evaluate import read, report_rejects, write
from phenesthe.cli.order import Order, Windows
from phenesthe.cli.progress import Progress
from phenesthe.cli.stats import describe_query, writing_stats
from phenesthe.cli.terminal import warn

if TYPE_CHECKING:
    from phenesthe.memory import Memory
    from phenesthe.memory.replay import Turn

#: Takes in what one query found.
_Take: TypeAlias = "Callable[[Turn, Memory], None]"


def replay_locally(
    given: argparse.Namespace, order: Order, windows: Windows, progress: Progress
) -> None:
    from phenesthe.io.columns import Reason
    from phenesthe.io.stream import read_stream
    from phenesthe.memory import Memory
    from phenesthe.memory.replay import make_schedule, replay

    progress.say("reading the input")
    stream = read(read_stream, given, order)
    for text in stream.warnings:
        warn(text)
    schedule = make_schedule(
        step=windows.step,
        begin=stream.begin,
        last=stream.last,
        start=order.start,
        until=order.until,
    )
    memory = Memory(
        order.program,
        stream.facts,
        window=windows.width,
        only=order.only,
        first=stream.first if order.start is None else order.start,
        start=None if schedule is None else schedule.start,
    )
    # What did not fit belongs to no query; it is told with the first, so that the sum is right.
    unfit = len(stream.rejects)
    emitting = _EMIT[windows.emit]
    with writing_stats(given.stats) as tell, emitting(given, order, progress) as take:
        total = 0 if schedule is None else len(schedule)
        turns = () if schedule is None else replay(memory, schedule, stream.feeds)
        progress.say(f"query 1 of {total:,}")
        for number, turn in enumerate(turns, 1):
            turn.set_aside(stream.rejects)
            tell(
                describe_query(
                    turn.advance.query,
                    inputs=turn.inputs,
                    late=turn.advance.late,
                    too_late=turn.count_refused(Reason.TOO_LATE),
                    rejected=unfit + turn.count_refused(Reason.RETRACTION_OF_NOTHING),
                    rows=turn.advance.rows,
                    incomplete=turn.advance.incomplete,
                    seconds=turn.seconds,
                )
            )
            take(turn, memory)
            unfit = 0
            progress.say(f"query {min(number + 1, total):,} of {total:,}")
        report_rejects(given, stream.rejects)


@contextmanager
def _emit_final(given: argparse.Namespace, order: Order, progress: Progress) -> Iterator[_Take]:
    """What is settled, as it is settled, and what is current at the end."""
    from phenesthe.io.columns import make_schema
    from phenesthe.io.pile import Pile

    piles = {name: Pile() for name in order.only}
    last: list[Memory] = []

    def take(turn: "Turn", memory: "Memory") -> None:
        for name, table in turn.advance.settled.items():
            piles[name].add(table)
        last[:] = [memory]

    yield take
    for memory in last:
        for name, table in memory.current().items():
            piles[name].add(table)
    signatures = {one.signature.name: one.signature for one in order.program.definitions}
    found = {name: pile.take() for name, pile in piles.items()}
    results = {
        name: make_schema(signatures[name]).empty_table() if table is None else table
        for name, table in found.items()
    }
    write(results, given, order, progress)


@contextmanager
def _emit_changes(given: argparse.Namespace, order: Order, _: Progress) -> Iterator[_Take]:
    from phenesthe.io.versions import CHANGE, writing_versions
    from phenesthe.memory.changes import add_query, list_changes

    with writing_versions(
        order.program,
        order.only,
        given.output,
        CHANGE,
        overwrite=given.overwrite,
        times=given.times,
    ) as write_query:

        def take(turn: "Turn", _: "Memory") -> None:
            changes = list_changes(order.program, turn.advance)
            write_query(add_query(changes, turn.advance.query))

        yield take


@contextmanager
def _emit_snapshots(given: argparse.Namespace, order: Order, _: Progress) -> Iterator[_Take]:
    from phenesthe.io.versions import SNAPSHOT, writing_versions
    from phenesthe.memory.changes import add_query

    with writing_versions(
        order.program,
        order.only,
        given.output,
        SNAPSHOT,
        overwrite=given.overwrite,
        times=given.times,
    ) as write_query:

        def take(turn: "Turn", memory: "Memory") -> None:
            write_query(add_query(memory.snapshot(), turn.advance.query))

        yield take


_EMIT = {"final": _emit_final, "changes": _emit_changes, "snapshots": _emit_snapshots}
