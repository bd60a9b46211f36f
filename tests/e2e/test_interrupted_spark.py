"""Ctrl-C while Spark starts, reads and evaluates: 130 and not a word, at whatever moment."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.interrupts import heed_interrupts
from tests.strategies.corpus import PROJECT

#: All pairs of an instant: a stage of one partition that takes its time.
PROGRAM = """\
input event a(x: int);
input event b(y: int);
event pair(X, Y) : a(X) and b(Y);
"""
ROWS = 2_500

#: Tells what is said, and nothing that is printed, as it is said.
SCRIPT = """
import sys
from phenesthe.cli import progress
from phenesthe.cli.main import main

say = progress.Progress.say

def tell(self, step):
    print(step, flush=True)
    say(self, step)

progress.Progress.say = tell
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("moment", "windows"),
    [
        ("starting Spark", ()),
        ("evaluating stage 1 of 1", ()),
        ("replaying stage 1 of 1", ("--window", "5")),
    ],
)
def test_always_130(tmp_path: Path, moment: str, windows: tuple[str, ...]) -> None:
    (tmp_path / "tmp").mkdir()
    (tmp_path / "in").mkdir()
    (tmp_path / "p.phe").write_text(PROGRAM)
    for name, column in (("a", "x"), ("b", "y")):
        rows = pa.table({column: range(ROWS), "t": [1] * ROWS})
        pq.write_table(rows, tmp_path / "in" / f"{name}.parquet")
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, "run", "p.phe", "--input", "in", "--quiet",
         "--output", "found.csv", *windows],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "TMPDIR": str(tmp_path / "tmp")},
        start_new_session=True,
        preexec_fn=heed_interrupts,
    )  # fmt: skip
    assert process.stdout is not None
    while (line := process.stdout.readline()) and not line.startswith(moment):
        pass
    assert line, process.communicate()[1]
    # As a terminal does it: to every process of the group, the JVM and the workers too.
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=120)
    assert (process.returncode, said) == (130, "")
    assert not (tmp_path / "found.csv").exists()
    assert not [one for one in os.listdir(tmp_path / "tmp") if one.startswith("phenesthe")]
