"""A replay in this process: stored data, as it would have been seen query by query."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from phenesthe.runs.judge import judge, report_rejects
from phenesthe.runs.kept_state import Beginning, KeptState
from phenesthe.runs.ran import Ran, count_rows, make_meta, make_ran
from phenesthe.runs.request import Emit, Request
from phenesthe.runs.sinks import Sink
from phenesthe.runs.stats import describe_query, writing_stats
from phenesthe.runs.watch import Watch

if TYPE_CHECKING:
    import pyarrow as pa

    from phenesthe.io.meta import Meta
    from phenesthe.io.putting import Putting
    from phenesthe.io.stream import Stream
    from phenesthe.memory.replay import Turn

#: Takes in what one query found.
_Take: TypeAlias = "Callable[[Turn], None]"

#: What a row that is written is called, if it is no result.
NAMED: dict[Emit, str] = {"final": "", "changes": "change", "snapshots": "row"}


def play(kept: KeptState, stream: "Stream", sink: Sink, watch: Watch) -> Ran:
    """All queries in this process, from the state that is kept, if there is one."""
    from phenesthe.io.columns import Reason
    from phenesthe.io.unseen import TableValues
    from phenesthe.memory.replay import replay

    request, windows = kept.request, kept.windows
    remembered = kept.list_remembered()
    goes_on = kept.saved is not None
    judge(request, stream, watch, remembered=remembered, goes_on=goes_on)
    if kept.is_repeated(stream):
        kept.tell_again(stream.rejects, sink.given_back)
        return replace(make_ran(request, stream, None), remembered=remembered)
    begun = kept.begin(stream)
    putting = kept.putting
    memory, schedule, settled = begun.memory, begun.schedule, begun.settled
    memory.shows_changes = windows.emit == "changes"
    # What did not fit belongs to no query; it is told with the first, so that the sum is right.
    unfit = len(stream.rejects)
    found: Counter[str] = Counter(dict.fromkeys(request.only, 0))
    meta = make_meta(request, stream, memory.last if schedule is None else schedule.last)
    if windows.emit == "final":
        emitting = _emit_final(request, begun, found, lambda all_: sink.put(all_, meta, putting))
    else:
        emitting = _emit_versions(request, begun, found, sink, meta, putting)
    # The output comes last: a run that was killed before it is made again.
    with emitting as take, writing_stats(request, putting) as tell:
        total = 0 if schedule is None else len(schedule)
        turns = () if schedule is None else replay(memory, schedule, stream.feeds)
        if total:
            watch.say(f"query 1 of {total:,}")
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
            watch.say(f"query {min(number + 1, total):,} of {total:,}")
        report_rejects(request, stream.rejects, watch, putting)
    if request.state is not None:
        watch.say("writing the state")
        kept.save(begun, stream, sink.given_back)
    # What goes on brings some of the rows; what they lack others may have had.
    tables = {**{name: feed.table for name, feed in stream.feeds.items()}, **stream.facts}
    ran = make_ran(request, stream, found, None if goes_on else TableValues(tables))
    return replace(ran, row=NAMED[windows.emit], remembered=remembered)


@contextmanager
def _emit_final(
    request: Request,
    begun: Beginning,
    found: Counter[str],
    finish: "Callable[[dict[str, pa.Table]], None]",
) -> Iterator[_Take]:
    """What is settled, as it is settled, and what is current at the end."""
    import pyarrow as pa

    from phenesthe.io.columns import make_schema

    yield lambda _: None
    assert begun.settled is not None
    signatures = request.program.defined
    results = {}
    for name, current in begun.memory.current().items():
        schema = make_schema(signatures[name])
        parts = [*begun.settled.list_all(name), current]
        results[name] = pa.concat_tables([part.select(schema.names).cast(schema) for part in parts])
    found.update(count_rows(results))
    finish(results)


@contextmanager
def _emit_versions(
    request: Request,
    begun: Beginning,
    found: Counter[str],
    sink: Sink,
    meta: "Meta",
    putting: "Putting",
) -> Iterator[_Take]:
    """What each query changed, or its snapshot, as it is asked."""
    from phenesthe.memory.changes import add_query, list_changes

    assert request.windows is not None
    has_changes = request.windows.emit == "changes"
    ended = begun.memory.ended if has_changes else {}
    signatures = {**request.program.defined, **ended}
    with sink.putting_versions(meta, putting, tuple(ended.values())) as put:

        def take(turn: "Turn") -> None:
            told = (
                list_changes(signatures, turn.advance) if has_changes else begun.memory.snapshot()
            )
            found.update(count_rows(told))
            put(add_query(told, turn.advance.query))

        yield take
