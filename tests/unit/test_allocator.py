"""Memory of big arrays is kept for the next ones, where the C library is glibc."""

import os
import subprocess
import sys

import pytest

from phenesthe.allocator import _is_glibc

pytestmark = pytest.mark.skipif(not _is_glibc(), reason="no glibc here")

#: One array after the other, all beyond what glibc would keep by itself; the pages of the later.
_COUNT_FAULTS = """
import resource
import numpy as np
from phenesthe.allocator import keep_big_arrays

print(WHETHER and keep_big_arrays())
before = 0
for turn in range(20):
    if turn == 1:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    np.ones(6_000_000)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def count_faults(*, is_kept: bool, **environment: str) -> tuple[str, int]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    for name in ("GLIBC_TUNABLES", "NUMPY_MADVISE_HUGEPAGE"):
        clean.pop(name, None)
    said, faults = subprocess.run(
        [sys.executable, "-c", _COUNT_FAULTS.replace("WHETHER", str(is_kept))],
        env=clean | environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    return said, int(faults)


def test_pages_are_not_cleared_again_and_again() -> None:
    said, kept = count_faults(is_kept=True)
    _, given_back = count_faults(is_kept=False)
    assert said == "True"
    assert kept < given_back / 4


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MALLOC_TRIM_THRESHOLD_", "131072"),
        ("MALLOC_MMAP_THRESHOLD_", "131072"),
        ("GLIBC_TUNABLES", "glibc.malloc.arena_max=2"),
    ],
)
def test_what_the_user_has_set_stays(name: str, value: str) -> None:
    assert count_faults(is_kept=True, **{name: value})[0] == "False"


@pytest.mark.parametrize("first", ["", "import numpy; "])
def test_no_huge_pages_whether_numpy_is_there_or_not(first: str) -> None:
    script = (
        f"{first}from phenesthe.allocator import keep_big_arrays; keep_big_arrays();"
        # What it was is what is given back.
        "from numpy._core.multiarray import _set_madvise_hugepage as ask; print(ask(False))"
    )
    clean = {name: value for name, value in os.environ.items() if "HUGEPAGE" not in name}
    said = subprocess.run(
        [sys.executable, "-c", script], env=clean, capture_output=True, text=True, check=True
    ).stdout
    assert said.strip() == "False"
