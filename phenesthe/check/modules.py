"""Which files a program is made of, and which of their names each file may use."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from phenesthe.check.find_modules import Finder, Reader, refuse_import
from phenesthe.check.library import module_of
from phenesthe.check.visible import find_visible
from phenesthe.diagnostics.model import Diagnostic, Label
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.suggest import closest
from phenesthe.files.missing import find_similar
from phenesthe.frozen import dataclass
from phenesthe.resources import LIBRARY
from phenesthe.syntax.parser import MAX_FILE_BYTES, Parsed, parse_bytes
from phenesthe.syntax.tree import Import, Unit, UnitDeclaration

MAX_FILES = 500
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
    finder = Finder(path, read)
    # A file reached by two spellings of its path is one file.
    seen = {os.path.realpath(root): root}
    while pending:
        file, shown, content = pending.pop(0)
        parsed = parse(shown, content)
        diagnostics.extend(parsed.diagnostics)
        imports: dict[Path, None] = {}
        whole = not parsed.cut_short
        for declaration in parsed.declarations:
            if not isinstance(declaration, Import):
                continue
            found = finder.find(declaration, file)
            if isinstance(found, Diagnostic):
                diagnostics.append(found)
                whole = False
                continue
            identity = found.identity
            if identity not in seen:
                if len(seen) >= MAX_FILES:
                    diagnostics.append(
                        refuse_import(
                            declaration,
                            f"a program has at most {MAX_FILES} files",
                            "join small modules",
                        )
                    )
                    whole = False
                    continue
                seen[identity] = found.file
                pending.append((found.file, _shown(found.file, file, shown), found.data))
            imports[seen[identity]] = None
        files[file] = Module(file, parsed, tuple(imports), whole)
    unit, conflicts = _agree_on_unit(tuple(files.values()))
    diagnostics.extend(conflicts)
    visible = find_visible({file: module.imports for file, module in files.items()})
    return Modules(tuple(files.values()), visible, unit, tuple(diagnostics))


def find_library_module(module: str) -> Path | None:
    """The file of a library module's name, `maritime.core`."""
    parts = module.split(".")
    if not all(part.isidentifier() for part in parts):
        return None
    file = LIBRARY.joinpath(*parts[:-1], parts[-1] + ".phe")
    return file if file.is_file() else None


def describe_missing_program(given: Path) -> str:
    """What to say where there is neither a file nor a library module of a name."""
    modules = {name for file in LIBRARY.rglob("*.phe") if (name := module_of(file)) is not None}
    text = f"there is no file `{given}`, and no library module of that name"
    inside = sorted(one for one in modules if one.startswith(f"{given}."))
    if inside:
        return f"{text}; give one of its modules: {', '.join(inside)}"
    meant = find_similar(given) or closest(str(given), modules)
    return f"{text}; did you mean `{meant}`?" if meant else text


def _shown(target: Path, importer: Path, shown: str) -> str:
    """Name an imported file the way the importing one was named, so that links work."""
    try:
        relative = target.relative_to(importer.parent)
    except ValueError:
        return str(target)
    return str(Path(shown).parent / relative)


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
