"""Which file an `import` means, or what to say where there is none."""

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from phenesthe.diagnostics.model import Diagnostic, Edit
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.suggest import MOST_QUESTIONS, closest
from phenesthe.disk.links import LOOP, is_loop
from phenesthe.resources import LIBRARY
from phenesthe.syntax.python_modules import NOT_OF_PYTHON, PYTHON_MODULES, WITHOUT_IT
from phenesthe.syntax.tree import Import

#: How many entries of folders are looked at for a module with a similar name.
_MAX_ENTRIES = 1000
#: Gives the bytes of a file, or None where there is none. The editor has texts nobody saved yet.
Reader = Callable[[Path], bytes | None]


@dataclass(frozen=True, slots=True)
class Found:
    file: Path
    #: The same for all spellings of a path.
    identity: str
    data: bytes


@dataclass(slots=True)
class Finder:
    """Looks beside the importing file, on `path`, then in the library.

    Every place is looked at once, however many files import from it.
    """

    path: tuple[Path, ...]
    read: Reader
    _known: dict[tuple[Path, tuple[str, ...]], Found | OSError | None] = field(default_factory=dict)
    _listed: dict[tuple[Path, int], list[str]] = field(default_factory=dict)
    _questions: int = 0

    def find(self, declaration: Import, importer: Path) -> Found | Diagnostic:
        places = (importer.parent, *self.path, LIBRARY)
        for place in places:
            found = self._look(place, tuple(declaration.module))
            if isinstance(found, OSError):
                reason = found.strerror or "unknown reason"
                file = f"{declaration.module[-1]}.phe"
                return refuse_import(
                    declaration, reason, f"look at `{file}`, its permissions and where it leads"
                )
            if found is not None:
                return found
        return self._not_found(declaration, places)

    def _look(self, place: Path, module: tuple[str, ...]) -> Found | OSError | None:
        key = (place, module)
        if key not in self._known:
            file = place.joinpath(*module[:-1], module[-1] + ".phe")
            try:
                data = self.read(file)
            except OSError as problem:
                self._known[key] = problem
            else:
                if data is None and os.path.islink(file) and is_loop(file):
                    self._known[key] = OSError(errno.ELOOP, f"it is {LOOP}")
                    return self._known[key]
                identity = "" if data is None else os.path.realpath(file)
                self._known[key] = None if data is None else Found(file, identity, data)
        return self._known[key]

    def _not_found(self, declaration: Import, places: tuple[Path, ...]) -> Diagnostic:
        name = ".".join(declaration.module)
        self._questions += 1
        suggestion = None
        if self._questions <= MOST_QUESTIONS:
            depth = len(declaration.module) - 1
            known = {module for place in places for module in self._list(place, depth)}
            suggestion = closest(name, known - {name})
        wanted = "/".join(declaration.module) + ".phe"
        inside = None
        if suggestion is None and len(declaration.module) == 1:
            inside = self._find_inside(name, places)
        fix = None
        if suggestion is not None:
            fix = (Edit(span=declaration.span, text=f"import {suggestion};"),)
        of_python = suggestion is None and declaration.module[0] in PYTHON_MODULES
        return error(
            "N003",
            f"there is no module `{name}`" + (f": {NOT_OF_PYTHON}" if of_python else ""),
            declaration.span,
            label=f"no `{wanted}` beside this file, in the folders of modules or in the library",
            hint=(
                f"did you mean `{suggestion}`?"
                if suggestion
                else f"`{name}` is a folder of modules: write, for example, `import {inside};`"
                if inside
                else WITHOUT_IT
                if of_python
                else "check its spelling, or put its file beside this one or into a searched folder"
            ),
            fix=fix,
        )

    def _find_inside(self, name: str, places: tuple[Path, ...]) -> str | None:
        """A module in a folder of this name."""
        for place in places:
            if os.path.isdir(place / name):
                found = sorted(one for one in self._list(place, 1) if one.startswith(f"{name}."))
                if found:
                    return found[0]
        return None

    def _list(self, place: Path, depth: int) -> list[str]:
        key = (place, depth)
        if key not in self._listed:
            self._listed[key] = _modules_in(place, depth)
        return self._listed[key]


def refuse_import(declaration: Import, reason: str, hint: str) -> Diagnostic:
    return error(
        "N005",
        f"the module `{'.'.join(declaration.module)}` cannot be read: {reason}",
        declaration.span,
        label="imported here",
        hint=hint,
    )


def _modules_in(place: Path, depth: int) -> list[str]:
    """Modules `depth` folders below a place; a bounded look, for the place may be a whole disk."""
    left = _MAX_ENTRIES
    level: list[tuple[str, ...]] = [()]
    for ending in (*[""] * depth, ".phe"):
        below: list[tuple[str, ...]] = []
        for folder in level:
            try:
                with os.scandir(place.joinpath(*folder)) as listing:
                    entries = list(islice(listing, left))
            except OSError:
                continue
            left -= len(entries)
            below.extend(
                (*folder, entry.name.removesuffix(ending))
                for entry in entries
                if entry.name.endswith(ending) and is_folder(entry) != bool(ending)
            )
        level = below
    return [".".join(parts) for parts in level]


def is_folder(entry: os.DirEntry[str]) -> bool:
    """A link whose end cannot be reached, for it leads to itself say, is none."""
    try:
        return entry.is_dir()
    except OSError:
        return False
