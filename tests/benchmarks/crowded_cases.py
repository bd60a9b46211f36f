"""Where much happens at once: cases of `runaway` with far more pairs than rows."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.benchmarks.runaway_cases import Case

_INSTANTS = 20


def _write(folder: Path, program: Sequence[str], **inputs: pa.Table) -> tuple[str, ...]:
    (folder / "p.phe").write_text("\n".join(program) + "\n")
    (folder / "in").mkdir()
    for name, table in inputs.items():
        pq.write_table(table, folder / "in" / f"{name}.parquet")
    return (
        "run", "p.phe", "--engine", "local", "--input", "in", "--output", "out.jsonl",
        "--overwrite", "--quiet",
    )  # fmt: skip


def repeat_with(condition: str) -> Callable[[Path, int], tuple[str, ...]]:
    """A whole fleet that reports at few instants.

    Speeds are even at one instant and odd at the next, so that of neighbours no two are the same.
    """

    def write(folder: Path, size: int) -> tuple[str, ...]:
        chance = np.random.default_rng(3)
        t = np.sort(chance.integers(0, _INSTANTS, size))
        speed = 2.0 * chance.integers(0, size, size) + t % 2
        program = (
            "input event report(vessel: int, speed: float, course: float);",
            f"state steady() : repeat report(_, S, C) while gap <= 10 and {condition};",
        )
        columns = {"vessel": np.arange(size), "speed": speed, "course": chance.random(size), "t": t}
        return _write(folder, program, report=pa.table(columns))

    return write


def relate(kind: str, relation: str) -> Callable[[Path, int], tuple[str, ...]]:
    """Two fleets that share no variable: a row meets about one of the other side."""

    def write(folder: Path, size: int) -> tuple[str, ...]:
        chance = np.random.default_rng(3)

        def draw(longest: int) -> pa.Table:
            ts = chance.integers(0, 25 * size, size // 2)
            te = ts + chance.integers(1, longest, size // 2)
            return pa.table({"vessel": np.arange(size // 2), "ts": ts, "te": te})

        program = (
            "input state fishes(vessel: int);",
            "input state waits(vessel: int);",
            f"{kind} both(V, W) : fishes(V) {relation} waits(W);",
        )
        return _write(folder, program, fishes=draw(60), waits=draw(40))

    return write


_SIZES = (50_000, 100_000, 200_000, 400_000)

CROWDED = (
    Case(
        "near", "`repeat`, n rows at 20 instants, no pair within a bound", _SIZES, "seconds",
        repeat_with("abs(S - prev(S)) < 1"),
    ),
    Case(
        "apart", "`intersection` of n intervals, no variable shared", _SIZES, "seconds",
        relate("state", "intersection"),
    ),
    Case(
        "within", "`contains` of n intervals, no variable shared", _SIZES, "seconds",
        relate("dynamic", "contains"),
    ),
    Case(
        "across", "`overlaps` of n intervals, no variable shared", _SIZES, "seconds",
        relate("dynamic", "overlaps"),
    ),
    Case(
        "rising", "`repeat`, n rows at 20 instants, `S >= prev(S) + n`", _SIZES, "seconds",
        repeat_with("S >= prev(S) + 1000000"),
    ),
    Case(
        "two", "`repeat`, n rows at 20 instants, two bounds", _SIZES, "seconds",
        repeat_with("S - prev(S) < 1 and S - prev(S) > -1 and C > prev(C)"),
    ),
)  # fmt: skip
