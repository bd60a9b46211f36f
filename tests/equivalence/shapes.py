"""Definitions that use the one before twice, many times over: what is shared must stay shared."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import pyarrow as pa

import phenesthe
from phenesthe.check.program import CheckedProgram
from phenesthe.io.stream import stream_given
from phenesthe.memory import Memory
from phenesthe.memory.replay import make_schedule, replay
from phenesthe.operators.unchanged import Part, UnchangedUntil
from tests.equivalence.compare import Results, read_table

WINDOW, STEP, LAST = 60, 41, 120
#: Rows come this much after their time, some of them.
_DELAY = 15

_INPUTS = """\
input event e(x: int);
input event f(x: int);
input state a(x: int);
input state b(x: int);
input state p(x: int, y: int);
input dynamic d(x: int);
fact k(x: int);
"""


@dataclass(frozen=True, slots=True)
class Shape:
    """`first` is the head and body of the first definition; `step` uses `{s}` twice or more."""

    name: str
    kind: str
    first: str
    step: str
    head: str = "(X)"

    def write(self, depth: int) -> str:
        """A program with as many doublings."""
        lines = [_INPUTS, _define(self.kind, "s0", self.head, self.first)]
        for number in range(1, depth + 1):
            body = self.step.format(s=f"s{number - 1}")
            lines.append(_define(self.kind, f"s{number}", self.head, body))
        return "\n".join(lines)


def _define(kind: str, name: str, head: str, body: str) -> str:
    is_block = body.startswith("{")
    return f"{kind} {name}{head} {body}" if is_block else f"{kind} {name}{head} : {body};"


_RELATIONS = ("before", "meets", "overlaps", "finishes", "starts", "equals", "contains")
_INVERSES = ("after", "met_by", "overlapped_by", "finished_by", "started_by", "during")
_MODES = ("source", "target", "union", "intersection", "complement", "inverse_complement")


def _list_events() -> Iterator[Shape]:
    for name, step in (
        ("and", "{s}(X) and {s}(X)"),
        ("or", "{s}(X) or {s}(X)"),
        ("not", "{s}(X) and not ({s}(X) and f(X))"),
        ("in", "{s}(X) in ({s}(X) ~> f(X))"),
        ("not in", "{s}(X) not in (f(X) ~> {s}(X) expires 2)"),
    ):
        yield Shape(name, "event", "e(X)", step)


def _list_states() -> Iterator[Shape]:
    for name, step in (
        ("union", "{s}(X) union {s}(X)"),
        ("intersection", "{s}(X) intersection {s}(X)"),
        ("complement", "{s}(X) complement ({s}(X) lasting < 4)"),
        ("complement lasting", "({s}(X) complement b(X)) lasting < 90 union {s}(X)"),
        ("lasting", "({s}(X) lasting >= 2) intersection ({s}(X) lasting < 60)"),
        ("range", "start({s}(X)) ~> end({s}(X))"),
        ("expires", "start({s}(X)) ~> end({s}(X)) expires 12"),
        ("range in", "(start({s}(X)) in {s}(X)) ~> end({s}(X))"),
        ("range not in", "(e(X) not in {s}(X)) ~> (f(X) in {s}(X))"),
        ("range not", "(k(X) and not start({s}(X))) ~> start({s}(X))"),
        ("repeat", "(repeat (start({s}(X)) or end({s}(X))) while gap <= 9) union {s}(X)"),
        ("then", "{s}(X) then {s}(X)"),
        ("then union", "({s}(X) then {s}(X)) union ({s}(X) lasting > 3)"),
        ("where", "({s}(X) where X > 0) union {s}(X)"),
        ("constant", "{s}(X) intersection {s}(1)"),
    ):
        yield Shape(name, "state", "a(X)", step)
    yield Shape("swap", "state", "p(X, Y)", "{s}(X, Y) union {s}(Y, X)", "(X, Y)")
    yield Shape("wildcard", "state", "p(X, Y)", "{s}(X, Y) intersection {s}(Y, _)", "(X, Y)")
    yield Shape(
        "exclusive", "exclusive state", "{ one : e(X) ~> f(X); two : f(X) ~> e(X); }",
        "{{ one : start({s}(X, one)) ~> end({s}(X, one)); "
        "two : start({s}(X, two)) ~> end({s}(X, two)) expires 20; }}",
        "(X, V)",
    )  # fmt: skip


def _list_relations() -> Iterator[Shape]:
    for name in (*_RELATIONS, *_INVERSES):
        yield Shape(name, "dynamic", "d(X)", f"{{s}}(X) {name} {{s}}(X)")
    for name in ("before", "after"):
        yield Shape(f"{name} within", "dynamic", "d(X)", f"{{s}}(X) {name} {{s}}(X) within 8")
    yield Shape("instants before", "dynamic", "e(X) before f(X)", "{s}(X) contains {s}(X)")
    pairs = "p(X, Y) before p(Y, X)"
    yield Shape("exists", "dynamic", pairs, "{s}(X, Y) equals {s}(X, _)", "(X, Y)")
    for at, name in enumerate((*_RELATIONS, *_INVERSES)):
        # Without the last part there would soon be nothing more to relate.
        mode = _MODES[at % len(_MODES)]
        body = f"({{s}}(X) {name} b(X) as {mode}) union ({{s}}(X) lasting < 7)"
        yield Shape(f"{name} as {mode}", "state", "a(X)", body)
    for mode in _MODES:
        within = f"({{s}}(X) before {{s}}(X) within 30 as {mode}) union {{s}}(X)"
        yield Shape(f"within as {mode}", "state", "a(X)", within)
    for mode in ("source", "union"):
        yield Shape(f"self as {mode}", "state", "a(X)", f"{{s}}(X) equals {{s}}(X) as {mode}")


SHAPES = (*_list_events(), *_list_states(), *_list_relations())


def write_many_variables(count: int) -> str:
    """Each definition leaves out another variable of the one before."""
    variables = [f"V{at}" for at in range(count)]
    declared = ", ".join(f"v{at}: int" for at in range(count))
    head = ", ".join(variables)
    lines = [f"input state w({declared});", f"state s0({head}) : w({head}) lasting > 5;"]
    for number in range(1, count + 1):
        rest = ", ".join("_" if at == number - 1 else one for at, one in enumerate(variables))
        before = f"s{number - 1}"
        lines.append(f"state s{number}({head}) : {before}({head}) intersection {before}({rest});")
    return "\n".join(lines)


def make_wide_rows(count: int) -> dict[str, pa.Table]:
    rows = [
        (*[at * (number + 1) % 2 for number in range(count)], 3 * at, 3 * at + 5 + at % 4)
        for at in range(38)
    ]
    return {"w": _build([*[f"v{number}" for number in range(count)], "ts", "te"], rows)}


def make_rows() -> dict[str, pa.Table]:
    """Keys 0 to 4 hold intervals in one relation each: nested, from one start, to one end, in a
    chain, and sliding."""
    d = [(0, at, LAST - at) for at in range(45)]
    d += [(1, 10, 20 + 2 * at) for at in range(45)]
    d += [(2, 2 * at, 112) for at in range(45)]
    d += [(3, 3 * at, 3 * at + 3) for at in range(40)]
    d += [(4, 4 * at, 4 * at + 11) for at in range(24)]
    a = [(x, at, at + 4 + x) for x in range(5) for at in range(x, 110, 13)]
    # In each relation with one of these.
    b = [(0, 5, 8), (0, 13, 17), (0, 26, 28), (0, 41, 43), (0, 52, 60), (0, 63, 67), (0, 69, 90),
         (1, 1, 6), (1, 14, 22), (1, 31, 32), (1, 37, 40), (1, 45, 48), (1, 53, 60), (1, 90, 119),
         (2, 8, 12), (2, 41, 47), (2, 52, 58), (3, 16, 30), (4, 17, 19), (4, 21, 22)]  # fmt: skip
    p = [(x, y, 11 * x + 7 * y + 30 * at, 11 * x + 7 * y + 30 * at + 9 + 2 * x)
         for x in range(3) for y in range(3) for at in range(3)]  # fmt: skip
    return {
        "e": _build(("x", "t"), [(at % 5, at) for at in range(0, LAST, 3)]),
        "f": _build(("x", "t"), [(at % 5, at) for at in range(2, LAST, 4)]),
        "a": _build(("x", "ts", "te"), a),
        "b": _build(("x", "ts", "te"), b),
        "p": _build(("x", "y", "ts", "te"), p),
        "d": _build(("x", "ts", "te"), d),
        "k": pa.table({"x": pa.array(range(5), pa.int64())}),
    }


def _build(names: Sequence[str], rows: Sequence[tuple[int, ...]]) -> pa.Table:
    """A table in which some rows come late."""
    columns = {
        name: pa.array(column, pa.int64())
        for name, column in zip(names, zip(*rows, strict=True), strict=True)
    }
    start = next(at for at, name in enumerate(names) if name in ("t", "ts"))
    late = [row[start] + _DELAY if at % 7 == 3 else None for at, row in enumerate(rows)]
    return pa.table({**columns, "arrival": pa.array(late, pa.int64())})


def find_at_once(text: str, rows: dict[str, pa.Table]) -> Results:
    program = phenesthe.compile(text=text)
    given = {one.name: rows[one.name] for one in (*program.checked.inputs, *program.checked.facts)}
    found: Any = program.run(given)
    return {name: read_table(found[name]) for name in program.checked.reported}


def find_in_windows(program: CheckedProgram, rows: dict[str, pa.Table]) -> Results:
    """The last that is said of every definition."""
    given = {one.name: rows[one.name] for one in (*program.inputs, *program.facts)}
    stream = stream_given(program, given)
    schedule = make_schedule(
        step=STEP, begin=stream.begin, last=stream.last, start=None, until=None
    )
    assert schedule is not None
    memory = Memory(program, stream.facts, window=WINDOW, first=stream.first, start=schedule.start)
    found: Results = {name: set() for name in program.reported}
    for turn in replay(memory, schedule, stream.feeds):
        assert not turn.refusals, "no row of these is too late"
        for name, table in turn.advance.settled.items():
            found[name] |= read_table(table)
    for name, table in memory.current().items():
        found[name] |= read_table(table)
    return found


@contextmanager
def count_bindings() -> Iterator[list[int]]:
    """How many bindings are cut, each time that something is."""
    counted = [0]
    begin = UnchangedUntil.__init__

    def count(self: UnchangedUntil, default: int, parts: Any) -> None:
        listed: list[Part] = list(parts)
        counted[0] += sum(part.bindings.count for part in listed)
        begin(self, default, listed)

    with patch.object(UnchangedUntil, "__init__", count):
        yield counted
