"""What lies in the folder of a state, and what is to be said of it."""

import json
import os
import re
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from phenesthe.diagnostics.model import ProgramError
from phenesthe.disk.beside import clear_leftovers
from phenesthe.disk.links import LOOP, is_loop
from phenesthe.io.errors import DataError, describe_failure
from phenesthe.memory.dump import FORMAT as MEMORY_FORMAT
from phenesthe.memory.pack import Damage
from phenesthe.options import name_option

#: Changed whenever a folder would be read differently.
FORMAT = f"2.{MEMORY_FORMAT}"
STATE, LOCK = "state", "lock"
#: Of a state that was a folder of files.
_OLD = "state.json"
_NUMBERED = re.compile(r"(settled|waiting|told)-[0-9]+")
_OWN = re.compile(r"state|lock|(settled|waiting|told)-[0-9]+|\.\w+(-[0-9]+)?\.phenesthe-new-\w+")


def name_anew() -> str:
    return f"start anew with another {name_option('state')} folder"


def check_own(
    path: Path, hint: str = "give a folder of its own to it, which need not be there yet"
) -> None:
    if not os.path.lexists(path):
        return
    if not path.is_dir():
        raise DataError(f"the state `{path}` is not a folder", hint)
    try:
        names = sorted(one.name for one in path.iterdir())
    except OSError as problem:
        raise refuse(path, problem) from problem
    if _OLD in names:
        raise refuse_format(path, _find_old_format(path))
    for name in (STATE, LOCK):
        if is_loop(path / name):
            raise DataError(f"cannot use the state `{path}`: `{name}` is {LOOP}", name_anew())
    strange = [name for name in names if not _OWN.fullmatch(name)]
    # A first run that was cut off early has left no more than its lock and half a state.
    lost = [name for name in names if name != LOCK and not name.startswith(".")]
    if strange or (lost and STATE not in names):
        raise DataError(
            f"`{path}` is not the folder of a state: it holds "
            + (f"`{strange[0]}`" if strange else f"`{lost[0]}`, but no `{STATE}`"),
            hint,
        )


def _find_old_format(path: Path) -> str:
    try:
        return str(json.loads((path / _OLD).read_bytes())["format"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "unknown"


def refuse_format(path: Path, format_: str) -> DataError:
    return DataError(
        f"the state `{path}` was written by another version of Phenesthe "
        f"(format {format_}; this one has {FORMAT})",
        f"run it with that version, or {name_anew()}",
    )


def tidy(path: Path, kept: Collection[str]) -> None:
    """Remove what belongs to no present state: older ones, and what a crash has left."""
    clear_leftovers(path)
    for one in path.iterdir():
        if _NUMBERED.fullmatch(one.name) and one.name not in kept:
            if one.is_dir():
                shutil.rmtree(one)
            else:
                one.unlink()


def read_file(path: Path, name: str) -> bytes:
    try:
        return (path / name).read_bytes()
    except FileNotFoundError:
        raise find_damage(path, name) from None
    except OSError as problem:
        raise refuse(path, problem) from problem


@contextmanager
def refusing_damage(path: Path, name: str) -> Iterator[None]:
    """A context that reads what only we write: where it cannot, somebody else has."""
    try:
        yield
    except (Damage, ProgramError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        raise find_damage(path, name) from None


def find_damage(path: Path, name: str) -> DataError:
    return DataError(
        f"the state `{path}` is damaged: `{name}` is not as it was written",
        f"restore the folder from a copy, or {name_anew()}",
    )


def refuse(path: Path, problem: OSError) -> DataError:
    return DataError(f"cannot use the state `{path}`: {describe_failure(problem)}")
