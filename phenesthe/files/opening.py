"""Files for Arrow, whatever their names: it takes those of files and of columns for UTF-8."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa


def open_source(path: Path) -> Any:
    """A file that Arrow reads itself."""
    return pa.OSFile(os.fsencode(path))


def open_sink(path: Path) -> Any:
    """A file that Arrow writes itself. To be closed where all went well, and nowhere else: what
    Arrow has still to write when it is interrupted, it would write to a file that is closed.
    """
    return pa.OSFile(os.fsencode(path), "wb")


@contextmanager
def opening_parquet(path: Path) -> Iterator[Any]:
    """A context with a `ParquetFile`, all columns of which have names."""
    from pyarrow.parquet import ParquetFile

    with open_source(path) as source:
        try:
            file = ParquetFile(source)
            file.schema_arrow.names  # noqa: B018 - it is looked at, for Arrow reads names late
        except UnicodeDecodeError:
            raise pa.ArrowInvalid("the name of a column is not UTF-8") from None
        with file:
            yield file
