"""Whenever a command is cut off, made again it ends as if it had not been.

Here at some of its file-system calls; `python -m tests.soak --only kills` tries all of them.
"""

import os
import subprocess
import sys

import pytest

from tests.strategies.corpus import PROJECT

#: Of so many processes, so that cores share the work.
_PARTS = 4


def run_kills(*arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.kills", *arguments],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=1800,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 times something was lost" in done.stdout


@pytest.mark.parametrize("part", range(_PARTS))
def test_nothing_is_lost_at_some_calls_of_every_scene(part: int) -> None:
    run_kills("--every", "28", "--ways", "kill", "interrupt", "--share", str(part), str(_PARTS))


def test_nothing_is_lost_at_any_call_of_a_nightly_run() -> None:
    """The state and the changes of a night: 74 of 164 kills lost them once."""
    run_kills("state o.jsonl changes resumed", "--ways", "kill")


def test_a_signal_to_end_loses_nothing_either() -> None:
    run_kills("state o/ snapshots resumed", "--ways", "term", "--every", "6")
