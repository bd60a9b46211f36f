"""Runs in this process, without Java."""

from time import perf_counter
from typing import TYPE_CHECKING

from phenesthe.runs.judge import judge, report_rejects
from phenesthe.runs.ran import Ran, count_rows, make_meta, make_ran
from phenesthe.runs.read import read
from phenesthe.runs.request import Places, Request, Windows
from phenesthe.runs.sinks import Files, Sink, Tables
from phenesthe.runs.stats import write_only_query
from phenesthe.runs.watch import Listener, Watch

if TYPE_CHECKING:
    from phenesthe.results import Results


class LocalEngine:
    """See `phenesthe.runs.engine.Engine`."""

    def run(self, request: Request, watch: Watch) -> Ran:
        assert request.output is not None
        return _run(request, Files(request, request.output, watch), watch)

    def find(self, request: Request) -> "Results":
        from phenesthe.results import Results, is_pandas

        assert not isinstance(request.source, Places)
        sink, listener = Tables(request), Listener()
        ran = _run(request, sink, listener)
        as_pandas = any(is_pandas(value) for value in request.source.values())
        warnings = (*listener.warnings, *ran.warnings)
        return Results(sink.given_back, ran.rejects, warnings, as_pandas)


def _run(request: Request, sink: Sink, watch: Watch) -> Ran:
    if request.windows is not None:
        return _replay(request, request.windows, sink, watch)
    return _evaluate(request, sink, watch)


def _evaluate(request: Request, sink: Sink, watch: Watch) -> Ran:
    from phenesthe.engines.local import run_local
    from phenesthe.io import read_given, read_input
    from phenesthe.io.putting import AT_ONCE
    from phenesthe.io.unseen import TableValues

    watch.say("reading the input")
    loaded = read(request, read_input, read_given)
    judge(request, loaded, watch)
    report_rejects(request, loaded.rejects, watch)
    began = perf_counter()
    results = run_local(
        request.program,
        loaded.tables,
        loaded.facts,
        until=request.until,
        start=request.start,
        only=request.only,
        on_definition=lambda name, at, of: watch.say(f"evaluating {name} ({at} of {of})"),
    )
    inputs = sum(table.num_rows for table in loaded.tables.values())
    write_only_query(request, loaded, inputs, perf_counter() - began)
    sink.put(results, make_meta(request, loaded, loaded.last), AT_ONCE)
    values = TableValues({**loaded.tables, **loaded.facts})
    return make_ran(request, loaded, count_rows(results), values)


def _replay(request: Request, windows: Windows, sink: Sink, watch: Watch) -> Ran:
    from phenesthe.io.stream import read_stream, stream_given
    from phenesthe.runs.kept_state import keeping
    from phenesthe.runs.play import play

    with keeping(request, windows, watch) as kept:
        watch.say("reading the input")
        return play(kept, read(request, read_stream, stream_given), sink, watch)
