"""The run that has left a state: finished where it was cut off, recognised when made again."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from phenesthe.cli.order import Order
from phenesthe.cli.terminal import note
from phenesthe.io.address import is_address

if TYPE_CHECKING:
    from phenesthe.io.stream import Stream
    from phenesthe.memory.repeat import Run, Way
    from phenesthe.memory.store import Store
    from phenesthe.memory.waiting import Target, Waiting


class LastRun:
    """What a state knows of the run that has left it, beside the run that is made now."""

    def __init__(self, given: argparse.Namespace, order: Order, store: "Store") -> None:
        self.given, self.order, self.store = given, order, store
        self._waiting: Waiting | None = None
        self._unfit = ""

    @property
    def _run(self) -> "Run | None":
        return None if self.store.saved is None else self.store.saved.run

    def finish(self) -> None:
        """Put what the run has written to its place, if it was cut off before that."""
        from phenesthe.io import DataError
        from phenesthe.memory.waiting import publish

        if self._run is not None and not self.store.is_told():
            place = self.store.find_told()
            targets = [
                replace(one, overwrite=one.overwrite or self._may_overwrite(one))
                for one in self._run.targets
            ]
            try:
                publish(place, targets)
            except DataError as problem:
                raise DataError(
                    f"the last run with the state `{self.store.path}` was cut off, and what it "
                    f"wrote cannot be put to its place: {problem.message}",
                    f"move away what is in its place, or give it up: rm -r {place}",
                ) from None
            self.store.mark_told()
        self._check_output()

    def _may_overwrite(self, target: "Target") -> bool:
        return bool(self.given.overwrite) and target.path == _find_place(self.given.output)

    def _check_output(self) -> None:
        """Refuse what exists before the work, unless it may be of this very run."""
        names = () if self._run is None else self._run.way.places
        if _find_place(self.given.output) not in names:
            self._refuse_existing()

    def _refuse_existing(self) -> None:
        from phenesthe.io import check_target

        if self.given.output is not None and not is_address(self.given.output):
            check_target(self.given.output, overwrite=self.given.overwrite)

    def is_repeated(self, stream: "Stream") -> bool:
        from phenesthe.memory.repeat import hash_rejects, is_repeated

        self._unfit = hash_rejects(stream.rejects)
        saved = self.store.saved
        if saved is None or (self.given.output is not None and is_address(self.given.output)):
            return False
        last = saved.header["last"]
        return is_repeated(saved.run, self._make_way(), stream, self._unfit, last)

    def tell_again(self) -> None:
        """Leave what the run has left, or put it there again."""
        from phenesthe.memory.waiting import publish, tell

        assert self._run is not None
        place, output = self.store.find_told(), _find_place(self.given.output)
        targets = [
            replace(one, overwrite=self.given.overwrite) if one.path == output else one
            for one in self._run.targets
        ]
        put = publish(place, targets)
        tell(place, targets)
        if self._run.queries:
            again = ", ".join(f"`{path}`" for path in put)
            left = "what it told is told again" if output is None else "its output is as it left it"
            note(
                "this run was made before, and the state has its rows: "
                + (f"{again} was put there again" if again else left)
            )

    def make_waiting(self) -> "Waiting":
        """A place for what this run writes."""
        self._refuse_existing()
        self._waiting = self.store.make_waiting()
        return self._waiting

    @contextmanager
    def committing(
        self, stream: "Stream", last: int | None, queries: int
    ) -> "Iterator[tuple[Store, Run]]":
        """A context in which the state is replaced, which makes the run done."""
        from phenesthe.io import DataError
        from phenesthe.memory.repeat import Run, find_taken
        from phenesthe.memory.waiting import publish

        assert self._waiting is not None
        run = Run(
            way=self._make_way(),
            taken=find_taken(stream, self._unfit, last),
            queries=queries,
            targets=tuple(self._waiting.targets),
        )
        self._refuse_existing()
        self._waiting.finish()
        yield self.store, run
        try:
            publish(self._waiting.place, run.targets, is_fresh=True)
        except DataError as problem:
            raise DataError(
                f"{problem.message}; the run is done, and the state `{self.store.path}` keeps what "
                "it wrote",
                "move away what is in its place, or make the same run again with --overwrite",
            ) from None
        self.store.mark_told()

    def _make_way(self) -> "Way":
        from phenesthe.memory.repeat import Way

        given = self.given
        return Way(
            emit=given.emit or "final",
            times=given.times,
            until=self.order.until,
            places=tuple(map(_find_place, (given.output, given.rejects, given.stats))),
        )


def _find_place(target: str | None) -> str | None:
    return target if target is None or is_address(target) else str(Path(target).absolute())
