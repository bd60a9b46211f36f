"""Root may read and write everything. For tests of what may not be read, it gives that up."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager

_VERSION = 0x20080522
#: Reading and writing whatever the bits of a file say: CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH.
_EVERYTHING = 1 << 1 | 1 << 2
_SET_SECUREBITS, _NO_ROOT = 28, 1


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("process", ctypes.c_int))


class _Rights(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint32) for name in ("effective", "permitted", "inherited"))


@contextmanager
def as_anybody() -> Iterator[None]:
    """A context in which the bits of a file count, for this thread and the processes it starts."""
    if os.geteuid() != 0:
        yield
        return
    library = ctypes.CDLL(None, use_errno=True)
    header, rights = _Header(_VERSION, 0), (_Rights * 2)()
    _try(library.capget(ctypes.byref(header), ctypes.byref(rights)))
    before = rights[0].effective
    rights[0].effective &= ~_EVERYTHING
    _try(library.prctl(_SET_SECUREBITS, _NO_ROOT, 0, 0, 0))
    _try(library.capset(ctypes.byref(header), ctypes.byref(rights)))
    try:
        yield
    finally:
        rights[0].effective = before
        _try(library.capset(ctypes.byref(header), ctypes.byref(rights)))
        _try(library.prctl(_SET_SECUREBITS, 0, 0, 0, 0))


def _try(answer: int) -> None:
    if answer:
        failure = ctypes.get_errno()
        raise OSError(failure, os.strerror(failure))
