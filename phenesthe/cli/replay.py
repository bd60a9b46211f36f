"""`phenesthe run --window`: stored data, as it would have been seen query by query."""

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from phenesthe.cli.evaluate import (
    count_rows,
    make_meta,
    make_ran,
    read,
    write,
)
from phenesthe.cli.judge import judge, report_rejects
from phenesthe.cli.order import Emit, Order, Windows
from phenesthe.cli.progress import Progress
from phenesthe.cli.state import Beginning, Keeper, keeping
from phenesthe.cli.stats import describe_query, writing_stats
from phenesthe.cli.summary import Ran

if TYPE_CHECKING:
    import pyarrow as pa

    from phenesthe.io.meta import Meta
    from phenesthe.io.putting import Putting
    from phenesthe.io.stream import Stream
    from phenesthe.memory.replay import Turn

#: Takes in what one query found.
_Take: TypeAlias = "Callable[[Turn], None]"
#: Writes final results where they belong.
Write: TypeAlias = (
    "Callable[[dict[str, pa.Table], argparse.Namespace, Order, Progress, Meta, Putting], None]"
)

#: What a row that is written is called, if it is no result.
NAMED: dict[Emit, str] = {"final": "", "changes": "change", "snapshots": "row"}


def replay_locally(
    given: argparse.Namespace, order: Order, windows: Windows, progress: Progress
) -> Ran:
    from phenesthe.io.stream import read_stream

    with keeping(given, order, windows) as keeper:
        progress.say("reading the input")
        return play(given, keeper, read(read_stream, given, order), progress, write)


def play(
    given: argparse.Namespace,
    keeper: Keeper,
    stream: "Stream",
    progress: Progress,
    write_final: Write,
) -> Ran:
    """All queries in this process, from the state that is kept, if there is one."""
    from phenesthe.io.columns import Reason
    from phenesthe.io.unseen import TableValues
    from phenesthe.memory.replay import replay

    order, windows = keeper.order, keeper.windows
    remembered = keeper.list_remembered()
    goes_on = keeper.saved is not None
    judge(given, order, stream, remembered=remembered, goes_on=goes_on)
    if keeper.is_repeated(stream):
        keeper.tell_again()
        return replace(make_ran(order, stream, None), remembered=remembered)
    begun = keeper.begin(stream)
    putting = keeper.putting
    memory, schedule, settled = begun.memory, begun.schedule, begun.settled
    memory.shows_changes = windows.emit == "changes"
    # What did not fit belongs to no query; it is told with the first, so that the sum is right.
    unfit = len(stream.rejects)
    found: Counter[str] = Counter(dict.fromkeys(order.only, 0))
    meta = make_meta(order, stream, memory.last if schedule is None else schedule.last)
    if windows.emit == "final":

        def finish(results: "dict[str, pa.Table]") -> None:
            write_final(results, given, order, progress, meta, putting)

        emitting = _emit_final(order, begun, finish, found)
    else:
        emitting = _emit_versions(given, order, begun, meta, putting, found)
    # The output comes last: a run that was killed before it is made again.
    with emitting as take, writing_stats(given.stats, putting) as tell:
        total = 0 if schedule is None else len(schedule)
        turns = () if schedule is None else replay(memory, schedule, stream.feeds)
        if total:
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
            take(turn)
            if settled is not None:
                settled.add(turn.advance)
            unfit = 0
            progress.say(f"query {min(number + 1, total):,} of {total:,}")
        report_rejects(given, stream.rejects, putting)
    if given.state is not None:
        progress.say("writing the state")
        keeper.save(begun, stream)
    # What goes on brings some of the rows; what they lack others may have had.
    tables = {**{name: feed.table for name, feed in stream.feeds.items()}, **stream.facts}
    ran = make_ran(order, stream, found, None if goes_on else TableValues(tables))
    return replace(ran, row=NAMED[windows.emit], remembered=remembered)


@contextmanager
def _emit_final(
    order: Order,
    begun: Beginning,
    finish: "Callable[[dict[str, pa.Table]], None]",
    found: Counter[str],
) -> Iterator[_Take]:
    """What is settled, as it is settled, and what is current at the end."""
    import pyarrow as pa

    from phenesthe.io.columns import make_schema

    yield lambda _: None
    assert begun.settled is not None
    signatures = {one.signature.name: one.signature for one in order.program.definitions}
    results = {}
    for name, current in begun.memory.current().items():
        schema = make_schema(signatures[name])
        parts = [*begun.settled.list_all(name), current]
        results[name] = pa.concat_tables([part.select(schema.names).cast(schema) for part in parts])
    found.update(count_rows(results))
    finish(results)


@contextmanager
def _emit_versions(
    given: argparse.Namespace,
    order: Order,
    begun: Beginning,
    meta: "Meta",
    putting: "Putting",
    found: Counter[str],
) -> Iterator[_Take]:
    """What each query changed, or its snapshot, as it is asked."""
    from phenesthe.io.versions import CHANGE, SNAPSHOT, writing_versions
    from phenesthe.memory.changes import add_query, list_changes

    has_changes = given.emit == "changes"
    with writing_versions(
        order.program,
        order.only,
        given.output,
        CHANGE if has_changes else SNAPSHOT,
        overwrite=given.overwrite,
        times=given.times,
        meta=meta,
        putting=putting,
    ) as write_query:

        def take(turn: "Turn") -> None:
            told = (
                list_changes(order.program, turn.advance)
                if has_changes
                else begun.memory.snapshot()
            )
            found.update(count_rows(told))
            write_query(add_query(told, turn.advance.query))

        yield take
