"""The working memory of a replay, kept from run to run."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from phenesthe.options import name_option
from phenesthe.runs.last_run import LastRun
from phenesthe.runs.request import OnChange, Request, Windows
from phenesthe.runs.settled import Settled
from phenesthe.runs.watch import Watch

if TYPE_CHECKING:
    import pyarrow as pa

    from phenesthe.io.putting import Putting
    from phenesthe.io.rejects import Rejects
    from phenesthe.io.stream import Stream
    from phenesthe.memory import Memory
    from phenesthe.memory.header import Header
    from phenesthe.memory.replay import Schedule
    from phenesthe.memory.results import Meaning
    from phenesthe.memory.store import Saved, Store


@dataclass(frozen=True, slots=True)
class Beginning:
    """A replay that can begin. Without a schedule there is nothing to ask about."""

    memory: "Memory"
    schedule: "Schedule | None"
    settled: Settled | None


class KeptState:
    """What a replay goes on from, and where it is kept. Without a folder it begins anew."""

    def __init__(
        self, request: Request, windows: Windows, store: "Store | None", watch: Watch
    ) -> None:
        from phenesthe.io.putting import AT_ONCE

        self.request, self.windows, self.store, self.watch = request, windows, store, watch
        self.saved: Saved | None = None if store is None else store.saved
        self.putting: Putting = AT_ONCE
        self._last = None if store is None else LastRun(request, store, watch)
        self._header: Header | None = None
        self._on_change = "refuse" if request.state is None else request.state.on_change
        #: What still fits goes on with the results it had: see `Carried`.
        self._same: frozenset[str] = frozenset()
        #: What is done about a state of another program; None: it is of this one.
        self._change: OnChange | None = None

    def finish_last(self) -> None:
        """See that what the last run has written is in its place."""
        assert self._last is not None
        self._last.finish()

    def is_repeated(self, stream: "Stream") -> bool:
        """Whether this is the run that has left the state.

        Raises `DataError` where the state is of something else.
        """
        self._header = self._make_header(stream)
        if self._last is None:
            return False
        if self.saved is not None:
            self._meet_others(self._read_header(self.saved), self._header)
        return self._change is None and self._last.is_repeated(stream)

    def tell_again(self, rejects: "Rejects", given_back: "dict[str, pa.Table] | None") -> None:
        """Leave what the run has left, or put it there again."""
        assert self._last is not None
        self._last.tell_again(rejects, given_back)

    def begin(self, stream: "Stream") -> Beginning:
        """After `is_repeated`, if it is not."""
        assert self._header is not None
        if self._last is not None:
            self.putting = self._last.make_waiting()
        if self.saved is None or self._change == "restart":
            return self._begin_anew(self._header, stream)
        return self._go_on(self.saved, self._header, stream)

    def list_remembered(self) -> tuple[str, ...]:
        """The facts that are in the state, and need not be given again."""
        return () if self.saved is None else tuple(self._read_header(self.saved).facts)

    def save(
        self, begun: Beginning, stream: "Stream", given_back: "Mapping[str, pa.Table] | None"
    ) -> None:
        """Keep the memory for the next run, in one step with what this one has written."""
        from phenesthe.memory.store import Part

        assert self._last is not None
        assert self._header is not None
        if given_back is not None:
            self._last.give_back(stream.rejects, given_back)
        header = replace(self._header, last=begun.memory.last)
        settled = {} if begun.settled is None else begun.settled.join_kept()
        queries = 0 if begun.schedule is None else len(begun.schedule)
        is_all = self._change is not None
        with self._last.committing(stream, header.last, queries) as (store, run):
            part = Part(*begun.memory.dump())
            store.replace(header.as_json(), [part], settled, run, is_all=is_all)

    def _make_header(self, stream: "Stream") -> "Header":
        from phenesthe.memory.header import make_header

        return make_header(
            self.request.program,
            self.request.only,
            stream.facts,
            window=self.windows.width,
            step=self.windows.step,
            start=self.request.start,
            keeps_settled=self.windows.emit == "final",
        )

    def _begin_anew(self, header: "Header", stream: "Stream") -> Beginning:
        from phenesthe.memory import Memory, choose_slack
        from phenesthe.memory.replay import begin_timeline, make_schedule

        schedule = make_schedule(
            step=header.step,
            begin=stream.begin,
            last=stream.last,
            start=header.start,
            until=self.request.until,
        )
        memory = Memory(
            self.request.program,
            stream.facts,
            window=header.window,
            only=self.request.only,
            first=begin_timeline(stream.first, header.start),
            start=None if schedule is None else schedule.start,
            slack=choose_slack(header.window) if self.request.state is None else 0,
        )
        return self._make_ready(header, memory, schedule, stream)

    def _go_on(self, saved: "Saved", now: "Header", stream: "Stream") -> Beginning:
        from phenesthe.memory.folder import STATE, refusing_damage
        from phenesthe.memory.header import carry_header
        from phenesthe.memory.replay import begin_timeline
        from phenesthe.memory.resume import carry_memory, continue_schedule, load_memory

        assert self.store is not None
        header = self._read_header(saved)
        with refusing_damage(self.store.path, STATE):
            (part,) = saved.parts
            if self._change is None:
                memory = load_memory(self.request.program, header, part)
            else:
                carried = carry_memory(self.request.program, header, now, part, stream.facts)
                memory, self._same = carried.memory, carried.same
                header = carry_header(header, now)
                self._refuse_misfits(carried.misfits)
        if self._change is not None:
            for name, after in memory.whole.items():
                does = "goes on" if name in self._same else "begins anew"
                self.watch.warn(f"`{name}` {does}: it has seen nothing at or before {after}")
        if header.start is None:
            header = replace(header, start=now.start)
        is_changed = self._change is not None
        schedule = continue_schedule(
            header, memory, stream, self.request.until, is_changed=is_changed
        )
        if memory.last is None:
            memory.first = begin_timeline(stream.first, header.start)
            memory.start = None if schedule is None else schedule.start
        else:
            # In one run what is accepted now would have counted from the beginning.
            memory.finds_first = True
        return self._make_ready(header, memory, schedule, stream)

    def _read_header(self, saved: "Saved") -> "Header":
        from phenesthe.memory.folder import STATE, refusing_damage
        from phenesthe.memory.header import read_header

        assert self.store is not None
        with refusing_damage(self.store.path, STATE):
            return read_header(saved.header)

    def _make_ready(
        self, header: "Header", memory: "Memory", schedule: "Schedule | None", stream: "Stream"
    ) -> Beginning:
        from phenesthe.memory.resume import count_later

        if header.start is None and schedule is not None:
            header = replace(header, start=schedule.start)
        self._header = header
        settled = None
        if header.keeps_settled:
            from phenesthe.memory.results import find_meanings

            meanings, is_all = find_meanings(memory), self._change is not None
            earlier: Mapping[str, pa.Table] = {}
            if self.store is not None and (is_all or self.windows.emit == "final"):
                earlier = self._find_earlier(meanings)
            settled = Settled(meanings, earlier, is_all=is_all)
        last = memory.last if schedule is None else schedule.last
        if self.store is not None and last is not None:
            later = count_later(stream.feeds, last)
            if later:
                rows = "row lies" if later == 1 else "rows lie"
                self.watch.warn(
                    f"{later:,} {rows} after the last query, at {last}, and must be given again"
                )
        return Beginning(memory, schedule, settled)

    def _find_earlier(self, meanings: "Mapping[str, Meaning]") -> "Mapping[str, pa.Table]":
        """What was settled before, of definitions that are what they were, by what they mean."""
        assert self.store is not None
        if self._change == "restart":
            return {}
        found = self.store.read_settled()
        if self._change == "carry":
            same = {meanings[name].id for name in self._same}
            found = {id_: table for id_, table in found.items() if id_ in same}
        return found

    def _refuse_misfits(self, names: Collection[str]) -> None:
        """What was told and is not so any more is taken back, under the name and as it was told."""
        from phenesthe.io.errors import DataError

        assert self.store is not None
        if names and self.windows.emit == "changes":
            listed = ", ".join(f"`{name}`" for name in sorted(names))
            emit, restart = name_option("emit", "changes"), _name_choice("restart")
            raise DataError(
                f"cannot resume from `{self.store.path}` with {emit}: {listed} had another kind or "
                "other types of arguments, and what was told of it cannot be withdrawn as that",
                f"give what is new another name, or start anew with {restart}",
            )

    def _meet_others(self, before: "Header", now: "Header") -> None:
        """Where the state is of another run, do about it what is asked for."""
        from phenesthe.io.errors import DataError
        from phenesthe.memory.header import can_carry, list_differences

        assert self.store is not None
        path = self.store.path
        restart, carry = (_name_choice(one) for one in ("restart", "carry"))
        choices = (
            f"run what was run before, or start anew: with {restart}, or with another "
            f"{name_option('state')} folder"
        )
        found = list(list_differences(before, now))
        if found:
            told = "; ".join(found)
            carries = can_carry(before, now)
            if self._on_change == "refuse" or (self._on_change == "carry" and not carries):
                hint = choices
                if carries:
                    hint += f"; {carry} keeps what has not changed"
                raise DataError(
                    f"cannot resume from `{path}`: it belongs to a different run: {told}", hint
                )
            self._change = self._on_change
            does = "begins anew" if self._change == "restart" else "goes on with what still fits"
            self.watch.warn(f"the run {does}: {told}")
            if self._change == "restart":
                return
        if self.windows.emit == "final" and not before.keeps_settled:
            raise DataError(
                f"cannot resume from `{path}`: it was begun with {name_option('emit', 'changes')} "
                "or snapshots, and does not hold all results",
                f"go on with one of these; for final results {choices.partition(', or ')[2]}",
            )


def _name_choice(choice: OnChange) -> str:
    return name_option("on_change", choice, python=f'on_change="{choice}"')


@contextmanager
def keeping(request: Request, windows: Windows, watch: Watch) -> Iterator[KeptState]:
    """A context in which the state, if there is to be one, is this run's alone."""
    if request.state is None:
        yield KeptState(request, windows, None, watch)
        return
    from phenesthe.memory.store import open_store

    with open_store(Path(request.state.path)) as store:
        kept = KeptState(request, windows, store, watch)
        kept.finish_last()
        yield kept
