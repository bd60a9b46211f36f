"""Which rows of an input are refused when they become known, in a worker. No pyspark here."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from phenesthe.arrow import to_bools, to_ints, wrap
from phenesthe.check.program import Signature
from phenesthe.engines.spark.layout import Layout
from phenesthe.engines.spark.replay_columns import QUERY, RANK, WHAT, cut_by_query
from phenesthe.graph.operator import make_source
from phenesthe.graph.scan import Scan, Use
from phenesthe.io.columns import list_times
from phenesthe.kernels.arrays import Array, Mask
from phenesthe.memory.inputs import EventInput, GivenInput, IntervalInput
from phenesthe.memory.operations import Operations
from phenesthe.memory.replay import Schedule
from phenesthe.operators.domains import Domains, build_domain
from phenesthe.operators.unchanged import BEGINNING
from phenesthe.vocabulary import ValueType

#: Beside the replay columns: why a row is refused (`phenesthe.io.columns.Reason`), 0 if it is used.
REASON = "*reason"


def number_queries(schedule: Schedule, known: Array) -> Array:
    """The number of the query that takes a row in, by when it becomes known."""
    inside = np.clip(known, schedule.start + 1, max(schedule.last, schedule.start + 1))
    numbers: Array = np.minimum((inside - schedule.start - 1) // schedule.step, len(schedule) - 1)
    return numbers


def find_query(schedule: Schedule, number: int) -> int:
    """The time of a query."""
    return min(schedule.start + (number + 1) * schedule.step, schedule.last)


@dataclass(frozen=True, slots=True)
class Gate:
    """Judges the rows of one input, of which those that are about the same came together.

    `known` and `retract` name columns, `order` those that tell the order in which rows apply.
    """

    signature: Signature
    schedule: Schedule
    window: int
    known: str
    retract: str
    order: tuple[str, ...]

    def judge(self, table: pa.Table) -> pa.Table:
        """The rows in the order in which they apply, with their replay columns and the reason."""
        table = table.sort_by([(name, "ascending") for name in self.order]).combine_chunks()
        numbers = number_queries(self.schedule, to_ints(table[self.known]))
        retract = to_bools(table[self.retract])
        reasons = self._find_reasons(table, numbers, retract)
        for name, column in (
            (QUERY, numbers),
            (RANK, np.arange(table.num_rows)),
            (WHAT, retract.astype(np.int64)),
            (REASON, reasons),
        ):
            table = table.append_column(name, wrap(column))
        return table

    def _find_reasons(self, table: pa.Table, numbers: Array, retract: Mask) -> Array:
        own = (*self.signature.arguments, *list_times(self.signature))
        rows = table.select([name for name in table.column_names if name in own])
        source = self._make_input(rows)
        reasons = np.zeros(len(numbers), dtype=np.int64)
        before = BEGINNING
        for number, start, end in cut_by_query(numbers):
            if number > 0:
                # Nothing happens in between that matters to what is refused.
                frontier = find_query(self.schedule, number - 1) - self.window
                source.move(frontier)
                source.sweep(frontier)
            query = find_query(self.schedule, number)
            horizon = max(query - self.window, self.schedule.start)
            given = Operations(rows.slice(start, end - start), retract[start:end])
            refused = source.take_in(given, before, query, horizon)
            if refused is not None:
                reasons[start + refused.rows] = [int(reason) for reason in refused.reasons]
            before = query
        return reasons

    def _make_input(self, rows: pa.Table) -> GivenInput:
        """Without anybody who looks at it."""
        signature = self.signature
        columns: dict[ValueType, list[pa.ChunkedArray]] = {
            "int": [], "float": [], "str": [], "bool": [],
        }  # fmt: skip
        types = dict(zip(signature.arguments, signature.types, strict=True))
        if signature.kind != "event":
            for name, kind in types.items():
                columns[kind].append(rows[name])
        domains = Domains({kind: build_domain(kind, found, []) for kind, found in columns.items()})
        use: Use = "unused" if signature.kind == "event" else "joined"
        uses = tuple([use for _ in signature.arguments])
        source = make_source(signature, uses, Scan(signature.name, (), ()))
        if signature.kind == "event":
            return EventInput(source, domains)
        return IntervalInput(source, domains)


@dataclass(frozen=True, slots=True)
class Judge:
    """The gates of several inputs, whose rows travel together."""

    gates: tuple[Gate, ...]
    arriving: Layout
    leaving: Layout

    def run(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """For Spark."""
        tables = self.arriving.split(batches)
        for at, gate in enumerate(self.gates):
            if tables[at].num_rows:
                yield from self.leaving.join(at, gate.judge(tables[at]))
