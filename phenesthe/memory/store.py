"""A folder in which a working memory waits for the next run.

| in the folder | holds |
|---|---|
| `state.json` | which generation is the present one |
| `generation-N/manifest.json` | what the state is of, how far it is, its files with their hashes |
| `generation-N/part-K/` | one memory each, as Arrow files: one part per stage and partition |
| `settled/N/` | the results that were settled by the run that wrote generation N |
| `lock` | held by the run that is at work |

A new generation is written beside the old one and reaches the disk before `state.json` is replaced,
in one step; what is old goes after that. So whenever a run is cut off there is one whole state, and
what it left behind the next run removes.
"""

import fcntl
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa

from phenesthe.io.errors import DataError, describe_failure
from phenesthe.memory.dump import FORMAT as MEMORY_FORMAT
from phenesthe.memory.files import (
    find_damage,
    measure_file,
    reach_disk,
    read_file,
    read_table,
    refuse,
    write_file,
    write_table,
)

#: Changed whenever a folder would be read differently.
FORMAT = f"1.{MEMORY_FORMAT}"
_POINTER, _LOCK, _SETTLED = "state.json", "lock", "settled"
_GENERATION = re.compile(r"generation-[0-9]+")
_OWN = re.compile(r"state\.json|lock|settled|generation-[0-9]+|\.state\.json\.[0-9a-f]+")

#: A file of the folder by its name in it, and the hash of its bytes.
Files: TypeAlias = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Part:
    """One memory, as `Memory.dump` writes it."""

    manifest: Mapping[str, Any]
    tables: Mapping[str, pa.Table]


@dataclass(frozen=True, slots=True)
class Saved:
    """The present state. `header` says what it is of, in plain values."""

    generation: int
    header: Mapping[str, Any]
    parts: tuple[Part, ...]
    #: By definition, the files of what was settled.
    settled: Mapping[str, Files]
    #: On disk.
    size: int


class Store:
    """A state folder that this process has for itself: see `open_store`.

    `saved` is the state that was found there, None if there was none.
    """

    def __init__(self, path: Path, saved: Saved | None) -> None:
        self.path, self.saved = path, saved

    def read_settled(self) -> dict[str, pa.Table]:
        """By definition, what earlier runs have settled; those without anything are left out."""
        found = {} if self.saved is None else self.saved.settled
        return {
            name: pa.concat_tables([read_table(self.path, *file) for file in files])
            for name, files in found.items()
        }

    def replace(
        self, header: Mapping[str, Any], parts: Iterable[Part], settled: Mapping[str, pa.Table]
    ) -> None:
        """Make this the present state. `settled` comes in addition to what was settled before."""
        number, before = 1, {}
        if self.saved is not None:
            number, before = self.saved.generation + 1, dict(self.saved.settled)
        try:
            if self.saved is None:
                # From now on the folder is known as one of ours, whatever happens.
                _point(self.path, None, "")
            files = self._add_settled(number, before, settled)
            manifest = self._write_generation(number, header, parts, files)
            _point(self.path, number, manifest)
        except OSError as problem:
            raise DataError(
                f"cannot write the state `{self.path}`: {describe_failure(problem)}",
                "it is as it was before this run, so that the run can be made again",
            ) from problem
        with suppress(OSError):
            # It can wait for the next run.
            tidy(self.path, number, files)

    def _add_settled(
        self, number: int, before: Mapping[str, Files], settled: Mapping[str, pa.Table]
    ) -> dict[str, Files]:
        files = {name: list(found) for name, found in before.items()}
        filled = {name: table for name, table in settled.items() if table.num_rows}
        if not filled:
            return files
        folder = self.path / _SETTLED / str(number)
        os.makedirs(folder)
        for name, table in filled.items():
            hashed = write_table(folder / f"{name}.arrow", table)
            files.setdefault(name, []).append((f"{_SETTLED}/{number}/{name}.arrow", hashed))
        for place in (folder, folder.parent):
            reach_disk(place)
        return files

    def _write_generation(
        self,
        number: int,
        header: Mapping[str, Any],
        parts: Iterable[Part],
        settled: Mapping[str, Files],
    ) -> str:
        """The hash of its manifest, which has those of all files."""
        folder = self.path / f"generation-{number}"
        os.mkdir(folder)
        listed = []
        for at, part in enumerate(parts):
            place = folder / f"part-{at}"
            os.mkdir(place)
            files = {
                name: write_table(place / f"{name}.arrow", table)
                for name, table in part.tables.items()
            }
            reach_disk(place)
            listed.append({"manifest": dict(part.manifest), "tables": files})
        content = {"header": dict(header), "parts": listed, "settled": dict(settled)}
        hashed = write_file(folder / "manifest.json", json.dumps(content, indent=1).encode())
        for place in (folder, self.path):
            reach_disk(place)
        return hashed


