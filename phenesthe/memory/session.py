"""The working memory as people use it in Python: any tables in, changes out."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from operator import index
from typing import Any

import numpy as np
import pyarrow as pa

from phenesthe.check.override_parameters import read_duration
from phenesthe.check.program import CheckedProgram
from phenesthe.io.columns import Reason
from phenesthe.io.errors import DataError
from phenesthe.io.fit import Batch
from phenesthe.io.load import gather_given, make_reader, settle_batches
from phenesthe.io.rejects import Rejects
from phenesthe.io.stream import Feed, make_feed
from phenesthe.io.times import LIMIT, read_time
from phenesthe.memory import Advance, Memory, Operations, choose_slack
from phenesthe.memory.changes import classify
from phenesthe.memory.replay import slice_feed
from phenesthe.plan.needed import check_names
from phenesthe.results import Results, is_pandas


class Changes(Results):
    """What a query changed: tables by the name of their definition, each row with its `change`.

    `change` is new, revised or withdrawn; `was` is the old end of what was revised. `rejects` are
    the rows that did not fit, came too late or took back nothing.
    """

    def __init__(
        self, tables: Mapping[str, pa.Table], rejects: Rejects, advance: Advance, as_pandas: bool
    ) -> None:
        super().__init__(tables, rejects, (), as_pandas)
        self.query = advance.query
        #: Rows that were used although the last query was at or after their time.
        self.late = advance.late
        self.too_late = sum(one.reasons.count(Reason.TOO_LATE) for one in advance.refused.values())
        #: Rows of the working memory, by definition or input.
        self.rows = advance.rows
        self.incomplete = advance.incomplete


class Session:
    """A working memory of one program, which is asked at later and later times."""

    def __init__(
        self,
        program: CheckedProgram,
        facts: Mapping[str, Any],
        *,
        window: int | str,
        only: Iterable[str] | None = None,
        start: int | str | None = None,
        mapping: Mapping[str, str] | None = None,
        strict: bool = False,
        time_format: str | None = None,
    ) -> None:
        self._program, self._mapping, self._strict = program, mapping, strict
        self._time_format = time_format
        self._names = check_names(program, only)
        self._signatures = program.defined
        self._inputs = {one.name: one for one in program.inputs}
        self._waiting: dict[str, tuple[Batch, ...]] = {}
        self._last: int | None = None
        self._as_pandas = False
        first = None if start is None else self._read_time(start, "start")
        #: The facts that did not fit.
        self.rejects = Rejects(strict=strict)
        width = self._read_window(window)
        self._memory = Memory(
            program,
            self._read_facts(facts),
            window=width,
            only=self._names,
            first=first,
            start=first,
            slack=choose_slack(width),
        )

    def advance(
        self,
        query_time: int | str,
        inserted: Mapping[str, Any] | None = None,
        retracted: Mapping[str, Any] | None = None,
    ) -> Changes:
        """Take in rows, by the name of their input, and tell what is different at `query_time`.

        Rows are given as to `Program.run`: with all arguments, and their times. What becomes known
        after `query_time` waits for a later query. An identical row that is inserted and retracted
        at once is retracted.
        """
        query = self._read_time(query_time, "query_time")
        if self._last is not None and query <= self._last:
            raise DataError(
                f"the query at {query} is not after the last one, at {self._last}",
                "ask at later and later times; rows may come late",
            )
        given = (inserted or {}, retracted or {})
        rejects = Rejects(strict=self._strict)
        feeds = self._take_in(*(self._gather(one, rejects) for one in given))
        operations: dict[str, Operations] = {}
        waiting: dict[str, tuple[Batch, ...]] = {}
        for name, feed in feeds.items():
            ready = int(np.searchsorted(feed.known, query, side="right"))
            if ready < len(feed.known):
                waiting[name] = feed.list_later(ready)
            if ready:
                operations[name] = slice_feed(feed, 0, ready)
        advance = self._memory.advance(query, operations)
        self._last, self._waiting = query, waiting
        self._as_pandas |= any(is_pandas(value) for one in given for value in one.values())
        for name, refused in advance.refused.items():
            feeds[name].set_aside(refused.rows, refused.reasons, rejects)
        tables = {
            name: classify(
                self._signatures[name], advance.added.get(name), advance.removed.get(name)
            )
            for name in self._names
        }
        return Changes(tables, rejects, advance, self._as_pandas)

    def snapshot(self) -> Results:
        """What is known at the last query of phenomena that touch the window."""
        tables = {} if self._last is None else self._memory.snapshot()
        return Results(tables, Rejects(strict=self._strict), (), self._as_pandas)

    def _gather(self, given: Mapping[str, Any], rejects: Rejects) -> dict[str, list[Batch]]:
        """The rows that fit. All arguments are read, for any row may be taken back."""
        facts = {one.name for one in self._program.facts}
        for name in given:
            if name in facts:
                raise DataError(
                    f"`{name}` is a fact, which holds always",
                    "give it to `Program.memory(facts=…)`",
                )
        reader = make_reader(self._program, self._mapping, None, rejects, self._time_format)
        return gather_given(self._program, reader, given)

    def _take_in(
        self, inserted: Mapping[str, list[Batch]], retracted: Mapping[str, list[Batch]]
    ) -> dict[str, Feed]:
        """All rows that no query has seen yet, in their order."""
        feeds = {}
        for name, signature in self._inputs.items():
            batches = [*self._waiting.get(name, ()), *inserted.get(name, ())]
            batches += [
                replace(one, retract=np.ones(one.table.num_rows, dtype=bool))
                for one in retracted.get(name, ())
            ]
            if batches:
                feeds[name] = make_feed(signature, batches)
        return feeds

    def _read_facts(self, given: Mapping[str, Any]) -> dict[str, pa.Table]:
        for name in given:
            if name in self._inputs:
                raise DataError(f"`{name}` is an input, not a fact", "give its rows to `advance`")
        reader = make_reader(self._program, self._mapping, None, self.rejects, self._time_format)
        gathered = gather_given(self._program, reader, given)
        return {one.name: settle_batches(one, reader, gathered) for one in self._program.facts}

    def _read_window(self, window: int | str) -> int:
        ticks = read_duration(window, self._program.unit)
        if ticks is None or not 0 < ticks < LIMIT:
            raise DataError(
                f"`window` is a duration of at least one tick, not {window!r}",
                'give a text such as "8h", or a number of ticks',
            )
        return ticks

    def _read_time(self, time: int | str, name: str) -> int:
        try:
            ticks = read_time(time, self._program.unit) if isinstance(time, str) else index(time)
        except (TypeError, ValueError):
            ticks = LIMIT
        if abs(ticks) >= LIMIT:
            raise DataError(
                f"`{name}` is a time, not {time!r}",
                "give a number of ticks, or ISO 8601 text such as 2022-01-03T00:00:00",
            )
        return ticks
