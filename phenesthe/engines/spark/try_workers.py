"""A tiny job that shows that workers can do what a run needs of them."""

import platform
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa

from phenesthe.engines.spark.dispatch import give_workers
from phenesthe.engines.spark.failures import EngineError, explained

if TYPE_CHECKING:
    from phenesthe.engines.spark.session import Session

_ROWS = 1000


def try_workers(session: "Session") -> str:
    """Send rows through a worker that has loaded the stages; what the worker is, in a few words."""
    frame = session.spark.range(0, _ROWS, 1, 2)
    frame = give_workers(frame, report, "id bigint, text string")
    with explained("a tiny job", log=session.log):
        table = frame.toArrow()
    if table.num_rows != _ROWS or table["id"].to_pylist() != list(range(_ROWS)):
        raise EngineError(
            "a tiny job came back with other rows than it was given",
            "the workers' pyarrow and Spark do not fit together; see `phenesthe doctor` there",
            session.log,
        )
    return ", ".join(sorted(set(table["text"].to_pylist())))


def report(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Runs in a worker: its rows, and which Python and packages it has."""
    import numpy as np

    import phenesthe.operators.load  # noqa: F401 (that it can be loaded is what is tried)

    text = f"Python {platform.python_version()}, numpy {np.__version__}, pyarrow {pa.__version__}"
    for batch in batches:
        texts = pa.array([text] * batch.num_rows, pa.string())
        yield pa.RecordBatch.from_arrays([batch.column(0), texts], ["id", "text"])
