"""What a run writes never takes the place of what it reads, whatever may be overwritten."""

from collections.abc import Iterable, Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from phenesthe.frozen import dataclass

if TYPE_CHECKING:
    from phenesthe.check.program import CheckedProgram


@dataclass(frozen=True, slots=True)
class Taken:
    """A place of a run, and what it is. Where it is `whole`, nothing may be written inside it."""

    path: str
    what: str
    whole: bool = False


def list_program(program: "CheckedProgram") -> Iterator[Taken]:
    """The file of a program, and those it imports. A text that was given is no file."""
    for number, file in enumerate(program.files):
        if file.is_file():
            yield Taken(str(file), f"the module `{file.name}`" if number else "the program")


def list_tables(
    program: "CheckedProgram", place: str, what: str, *, only_facts: bool
) -> Iterator[Taken]:
    """A place given as input, and the tables in it."""
    from phenesthe.io.links import find_real
    from phenesthe.io.load import list_entries
    from phenesthe.io.places import EXTENSIONS, Entry, group_tables

    here = _find_path(place)
    yield Taken(place, what)
    if here is not None and find_real(here).is_file():
        return
    names = [one.name for one in (*(() if only_facts else program.inputs), *program.facts)]
    if here is not None and here.is_dir():
        entries = list_entries(here)
    else:
        # What another machine holds is not known here, but what its tables can be called is.
        entries = [
            Entry(f"{place.rstrip('/')}/{name}{end}", name + end, not end)
            for name in names
            for end in ("", *EXTENSIONS)
        ]
    tables = group_tables(entries)
    for name in names:
        for entry in tables.get(name, ()):
            # What is no file is refused where it is read.
            if entry.special is None:
                yield Taken(entry.path, f"the table of `{name}`", whole=True)


def list_given(inputs: Iterable[tuple[str, object]]) -> Iterator[Taken]:
    """The tables that Python gives as paths."""
    for name, value in inputs:
        if isinstance(value, str | PathLike):
            yield Taken(fspath(value), f"the table of `{name}`", whole=True)


def find_clash(target: str, places: Iterable[Taken]) -> tuple[str, str] | None:
    """How a place that is written is to one that is taken (is, holds, lies in), and to which."""
    written = _find_place(target)
    found = [(_find_place(one.path), one) for one in places]
    for place, one in found:
        if place == written:
            return "is", one.what
    for place, one in found:
        if place.is_relative_to(written):
            return "holds", one.what
        if one.whole and written.is_relative_to(place):
            return "lies in", one.what
    return None


def _find_place(place: str) -> Path:
    from phenesthe.io.links import find_real

    here = _find_path(place)
    return Path(place) if here is None else find_real(here)


def _find_path(place: str) -> Path | None:
    """On this machine; None for an address elsewhere."""
    from phenesthe.io.address import is_address

    if not is_address(place):
        return Path(place)
    # Only Spark takes addresses.
    from phenesthe.engines.spark.reading.paths import find_path, find_scheme

    return find_path(place) if find_scheme(place) == "file" else None
