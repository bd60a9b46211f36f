"""The single steps that everything here is made of."""

import ctypes
import errno
import fcntl
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

#: A disk takes several requests at once, and answers them together.
_AT_ONCE = 8
_CURRENT_FOLDER = -100
_EXCHANGE = 2
_UNKNOWN = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP)


def reach_disk(path: Path) -> None:
    """What was written to a file, or the names in a folder, outlast a power cut from now on."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def reach_disk_whole(folder: Path) -> None:
    """The same for everything in a folder, and then for the folder."""
    from concurrent.futures import ThreadPoolExecutor  # brings `logging`; most write one file

    files: list[Path] = []
    folders: list[Path] = []
    for place, _, names in os.walk(folder):
        files += [Path(place, name) for name in names]
        folders.append(Path(place))
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(reach_disk, files))
    for one in reversed(folders):
        reach_disk(one)


def exchange(one: Path, other: Path) -> bool:
    """Let two names change places in one step; false where the system cannot."""
    failure = swap(os.fsencode(one), os.fsencode(other))
    if failure in _UNKNOWN:
        return False
    if failure:
        raise OSError(failure, os.strerror(failure), str(other))
    return True


def swap(one: bytes, other: bytes) -> int:
    """The system's answer: 0, or the number of an error."""
    call = _find_call()
    if call is None:
        return errno.ENOSYS
    ctypes.set_errno(0)
    return ctypes.get_errno() if call(one, other) else 0


def _find_call() -> Callable[[bytes, bytes], int] | None:
    library = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "darwin":
        rename = getattr(library, "renamex_np", None)
        if rename is None:
            return None
        rename.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint]
        return lambda one, other: int(rename(one, other, _EXCHANGE))
    rename = getattr(library, "renameat2", None)
    if rename is None:
        return None
    place, path = ctypes.c_int, ctypes.c_char_p
    rename.argtypes = [place, path, place, path, ctypes.c_uint]
    return lambda one, other: int(rename(_CURRENT_FOLDER, one, _CURRENT_FOLDER, other, _EXCHANGE))


def lock(number: int) -> bool:
    """Whether an open file or folder is ours alone from now on, until it is closed.

    The system lets go of it when the process ends, however it ends. Where nothing can be locked,
    everything may be somebody's.
    """
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextmanager
def making_in(folder: Path) -> Iterator[None]:
    """A context in which nobody tidies a folder, so that what is made there can be locked."""
    number = os.open(folder, os.O_RDONLY)
    try:
        # Of no use where it is refused; and a stranger who holds it must not stop us.
        with suppress(OSError):
            fcntl.flock(number, fcntl.LOCK_SH | fcntl.LOCK_NB)
        yield
    finally:
        os.close(number)


@contextmanager
def tidying(folder: Path) -> Iterator[bool]:
    """A context in which nobody makes anything in a folder, if it is true."""
    number = os.open(folder, os.O_RDONLY)
    try:
        yield lock(number)
    finally:
        os.close(number)
