"""How each table is read: decided from names, headers and footers, before any row is looked at."""

import io
from codecs import BOM_UTF8
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from pyspark.sql import DataFrame, SparkSession

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.engines.spark.failures import is_sparks
from phenesthe.engines.spark.reading import scans
from phenesthe.engines.spark.reading.columns import Columns, Whole
from phenesthe.engines.spark.reading.disks import Disk
from phenesthe.engines.spark.reading.footers import Footer, Statistics, read_footers
from phenesthe.engines.spark.reading.holding import Stored, hold
from phenesthe.engines.spark.reading.lines import Csv, Everything, Objects, is_plain
from phenesthe.engines.spark.reading.paths import drop_scheme, make_absolute
from phenesthe.engines.spark.reading.sources import Blocks, Part, Source, Typed
from phenesthe.engines.spark.reading.tasks import Judge, Way
from phenesthe.files.long_lines import has_long_line
from phenesthe.io.errors import DataError
from phenesthe.io.lakes import check_lake
from phenesthe.io.places import Entry, refuse_table
from phenesthe.io.read_csv import parse_header, read_header
from phenesthe.io.read_tables import Reader, list_needed, refusing

#: The columns that files are judged by, in their order, and how they are stored.
_Kind: TypeAlias = tuple[tuple[str, Stored | None], ...]


