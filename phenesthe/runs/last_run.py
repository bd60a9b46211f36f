"""The run that has left a state: finished where it was cut off, recognised when made again."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from phenesthe.io.address import is_address
from phenesthe.options import name_option
from phenesthe.runs.request import Request
from phenesthe.runs.watch import Watch

if TYPE_CHECKING:
    import pyarrow as pa

    from phenesthe.io.rejects import Rejects
    from phenesthe.io.stream import Stream
    from phenesthe.memory.repeat import Run, Way
    from phenesthe.memory.store import Store
    from phenesthe.memory.waiting import Target, Waiting


class LastRun:
    """What a state knows of the run that has left it, beside the run that is made now."""

    def __init__(self, request: Request, store: "Store", watch: Watch) -> None:
        self.request, self.store, self.watch = request, store, watch
        self.overwrite = request.overwrite
        self._waiting: Waiting | None = None
        #: Of the rows that do not fit: a hash, and how many there are.
        self._unfit, self._unfit_count = "", 0

    @property
    def _output(self) -> str | None:
        from phenesthe.memory.waiting import GIVEN_BACK

        return GIVEN_BACK if self.request.output is None else _find_place(self.request.path)

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
        return self.overwrite and target.path in (self._output, *self._list_beside())

    def _check_output(self) -> None:
        """Refuse what exists before the work, unless it may be of this very run."""
        self._refuse_existing(() if self._run is None else self._run.way.places)

    def _refuse_existing(self, besides: Collection[str | None] = ()) -> None:
        from phenesthe.io.target import check_beside, check_target

        path = self.request.path
        if path is not None and not is_address(path) and self._output not in besides:
            check_target(path, overwrite=self.overwrite)
        for one in self.request.list_beside():
            if _find_place(one) not in besides:
                check_beside(one, overwrite=self.overwrite)

    def _list_beside(self) -> tuple[str | None, ...]:
        """The places of the rows set aside and of the statistics."""
        return _find_place(self.request.rejects), _find_place(self.request.stats)

    def is_repeated(self, stream: "Stream") -> bool:
        from phenesthe.memory.repeat import hash_rejects, is_repeated

        self._unfit, self._unfit_count = hash_rejects(stream.rejects), len(stream.rejects)
        saved = self.store.saved
        if saved is None or is_address(self.request.path or ""):
            return False
        last = saved.header["last"]
        return is_repeated(saved.run, self._make_way(), stream, self._unfit, last)

    def tell_again(self, rejects: "Rejects", given_back: "dict[str, pa.Table] | None") -> None:
        """Leave what the run has left, or put it there again; what it gave back is given again."""
        from phenesthe.memory.waiting import publish, tell

        assert self._run is not None
        place, output = self.store.find_told(), self._output
        targets = [replace(one, overwrite=self.overwrite) for one in self._run.targets]
        put = publish(place, targets)
        tell(place, targets)
        if given_back is not None:
            self._give_again(rejects, given_back)
        if self._run.queries:
            again = ", ".join(f"`{path}`" for path in put)
            left = "what it told is told again" if output is None else "its output is as it left it"
            if given_back is not None:
                left = "its results are given again"
            self.watch.note(
                "this run was made before, and the state has its rows: "
                + (f"{again} was put there again" if again else left)
            )

    def give_back(self, rejects: "Rejects", given_back: "Mapping[str, pa.Table]") -> None:
        """Keep what whoever asked gets."""
        from phenesthe.memory.folder import FORMAT
        from phenesthe.memory.pack import pack_file

        assert self._waiting is not None
        # Those that do not fit are found again with the rows.
        later = [*islice(rejects.read_lines(), self._unfit_count, None)]
        packed = pack_file("given-back", FORMAT, {"rejects": later}, given_back)
        self._waiting.give_back((packed.line, *packed.pieces))

    def _give_again(self, rejects: "Rejects", given_back: "dict[str, pa.Table]") -> None:
        from phenesthe.memory.folder import refusing_damage
        from phenesthe.memory.pack import unpack_file
        from phenesthe.memory.shape import require
        from phenesthe.memory.waiting import read_given_back

        assert self._run is not None
        place = self.store.find_told()
        found = read_given_back(place, self._run.targets)
        with refusing_damage(self.store.path, place.name):
            require(found is not None)
            assert found is not None
            content, tables = unpack_file(found, "given-back")
            given_back.update(tables)
            for line in content["rejects"]:
                rejects.add_line(line)

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
                "move away what is in its place, or make the same run again with "
                + name_option("overwrite", python="overwrite=True"),
            ) from None
        self.store.mark_told()

    def _make_way(self) -> "Way":
        from phenesthe.memory.repeat import Way

        request = self.request
        assert request.windows is not None
        return Way(
            emit=request.windows.emit,
            times="int" if request.output is None else request.output.times,
            until=request.until,
            places=(self._output, *self._list_beside()),
        )


def _find_place(target: str | None) -> str | None:
    return target if target is None or is_address(target) else str(Path(target).absolute())
