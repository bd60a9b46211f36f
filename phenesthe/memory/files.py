"""Files of a state: each reaches the disk before it counts, and is known by its hash."""

import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa

from phenesthe.io.errors import DataError, describe_failure


def write_table(path: Path, table: pa.Table) -> str:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return write_file(path, sink.getvalue())


def write_file(path: Path, data: Any) -> str:
    with open(path, "xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return sha256(data).hexdigest()


def reach_disk(folder: Path) -> None:
    """The names in a folder are written as well, not only the files."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def read_table(path: Path, name: str, hashed: str) -> pa.Table:
    data = read_file(path, name, hashed)
    try:
        return pa.ipc.open_file(pa.py_buffer(data)).read_all()
    except pa.ArrowException:
        raise find_damage(path, name) from None


def read_file(path: Path, name: str, hashed: str) -> bytes:
    try:
        data = (path / name).read_bytes()
    except FileNotFoundError:
        raise find_damage(path, name) from None
    except OSError as problem:
        raise refuse(path, problem) from problem
    if sha256(data).hexdigest() != hashed:
        raise find_damage(path, name)
    return data


def measure_file(path: Path, name: str) -> int:
    try:
        return (path / name).stat().st_size
    except FileNotFoundError:
        raise find_damage(path, name) from None


def find_damage(path: Path, name: str) -> DataError:
    return DataError(
        f"the state `{path}` is damaged: `{name}` is not as it was written",
        "restore the folder from a copy, or start anew with another --state folder",
    )


def refuse(path: Path, problem: OSError) -> DataError:
    return DataError(f"cannot use the state `{path}`: {describe_failure(problem)}")
