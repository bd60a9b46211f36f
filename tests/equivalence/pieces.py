"""A stream that is run in several pieces, each going on from the state that the last one left.

Together they tell what one run over all of it tells.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pyarrow as pa

from phenesthe.program import Program
from phenesthe.runs.request import Emit
from tests.equivalence.late import WindowedCase
from tests.equivalence.overrides import compile_with
from tests.equivalence.windowed import choose_operations, make_case
from tests.reference.windowed import Operation
from tests.spark.stored import build_operations

EMITS: tuple[Emit, ...] = ("final", "changes", "snapshots")
_MOST_PIECES = 4


@dataclass(slots=True)
class Pieced:
    """What cases came to."""

    pieces: Counter[int] = field(default_factory=Counter)
    told: Counter[str] = field(default_factory=Counter)
    #: Cases in which something is told of two pieces or more, or of the end by what came before.
    spread: int = 0
    without_time: int = 0

    def merge(self, other: "Pieced") -> None:
        self.pieces.update(other.pieces)
        self.told.update(other.told)
        self.spread += other.spread
        self.without_time += other.without_time

    def list_lines(self) -> Iterator[str]:
        yield "pieces: " + ", ".join(f"{n}: {self.pieces[n]:,}" for n in sorted(self.pieces))
        yield "rows told: " + ", ".join(f"{emit} {self.told[emit]:,}" for emit in EMITS)
        yield f"told of two pieces or more: {self.spread:,}; no time at all: {self.without_time:,}"


def compare_pieces(number: int, pieced: Pieced) -> str | None:
    """How the pieces of a case differ from the whole, if they do."""
    case, program = make_case(number)
    emit, random = EMITS[number % 3], Random(f"pieces {number}")
    used = [op for found in choose_operations(case, program).values() for op in found]
    instants = [t for op in used for t in op.row[1:] if t is not None]
    begin = min(instants, default=0) - 1 if case.start is None else case.start
    last = max(instants, default=begin) if case.until is None else case.until
    if last <= begin:
        pieced.without_time += 1
        return None
    queries = range(begin + case.step, last, case.step)
    most = min(len(queries), _MOST_PIECES - 1)
    cuts = sorted(random.sample(queries, random.randint(min(1, most), most)))
    taken = {one.name: "arrival" not in one.arguments for one in program.inputs}
    compiled = compile_with(case.text, case.params)
    ask = _Ask(compiled, replace(case, start=begin), emit)
    with TemporaryDirectory() as folder, _quick_disk():
        whole = ask.run(case, case.until, None)
        told: list[Counter[str]] = []
        rest = case.operations
        state = Path(folder) / "state"
        for cut in cuts:
            part = {
                name: [op for op in found if _find_known(op, taken[name]) <= cut]
                for name, found in rest.items()
            }
            rest = {
                name: [op for op in found if op not in part[name]] for name, found in rest.items()
            }
            told.append(ask.run(replace(case, operations=part), cut, state))
        told.append(ask.run(replace(case, operations=rest), case.until, state))
    found = told[-1] if emit == "final" else sum(told, Counter[str]())
    pieced.pieces[len(told)] += 1
    pieced.told[emit] += whole.total()
    pieced.spread += sum(map(bool, told)) > 1
    if found == whole:
        return None
    lines = [f"case {number}, {emit}, cut at {cuts}, start {begin}, {case}", case.text]
    lines += [f"missing {line}" for line in sorted((whole - found).elements())]
    lines += [f"extra {line}" for line in sorted((found - whole).elements())]
    return "\n".join(lines)


@dataclass(frozen=True)
class _Ask:
    program: Program
    case: WindowedCase
    emit: Emit

    def run(self, rows: WindowedCase, until: int | None, state: Path | None) -> Counter[str]:
        tables: Mapping[str, Any] = build_operations(self.program.checked, rows)
        result = self.program.run(
            tables, window=self.case.window, step=self.case.step, start=self.case.start,
            until=until, emit=self.emit, state=state, allow_empty=True,
        )  # fmt: skip
        return Counter(line for name in result for line in _list_lines(name, result[name]))


def _find_known(operation: Operation, says_arrival: bool) -> int:
    return operation.known if says_arrival else operation.time


def _list_lines(name: str, table: pa.Table) -> Iterator[str]:
    columns = [column.to_pylist() for column in table.columns]
    for row in zip(*columns, strict=True):
        yield f"{name} {dict(zip(table.column_names, row, strict=True))}"


@contextmanager
def _quick_disk() -> Iterator[None]:
    """Nothing is cut off here."""
    with patch("os.fsync", lambda _: None):
        yield
