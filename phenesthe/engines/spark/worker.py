"""What runs inside Spark's Python workers: one stage on one partition. No pyspark here."""

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from phenesthe.engines.share import Share, evaluate_share
from phenesthe.engines.spark.layout import Layout, Parcel
from phenesthe.engines.spark.worker_errors import pack_error
from phenesthe.io.errors import DataError
from phenesthe.operators.too_many import TooManyRows
from phenesthe.options import name_option
from phenesthe.plan.routes import Route


@dataclass(frozen=True, slots=True)
class Task:
    """All that a partition needs to know.

    The tables that arrive are those of `routes`, then the facts `everywhere`. `facts` are those
    small enough to come along with the task.
    """

    number: int
    share: Share
    routes: tuple[Route, ...]
    everywhere: tuple[str, ...]
    facts: Parcel
    wanted: tuple[str, ...]
    arriving: Layout
    leaving: Layout

    def run(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """For Spark: from rows that arrive together to rows that leave together."""
        for at, (_, table) in enumerate(self.evaluate(batches)):
            yield from self.leaving.join(at, table)

    def evaluate(self, batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[str, pa.Table]]:
        """The wanted definitions, in their order; nothing at all where no key is owned."""
        doing = "receiving its rows"

        def tell(name: str, _at: int, _of: int) -> None:
            nonlocal doing
            doing = f"evaluating `{name}`"

        try:
            tables = self.arriving.split(batches)
            routed = dict(zip(self.routes, tables, strict=False))
            if self.share.keys and not any(table.num_rows for table in routed.values()):
                return
            facts = dict(zip(self.everywhere, tables[len(self.routes) :], strict=True))
            del tables
            yield from evaluate_share(
                self.share, routed, facts | self.facts.open(), self.wanted, tell
            )
        except TooManyRows as problem:
            raise pack_error(DataError(problem.message, problem.hint)) from problem
        except MemoryError as problem:
            raise pack_error(refuse_size(self.number, doing, bool(self.share.keys))) from problem


def refuse_size(number: int, doing: str, is_keyed: bool) -> DataError:
    remedy = (
        f"use more partitions ({name_option('partitions', 'N')}) or give Python workers more memory"
        if is_keyed
        else "this stage needs all its rows in one place: give Python workers more memory, or give "
        "its definitions a variable that all they join share (`phenesthe compile` shows the stages)"
    )
    return DataError(f"stage {number} ran out of memory {doing} on one partition", remedy)
