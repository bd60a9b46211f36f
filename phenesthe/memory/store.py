"""A folder in which a working memory waits for the next run.

| in the folder | holds |
|---|---|
| `state` | what the state is of, how far it is, all memories, and which run left it |
| `settled-N` | the results that were settled by run N |
| `told-N` | what the last run, N, has written; `waiting-N` until it is where it belongs |
| `lock` | held by the run that is at work |

`state` is replaced in one step, when it and everything it names are on the disk: this is the
commit of a run. Before it nothing has happened. After it the run is done, and what it wrote gets
to its place, now or by the next run. What a run that was cut off left here, the next one removes.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from phenesthe.disk.replace import replacing_file
from phenesthe.io.errors import DataError, describe_failure
from phenesthe.io.links import find_real
from phenesthe.memory.folder import (
    FORMAT,
    LOCK,
    STATE,
    check_own,
    find_damage,
    read_file,
    refuse,
    refuse_format,
    refusing_damage,
    tidy,
)
from phenesthe.memory.pack import Packed, find_format, pack_file, unpack_file
from phenesthe.memory.repeat import Run, read_run
from phenesthe.memory.shape import is_count, is_text, list_of, require
from phenesthe.memory.waiting import Waiting
from phenesthe.options import name_option


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
    #: That left it, if it can be told from others.
    run: Run | None
    parts: tuple[Part, ...]
    #: The files of what was settled, and how each begins.
    settled: tuple[tuple[str, str], ...]
    #: On disk.
    size: int

    def list_files(self) -> list[str]:
        """The names in the folder that belong to it, apart from its own."""
        ours = [f"{sort}-{self.generation}" for sort in ("waiting", "told")]
        return [*ours, *(name for name, _ in self.settled)]


class Store:
    """A state folder that this process has for itself: see `open_store`.

    `saved` is the state that was found there, None if there was none.
    """

    def __init__(self, path: Path, saved: Saved | None) -> None:
        self.path, self.saved = path, saved
        self.generation = 0 if saved is None else saved.generation

    def read_settled(self) -> dict[str, pa.Table]:
        """By definition, what earlier runs have settled; those without anything are left out."""
        found: dict[str, list[pa.Table]] = {}
        for name, line in () if self.saved is None else self.saved.settled:
            data = read_file(self.path, name)
            with refusing_damage(self.path, name):
                require(bool(line) and data.startswith(line.encode()))
                for definition, table in unpack_file(data, "settled")[1].items():
                    found.setdefault(definition, []).append(table)
        return {name: pa.concat_tables(tables) for name, tables in found.items()}

    def make_waiting(self) -> Waiting:
        """A place for what the run writes that comes next."""
        try:
            self._claim()
        except OSError as problem:
            raise refuse(self.path, problem) from problem
        return Waiting(self.path / f"waiting-{self.generation + 1}")

    def find_told(self) -> Path:
        """What the last run has written."""
        waiting = self.path / f"waiting-{self.generation}"
        return waiting if waiting.is_dir() else self.path / f"told-{self.generation}"

    def is_told(self) -> bool:
        return not (self.path / f"waiting-{self.generation}").is_dir()

    def mark_told(self) -> None:
        """All that the last run has written is where it belongs."""
        waiting = self.path / f"waiting-{self.generation}"
        if waiting.is_dir():
            os.rename(waiting, self.path / f"told-{self.generation}")
        with suppress(OSError):
            # It can wait for the next run.
            tidy(self.path, _list_files(self.saved))

    def replace(
        self,
        header: Mapping[str, Any],
        parts: Iterable[Part],
        settled: Mapping[str, pa.Table],
        run: Run | None = None,
        *,
        is_all: bool = False,
    ) -> None:
        """Make this the present state.

        `settled` comes in addition to what was settled before, unless it is all there is.
        """
        number, listed = self.generation + 1, tuple(parts)
        try:
            self._claim()
            files = [*(() if self.saved is None or is_all else self.saved.settled)]
            filled = {name: table for name, table in settled.items() if table.num_rows}
            if filled:
                packed = pack_file("settled", FORMAT, {}, filled)
                self._write(f"settled-{number}", packed)
                files.append((f"settled-{number}", packed.line.decode()))
            content = {
                "generation": number,
                "header": dict(header),
                "run": None if run is None else asdict(run),
                "parts": [dict(part.manifest) for part in listed],
                "settled": files,
            }
            tables = {
                f"{at}/{name}": table
                for at, part in enumerate(listed)
                for name, table in part.tables.items()
            }
            packed = pack_file("state", FORMAT, content, tables)
            self._write(STATE, packed)
        except OSError as problem:
            raise DataError(
                f"cannot write the state `{self.path}`: {describe_failure(problem)}",
                "it is as it was before this run, so that the run can be made again",
            ) from problem
        self.saved = Saved(number, header, run, listed, tuple(files), packed.size)
        self.generation = number

    def _claim(self) -> None:
        """Let the folder be known as one of ours, whatever happens to the first run."""
        if self.saved is None and not (self.path / STATE).exists():
            self._write(STATE, pack_file("state", FORMAT, {"generation": None}, {}))

    def _write(self, name: str, packed: Packed) -> None:
        with replacing_file(self.path / name, overwrite=True) as file:
            for piece in (packed.line, *packed.pieces):
                file.write(piece)


@contextmanager
def open_store(path: Path) -> Iterator[Store]:
    """A context in which no other run may use the folder; it is created if there is none."""
    check_own(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = open(path / LOCK, "a+", encoding="ascii")  # noqa: SIM115
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
            tidy(path, _list_files(saved))
        except OSError as problem:
            raise refuse(path, problem) from problem
        try:
            yield Store(path, saved)
        except BaseException:
            # Whether it was committed is known to the disk alone.
            with suppress(OSError, DataError):
                tidy(path, _list_files(read_saved(path)))
            raise


def _list_files(saved: Saved | None) -> list[str]:
    return [] if saved is None else saved.list_files()


def read_saved(path: Path) -> Saved | None:
    """The present state of a folder, also while a run is at work on it; None if there is none."""
    if not (path / STATE).exists():
        return None
    data = read_file(path, STATE)
    with refusing_damage(path, STATE):
        format_ = find_format(data, "state")
        if format_ != FORMAT:
            raise refuse_format(path, format_)
        content, tables = unpack_file(data, "state")
        if content["generation"] is None:
            return None
        return _make_saved(path, content, tables, len(data))


def _make_saved(
    path: Path, content: Mapping[str, Any], tables: Mapping[str, pa.Table], size: int
) -> Saved:
    require(is_count(content["generation"]) and list_of(list_of(is_text))(content["settled"]))
    parts: list[dict[str, pa.Table]] = [{} for _ in content["parts"]]
    for key, table in tables.items():
        number, _, name = key.partition("/")
        parts[int(number)][name] = table
    settled = tuple((name, line) for name, line in content["settled"])
    for name, _ in settled:
        try:
            size += (path / name).stat().st_size
        except FileNotFoundError:
            raise find_damage(path, name) from None
    return Saved(
        content["generation"],
        content["header"],
        read_run(content["run"]),
        tuple(Part(*one) for one in zip(content["parts"], parts, strict=True)),
        settled,
        size,
    )


def find_state(path: Path) -> Saved:
    """The present state of a folder that must have one."""
    run = f"`run {name_option('state', python='with a state')}`"
    if not find_real(path).is_dir():
        raise DataError(f"there is no folder `{path}`", f"give the one of {run}")
    check_own(path, hint=f"give the folder of {run}")
    saved = read_saved(path)
    if saved is None:
        raise DataError(f"`{path}` holds no state", f"it has one when a {run} has ended well")
    return saved
