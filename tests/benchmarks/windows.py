"""A replay in windows beside a run over the same rows at once."""

from pathlib import Path

import pyarrow.parquet as pq

from tests.benchmarks.engine import RUNS, WORK, run_command, stream, time_process

#: 72 queries over the six days of the stream.
_WINDOWS = ("--window", "8h", "--step", "2h")


def measure_replay() -> float:
    """A million events in 72 queries: how many times the batch run; both by turns."""
    folder, _ = stream(206)
    batch = run_command(folder)
    replay = run_command(folder, options=_WINDOWS, target="replayed")
    pairs = [(time_process(*batch)[0], time_process(*replay)[0]) for _ in range(RUNS)]
    once, windowed = min(first for first, _ in pairs), min(second for _, second in pairs)
    print(f"{'':11} at once {once:.2f} s, in windows {windowed:.2f} s")
    compare(WORK / "results", WORK / "replayed")
    return windowed / once


def compare(expected: Path, found: Path) -> None:
    """A replay that is quick because it finds something else is worth nothing."""
    names = sorted(file.name for file in expected.iterdir())
    assert names == sorted(file.name for file in found.iterdir())
    for name in names:
        ours, theirs = (pq.read_table(folder / name) for folder in (found, expected))
        order = [(column, "ascending") for column in theirs.column_names]
        same = ours.sort_by(order).equals(theirs.sort_by(order))
        assert same, f"{name}: {ours.num_rows} rows in windows, {theirs.num_rows} at once"
