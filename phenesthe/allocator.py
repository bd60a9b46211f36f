"""Big arrays that are let go are kept for the next ones, and not given back to the kernel at once.

The C library of Linux maps memory anew for every big array and unmaps it when the array is gone,
so that the kernel clears each page over and over again. A run lets go of one array after the other
only to make the next: there they are taken from one heap, of whose end so much may lie unused.

Only a process that is ours and computes asks for it: a command, or a worker of Spark.
"""

import os
from functools import cache

#: Names of glibc's <malloc.h>.
_TRIM_THRESHOLD, _MMAP_MAX = -1, -4
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
    # Without mapping first: where it cannot be turned off all stays as it was.
    return bool(mallopt(_MMAP_MAX, 0)) and bool(mallopt(_TRIM_THRESHOLD, _UNUSED))


def _is_glibc() -> bool:
    try:
        version = os.confstr("CS_GNU_LIBC_VERSION")
    except (AttributeError, ValueError, OSError):
        return False
    return version is not None and version.startswith("glibc")


def _is_set_by_user() -> bool:
    tunables = os.environ.get("GLIBC_TUNABLES", "")
    return "glibc.malloc." in tunables or any(name in os.environ for name in _SETTINGS)