@dataclass(slots=True)
class Planner:
    """The sources of a run so far. What is worth saying of them goes to the reader's warnings."""

    spark: SparkSession
    program: CheckedProgram
    reader: Reader
    sources: list[Source] = field(default_factory=list)

    def add_lines(self, disk: Disk, entry: Entry, *, only_facts: bool) -> None:
        inputs = () if only_facts else self.program.inputs
        here = disk.find_here(entry.path)
        self._add(
            Everything(label=entry.path, program=self.program, only_facts=only_facts),
            scans.read_lines(self.spark, disk.address(entry.path), here),
            [(one, one.arguments) for one in (*inputs, *self.program.facts)],
            here=here,
            size=entry.size,
            blocks="lines",
        )

    def add_table(self, disk: Disk, signature: Signature, entry: Entry) -> None:
        here = disk.find_here(entry.path)
        if entry.is_folder or entry.suffix == ".parquet":
            if here is None:
                self._add_remote_parquet(disk, signature, entry)
                return
            with refusing(here):
                files = self.reader.list_files(here) if entry.is_folder else [here]
            self._add_parquet(disk, signature, here, files)
        elif entry.suffix == ".csv":
            self._add_csv(disk, signature, entry, here)
        elif entry.suffix == ".jsonl":
            judge = self._make_judge(signature, None)
            self._add(
                Objects(label=entry.path, judge=judge),
                scans.read_lines(self.spark, disk.address(entry.path), here),
                [(signature, signature.arguments)],
                here=here,
                size=entry.size,
                blocks="lines",
            )
        else:
            raise refuse_table(entry.path, signature.name)

    def add_frame(self, signature: Signature, frame: DataFrame) -> None:
        label = f"table {signature.name}"
        chosen = self.reader.look_at_columns(signature, frame.columns, label)
        judge = self._make_judge(signature, chosen)
        needed = list_needed(signature, judge.names, chosen)
        parts = []
        for at, one in enumerate(frame.schema):
            if one.name not in needed:
                continue
            if not scans.can_travel(one.dataType):
                raise DataError(
                    f"column `{one.name}` of `{label}` is of the type "
                    f"{one.dataType.simpleString()}, which is none of an argument",
                    "cast it to the type of the argument",
                )
            parts.append(Part(one.name, f"c{at}", hold(one.dataType)))
        bare = scans.number_columns(frame).select(*[part.slot for part in parts])
        typed = Typed(judge, tuple(parts), bare)
        self._add_typed(typed, scans.place_rows(bare, label), {}, blocks="partitions")

    def _add_parquet(self, disk: Disk, signature: Signature, here: Path, files: list[Path]) -> None:
        """Files of this machine. Spark reads those of the same types together."""
        names = self.reader.names[signature.name]
        footers = read_footers(files, list_needed(signature, names, None))
        # One file with operations is enough to compare the rows of all.
        has_op = len(files) > 1 and any(names["op"] in one.columns for one in footers)
        groups: dict[_Kind, list[Footer]] = {}
        chosen: Collection[str] | None = None
        for footer in footers:
            label = str(footer.path)
            chosen = self.reader.look_at_columns(signature, footer.columns, label, has_op=has_op)
            needed = list_needed(signature, names, chosen)
            kind = tuple((one, footer.stored[one]) for one in footer.columns if one in needed)
            groups.setdefault(kind, []).append(footer)
        judge = self._make_judge(signature, chosen)
        for kind, members in groups.items():
            self._add_group(disk, judge, here, kind, members)

    def _add_group(
        self, disk: Disk, judge: Judge, here: Path, kind: _Kind, members: Sequence[Footer]
    ) -> None:
        addresses = [disk.address(str(one.path)) for one in members]
        labels = {str(make_absolute(one.path)): str(one.path) for one in members}
        sizes = [one.path.stat().st_size for one in members]
        stored = {column: found for column, found in kind if found is not None}
        # Spark does not read a file without columns, which a fact without arguments may have.
        if len(stored) < len(kind) or not all(one.columns for one in members):
            rows = scans.read_whole(self.spark, addresses, None)
            way = Whole(judge=judge, suffix=".parquet", labels=labels)
            self._add_judged(way, rows, judge, here=here, size=sum(sizes), largest=max(sizes))
            return
        types = {column: one.sql for column, one in stored.items()}
        scan = scans.read_parquet(self.spark, addresses, types)
        parts = [
            Part(
                column,
                f"c{at}",
                one.held,
                one.own,
                _join_statistics(members, column),
            )
            for at, (column, one) in enumerate(stored.items())
        ]
        typed = Typed(judge, tuple(parts), scan.bare, sum(one.rows for one in members))
        self._add_typed(typed, scan.placed, labels, here=here, size=sum(sizes))

    def _add_remote_parquet(self, disk: Disk, signature: Signature, entry: Entry) -> None:
        """Files that Spark alone sees. Where it refuses their types, Python reads them."""
        if entry.is_folder:
            check_lake(entry.path, disk.list_folder)
        address = disk.address(entry.path)
        labels = {drop_scheme(entry.path): entry.path}
        pattern = "*.parquet" if entry.is_folder else None
        try:
            found = scans.read_remote_parquet(self.spark, address, is_folder=entry.is_folder)
        except Exception as problem:
            if not is_sparks(problem):
                raise
            judge = self._make_judge(signature, self.reader.wanted.get(signature.name))
            way = Whole(judge=judge, suffix=".parquet", labels=labels, says=True)
            self._add_judged(way, scans.read_whole(self.spark, [address], pattern), judge)
            return
        if found is None:
            self.reader.warnings.append(f"no Parquet files in `{entry.path}`")
            return
        chosen = self.reader.look_at_columns(signature, found.columns, entry.path)
        judge = self._make_judge(signature, chosen)
        needed = list_needed(signature, judge.names, chosen)
        columns = [one for one in found.schema if one.name in needed]
        if not found.columns or not all(scans.can_travel(one.dataType) for one in columns):
            way = Whole(judge=judge, suffix=".parquet", labels=labels)
            self._add_judged(way, scans.read_whole(self.spark, [address], pattern), judge)
            return
        scan = scans.take_columns(found, [one.name for one in columns])
        parts = [Part(one.name, f"c{at}", hold(one.dataType)) for at, one in enumerate(columns)]
        self._add_typed(Typed(judge, tuple(parts), scan.bare), scan.placed, labels)

    def _add_csv(self, disk: Disk, signature: Signature, entry: Entry, here: Path | None) -> None:
        address = disk.address(entry.path)
        lines = scans.read_lines(self.spark, address)
        if here is not None:
            with refusing(here):
                header, line = read_header(here), _read_first_line(here)
        else:
            first = scans.read_first_lines(lines)
            text = b"\n".join(first).decode(errors="replace")
            header, line = parse_header(io.StringIO(text, newline=""), entry.path), first[0]
        chosen = self.reader.look_at_columns(signature, header, entry.path)
        judge = self._make_judge(signature, chosen)
        path = drop_scheme(entry.path) if here is None else str(make_absolute(here))
        labels = {path: entry.path}
        way = Whole(judge=judge, suffix=".csv", labels=labels)
        # A worker that opens the file holds no more of it than the local engine would.
        largest = entry.size if here is None else 0
        if here is None:
            whole = (way, scans.read_whole(self.spark, [address], None))
        else:
            whole = (way, scans.point_at(self.spark, here))
        if not is_plain(line) or (here is not None and has_long_line(here)):
            self._add_judged(*whole, judge, here=here, size=entry.size, largest=largest)
            return
        by_line = Csv(label=entry.path, judge=judge, header=header, line=line.rstrip(b"\r"))
        self._add(
            by_line,
            lines,
            [(signature, judge.list_arguments())],
            here=here,
            size=entry.size,
            largest=largest,
            blocks="lines",
            whole=whole,
        )

    def _make_judge(self, signature: Signature, wanted: Collection[str] | None) -> Judge:
        names = self.reader.names[signature.name]
        return Judge(signature=signature, unit=self.program.unit, names=names, wanted=wanted)

    def _add_typed(
        self,
        typed: Typed,
        placed: DataFrame,
        labels: Mapping[str, str],
        *,
        here: Path | None = None,
        size: int = 0,
        blocks: Blocks | None = None,
    ) -> None:
        own = {part.column: part.own for part in typed.parts}
        way = Columns(judge=typed.judge, columns=own, labels=labels)
        feeds = [(typed.judge.signature, typed.judge.list_arguments())]
        self._add(way, placed, feeds, here=here, size=size, blocks=blocks, typed=typed)

    def _add_judged(
        self,
        way: Way,
        rows: DataFrame,
        judge: Judge,
        *,
        here: Path | None = None,
        size: int = 0,
        largest: int = 0,
    ) -> None:
        feeds = [(judge.signature, judge.list_arguments())]
        self._add(way, rows, feeds, here=here, size=size, largest=largest)

    def _add(
        self,
        way: Way,
        rows: DataFrame,
        feeds: Iterable[tuple[Signature, tuple[str, ...]]],
        *,
        here: Path | None,
        size: int,
        largest: int = 0,
        blocks: Blocks | None = None,
        typed: Typed | None = None,
        whole: tuple[Way, DataFrame] | None = None,
    ) -> None:
        self.sources.append(
            Source(
                number=len(self.sources),
                feeds=tuple(feeds),
                way=way,
                rows=rows,
                here=here,
                size=size,
                largest=largest,
                typed=typed,
                whole=whole,
                blocks=blocks,
            )
        )


def _read_first_line(path: Path) -> bytes:
    with open(path, "rb") as file:
        return file.readline().removeprefix(BOM_UTF8).removesuffix(b"\n")


def _join_statistics(members: Sequence[Footer], column: str) -> Statistics:
    """Of some files together; what one does not tell is not known."""
    nulls, numbers = 0, []
    for one in members:
        found = one.statistics[column]
        if found.nulls is None:
            return Statistics()
        nulls += found.nulls
        if found.nulls < one.rows:
            numbers.append((found.least, found.greatest))
    least = [low for low, _ in numbers if low is not None]
    greatest = [high for _, high in numbers if high is not None]
    if len(least) < len(numbers) or not least or not greatest:
        return Statistics(nulls)
    return Statistics(nulls, min(least), max(greatest))