@contextmanager
def open_store(path: Path) -> Iterator[Store]:
    """A context in which no other run may use the folder; it is created if there is none."""
    _check_own(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = open(path / _LOCK, "a+", encoding="ascii")  # noqa: SIM115
    except OSError as problem:
        raise refuse(path, problem) from problem
    with lock:
        try:
            # The system lets go of it when the process ends, however it ends.
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise DataError(
                f"the state `{path}` is in use by another run (process {lock.read().strip()})",
                "wait until it has ended",
            ) from None
        except OSError as problem:
            raise refuse(path, problem) from problem
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        saved = read_saved(path)
        try:
            tidy(path, *((None, {}) if saved is None else (saved.generation, saved.settled)))
        except OSError as problem:
            raise refuse(path, problem) from problem
        yield Store(path, saved)


def read_saved(path: Path) -> Saved | None:
    """The present state of a folder, also while a run is at work on it; None if there is none."""
    while True:
        pointer = _read_pointer(path)
        if pointer is None or pointer["generation"] is None:
            return None
        try:
            return _read_generation(path, pointer["generation"], pointer["manifest"])
        except DataError:
            # A run may just have put another one in its place.
            if _read_pointer(path) == pointer:
                raise


def tidy(path: Path, generation: int | None, settled: Mapping[str, Files]) -> None:
    """Remove what belongs to no present state: older ones, and what a crash has left."""
    kept = {str(Path(name).parent.name) for files in settled.values() for name, _ in files}
    for one in path.iterdir():
        if one.name.startswith(f".{_POINTER}."):
            one.unlink()
        elif _GENERATION.fullmatch(one.name) and one.name != f"generation-{generation}":
            shutil.rmtree(one)
    for one in (path / _SETTLED).glob("*"):
        if one.name not in kept:
            shutil.rmtree(one)


def find_state(path: Path) -> Saved:
    """The present state of a folder that must have one."""
    if not path.is_dir():
        raise DataError(f"there is no folder `{path}`", "give the one of `run --state`")
    _check_own(path)
    saved = read_saved(path)
    if saved is None:
        raise DataError(
            f"`{path}` holds no state", "it has one when a `run --state` has ended well"
        )
    return saved


def _check_own(path: Path) -> None:
    if not os.path.lexists(path):
        return
    if not path.is_dir():
        raise DataError(f"the state `{path}` is not a folder", "give a folder of its own to it")
    try:
        names = sorted(one.name for one in path.iterdir())
    except OSError as problem:
        raise refuse(path, problem) from problem
    strange = [name for name in names if not _OWN.fullmatch(name)]
    # A first run that was cut off early has left no more than its lock and half a pointer.
    lost = [name for name in names if name != _LOCK and not name.startswith(f".{_POINTER}.")]
    if strange or (lost and _POINTER not in names):
        raise DataError(
            f"`{path}` is not the folder of a state: it holds "
            + (f"`{strange[0]}`" if strange else f"`{lost[0]}`, but no `{_POINTER}`"),
            "give a folder of its own to it, which need not be there yet",
        )


def _read_pointer(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads((path / _POINTER).read_bytes())
        format_ = found["format"]
        pointer = {key: found[key] for key in ("generation", "manifest")}
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise refuse(path, problem) from problem
    except (ValueError, KeyError, TypeError):
        raise find_damage(path, _POINTER) from None
    if format_ != FORMAT:
        raise DataError(
            f"the state `{path}` was written by another version of Phenesthe "
            f"(format {format_}; this one has {FORMAT})",
            "run it with that version, or start anew with another --state folder",
        )
    return pointer


def _read_generation(path: Path, number: int, hashed: str) -> Saved:
    folder = f"generation-{number}"
    name = f"{folder}/manifest.json"
    data = read_file(path, name, hashed)
    try:
        content = json.loads(data)
        size = len(data)
        parts = []
        for at, part in enumerate(content["parts"]):
            tables = {}
            for table, found in part["tables"].items():
                file = f"{folder}/part-{at}/{table}.arrow"
                tables[table] = read_table(path, file, found)
                size += measure_file(path, file)
            parts.append(Part(part["manifest"], tables))
        settled = {
            table: [(file, found) for file, found in files]
            for table, files in content["settled"].items()
        }
        size += sum(measure_file(path, file) for files in settled.values() for file, _ in files)
        return Saved(number, content["header"], tuple(parts), settled, size)
    except OSError as problem:
        raise refuse(path, problem) from problem
    except (ValueError, KeyError, TypeError, AttributeError):
        raise find_damage(path, name) from None


def _point(path: Path, generation: int | None, manifest: str) -> None:
    content = {"format": FORMAT, "generation": generation, "manifest": manifest}
    beside = path / f".{_POINTER}.{secrets.token_hex(6)}"
    write_file(beside, json.dumps(content).encode() + b"\n")
    os.replace(beside, path / _POINTER)
    reach_disk(path)
