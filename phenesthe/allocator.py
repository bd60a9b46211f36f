"""Big arrays that are let go are kept for the next ones, and not given back to the kernel at once.

The C library of Linux maps memory anew for every big array and unmaps it when the array is gone,
so that the kernel clears each page over and over again. A run lets go of one array after the other
only to make the next: there they are taken from one heap, of whose end so much may lie unused.
NumPy also asks for huge pages, which the kernel must find and clear as a whole; in a heap whose
pages are there already that costs more than it saves.

Only a process that is ours and computes asks for it: a command, or a worker of Spark.
"""

import os
import sys
from functools import cache
from importlib import import_module

#: Names of glibc's <malloc.h>.
_TRIM_THRESHOLD, _MMAP_MAX = -1, -4
_HUGE_PAGES = "NUMPY_MADVISE_HUGEPAGE"
_UNUSED = 256 * 2**20
_SETTINGS = ("MALLOC_MMAP_MAX_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_")


@cache
def keep_big_arrays() -> bool:
    """Whether that is so now, for the rest of the process; what the user has set stays as it is."""
    if not _is_glibc() or _is_set_by_user():
        return False
    import ctypes

    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    if not (mallopt(_MMAP_MAX, 0) and mallopt(_TRIM_THRESHOLD, _UNUSED)):
        return False
    _ask_for_no_huge_pages()
    return True


def _ask_for_no_huge_pages() -> None:
    if _HUGE_PAGES in os.environ:
        return
    # What is started from here, and NumPy if it is still to come, go by this.
    os.environ[_HUGE_PAGES] = "0"
    if "numpy" in sys.modules:
        # As workers of Spark have it before they know what to do; the name is not a public one.
        ask = getattr(import_module("numpy._core.multiarray"), "_set_madvise_hugepage", None)
        if ask is not None:
            ask(False)


def _is_glibc() -> bool:
    try:
        version = os.confstr("CS_GNU_LIBC_VERSION")
    except (AttributeError, ValueError, OSError):
        return False
    return version is not None and version.startswith("glibc")


def _is_set_by_user() -> bool:
    tunables = os.environ.get("GLIBC_TUNABLES", "")
    return "glibc.malloc." in tunables or any(name in os.environ for name in _SETTINGS)
