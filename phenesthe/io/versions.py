"""Results of a windowed run, written query by query: snapshots, or changes.

The forms are those of `write.py`; beside what it writes a row has the `query`, and of changes the
`change`, and `was`, the old end of what was revised. Text is sorted by query, name, arguments and
time; Parquet by query. Nothing waits in memory but the rows of a part of a Parquet table.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from os import PathLike
from pathlib import Path
from typing import IO, Any, TypeAlias

import pyarrow as pa

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.files.opening import open_sink
from phenesthe.io.columns import make_schema
from phenesthe.io.lines import VERSION, Times, make_header
from phenesthe.io.meta import Meta, find_digest, write_meta
from phenesthe.io.pile import Pile
from phenesthe.io.putting import AT_ONCE, Putting
from phenesthe.io.target import Form, check_target
from phenesthe.io.write import (
    check_stamps,
    choose_encodings,
    join_results,
    list_rows,
    type_results,
)

SNAPSHOT = ("query",)
CHANGE = ("query", "change", "was")
#: Takes the tables of one query by name, with the columns that tell their version.
Write: TypeAlias = Callable[[Mapping[str, Any]], None]
_ROWS = 100_000


@contextmanager
def writing_versions(
    program: CheckedProgram,
    names: tuple[str, ...],
    target: str | PathLike[str] | None,
    version: tuple[str, ...],
    *,
    ended: Sequence[Signature] = (),
    overwrite: bool = False,
    times: Times = "int",
    meta: Meta | None = None,
    putting: Putting = AT_ONCE,
) -> Iterator[Write]:
    """A context in which the tables of each query are written; without a target, to stdout.

    All of it appears when the block ends well, or nothing does. `ended` are definitions that the
    program has no more, of which something is withdrawn.
    """
    signatures = [*(program.defined[name] for name in names), *ended]
    maker = _Maker(program, signatures, version, times, meta)
    if target is None:
        with putting.stdout() as file:
            yield maker.write_text(file, "jsonl")
        return
    form, path = check_target(target, overwrite=overwrite), Path(target)
    match form:
        case "jsonl" | "csv":
            with putting.file(path, overwrite=overwrite) as file:
                yield maker.write_text(file, form)
                digest = "" if meta is None else find_digest(file)
            if meta is not None:
                write_meta(meta, path, digest, putting)
        case "parquet":
            with (
                putting.file(path, overwrite=overwrite) as file,
                maker.write_one_table(Path(file.name), path) as write,
            ):
                yield write
        case "directory":
            with (
                putting.folder(path, overwrite=overwrite) as folder,
                maker.write_tables(folder, path) as write,
            ):
                yield write


class _Maker:
    def __init__(
        self,
        program: CheckedProgram,
        signatures: Sequence[Signature],
        version: tuple[str, ...],
        times: Times,
        meta: Meta | None,
    ) -> None:
        self.signatures = {one.name: one for one in sorted(signatures, key=lambda one: one.name)}
        self.unit, self.version, self.times = program.unit, version, times
        self.meta = meta

    def choose(self, tables: Mapping[str, Any]) -> list[tuple[Signature, Any]]:
        """The tables that are not empty, in the order of their names."""
        return [
            (signature, tables[name])
            for name, signature in self.signatures.items()
            if name in tables and tables[name].num_rows
        ]

    def write_text(self, file: IO[bytes], form: Form) -> Write:
        if form == "csv":
            file.write(make_header(self.version))

        def write(tables: Mapping[str, Any]) -> None:
            for signature, table in self.choose(tables):
                for part in list_rows(signature, table, form, self.unit, self.times):
                    file.write(part)

        return write

    @contextmanager
    def write_one_table(self, file: Path, path: Path) -> Iterator[Write]:
        empty = join_results([], self.unit, self.times, self.version, self.meta)
        with _Parts(file, path, empty) as parts:

            def write(tables: Mapping[str, Any]) -> None:
                chosen = self.choose(tables)
                parts.add(join_results(chosen, self.unit, self.times, self.version, self.meta))

            yield write

    @contextmanager
    def write_tables(self, folder: Path, path: Path) -> Iterator[Write]:
        with ExitStack() as stack:
            parts = {
                name: stack.enter_context(
                    _Parts(folder / f"{name}.parquet", path, self._make_empty(signature))
                )
                for name, signature in self.signatures.items()
            }

            def write(tables: Mapping[str, Any]) -> None:
                for signature, table in self.choose(tables):
                    typed = type_results(signature, table, self.unit, self.times, self.meta)
                    parts[signature.name].add(typed)

            yield write

    def _make_empty(self, signature: Signature) -> Any:
        table = make_schema(signature).empty_table()
        for name in self.version:
            table = table.append_column(name, pa.nulls(0, VERSION[name] or pa.int64()))
        return type_results(signature, table, self.unit, self.times, self.meta)


class _Parts:
    """A Parquet file, written some rows at a time, and opened when there are enough of them.

    So few files are open at once, however many phenomena there are.
    """

    def __init__(self, where: Path, target: Path, empty: Any) -> None:
        self._where, self._target, self._empty = where, target, empty
        self._pile = Pile()
        self._writer: Any | None = None
        self._sink: Any | None = None

    def add(self, table: Any) -> None:
        self._pile.add(table)
        if self._pile.num_rows >= _ROWS:
            self._flush()

    def _flush(self) -> None:
        from pyarrow.parquet import ParquetWriter

        schema = self._empty.schema
        if self._writer is None:
            self._sink = open_sink(self._where)
            self._writer = ParquetWriter(self._sink, schema, **choose_encodings(schema))
        table = self._pile.take()
        table = self._empty if table is None else table
        check_stamps(table, self._target)
        self._writer.write_table(table)

    def __enter__(self) -> "_Parts":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None and (self._pile.num_rows or self._writer is None):
                self._flush()
        finally:
            if self._writer is not None:
                self._writer.close()
                assert self._sink is not None
                self._sink.close()
