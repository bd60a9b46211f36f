"""This machine's memory and disk, as Spark and its workers may use them."""

import os
import shutil
import tempfile
from pathlib import Path

_CGROUP_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def measure_memory() -> int | None:
    """Bytes of memory; in a container what it is allowed, not what the host has."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
    for file in _CGROUP_LIMITS:
        try:
            text = file.read_text().strip()
        except OSError:
            continue
        if text.isdigit():
            # Without a limit, version 1 has a number larger than any machine.
            return min(total, int(text))
    return total


def list_local_dirs() -> tuple[Path, ...]:
    """Where an embedded Spark puts shuffled and spilled rows, as its environment says."""
    named = os.environ.get("SPARK_LOCAL_DIRS") or os.environ.get("LOCAL_DIRS")
    return tuple(Path(part) for part in (named or tempfile.gettempdir()).split(",") if part)


def measure_disk(folder: Path) -> int | None:
    """Free bytes where the folder is, or where it would be made."""
    for place in (folder, *folder.parents):
        if place.exists():
            return shutil.disk_usage(place).free
    return None


def write_size(size: int) -> str:
    """Such as `4 GiB` or `512 MiB`."""
    gib = size / 2**30
    if gib >= 10:
        return f"{gib:,.0f} GiB"
    return f"{gib:.1f} GiB".replace(".0 ", " ") if gib >= 1 else f"{size / 2**20:.0f} MiB"
