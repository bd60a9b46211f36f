"""One program over one stream as a replay in windows, every row in time."""

from phenesthe.check.program import CheckedProgram
from phenesthe.io.stream import stream_given
from phenesthe.memory import Memory
from phenesthe.memory.replay import make_schedule, replay
from tests.equivalence.compare import Results, build_facts, build_table, read_table
from tests.equivalence.streams import Stream


def find_in_windows(program: CheckedProgram, stream: Stream, *, window: int, step: int) -> Results:
    """The latest version of every result, as `--window --step` report it."""
    tables = {
        one.name: build_table(one, stream.inputs[one.name])
        for one in program.inputs
        if one.name in stream.inputs
    }
    facts = {
        one.name: build_facts(one, stream.facts[one.name])
        for one in program.facts
        if one.name in stream.facts
    }
    given = stream_given(program, {**tables, **facts})
    found: Results = {name: set() for name in program.reported}
    schedule = make_schedule(
        step=step, begin=given.begin, last=given.last, start=stream.start, until=stream.until
    )
    if schedule is None:
        return found
    memory = Memory(
        program,
        given.facts,
        window=window,
        first=given.first if stream.start is None else stream.start,
        start=schedule.start,
    )
    for turn in replay(memory, schedule, given.feeds):
        for name, table in turn.advance.settled.items():
            found[name] |= read_table(table)
    for name, table in memory.current().items():
        found[name] |= read_table(table)
    return found
