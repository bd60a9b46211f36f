"""How long checking takes."""

import gc
import os
import subprocess
import sys
import time
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from phenesthe.check import check
from tests.benchmarks.fleet import make_program
from tests.strategies.corpus import PROJECT

_RUNS = 3
_TAGS = (f"_t{number}" for number in count())


def time_check(text: str) -> float:
    """Seconds to check a program that has no errors."""
    data = text.encode()
    gc.collect()
    began = time.perf_counter()
    program, diagnostics = check(Path("fleet.phe"), data, read=lambda _: None)
    seconds = time.perf_counter() - began
    assert program is not None, diagnostics[0].message
    return seconds


def measure_large() -> float:
    return min(time_check(make_program(5_000, next(_TAGS))) for _ in range(_RUNS))


def measure_growth() -> float:
    """How many times longer twice as many definitions take; both sizes by turns."""
    pairs = [
        [time_check(make_program(size, next(_TAGS))) for size in (5_000, 10_000)]
        for _ in range(_RUNS)
    ]
    return min(twice for _, twice in pairs) / min(once for once, _ in pairs)


def measure_edit() -> float:
    """Check again what was just checked, one definition changed."""
    text = make_program(200, next(_TAGS))
    time_check(text)
    return min(time_check(text.replace("S1 >= 2.7", f"S1 >= 3.{n}", 1)) for n in range(_RUNS))


def measure_start() -> float:
    """The command on a small file, from the start of the process to its end."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "small.phe"
        file.write_text(make_program(12, next(_TAGS)))
        return min(_time_command("check", str(file)) for _ in range(_RUNS))


def _time_command(*arguments: str) -> float:
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "phenesthe", *arguments],
        check=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
    )
    return time.perf_counter() - began
