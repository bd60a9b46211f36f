"""What `compile` says is remembered, beside what is: `python -m tests.soak --only bounds`.

A stream comes in generations (`generations.py`), with a pause after each that is longer than
everything the program waits for. A generation is over when nothing of it holds or has happened for
that long, as the reference sees it. Of the rows that lie before the window, at every query that is
looked at, an operator that is said to keep

* nothing, or nothing from before the window, has none;
* what holds or is undecided of a binding, for a duration or not, has none of a generation that is
  over (if the program computes no values, of which nobody knows the generation), and when all are
  over no more after many generations than after few;
* of an interval that still holds a number, a row, or a row for each different value, has no more.

Only what is said of a program and the rows of its memory come from the product.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import get_args

import numpy as np

from phenesthe.check.program import CheckedProgram
from phenesthe.graph.filters import Let
from phenesthe.graph.remembering import Bound
from phenesthe.kernels.arrays import Mask
from phenesthe.memory import Memory
from phenesthe.operators.aggregates import AggregatedNode
from phenesthe.operators.held import Holder
from phenesthe.operators.node import Node
from phenesthe.plan.memory_bounds import find_memory_bounds
from tests.equivalence.compare import build_facts, run_reference
from tests.equivalence.generations import Values, list_lengths, repeat_stream
from tests.equivalence.streams import Stream
from tests.equivalence.varying import tells_lengths
from tests.equivalence.windowed import build_operations, make_case
from tests.reference.windowed import Operation, Query, replay

_ORDER: tuple[Bound, ...] = get_args(Bound)
#: Few and many.
_FEW, _MANY = 2, 4
#: Queries of a replay at which the reference is asked, besides the last.
_LOOKS = 4
#: A program that waits for longer is passed over: the reference goes instant by instant.
_MOST_PATIENCE = 120


@dataclass(frozen=True, slots=True)
class Claim:
    """What is said of an operator."""

    operator: str
    formula: str
    bound: Bound
    #: Whether an operand may be undecided from before the window on.
    waits: bool = False

    def is_broken_by(self, generation: int | None, active: set[int | None]) -> bool:
        """Whether it should not have a row from before the window, of such a generation."""
        if self.bound in ("nothing", "window"):
            return True
        return self.bound != "unbounded" and generation is not None and generation not in active


@dataclass(frozen=True, slots=True)
class Excess:
    """An operator that remembers what it should not."""

    claim: Claim
    query: int
    what: str

    def __str__(self) -> str:
        claim = self.claim
        return f"{claim.operator}, {claim.bound}, at {self.query}: {claim.formula}\n  {self.what}"


@dataclass(slots=True)
class Judged:
    """By operator and bound: how often it was looked at, how often it had rows, how often many
    generations left more than few."""

    looked: Counter[tuple[str, Bound]] = field(default_factory=Counter)
    filled: Counter[tuple[str, Bound]] = field(default_factory=Counter)
    grown: Counter[tuple[str, Bound]] = field(default_factory=Counter)
    excesses: list[Excess] = field(default_factory=list)

    def merge(self, other: "Judged") -> None:
        self.looked.update(other.looked)
        self.filled.update(other.filled)
        self.grown.update(other.grown)
        self.excesses += other.excesses

    def list_lines(self) -> Iterator[str]:
        yield "operators judged, with rows from before the window, with more after more generations"
        for key, count in sorted(self.looked.items()):
            word, bound = key
            yield f"  {word:24} {bound:9} {count:>9,} {self.filled[key]:>8,} {self.grown[key]:>6,}"


@dataclass(slots=True)
class Rest:
    """What is there after the last pause: whether all is over, and rows by operator."""

    is_over: bool
    rows: dict[str, int]


def judge_case(number: int) -> Judged:
    case, program = make_case(number)
    stream = Stream(
        inputs={
            name: [one.row for one in found if not one.retract]
            for name, found in case.operations.items()
        },
        facts=case.facts,
    )
    random = Random(f"bounds {number}")
    return judge(program, stream, case.window, random)


def judge(program: CheckedProgram, stream: Stream, window: int, random: Random) -> Judged:
    judged = Judged()
    if not tells_lengths(program):
        return judged
    few = _Replay(program, stream, window, _FEW)
    if few.patience > _MOST_PATIENCE or not few.queries:
        return judged
    before = few.run(judged, random)
    after = _Replay(program, stream, window, _MANY).run(None, random)
    for id_, claim in few.claims.items():
        if after.rows[id_] > before.rows[id_]:
            judged.grown[claim.operator, claim.bound] += 1
            if before.is_over and claim.bound != "unbounded":
                what = f"keeps {before.rows[id_]} rows, and {after.rows[id_]} of more generations"
                judged.excesses.append(Excess(claim, few.queries[-1].time, what))
    return judged


class _Replay:
    """A program on some generations of a stream."""

    def __init__(
        self, program: CheckedProgram, stream: Stream, window: int, generations: int
    ) -> None:
        self.program, self.window = program, window
        empty = Memory(program, {}, window=window)
        used = [one.name for one in (*empty.program.inputs, *empty.program.facts)]
        lengths = list_lengths(stream, used)
        most = max([one for one in lengths if isinstance(one, int)], default=0)
        self.patience = find_patience(empty, most)
        pause = self.patience + 3 * window + 2
        inputs = [one.name for one in empty.program.inputs]
        self.given = repeat_stream(stream, inputs, generations, pause, lengths)
        known = self.given.facts
        facts = {one.name: build_facts(one, known.get(one.name, [])) for one in program.facts}
        self.memory = Memory(program, facts, window=window)
        self.claims = list_claims(self.memory)
        self.computes = any(
            operator.types[name] in ("int", "str")
            for operator in self.memory.plan.operators.values()
            if isinstance(operator, Let)
            for name, _ in operator.values
        )
        operations = {n: [Operation(row) for row in rows] for n, rows in self.given.inputs.items()}
        until = self.given.end + pause
        self.queries: list[Query] = []
        if self.patience <= _MOST_PATIENCE and any(operations.values()):
            self.queries = list(
                replay(operations, window=window, step=window, start=None, until=until)
            )

    def run(self, judged: Judged | None, random: Random) -> Rest:
        last = len(self.queries) - 1
        looks = {last} | set(random.sample(range(last + 1), min(_LOOKS, last + 1)))
        rest = Rest(is_over=False, rows={})
        for at, query in enumerate(self.queries):
            is_looked_at = at == last or (judged is not None and at in looks)
            if is_looked_at or query.operations:
                self.memory.advance(query.time, build_operations(self.program, query))
            if is_looked_at:
                frontier = query.time - self.window
                old = {
                    id_: list_old(self.memory, node, frontier)
                    for id_, node in self.memory.graph.operators.items()
                }
                rest.rows = {id_: len(rows) for id_, rows in old.items()}
                if judged is not None:
                    self._judge_amounts(judged, query, frontier)
                if judged is not None:
                    active = self._find_active(query, frontier - self.patience)
                    rest.is_over = not active
                    for id_, rows in old.items():
                        self._judge(judged, query, self.claims[id_], rows, active)
        return rest

    def _judge(
        self,
        judged: Judged,
        query: Query,
        claim: Claim,
        rows: list[Values],
        active: set[int | None],
    ) -> None:
        judged.looked[claim.operator, claim.bound] += 1
        judged.filled[claim.operator, claim.bound] += bool(rows)
        wrong = [row for row in rows if claim.is_broken_by(self._find_generation(row), active)]
        if wrong:
            what = "keeps rows of " + ", ".join(map(str, wrong[:3]))
            judged.excesses.append(Excess(claim, query.time, what))

    def _judge_amounts(self, judged: Judged, query: Query, frontier: int) -> None:
        for id_, node in self.memory.graph.operators.items():
            if not isinstance(node, AggregatedNode) or node.kind == "event":
                continue
            claim = self.claims[id_]
            for at, edge in enumerate(node.edges[1:], 1):
                kept, most = count_old(node, at, frontier), count_needed(node, at, frontier)
                judged.looked["row of an aggregate", claim.bound] += 1
                judged.filled["row of an aggregate", claim.bound] += bool(kept)
                if kept > most and claim.bound != "rows" and not claim.waits:
                    what = f"keeps {kept} rows of {edge.node.label}, and needs {most}"
                    judged.excesses.append(Excess(claim, query.time, what))

    def _find_generation(self, row: Values) -> int | None:
        """What a program computes has values of any generation."""
        return None if self.computes else self.given.find(row)

    def _find_active(self, query: Query, since: int) -> set[int | None]:
        """The generations of which something holds or has happened since then."""
        stream = Stream(
            inputs=query.rows, facts=self.given.facts, until=query.time, start=query.first
        )
        formulas = run_reference(self.program, stream)[1]
        assert formulas is not None
        happened = [
            (values, max(times)) for events in formulas.events.values()
            for values, times in events.items() if times
        ]  # fmt: skip
        held = [
            (values, max(end for _, end in intervals)) for states in formulas.intervals.values()
            for values, intervals in states.items() if intervals
        ]  # fmt: skip
        inside = [
            (tuple([value for _, value in binding]), max(end for _, end in intervals))
            for states in formulas.intervals_of.values()
            for binding, intervals in states.items() if intervals
        ]  # fmt: skip
        return {
            self.given.find(values) for values, end in (*happened, *held, *inside) if end > since
        }


def list_claims(memory: Memory) -> dict[str, Claim]:
    """By operator the worst that is said of it; what is not told of keeps nothing."""
    operators = memory.plan.operators.values()
    claims = {one.id: Claim(one.word, one.origin.text, "nothing") for one in operators}
    for one in find_memory_bounds(memory.plan).operators:
        for id_ in one.ids:
            claim = claims[id_]
            bound = max(one.bound, claim.bound, key=_ORDER.index)
            waits = claim.waits or bool(one.since or one.because)
            claims[id_] = Claim(claim.operator, claim.formula, bound, waits)
    return claims


def find_patience(memory: Memory, most: int = 0) -> int:
    """No less than everything that a program waits for, one after the other.

    `most` is the longest of the durations that vary.
    """
    limits = [one.need.limit for one in find_memory_bounds(memory.plan).operators]
    ticks = [most if one.ticks is None else one.ticks for one in limits if one is not None]
    return sum(ticks) + 2 * len(limits) + 2


def list_old(memory: Memory, node: Node, frontier: int) -> list[Values]:  # type: ignore[type-arg]
    """The values of the rows from before the window that are there for an operator."""
    found = _decode(memory, node, node.live & (node.rows.te <= frontier))
    for edge in node.edges:
        found += _decode(memory, edge.node, edge.kept & (edge.node.rows.te <= frontier))
    return found


def count_old(node: AggregatedNode, at: int, frontier: int) -> int:
    """How many rows from before the window are kept of an operand."""
    edge = node.edges[at]
    return int(np.count_nonzero(edge.kept & (edge.node.rows.te <= frontier)))


def count_needed(node: AggregatedNode, at: int, frontier: int) -> int:
    """How many say all about the intervals that span the frontier.

    A number says it of a count of rows, of a sum, an average and a total; of what is counted by
    value one row for each.
    """
    first, edge = node.edges[0], node.edges[at]
    spanning = int(
        np.count_nonzero(
            first.kept & (first.node.rows.ts <= frontier) & (first.node.rows.te > frontier)
        )
    )
    old = edge.name(edge.node.rows.take(edge.kept & (edge.node.rows.te <= frontier)))
    needed = 0
    for one in node.operator.measures:
        if one.rows.operand != at:
            continue
        if one.function in ("min", "max", "first", "last"):
            needed += spanning * (2 if one.function == "min" else 1)
        elif one.function == "count" and one.of:
            names = [*one.shared, *one.of]
            columns = [old.columns[old.variables.index(name)] for name in names]
            needed += len(set(zip(*[column.tolist() for column in columns], strict=True)))
    return needed


def _decode(memory: Memory, holder: Holder, mask: Mask) -> list[Values]:
    chosen = holder.rows.take(np.flatnonzero(mask))
    types = holder.producer.types
    columns = [
        memory.world.domains[types[name]].decode(column).to_pylist()
        for name, column in zip(chosen.variables, chosen.columns, strict=True)
    ]
    return list(zip(*columns, strict=True)) if columns else [()] * len(chosen)
