"""A memory that forgets nothing and computes everything again at every query.

It stands in for the working memory where the tests examine themselves, and is what the working
memory is measured against. Events are whole columns, as a fair measure needs; intervals are judged
row by row, by the reference.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from phenesthe.arrow import to_ints, wrap
from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.engines.local import run_local
from phenesthe.io.codes import code_rows
from phenesthe.io.columns import Mask, Numbers, Reason, list_times
from phenesthe.kernels.arrays import NEVER, OPEN
from phenesthe.memory import Advance, Operations, Refused
from tests.equivalence.compare import build_table
from tests.reference.windowed import TOO_LATE, Held, Operation, apply, flatten


class NaiveMemory:
    def __init__(
        self,
        program: CheckedProgram,
        facts: Mapping[str, pa.Table],
        *,
        window: int,
        only: Collection[str] | None = None,
        first: int | None = None,
        start: int | None = None,
        remove: bool = True,  # noqa: ARG002 - there is nothing to switch off
    ) -> None:
        self.program = program
        self.facts = facts
        self.window = window
        self.names = tuple(program.reported if only is None else only)
        self.first = OPEN if first is None else first
        self.finds_first = first is None
        self.start = start
        self.query: int | None = None
        self.tables = {one.name: build_table(one, []) for one in program.inputs}
        self.held: dict[str, Held] = {one.name: defaultdict(set) for one in program.inputs}
        self.results: dict[str, pa.Table] = {}

    def advance(self, query_time: int, operations: Mapping[str, Operations]) -> Advance:
        refused: dict[str, Refused] = {}
        late = 0
        oldest = query_time - self.window
        if self.start is not None:
            oldest = max(oldest, self.start)
        for one in self.program.inputs:
            given = operations.get(one.name)
            if given is None:
                continue
            aside = self.take(one, given, query_time, oldest)
            if len(aside.rows):
                refused[one.name] = aside
            late += self.count_late(one, given, aside.rows)
            if self.finds_first:
                self.first = min(self.first, given.find_least(one, aside))
        before, self.query = self.results, query_time
        self.results = run_local(
            self.program, self.tables, self.facts,
            until=query_time, start=min(self.first, query_time + 1), only=self.names,
        )  # fmt: skip
        changes = {
            name: subtract_both(table, before.get(name, table.slice(0, 0)))
            for name, table in self.results.items()
        }
        return Advance(
            query=query_time,
            added={name: added for name, (added, _) in changes.items()},
            removed={name: removed for name, (_, removed) in changes.items()},
            settled={name: table.slice(0, 0) for name, table in self.results.items()},
            refused=refused,
            late=late,
            rows={name: table.num_rows for name, table in self.tables.items()},
            incomplete=0,
        )

    def current(self) -> dict[str, pa.Table]:
        return self.results

    def snapshot(self) -> dict[str, pa.Table]:
        assert self.query is not None
        frontier = self.query - self.window
        return {
            name: table.filter(wrap(to_ints(table[table.column_names[-1]], self.query) > frontier))
            for name, table in self.results.items()
        }

    def take(self, signature: Signature, given: Operations, q: int, oldest: int) -> Refused:
        name = signature.name
        if signature.kind == "event":
            self.tables[name], refused = take_events(self.tables[name], given, oldest)
            return refused
        rows = list_rows(given.table)
        retract = [False] * len(rows) if given.retract is None else given.retract.tolist()
        found = apply(
            self.held[name], [Operation(*pair) for pair in zip(rows, retract, strict=True)],
            q, oldest,
        )  # fmt: skip
        self.tables[name] = build_table(signature, flatten(self.held[name]))
        return Refused(
            np.array(sorted(found), dtype=np.int64),
            tuple(
                Reason.TOO_LATE if found[number] == TOO_LATE else Reason.RETRACTION_OF_NOTHING
                for number in sorted(found)
            ),
        )

    def count_late(self, signature: Signature, given: Operations, refused: Numbers) -> int:
        if self.query is None:
            return 0
        times = list_times(signature)
        # What has no end yet is as old as its start.
        latest = np.max([to_ints(given.table[name], null=NEVER) for name in times], axis=0)
        return int(np.count_nonzero(np.delete(latest, refused) <= self.query))


def take_events(held: pa.Table, given: Operations, oldest: int) -> tuple[pa.Table, Refused]:
    """What holds after the operations, and those that are not used."""
    late = to_ints(given.table["t"]) <= oldest
    used = np.flatnonzero(~late)
    table = pa.concat_tables([held, given.table.take(wrap(used))])
    nothing: Mask = np.zeros(len(late), dtype=bool)
    if given.retract is not None:
        retract = np.concatenate([np.zeros(held.num_rows, dtype=bool), given.retract[used]])
        codes = code_rows(table.columns, table.num_rows)
        order = np.argsort(codes, kind="stable")
        first = np.ones(len(order), dtype=bool)
        first[1:] = codes[order][1:] != codes[order][:-1]
        last = np.roll(first, -1)
        taken = retract[order]
        vain = order[taken & (first | np.roll(taken, 1))]
        nothing[used[vain - held.num_rows]] = True
        table = table.take(wrap(np.sort(order[last & ~taken])))
    aside = np.flatnonzero(late | nothing)
    reasons = tuple(Reason.TOO_LATE if late[at] else Reason.RETRACTION_OF_NOTHING for at in aside)
    return table, Refused(aside, reasons)


def subtract_both(one: pa.Table, other: pa.Table) -> tuple[pa.Table, pa.Table]:
    """The rows that only the first has, and those that only the second has."""
    both = pa.concat_tables([one, other])
    codes = code_rows(both.columns, both.num_rows)
    here, there = codes[: one.num_rows], codes[one.num_rows :]
    return (
        one.filter(wrap(~np.isin(here, there))),
        other.filter(wrap(~np.isin(there, here))),
    )


def list_rows(table: pa.Table) -> list[Any]:
    """The intervals of a table, as the reference has them."""
    columns = [column.to_pylist() for column in table.columns]
    return [(row[:-2], *row[-2:]) for row in zip(*columns, strict=True)]
