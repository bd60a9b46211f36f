"""Going on from a state as if there had been one run."""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from phenesthe.arrow import to_ints, wrap
from phenesthe.check.program import CheckedProgram
from phenesthe.io.columns import list_times, make_schema
from phenesthe.io.errors import DataError
from phenesthe.io.retract import find_present
from phenesthe.io.stream import Feed, Stream
from phenesthe.kernels.arrays import OPEN
from phenesthe.memory.carry import Carried, carry
from phenesthe.memory.header import Header
from phenesthe.memory.inputs import IntervalInput
from phenesthe.memory.replay import Schedule, make_schedule
from phenesthe.memory.shape import require
from phenesthe.memory.store import Part
from phenesthe.memory.working_memory import Memory
from phenesthe.options import name_option
from phenesthe.plan.needed import prune


def load_memory(program: CheckedProgram, header: Header, part: Part) -> Memory:
    """The memory of the program of the header. Raises `Damage` where it is of another one."""
    memory = Memory.load(prune(program, header.only), part.manifest, part.tables)
    require(memory.last == header.last and memory.window == header.window)
    require(set(memory.names) == set(header.only))
    return memory


def carry_memory(
    program: CheckedProgram,
    before: Header,
    now: Header,
    part: Part,
    facts: Mapping[str, pa.Table],
) -> Carried:
    """The memory of another program, with what of it is the same. Raises `Damage`."""
    changed = {
        name: facts[name] for name, found in now.facts.items() if before.facts.get(name) != found
    }
    carried = carry(prune(program, now.only), now.only, part.manifest, part.tables, changed)
    memory = carried.memory
    require(memory.last == before.last and memory.window == before.window)
    return carried


def continue_schedule(
    header: Header, memory: Memory, stream: Stream, until: int | None, *, is_changed: bool = False
) -> Schedule | None:
    """When to ask next; None where there is nothing new to ask about, nor another program.

    Rows about no later time than the last query are taken in there, as rows are that arrive after
    it: it is asked once more.
    """
    last = find_last(memory, stream)
    if header.last is None:
        begin = stream.begin if header.start is None else None
        return make_schedule(
            step=header.step, begin=begin, last=last, start=header.start, until=until
        )
    if until is not None and until < header.last:
        raise DataError(
            f"{name_option('until', until)} lies before the last query of the state, at "
            f"{header.last}",
            "leave it out, or give a later time",
        )
    assert header.start is not None
    end = max(header.last, header.last if last is None else last) if until is None else until
    is_news = is_changed or any(_lies_by(feed, end) for feed in stream.feeds.values())
    if end == header.last and not is_news:
        return None
    # The queries stay where they were: at the start and every step after it.
    before = header.last - (header.last - header.start) % header.step
    return make_schedule(step=header.step, begin=None, last=end, start=before, until=None)


def find_last(memory: Memory, stream: Stream) -> int | None:
    """The last instant of the stream; of what is remembered only ends can be later."""
    found = [] if stream.last is None else [stream.last]
    for name, source in memory.graph.inputs.items():
        if isinstance(source, IntervalInput):
            found += _list_ends(memory, source, stream.feeds.get(name))
    return max(found, default=None)


def _list_ends(memory: Memory, source: IntervalInput, feed: Feed | None) -> list[int]:
    """The latest end that was given before and is not taken back now."""
    raw = source.raw.take(source.raw.te < OPEN)
    if not len(raw):
        return []
    signature = source.signature
    columns = [
        memory.world.domains[kind].decode(column)
        for kind, column in zip(signature.types, raw.columns, strict=True)
    ]
    schema = make_schema(signature)
    table = pa.Table.from_arrays([*columns, wrap(raw.ts), wrap(raw.te)], schema=schema)
    if feed is not None and feed.retract is not None:
        table = pa.concat_tables([table, feed.table.select(schema.names).cast(schema)])
        retract = np.concatenate([np.zeros(len(raw), dtype=np.bool_), feed.retract])
        present, _ = find_present(table, np.arange(len(retract)), retract)
        table = table.filter(wrap(present))
    ends = to_ints(table["te"].drop_null())
    return [int(ends.max())] if len(ends) else []


def _lies_by(feed: Feed, end: int) -> bool:
    return bool((to_ints(feed.table[list_times(feed.signature)[0]]) <= end).any())


def count_later(feeds: Mapping[str, Feed], last: int) -> int:
    """Rows about a later time than the last query, which are not remembered."""
    return sum(
        int(np.count_nonzero(to_ints(feed.table[list_times(feed.signature)[0]]) > last))
        for feed in feeds.values()
    )
