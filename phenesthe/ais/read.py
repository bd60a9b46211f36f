"""Files of reports on this machine, chunk by chunk."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from phenesthe.ais.checks import check_reports
from phenesthe.ais.csv_lines import read_block
from phenesthe.ais.logs import LogReader
from phenesthe.ais.normalise import SCHEMA, Chunk, normalise
from phenesthe.ais.settings import Settings
from phenesthe.ais.sources import Source, list_parquet
from phenesthe.files.long_lines import MAX_LINE
from phenesthe.files.opening import opening_parquet
from phenesthe.files.text import open_text
from phenesthe.io.read_tables import refusing

#: As much as a line may have, so that no line is too long that is not in two blocks.
_BLOCK = MAX_LINE
_ROWS = 1 << 18


def read_reports(path: Path, source: Source, settings: Settings) -> Iterator[Chunk]:
    """Reports that have a vessel, a time and a place. Raises `DataError`."""
    with refusing(path):
        for chunk in _read(path, source):
            yield check_reports(chunk, source.form, settings)


def _read(path: Path, source: Source) -> Iterator[Chunk]:
    match source.kind:
        case "csv":
            for block in _list_blocks(path):
                yield read_block(block, source) if block is not None else _LONG
        case "nmea":
            reader = LogReader()
            for block in _list_blocks(path):
                yield reader.read(split_lines(block)) if block is not None else _LONG
            yield reader.finish()
        case "parquet":
            for table in _list_tables(path, source):
                yield normalise(table, source.form)


#: What came of a line that is too long.
_LONG = Chunk(SCHEMA.empty_table(), 1, Counter(line_too_long=1))


def _list_blocks(path: Path) -> Iterator[bytes | None]:
    """Parts of a text file that end where lines end; None for a line that is too long."""
    with open_text(path) as file:
        rest = b""
        is_long = False
        while block := file.read(_BLOCK):
            if is_long:
                # The rest of a line of which nothing was kept.
                _, newline, block = block.partition(b"\n")
                if not newline:
                    continue
                is_long = False
            first, newline, after = block.partition(b"\n")
            if len(rest) + len(first) > MAX_LINE:
                yield None
                rest, block, is_long = b"", after, not newline
            whole, newline, last = (rest + block).rpartition(b"\n")
            rest = last
            if newline:
                yield whole + newline
        if rest:
            yield rest


def split_lines(block: bytes) -> Any:
    text = block.decode("ascii", errors="replace")
    return pa.chunked_array([pa.array(text.splitlines(), pa.string())])


def _list_tables(path: Path, source: Source) -> Iterator[Any]:
    for file in list_parquet(path) if path.is_dir() else [path]:
        with opening_parquet(file) as parquet:
            for batch in parquet.iter_batches(_ROWS, columns=list(source.form.wanted)):
                yield pa.Table.from_batches([batch])
