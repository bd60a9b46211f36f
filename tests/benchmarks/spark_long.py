"""A hundred million events on this machine in one run, with a driver of 4 GiB.

python -m tests.benchmarks.spark_long [--copies 100] writes the stream once, runs the program and
tells the seconds and the greatest memory that the driver, its JVM and the Python workers had at one
time, as the sum of their resident sizes.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.benchmarks.engine import PROGRAM, WORK, best, run_command, stream
from tests.benchmarks.spark import count_rows
from tests.benchmarks.stream import write_stream
from tests.strategies.corpus import PROJECT

_DRIVER = "4g"
_COPIES_PER_FILE = 10
#: What a copy takes: the input, the rows in the shuffle, the results kept and the results written.
_BYTES_PER_COPY = 250_000_000
_GIB = 2**30


@dataclass(slots=True)
class Peak:
    """The greatest sum of resident bytes, and what each kind of process had at that time."""

    total: int = 0
    parts: dict[str, int] = field(default_factory=dict)

    def sample(self, root: int) -> None:
        parts = measure_tree(root)
        if sum(parts.values()) > self.total:
            self.total, self.parts = sum(parts.values()), parts


def measure_tree(root: int) -> dict[str, int]:
    """Resident bytes of a process and all it has started."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,rss=,comm="], capture_output=True, text=True, check=True
    )
    children: dict[int, list[int]] = {}
    sizes: dict[int, tuple[str, int]] = {}
    for line in listed.stdout.splitlines():
        number, parent, size, name = line.split(maxsplit=3)
        children.setdefault(int(parent), []).append(int(number))
        sizes[int(number)] = Path(name).name, int(size) * 1024
    parts = {"driver": 0, "JVM": 0, "workers": 0}
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        waiting += children.get(pid, [])
        kind, bytes_ = sizes.get(pid, ("", 0))
        parts["driver" if pid == root else "JVM" if kind == "java" else "workers"] += bytes_
    return parts


def make_stream(copies: int) -> tuple[Path, int]:
    """Folders of part files, written once."""
    folder = WORK / f"parts_206x{copies}"
    marker = folder / "events"
    if not marker.exists():
        files = max(2, copies // _COPIES_PER_FILE)
        events = write_stream(folder, copies=copies, files=files)
        marker.write_text(str(events))
    return folder, int(marker.read_text())


def run(folder: Path, target: Path) -> tuple[float, Peak]:
    """Seconds and peak memory of `phenesthe run`."""
    command = (
        sys.executable, "-m", "phenesthe", "run", str(PROGRAM), "--engine", "spark",
        "--input", str(folder), "--output", str(target), "--overwrite",
    )  # fmt: skip
    peak = Peak()
    began = time.perf_counter()
    process = subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "SPARK_DRIVER_MEMORY": _DRIVER},
    )
    while process.poll() is None:
        peak.sample(process.pid)
        time.sleep(0.5)
    assert process.returncode == 0, "the run failed"
    return time.perf_counter() - began, peak


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=100, help="millions of events")
    copies = parser.parse_args().copies
    WORK.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(WORK).free
    if free < copies * _BYTES_PER_COPY:
        print(f"{copies * _BYTES_PER_COPY / 1e9:.0f} GB of disk are needed, {free / 1e9:.0f} free")
        return 1
    folder, events = make_stream(copies)
    target = WORK / "spark_long"
    seconds, peak = run(folder, target)
    print(f"{events:,} events, driver {_DRIVER}: {seconds:.0f} s, {events / seconds:,.0f} events/s")
    parts = ", ".join(f"{name} {size / _GIB:.1f}" for name, size in peak.parts.items())
    print(f"peak memory {peak.total / _GIB:.1f} GiB ({parts})")
    best(*run_command(stream(206)[0]))
    expected = {table.stem: count_rows(table) * copies for table in (WORK / "results").iterdir()}
    found = {table.stem: count_rows(table) for table in target.iterdir()}
    assert found == expected, "a copy finds other results than the original"
    print(f"{sum(found.values()):,} results, {copies} times those of one copy")
    return 0


if __name__ == "__main__":
    sys.exit(main())
