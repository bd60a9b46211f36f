"""Which files a program is made of, and which of their names each file may use."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from phenesthe.diagnostics.model import Diagnostic, Edit, Label
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.suggest import closest
from phenesthe.resources import LIBRARY
from phenesthe.syntax.parser import MAX_FILE_BYTES, Parsed, parse_bytes
from phenesthe.syntax.tree import Import, Unit, UnitDeclaration

MAX_FILES = 500
#: How many entries of folders are looked at for a module with a similar name.
_MAX_ENTRIES = 1000
#: Gives the bytes of a file, or None where there is none. The editor has texts nobody saved yet.
Reader = Callable[[Path], bytes | None]
#: Parses the bytes of a file under the name that messages give it.
Parser = Callable[[str, bytes], Parsed]


@dataclass(frozen=True, slots=True)
class Module:
    path: Path
    parsed: Parsed
    #: The modules this file imports itself.
    imports: tuple[Path, ...]
    #: All of the file was read, and all that it imports was found.
    whole: bool


@dataclass(frozen=True, slots=True)
class Modules:
    """All files of a program, the root first; `visible[p]` are the files whose names p may use."""

    files: tuple[Module, ...]
    visible: Mapping[Path, frozenset[Path]]
    unit: Unit
    diagnostics: tuple[Diagnostic, ...]

    def find(self, path: Path) -> Module:
        return next(module for module in self.files if module.path == path)


def read_file(path: Path) -> bytes | None:
    if not path.is_file():
        return None
    with path.open("rb") as file:
        # One byte more than may be read is enough to see that it is too much.
        return file.read(MAX_FILE_BYTES + 1)


def load_modules(
    root: Path,
    data: bytes,
    *,
    path: tuple[Path, ...] = (),
    name: str | None = None,
    read: Reader = read_file,
    parse: Parser = parse_bytes,
) -> Modules:
    """Parse the root and everything it imports. `name` is how messages call the root."""
    diagnostics: list[Diagnostic] = []
    files: dict[Path, Module] = {}
    pending = [(root, name or str(root), data)]
    # A file reached by two spellings of its path is one file.
    seen = {os.path.realpath(root): root}
    while pending:
        file, shown, content = pending.pop(0)
        parsed = parse(shown, content)
        diagnostics.extend(parsed.diagnostics)
        imports: list[Path] = []
        whole = not parsed.cut_short
        for declaration in parsed.declarations:
            if not isinstance(declaration, Import):
                continue
            found = _find(declaration, file, path, read)
            if isinstance(found, Diagnostic):
                diagnostics.append(found)
                whole = False
                continue
            target, text = found
            identity = os.path.realpath(target)
            if identity not in seen:
                if len(seen) >= MAX_FILES:
                    diagnostics.append(
                        _unreadable(
                            declaration,
                            f"a program has at most {MAX_FILES} files",
                            "join small modules",
                        )
                    )
                    whole = False
                    continue
                seen[identity] = target
                pending.append((target, _shown(target, file, shown), text))
            imports.append(seen[identity])
        files[file] = Module(file, parsed, tuple(imports), whole)
    unit, conflicts = _agree_on_unit(tuple(files.values()))
    diagnostics.extend(conflicts)
    visible = {file: _reachable(file, files) for file in files}
    return Modules(tuple(files.values()), visible, unit, tuple(diagnostics))


def find_library_module(module: str) -> Path | None:
    """The file of a library module's name, `maritime.core`."""
    parts = module.split(".")
    if not all(part.isidentifier() for part in parts):
        return None
    file = LIBRARY.joinpath(*parts[:-1], parts[-1] + ".phe")
    return file if file.is_file() else None


def _shown(target: Path, importer: Path, shown: str) -> str:
    """Name an imported file the way the importing one was named, so that links work."""
    try:
        relative = target.relative_to(importer.parent)
    except ValueError:
        return str(target)
    return str(Path(shown).parent / relative)


def _find(
    declaration: Import, importer: Path, path: tuple[Path, ...], read: Reader
) -> tuple[Path, bytes] | Diagnostic:
    *folders, last = declaration.module
    places = (importer.parent, *path, LIBRARY)
    for place in places:
        file = place.joinpath(*folders, last + ".phe")
        try:
            data = read(file)
        except OSError as problem:
            reason = problem.strerror or "unknown reason"
            return _unreadable(declaration, reason, f"look at the permissions of `{file.name}`")
        if data is not None:
            return file, data
    return _not_found(declaration, places)


def _unreadable(declaration: Import, reason: str, hint: str) -> Diagnostic:
    return error(
        "N005",
        f"the module `{'.'.join(declaration.module)}` cannot be read: {reason}",
        declaration.span,
        label="imported here",
        hint=hint,
    )


def _not_found(declaration: Import, places: tuple[Path, ...]) -> Diagnostic:
    name = ".".join(declaration.module)
    depth = len(declaration.module) - 1
    known = {module for place in places for module in _modules_in(place, depth)}
    suggestion = closest(name, known - {name})
    wanted = "/".join(declaration.module) + ".phe"
    fix = None
    if suggestion is not None:
        fix = (Edit(span=declaration.span, text=f"import {suggestion};"),)
    return error(
        "N003",
        f"there is no module `{name}`",
        declaration.span,
        label=f"no `{wanted}` beside this file, in the folders of modules or in the library",
        hint=f"did you mean `{suggestion}`?"
        if suggestion
        else "check its spelling, or put its file beside this one or into a searched folder",
        fix=fix,
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


def _agree_on_unit(files: tuple[Module, ...]) -> tuple[Unit, list[Diagnostic]]:
    """The one unit of the program; a file that does not say takes it over."""
    first: UnitDeclaration | None = None
    conflicts: list[Diagnostic] = []
    for module in files:
        for declaration in module.parsed.declarations:
            if not isinstance(declaration, UnitDeclaration):
                continue
            if first is None:
                first = declaration
            elif declaration.unit != first.unit and declaration.span.source != first.span.source:
                conflicts.append(
                    error(
                        "N006",
                        f"this file counts in {declaration.unit}s, the program in {first.unit}s",
                        declaration.span,
                        label=f"`{declaration.unit}` here",
                        related=(Label(span=first.span, message=f"`{first.unit}` here"),),
                        hint="all files of a program share one unit: change one, or leave it out",
                    )
                )
    return (first.unit if first is not None else "second"), conflicts


def _reachable(start: Path, files: Mapping[Path, Module]) -> frozenset[Path]:
    found = {start}
    pending = [start]
    while pending:
        for target in files[pending.pop()].imports:
            if target not in found and target in files:
                found.add(target)
                pending.append(target)
    return frozenset(found)
