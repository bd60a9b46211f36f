"""Every command cut off at every one of its file-system calls, in three ways."""

import os
import subprocess
import sys
from pathlib import Path

from tests.strategies.corpus import PROJECT


def run_kills(_cases: int, _seed: int, _failures: Path) -> bool:
    """Whether nothing was lost. However many are asked for, it is all there are."""
    count = os.cpu_count() or 1
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.kills", "--share", str(number), str(count)], cwd=PROJECT
        )
        for number in range(count)
    ]
    codes = [process.wait() for process in processes]
    return not any(codes)
