"""Text by its lines, each of which is read by itself, on whatever worker. No pyspark here."""

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import to_bools
from phenesthe.check.program import CheckedProgram
from phenesthe.engines.spark.reading.paths import find_path
from phenesthe.engines.spark.reading.tagged_rows import Gathered, Mark, Packer
from phenesthe.engines.spark.reading.worker_tasks import Judge, Way, split
from phenesthe.files.csv_form import CsvForm
from phenesthe.files.long_lines import MAX_LINE, read_bounded_lines
from phenesthe.files.text import open_text
from phenesthe.io.fit import Batch, fit_rows
from phenesthe.io.objects import parse_objects
from phenesthe.io.read_lines import fit_objects
from phenesthe.io.read_tables import Reader
from phenesthe.io.rows import ObjectRows, measure_records
from phenesthe.io.time_format import TimeFormat

#: Of lines that travel together.
_BYTES = 8 * 2**20


def describe_plain(separator: str) -> str:
    """A line of CSV that is a record whatever the lines around it are. Others may go on in the next
    line, or end earlier, at a lone carriage return."""
    sign = re.escape(separator)
    field = rf'(?:[^"{sign}\r]*|"(?:[^"\r]|"")*")'
    return rf"^{field}(?:{sign}{field})*\r?$"


def is_plain(line: bytes, separator: str) -> bool:
    return re.fullmatch(describe_plain(separator).encode(), line) is not None


def list_lines(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The lines of files that a worker opens; of those that are too long, the beginning."""
    for batch in batches:
        for address in batch.column(0).to_pylist():
            with open_text(find_path(address)) as file:
                lines: list[bytes] = []
                size = 0
                for line in read_bounded_lines(file):
                    lines.append(line.removesuffix(b"\n"))
                    size += len(line)
                    if size >= _BYTES:
                        yield _make_batch(lines)
                        lines, size = [], 0
                yield _make_batch(lines)


def _make_batch(lines: list[bytes]) -> pa.RecordBatch:
    blocks = pa.array(np.zeros(len(lines), dtype=np.int64))
    return pa.record_batch({"value": pa.array(lines, pa.binary()), "block": blocks})


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Some lines that follow one another in a block of a file, and what is found in them."""

    lines: Any
    #: The number of the first of them in the block.
    first: int
    #: Whether the first of them is the first of the file.
    is_start: bool
    rejects: Gathered
    mark: Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class ByLine(Way):
    """Of lines (`value`) in the order of their file, from some of its blocks (`block`)."""

    label: str

    def read(
        self, batches: Iterator[pa.RecordBatch], packer: Packer, tags: Mapping[str, int]
    ) -> Iterator[pa.RecordBatch]:
        rejects, mark = Gathered(), packer.mark
        for batch in batches:
            for part in split(batch, "block"):
                block = part["block"][0].as_py()
                first = mark.lines[block] + 1
                mark.lines[block] += len(part)
                chunk = Chunk(
                    lines=part["value"].combine_chunks().cast(pa.binary()),
                    first=first,
                    is_start=block == 0 and first == 1,
                    rejects=rejects,
                    mark=mark,
                )
                for name, fitted in self.fit(chunk):
                    yield from packer.pack_rows(tags[name], fitted, block)
                if mark.is_odd:
                    return
                yield from packer.pack_rejects(rejects.take(), np.full(len(part), block))

    @abstractmethod
    def fit(self, chunk: Chunk) -> Iterator[tuple[str, Batch]]:
        """The rows that fit, by the input or fact they are of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Everything(ByLine):
    """JSON lines of all inputs and facts."""

    program: CheckedProgram
    only_facts: bool
    form: TimeFormat | None = None

    def fit(self, chunk: Chunk) -> Iterator[tuple[str, Batch]]:
        lines, rejects = chunk.lines.to_pylist(), chunk.rejects
        for objects, numbers in parse_objects(lines, rejects, file=self.label, first=chunk.first):
            fitted = fit_objects(
                self.program,
                objects,
                numbers,
                self.label,
                rejects,
                only_facts=self.only_facts,
                form=self.form,
            )
            yield from fitted.items()


@dataclass(frozen=True, slots=True, kw_only=True)
class Objects(ByLine):
    """JSON lines of one table."""

    judge: Judge

    def fit(self, chunk: Chunk) -> Iterator[tuple[str, Batch]]:
        signature, clock, names = self.judge.signature, self.judge.clock, self.judge.names
        for objects, numbers in parse_objects(
            chunk.lines.to_pylist(),
            chunk.rejects,
            file=self.label,
            name=signature.name,
            first=chunk.first,
        ):
            rows = ObjectRows(objects, numbers, self.label)
            chunk.mark.see(column for column in names.values() if rows.has(column))
            yield signature.name, fit_rows(signature, rows, clock, chunk.rejects, names=names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Csv(ByLine):
    """A CSV file, as long as every line of it is a record."""

    judge: Judge
    form: CsvForm

    def fit(self, chunk: Chunk) -> Iterator[tuple[str, Batch]]:
        judge, lines, first = self.judge, chunk.lines, chunk.first
        if chunk.is_start:
            lines, first = lines.slice(1), 2
        if not len(lines):
            return
        plain = pc.match_substring_regex(lines, describe_plain(self.form.separator))
        longest = pc.max(pc.binary_length(lines)).as_py()
        if longest > MAX_LINE or not to_bools(pa.chunked_array([plain])).all():
            chunk.mark.is_odd = True
            return
        name = judge.signature.name
        reader = Reader(
            clock=judge.clock, rejects=chunk.rejects, names={name: judge.names}, wanted={}
        )
        content = _join(self.form.line.rstrip(b"\r"), lines)

        def list_records() -> Iterator[tuple[int, int]]:
            texts = (line.decode(errors="replace") for line in content.splitlines())
            # The header is line 1 of every chunk, and the chunk's own first line the second.
            return (
                (line - 2 + first, width)
                for line, width in measure_records(texts, self.form.separator)
            )

        try:
            fitted = reader.fit_csv(
                judge.signature,
                pa.py_buffer(content),
                self.label,
                self.form,
                judge.chosen,
                list_records,
            )
        except pa.ArrowInvalid:
            chunk.mark.is_odd = True
            return
        yield name, fitted


def _join(header: bytes, lines: Any) -> bytes:
    ends = pa.py_buffer(np.array([0, len(lines)], dtype=np.int32))
    offsets = pa.Array.from_buffers(pa.int32(), 2, [None, ends])
    whole = pc.binary_join(pa.ListArray.from_arrays(offsets, lines), b"\n")
    return b"\n".join([header, whole[0].as_py(), b""])
