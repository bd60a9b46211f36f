"""Columns of Arrow types, and files as a whole, judged by the local engine. No pyspark here."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from phenesthe.arrow import to_ints
from phenesthe.engines.spark.reading.paths import find_path, name_file
from phenesthe.engines.spark.reading.tagged_rows import Gathered, Packer, locate_all
from phenesthe.engines.spark.reading.worker_tasks import Judge, Way, split
from phenesthe.frozen import dataclass
from phenesthe.io.columns import Numbers
from phenesthe.io.errors import DataError
from phenesthe.io.fit import Batch, fit_rows
from phenesthe.io.read_tables import Reader
from phenesthe.io.rejects import Reject
from phenesthe.io.rows import Locate, TypedRows


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns(Way):
    """Columns in the order of `columns`, then where each row stands: `file`, `block`, `number`."""

    judge: Judge
    #: The names in the file, with the types there where Spark has others.
    columns: Mapping[str, pa.DataType | None]
    #: What a file is called to the user, by its path. Workers call it as Spark does.
    labels: Mapping[str, str]

    def read(
        self, batches: Iterator[pa.RecordBatch], packer: Packer, tags: Mapping[str, int]
    ) -> Iterator[pa.RecordBatch]:
        judge, rejects = self.judge, Gathered()
        for batch in batches:
            for part in split(batch, "file"):
                file, blocks = part["file"][0].as_py(), to_ints(part["block"])
                rows = PlacedRows(self._restore(part), file, numbers=to_ints(part["number"]))
                fitted = fit_rows(
                    judge.signature,
                    rows,
                    judge.clock,
                    rejects,
                    names=judge.names,
                    wanted=judge.wanted,
                )
                # A task has the rows of one partition, which is the only kind of block here.
                yield from packer.pack_rows(tags[judge.signature.name], fitted, int(blocks[0]))
                yield from packer.pack_rejects(rejects.take(), blocks)

    def _restore(self, part: pa.Table) -> pa.Table:
        """The columns as the local engine reads them from the file."""
        found = part.select(list(range(len(self.columns))))
        for at, (name, own) in enumerate(self.columns.items()):
            column = found.column(at)
            found = found.set_column(at, name, column if own is None else column.cast(own))
        return found


@dataclass(frozen=True, slots=True)
class PlacedRows(TypedRows):
    """Rows of which it is known where each stands."""

    numbers: Numbers | None = None

    def locate(self, rows: Numbers) -> Numbers:
        assert self.numbers is not None
        return self.numbers[rows]

    def keep_places(self) -> Locate:
        assert self.numbers is not None
        return self.numbers.take


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole(Way):
    """Files as they are (`file`, `content`), for what cannot be read in parts, or not by Spark.

    A file without content is on this machine, and the worker opens it.
    """

    judge: Judge
    suffix: str
    labels: Mapping[str, str]
    #: Whether nobody has looked at the columns yet.
    says: bool = False

    def read(
        self, batches: Iterator[pa.RecordBatch], packer: Packer, tags: Mapping[str, int]
    ) -> Iterator[pa.RecordBatch]:
        tag = tags[self.judge.signature.name]
        for batch in batches:
            for file, content in zip(batch.column(0), batch.column(1), strict=True):
                fitted, rejects = self._read_file(file.as_py(), content, packer)
                for one in fitted:
                    yield from packer.pack_rows(tag, one, 0)
                yield from packer.pack_rejects(rejects, np.zeros(len(rejects), dtype=np.int64))

    def _read_file(
        self, file: str, content: Any, packer: Packer
    ) -> tuple[list[Batch], list[Reject]]:
        """The local engine reads files: here is one, under a name that nobody gets to see."""
        judge, rejects = self.judge, Gathered()
        fitted: list[Batch] = []
        label = name_file(file, self.labels)
        name = judge.signature.name
        reader = Reader(
            clock=judge.clock,
            rejects=rejects,
            names={name: judge.names},
            wanted={} if judge.wanted is None else {name: judge.wanted},
        )
        with ExitStack() as stack:
            if content.is_valid:
                folder = stack.enter_context(tempfile.TemporaryDirectory())
                path = Path(folder) / f"table{self.suffix}"
                path.write_bytes(content.as_buffer())
            else:
                path = find_path(file)
            try:
                found = reader.read(judge.signature, path)
            except DataError as problem:
                message = problem.message.replace(str(path), label)
                raise DataError(message, problem.hint) from problem
            if self.says:
                packer.mark.warnings += [text.replace(str(path), label) for text in reader.warnings]
            # A row of text is looked for in the file, which is not there for long.
            for one in found:
                numbers = locate_all(one) if packer.places(one) else None
                fitted.append(replace(one, file=file, numbers=numbers))
        return fitted, [replace(one, file=file) for one in rejects.take()]
