"""What cannot fit into memory is refused before it is made, in the words of the program."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import phenesthe
from phenesthe.engines.spark.worker import Task
from phenesthe.engines.spark.worker_errors import WorkerError, find_packed_error
from phenesthe.graph.origin import Origin
from phenesthe.kernels import space
from phenesthe.kernels.search import MinimumTree, expand_ranges
from phenesthe.operators.too_many import TooManyRows

_INPUTS = "input state f(vessel: int); input state w(vessel: int);"
_ROWS = 1 << 12


def hold(start: int) -> pa.Table:
    """All at the same time, so that each meets each."""
    ts = np.arange(_ROWS) + start
    return pa.table({"vessel": np.arange(_ROWS), "ts": ts, "te": ts + 2 * _ROWS})


@pytest.fixture
def small_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space, "find_room", lambda: 10**9)


@pytest.mark.usefixtures("small_room")
@pytest.mark.parametrize(
    ("definition", "formula"),
    [
        ("state x(V, W) : f(V) intersection w(W);", "f(V) intersection w(W)"),
        ("dynamic x(V, W) : f(V) overlaps w(W);", "f(V) overlaps w(W)"),
        ("dynamic x(V, W) : f(V) before start(g(W));", "f(V) before start(g(W))"),
        ("state x(V, W) : f(V) then g(W);", "f(V) then g(W)"),
        ("event x(V, W) : end(f(V)) in w(W);", "end(f(V)) in w(W)"),
    ],
)
def test_the_formula_and_its_definition_are_named(definition: str, formula: str) -> None:
    program = phenesthe.compile(text=f"{_INPUTS} input state g(vessel: int); {definition}")
    data = {"f": hold(0), "w": hold(1), "g": hold(10 * _ROWS)}
    with pytest.raises(MemoryError) as refused:
        program.run(data)
    message = str(refused.value)
    assert message.startswith(f"`{formula}` in `x` would make ")
    assert "1.0 GB are free\n  help: " in message


@pytest.mark.usefixtures("small_room")
def test_in_windows_too() -> None:
    program = phenesthe.compile(text=f"{_INPUTS} state x(V, W) : f(V) intersection w(W);")
    with pytest.raises(TooManyRows, match=r"`f\(V\) intersection w\(W\)` in `x` would make"):
        program.run({"f": hold(0), "w": hold(1)}, window=20 * _ROWS)


def test_what_fits_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    low, high = np.zeros(2, dtype=np.int64), np.full(2, space._FEW, dtype=np.int64)
    monkeypatch.setattr(space, "find_room", lambda: 2 * space._FEW * space.BYTES)
    assert len(expand_ranges(low, high)[0]) == 2 * space._FEW
    monkeypatch.setattr(space, "find_room", lambda: 2 * space._FEW * space.BYTES - 1)
    with pytest.raises(space.NoSpace):
        expand_ranges(low, high)


def test_pairs_below_a_limit_are_counted_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space, "find_room", lambda: 10**8)
    tree = MinimumTree(np.zeros(1 << 10, dtype=np.int64))
    low, high = np.zeros(1 << 10, dtype=np.int64), np.full(1 << 10, 1 << 10)
    with pytest.raises(space.NoSpace):
        tree.report_below(low, high, np.ones(1 << 10, dtype=np.int64))


def test_a_container_says_what_it_leaves(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(space, "_GROUP", tmp_path)
    assert space._find_granted() == float("inf")
    (tmp_path / "memory.max").write_text("max\n")
    assert space._find_granted() == float("inf")
    (tmp_path / "memory.max").write_text("5000000\n")
    (tmp_path / "memory.current").write_text("3000000\n")
    (tmp_path / "memory.stat").write_text("anon 2000000\ninactive_file 500000\n")
    assert space._find_granted() == 2_500_000


@pytest.mark.skipif(sys.platform != "linux", reason="there is no limit to set elsewhere")
def test_a_run_with_little_memory_ends_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "p.phe").write_text(f"{_INPUTS}\nstate x(V, W) : f(V) intersection w(W);\n")
    (tmp_path / "in").mkdir()
    for name, table in (("f", hold(0)), ("w", hold(1))):
        pq.write_table(table, tmp_path / "in" / f"{name}.parquet")
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2 * 2**30,) * 2);"
        "from phenesthe.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    command = ["run", "p.phe", "--engine", "local", "--input", "in", "--quiet"]
    ran = subprocess.run(
        [sys.executable, "-c", script, *command],
        cwd=tmp_path,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 1
    assert ran.stderr.startswith("error: `f(V) intersection w(W)` in `x` would make 16,")
    assert "help: give its parts a variable that they share" in ran.stderr


def test_a_worker_of_spark_tells_the_same() -> None:
    class Arriving:
        def split(self, _: Iterator[pa.RecordBatch]) -> list[pa.Table]:
            raise TooManyRows(Origin("x", "f(V) then w(W)"), space.NoSpace(10**9, 10**8))

    nothing = cast("Any", None)
    arriving = cast("Any", Arriving())
    task = Task(3, nothing, (), (), nothing, (), arriving, nothing)
    with pytest.raises(WorkerError) as refused:
        next(task.run(iter(())))
    told = find_packed_error(str(refused.value))
    assert told is not None
    assert told.message == (
        "`f(V) then w(W)` in `x` would make 1,000,000,000 rows or more, which need 128.0 GB of "
        "memory; 100 MB are free"
    )
