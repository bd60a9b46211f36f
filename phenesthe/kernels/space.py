"""Whether rows that a join is about to make can fit into memory.

An operating system promises more memory than it has, and ends a process that takes it. So what
cannot fit is refused before it is made: the number of pairs is known before the first of them is.
"""

import os
from pathlib import Path

#: Fewer rows than this are not worth asking the system.
_FEW = 1 << 20
#: What a pair costs until it is a result: two row numbers, two times, a binding, and their order.
BYTES = 128
_GROUP = Path("/sys/fs/cgroup")
_NONE = float("inf")


class NoSpace(MemoryError):
    """So many rows would be made, and there is room for so many bytes."""

    def __init__(self, rows: int, room: int) -> None:
        super().__init__(f"{rows:,} rows do not fit into {room:,} bytes")
        self.rows, self.room = rows, room


def check_space(rows: int) -> None:
    """Raises `NoSpace` where so many rows cannot be made."""
    if rows >= _FEW and rows * BYTES > (room := find_room()):
        raise NoSpace(rows, int(room))


def find_room() -> float:
    """The bytes that this process may still take; infinite where nothing is known."""
    return max(min(_find_free(), _find_allowed(), _find_granted()), 0)


def _find_free() -> float:
    """What the machine has left; where it does not say, all that it has."""
    try:
        known = _read_pairs(Path("/proc/meminfo"))
        return 1024 * (known["MemAvailable:"] + known.get("SwapFree:", 0))
    except (OSError, ValueError, KeyError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return _NONE


def _find_allowed() -> float:
    """What `ulimit -v`, or Spark for its workers, leaves."""
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit == resource.RLIM_INFINITY:
            return _NONE
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        return limit - pages * resource.getpagesize()
    except (ImportError, OSError, ValueError, IndexError):
        return _NONE


def _find_granted() -> float:
    """What a container leaves; files that are only cached make room when it is needed."""
    try:
        limit = (_GROUP / "memory.max").read_text().strip()
        if limit == "max":
            return _NONE
        used = int((_GROUP / "memory.current").read_text())
        return int(limit) - used + _read_pairs(_GROUP / "memory.stat").get("inactive_file", 0)
    except (OSError, ValueError):
        return _NONE


def _read_pairs(path: Path) -> dict[str, int]:
    lines = [line.split() for line in path.read_text().splitlines()]
    return {words[0]: int(words[1]) for words in lines if len(words) > 1}
