"""How much memory a command takes, in a process of its own."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.strategies.corpus import PROJECT

_SCRIPT = """
import re, sys
from pathlib import Path
from phenesthe.cli.main import main
try:
    code = main(sys.argv[1:])
except SystemExit as problem:
    code = problem.code
sys.stdout.flush()
# Not from `getrusage`, which counts what the parent of a process had when it was started.
peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())
print("peak", int(peak[1]) // 1024, file=sys.stderr)
sys.exit(code)
"""
#: In MiB: what the libraries take, which is some 100, and a few lines of the greatest length.
MOST = 300
#: Of a line without end, in bytes: kept, it would take more than is allowed, even once.
LONG = 288 * 2**20


@dataclass(frozen=True, slots=True)
class Done:
    code: int
    out: str
    err: str
    #: In MiB.
    peak: int


def run_command(*arguments: str | Path, folder: Path | None = None) -> Done:
    """The time-out is for what would never end."""
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, *map(str, arguments)],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=300,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        check=False,
    )
    told, _, peak = done.stderr.rstrip().rpartition("peak ")
    assert "Traceback" not in told, told
    return Done(done.returncode, done.stdout, told, int(peak))


def write_long(path: Path, before: bytes, after: bytes, length: int = LONG) -> None:
    """A line of zeros that takes no room on the disk."""
    with path.open("wb") as file:
        file.write(before)
        file.seek(len(before) + length)
        file.write(after)
