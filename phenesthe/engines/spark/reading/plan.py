"""How each table is read: decided from names, headers and footers, before any row is looked at."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from pyspark.sql import DataFrame, SparkSession

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.engines.spark.failures import is_sparks
from phenesthe.engines.spark.reading import scans
from phenesthe.engines.spark.reading.columns import Columns, Whole
from phenesthe.engines.spark.reading.conversions import Stored, find_held
from phenesthe.engines.spark.reading.disks import Disk
from phenesthe.engines.spark.reading.footers import Footer, join_statistics, read_footers
from phenesthe.engines.spark.reading.lines import Csv, Everything, Objects
from phenesthe.engines.spark.reading.paths import drop_scheme, make_absolute
from phenesthe.engines.spark.reading.sources import Blocks, Part, Source, Typed
from phenesthe.engines.spark.reading.texts import can_be_cut, look_at_remote
from phenesthe.engines.spark.reading.worker_tasks import Judge, Way
from phenesthe.files.csv_form import list_lines
from phenesthe.io.errors import DataError
from phenesthe.io.foreign import refuse_packed
from phenesthe.io.lakes import check_lake
from phenesthe.io.objects import KEY_LINES, list_keys
from phenesthe.io.places import Entry, refuse_table
from phenesthe.io.read_tables import Chosen, Reader, list_needed, refusing

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
            Everything(
                label=entry.path,
                program=self.program,
                only_facts=only_facts,
                form=self.reader.clock.form,
            ),
            scans.read_lines(self.spark, disk.address(entry.path), here),
            [(one, one.arguments) for one in (*inputs, *self.program.facts)],
            here=here,
            size=entry.size,
            blocks="lines",
        )

    def add_table(self, disk: Disk, signature: Signature, entry: Entry) -> None:
        here = disk.find_here(entry.path)
        if entry.is_folder or entry.extension == ".parquet":
            if here is None:
                self._add_remote_parquet(disk, signature, entry)
                return
            with refusing(here):
                files = self.reader.list_files(here) if entry.is_folder else [here]
            self._add_parquet(disk, signature, here, files)
        elif entry.extension in (".csv", ".csv.gz"):
            self._add_csv(disk, signature, entry, here)
        elif entry.extension in (".jsonl", ".jsonl.gz"):
            lines = scans.read_lines(self.spark, disk.address(entry.path), here)
            if here is None:
                first = scans.read_first_lines(lines)
            else:
                with refusing(here):
                    refuse_packed(here)
                    first = list_lines(here, KEY_LINES)
            names = self.reader.look_at_keys(signature, list_keys(first), entry.path)
            self._add(
                Objects(label=entry.path, judge=self._make_judge(signature, Chosen(names, None))),
                lines,
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
        needed = list_needed(signature, judge.names, judge.wanted)
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
            parts.append(Part(one.name, f"c{at}", find_held(one.dataType)))
        bare = scans.number_columns(frame).select(*[part.slot for part in parts])
        typed = Typed(judge, tuple(parts), bare)
        self._add_typed(typed, scans.place_rows(bare, label), {}, blocks="partitions")

    def _add_parquet(self, disk: Disk, signature: Signature, here: Path, files: list[Path]) -> None:
        """Files of this machine. Spark reads those of the same types together."""
        names = self.reader.names[signature.name]
        footers = read_footers(files, list_needed(signature, names, None))
        # One file with operations is enough to compare the rows of all.
        has_op = len(files) > 1 and any(
            self.reader.has_op(signature, one.columns) for one in footers
        )
        groups: dict[_Kind, list[Footer]] = {}
        judges: dict[_Kind, Judge] = {}
        for footer in footers:
            label = str(footer.path)
            chosen = self.reader.look_at_columns(signature, footer.columns, label, has_op=has_op)
            needed = list_needed(signature, chosen.names, chosen.wanted)
            kind = tuple((one, footer.stored[one]) for one in footer.columns if one in needed)
            groups.setdefault(kind, []).append(footer)
            judges[kind] = self._make_judge(signature, chosen)
        for kind, members in groups.items():
            self._add_group(disk, judges[kind], here, kind, members)

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
                join_statistics(members, column),
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
            name = signature.name
            chosen = Chosen(self.reader.names[name], self.reader.wanted.get(name))
            judge = self._make_judge(signature, chosen)
            way = Whole(judge=judge, suffix=".parquet", labels=labels, says=True)
            self._add_judged(way, scans.read_whole(self.spark, [address], pattern), judge)
            return
        if found is None:
            self.reader.warnings.append(f"no Parquet files in `{entry.path}`")
            return
        chosen = self.reader.look_at_columns(signature, found.columns, entry.path)
        judge = self._make_judge(signature, chosen)
        needed = list_needed(signature, judge.names, judge.wanted)
        columns = [one for one in found.schema if one.name in needed]
        if not found.columns or not all(scans.can_travel(one.dataType) for one in columns):
            way = Whole(judge=judge, suffix=".parquet", labels=labels)
            self._add_judged(way, scans.read_whole(self.spark, [address], pattern), judge)
            return
        scan = scans.take_columns(found, [one.name for one in columns])
        parts = [
            Part(one.name, f"c{at}", find_held(one.dataType)) for at, one in enumerate(columns)
        ]
        self._add_typed(Typed(judge, tuple(parts), scan.bare), scan.placed, labels)

    def _add_csv(self, disk: Disk, signature: Signature, entry: Entry, here: Path | None) -> None:
        address = disk.address(entry.path)
        if here is not None:
            with refusing(here):
                form = self.reader.look_at_csv(signature, here)
        else:
            form = look_at_remote(
                self.spark, address, entry.path, self.reader.count_known(signature)
            )
        lines = scans.read_lines(self.spark, address, here)
        judge = self._make_judge(
            signature, self.reader.look_at_columns(signature, form.header, entry.path)
        )
        path = drop_scheme(entry.path) if here is None else str(make_absolute(here))
        way = Whole(judge=judge, suffix=entry.extension or ".csv", labels={path: entry.path})
        # A worker that opens the file holds no more of it than the local engine would.
        largest = entry.size if here is None else 0
        if here is None:
            whole = (way, scans.read_whole(self.spark, [address], None))
        else:
            whole = (way, scans.point_at(self.spark, here))
        if not can_be_cut(form, here):
            self._add_judged(*whole, judge, here=here, size=entry.size, largest=largest)
            return
        self._add(
            Csv(label=entry.path, judge=judge, form=form),
            lines,
            [(signature, judge.list_arguments())],
            here=here,
            size=entry.size,
            largest=largest,
            blocks="lines",
            whole=whole,
        )

    def _make_judge(self, signature: Signature, chosen: Chosen) -> Judge:
        return Judge(
            signature=signature,
            clock=self.reader.clock,
            names=chosen.names,
            wanted=chosen.wanted,
        )

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
