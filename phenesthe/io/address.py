"""Places that are not on this machine's disks."""

from os import PathLike, fspath


def is_address(place: str | PathLike[str]) -> bool:
    """`hdfs://…`, `s3a://…`, `file://…`: what Spark reads and writes, and nobody else here."""
    return "://" in fspath(place)
