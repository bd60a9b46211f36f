"""The working memory over a random stream: at every query what the reference finds then."""

import json
import traceback
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from random import Random
from typing import Protocol

import numpy as np
import pyarrow as pa

import phenesthe
from phenesthe.check.program import CheckedProgram
from phenesthe.kernels.arrays import OPEN
from phenesthe.memory import Advance, Memory, Operations
from phenesthe.plan.needed import prune
from tests.equivalence.cases import Sample
from tests.equivalence.compare import Results, build_facts, build_table, read_table, run_reference
from tests.equivalence.late import WindowedCase, make_windowed
from tests.equivalence.operators import OPERATORS
from tests.equivalence.overrides import compile_with
from tests.equivalence.streams import Stream, make_stream
from tests.reference import Row
from tests.reference.windowed import Operation, Query, find_timeline_start, replay

_TRIES = 6


class AnyMemory(Protocol):
    """What is examined: the working memory, or what stands in for it."""

    def advance(self, query_time: int, operations: Mapping[str, Operations]) -> Advance: ...
    def current(self) -> dict[str, pa.Table]: ...
    def snapshot(self) -> dict[str, pa.Table]: ...


class MakeMemory(Protocol):
    def __call__(
        self,
        program: CheckedProgram,
        facts: Mapping[str, pa.Table],
        *,
        window: int,
        first: int | None,
        start: int | None,
        remove: bool,
    ) -> AnyMemory: ...


@dataclass(frozen=True, slots=True)
class Expected:
    """A query with what the reference finds."""

    query: Query
    results: Results


@dataclass(frozen=True, slots=True)
class Failure:
    """Which property is broken, at which query, and how."""

    sort: str
    query: int | None
    text: str

    def __str__(self) -> str:
        return f"{self.sort}, at query {self.query}\n{self.text}"


class Mismatch(Exception):
    """A property does not hold."""

    def __init__(self, sort: str, name: str, expected: object, found: object) -> None:
        super().__init__(f"{name}\n  expected {show(expected)}\n     found {show(found)}")
        self.sort = sort


