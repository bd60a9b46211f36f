"""What must be true of every replay, each by itself; hypothesis makes what fails small.

`test_windowed.py` has seeded cases with more values and more trouble.
"""

from collections.abc import Iterator

from hypothesis import HealthCheck, given, settings

from phenesthe.check.program import CheckedProgram
from phenesthe.io.columns import Reason
from phenesthe.memory import Advance, Memory
from tests.equivalence.compare import Results, build_facts, find_local
from tests.equivalence.drawn import compile_cached, draw_replay
from tests.equivalence.late import WindowedCase
from tests.equivalence.shrink_windowed import describe_windowed
from tests.equivalence.streams import Stream
from tests.equivalence.windowed import (
    build_operations,
    choose_first,
    choose_operations,
    examine,
    list_expected,
    read_tables,
    touches,
)  # fmt: skip
from tests.reference.windowed import Query, find_timeline_start, list_remaining, replay

EXAMPLES = settings(
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@EXAMPLES
@given(draw_replay(timely=True))
def test_the_final_results_are_those_of_a_batch_run(case: WindowedCase) -> None:
    program = compile_cached(case.text)
    final: Results = {name: set() for name in program.reported}
    current: Results = {}
    until: int | None = None
    operations = choose_operations(case, program)
    start = find_timeline_start(operations, None)
    for query, advance, memory in play(case, program):
        assert not any(Reason.TOO_LATE in one.reasons for one in advance.refused.values())
        for name, rows in read_tables(advance.settled).items():
            final[name] |= rows
        current, until = read_tables(memory.current()), query.time
        if case.session:
            start = query.first
    for name, rows in current.items():
        final[name] |= rows
    # The rows that are left in the end, whenever they came.
    left = {name: list_remaining({name: given}) for name, given in operations.items()}
    stream = Stream(inputs=left, facts=case.facts, until=until, start=start)
    assert final == find_local(program, stream)


@EXAMPLES
@given(draw_replay(timely=False))
def test_at_each_query_the_results_are_those_of_a_batch_run(case: WindowedCase) -> None:
    """Changes, snapshots, what is settled and what is refused, all against the reference."""
    program = compile_cached(case.text)
    failure = examine(case, program, list_expected(case, program), Memory)
    assert failure is None, describe_windowed(case, failure)


@EXAMPLES
@given(draw_replay(timely=False))
def test_the_changes_in_their_order_make_the_snapshots(case: WindowedCase) -> None:
    program = compile_cached(case.text)
    held: Results = {name: set() for name in program.reported}
    for query, advance, memory in play(case, program):
        added, removed = read_tables(advance.added), read_tables(advance.removed)
        held = {name: (rows - removed[name]) | added[name] for name, rows in held.items()}
        touching = {
            name: {row for row in rows if touches(row, query.time - case.window)}
            for name, rows in held.items()
        }
        assert read_tables(memory.snapshot()) == touching, query.time


@EXAMPLES
@given(draw_replay(timely=False))
def test_two_halves_are_one_run(case: WindowedCase) -> None:
    program = compile_cached(case.text)
    whole, halves = play(case, program), play(case, program, resume=case.resume)
    for (query, one, memory), (_, other, resumed) in zip(whole, halves, strict=True):
        assert show(one) == show(other), query.time
        assert read_tables(memory.current()) == read_tables(resumed.current()), query.time


def play(
    case: WindowedCase, program: CheckedProgram, resume: int | None = None
) -> Iterator[tuple[Query, Advance, Memory]]:
    """Every query, what it changes, and the memory after it."""
    operations = choose_operations(case, program)
    facts = {one.name: build_facts(one, case.facts[one.name]) for one in program.facts}
    first = choose_first(case, program)
    memory = Memory(program, facts, window=case.window, first=first, start=case.start)
    queries = replay(
        operations, window=case.window, step=case.step, start=case.start, until=case.until
    )
    for number, query in enumerate(queries):
        if number == resume:
            memory = Memory.load(program, *memory.dump())
        yield query, memory.advance(query.time, build_operations(program, query)), memory


def show(advance: Advance) -> tuple[object, ...]:
    """All that an advance tells."""
    tables = [read_tables(one) for one in (advance.added, advance.removed, advance.settled)]
    refused = {name: (one.rows.tolist(), one.reasons) for name, one in advance.refused.items()}
    return (*tables, refused, advance.late, advance.rows, advance.incomplete)
