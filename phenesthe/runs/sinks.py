"""Where the results of a run go: to files, or back to whoever asked."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from phenesthe.runs.request import Output, Request
from phenesthe.runs.watch import Watch

if TYPE_CHECKING:
    import pyarrow as pa

    from phenesthe.check.program import Signature
    from phenesthe.io.meta import Meta
    from phenesthe.io.putting import Putting
    from phenesthe.io.versions import Write


class Sink(Protocol):
    def put(self, results: "dict[str, pa.Table]", meta: "Meta", putting: "Putting") -> None:
        """The latest versions, all at once."""

    def putting_versions(
        self, meta: "Meta", putting: "Putting", ended: "Sequence[Signature]" = ()
    ) -> "AbstractContextManager[Write]":
        """A context in which the tables of each query are taken, with their `query`.

        `ended` are definitions of an earlier run, of which something is withdrawn.
        """

    @property
    def given_back(self) -> "dict[str, pa.Table] | None":
        """The results, if they are not written."""


class Files:
    """What is written to the output."""

    given_back = None

    def __init__(self, request: Request, output: Output, watch: Watch) -> None:
        self.request, self.output, self.watch = request, output, watch

    def put(self, results: "dict[str, pa.Table]", meta: "Meta", putting: "Putting") -> None:
        from phenesthe.io import write_results

        self.watch.say("writing the results")
        write_results(
            self.request.program,
            results,
            self.output.path,
            overwrite=self.output.overwrite,
            times=self.output.times,
            meta=meta,
            putting=putting,
        )

    def putting_versions(
        self, meta: "Meta", putting: "Putting", ended: "Sequence[Signature]" = ()
    ) -> "AbstractContextManager[Write]":
        from phenesthe.io.versions import writing_versions

        return writing_versions(
            self.request.program,
            self.request.only,
            self.output.path,
            list_marks(self.request),
            ended=ended,
            overwrite=self.output.overwrite,
            times=self.output.times,
            meta=meta,
            putting=putting,
        )


class Tables:
    """What is given back, in the order in which the definitions were asked for."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.given_back: dict[str, pa.Table] = {}

    def put(self, results: "dict[str, pa.Table]", _: "Meta", __: "Putting") -> None:
        self.take(results)

    def putting_versions(
        self, _: "Meta", __: "Putting", ended: "Sequence[Signature]" = ()
    ) -> "AbstractContextManager[Write]":
        return self.taking_versions(ended)

    def take(self, results: "Mapping[str, pa.Table]", ended: "Sequence[Signature]" = ()) -> None:
        """Definitions without a table have no row."""
        for name, schema in list_schemas(self.request, ended).items():
            found = results.get(name)
            self.given_back[name] = (
                schema.empty_table() if found is None else found.select(schema.names).cast(schema)
            )

    @contextmanager
    def taking_versions(self, ended: "Sequence[Signature]" = ()) -> "Iterator[Write]":
        from phenesthe.io.pile import Pile

        piles = {name: Pile() for name in (*self.request.only, *(one.name for one in ended))}

        def take(tables: Mapping[str, Any]) -> None:
            for name, table in tables.items():
                piles[name].add(table)

        yield take
        self.take({name: pile.take() for name, pile in piles.items() if pile.num_rows}, ended)


def list_schemas(request: Request, ended: "Sequence[Signature]" = ()) -> "dict[str, pa.Schema]":
    """The columns of what is given back."""
    import pyarrow as pa

    from phenesthe.io.columns import make_schema
    from phenesthe.io.lines import VERSION

    defined = request.program.defined
    signatures = [*(defined[name] for name in request.only), *ended]
    marks = [(name, VERSION[name] or pa.int64()) for name in list_marks(request)]
    return {one.name: pa.schema([*make_schema(one), *pa.schema(marks)]) for one in signatures}


def list_marks(request: Request) -> tuple[str, ...]:
    """The columns that stand beside the rows of a query."""
    from phenesthe.io.versions import CHANGE, SNAPSHOT

    if request.windows is None or request.windows.emit == "final":
        return ()
    return CHANGE if request.windows.emit == "changes" else SNAPSHOT