def make_case(number: int) -> tuple[WindowedCase, CheckedProgram]:
    """The same number is always the same case; every other one is a small program."""
    random = Random(f"windowed {number}")
    if number % 2:
        text = OPERATORS[number // 2 % len(OPERATORS)]
        program = phenesthe.compile(text=text).checked
        return make_windowed(text, program, make_filled(text, program, random), random), program
    sample = Sample(number)
    text, program, stream = sample.case.text, sample.program, sample.case.stream
    return make_windowed(text, program, stream, random), program


def make_filled(text: str, program: CheckedProgram, random: Random) -> Stream:
    """A stream on which a small program finds something, if a few tries give one."""
    for _ in range(_TRIES):
        stream = make_stream(random, text)
        if len(run_reference(program, stream)[0]["found"]) > 1:
            break
    return stream


def list_expected(case: WindowedCase, program: CheckedProgram) -> list[Expected]:
    """ "at each query the result is exactly the batch result at that q over the inputs known by
    then"."""
    operations = choose_operations(case, program)
    begin = find_timeline_start(operations, case.start)
    found: list[Expected] = []
    for query in replay(
        operations, window=case.window, step=case.step, start=case.start, until=case.until
    ):
        first = query.first if case.session else begin
        # Without a first instant the timeline is empty.
        start = query.time + 1 if first is None else first
        stream = Stream(inputs=query.rows, facts=case.facts, until=query.time, start=start)
        results = run_reference(program, stream)[0]
        found.append(Expected(query, {name: results[name] for name in program.reported}))
    return found


def choose_operations(case: WindowedCase, program: CheckedProgram) -> dict[str, list[Operation]]:
    """Those of inputs that some definition reads: nobody looks at the others."""
    used = prune(program, program.reported).inputs
    return {one.name: case.operations.get(one.name, []) for one in used}


def choose_first(case: WindowedCase, program: CheckedProgram) -> int | None:
    """What a memory is told of the timeline: nothing, where it begins, or that there is none."""
    if case.session:
        return None
    first = find_timeline_start(choose_operations(case, program), case.start)
    return OPEN if first is None else first


def compare_windowed(case: WindowedCase, make: MakeMemory | None = None) -> Failure | None:
    """Whether the working memory is right in every way, or another memory in the plain one."""
    program = compile_with(case.text, case.params).checked
    expected = list_expected(case, program)
    if make is not None:
        return examine(case, program, expected, make)
    return examine_all(case, program, expected)


def examine_all(
    case: WindowedCase, program: CheckedProgram, expected: Sequence[Expected]
) -> Failure | None:
    """With removal, without it, and written down and read again in the middle."""
    return (
        examine(case, program, expected, Memory)
        or examine(case, program, expected, Memory, remove=False)
        or examine(case, program, expected, Memory, resume=case.resume)
    )


def examine(
    case: WindowedCase,
    program: CheckedProgram,
    expected: Sequence[Expected],
    make: MakeMemory,
    *,
    remove: bool = True,
    resume: int | None = None,
) -> Failure | None:
    """Let a memory advance through all queries; the first property that does not hold."""
    facts = {one.name: build_facts(one, case.facts.get(one.name, [])) for one in program.facts}
    first = choose_first(case, program)
    way = "" if remove else " without removal"
    query: int | None = None
    try:
        memory = make(
            program, facts, window=case.window, first=first, start=case.start, remove=remove
        )
        watch = Watch(program, case.window)
        for number, one in enumerate(expected):
            query = one.query.time
            if number == resume:
                way = " after a resumption"
                memory = resume_memory(program, memory)
            given = build_operations(program, one.query)
            watch.examine(one, memory.advance(query, given), memory)
    except Mismatch as mismatch:
        return Failure(mismatch.sort + way, query, str(mismatch))
    except Exception as error:
        return Failure(f"{type(error).__name__}{way}", query, traceback.format_exc())
    return None


def resume_memory(program: CheckedProgram, memory: AnyMemory) -> AnyMemory:
    """What the memory is after it was written down, as JSON and tables, and read again."""
    assert isinstance(memory, Memory)
    manifest, tables = memory.dump()
    return Memory.load(program, json.loads(json.dumps(manifest)), tables)


def build_operations(program: CheckedProgram, query: Query) -> dict[str, Operations]:
    """What a query is given; an input without anything is left out."""
    found: dict[str, Operations] = {}
    for one in program.inputs:
        operations = query.operations.get(one.name)
        if operations:
            retract = np.array([operation.retract for operation in operations], dtype=bool)
            table = build_table(one, [operation.row for operation in operations])
            found[one.name] = Operations(table, retract if retract.any() else None)
    return found


class Watch:
    """What the changes so far have made of the results."""

    def __init__(self, program: CheckedProgram, window: int) -> None:
        self.names = program.reported
        self.window = window
        self.held: Results = {name: set() for name in self.names}
        self.settled: Results = {name: set() for name in self.names}

    def copy(self) -> "Watch":
        other = copy(self)
        other.held, other.settled = dict(self.held), dict(self.settled)
        return other

    def examine(self, expected: Expected, advance: Advance, memory: AnyMemory) -> None:
        q = expected.query.time
        require("the query of an advance", q, advance.query)
        refused = {
            name: {int(row): reason.text for row, reason in zip(one.rows, one.reasons, strict=True)}
            for name, one in advance.refused.items()
        }
        require("refused", _drop_empty(expected.query.refused), _drop_empty(refused))
        require("late", expected.query.late, advance.late)
        for name in self.names:
            self.examine_changes(name, expected.results[name], advance)
        self.examine_memory(q, memory)

    def examine_memory(self, q: int, memory: AnyMemory) -> None:
        """What it shows of its own accord."""
        current, snapshot = read_tables(memory.current()), read_tables(memory.snapshot())
        for name in self.names:
            settled, now = self.settled[name], current.get(name, set())
            require("current and settled", set(), settled & now, name)
            require("current or settled", self.held[name], settled | now, name)
            touching = {row for row in self.held[name] if touches(row, q - self.window)}
            require("snapshot", touching, snapshot.get(name, set()), name)

    def examine_changes(self, name: str, expected: set[Row], advance: Advance) -> None:
        before, settled = self.held[name], self.settled[name]
        added, removed, now_settled = (
            read_table(tables[name]) if name in tables else set()
            for tables in (advance.added, advance.removed, advance.settled)
        )
        require("results", expected, (before - removed) | added, name)
        require("added and removed", set(), added & removed, name)
        require("removed and not there", set(), removed - before, name)
        require("added and there before", set(), added & before, name)
        require("settled and removed", set(), removed & settled, name)
        require("settled twice", set(), now_settled & settled, name)
        require("settled and not there", set(), now_settled - expected, name)
        self.held[name] = expected
        self.settled[name] = settled | now_settled


def require(sort: str, expected: object, found: object, name: str = "") -> None:
    if expected != found:
        raise Mismatch(sort, name, expected, found)


def read_tables(tables: Mapping[str, pa.Table]) -> Results:
    return {name: read_table(table) for name, table in tables.items()}


def touches(row: Row, frontier: int) -> bool:
    """Whether a result touches what lies after the frontier."""
    return row[-1] is None or row[-1] > frontier


def _drop_empty(refused: Mapping[str, dict[int, str]]) -> dict[str, dict[int, str]]:
    return {name: found for name, found in refused.items() if found}


def show(found: object) -> str:
    if isinstance(found, set):
        return "{" + ", ".join(sorted(map(str, found))) + "}"
    return str(found)
