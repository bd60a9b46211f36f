"""What the definition library has, for programs that forget to import it."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from phenesthe.resources import LIBRARY
from phenesthe.syntax.parser import Parsed, parse_bytes
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import Definition, ExclusiveState, Fact, Import, Input, Parameter


@dataclass(frozen=True, slots=True)
class LibraryName:
    """A phenomenon or fact of the library."""

    module: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _LibraryModule:
    names: dict[str, tuple[str, ...]]
    parameters: frozenset[str]
    imports: tuple[str, ...]


def find_in_library(name: str) -> LibraryName | None:
    for module, found in _modules().items():
        if name in found.names:
            return LibraryName(module, found.names[name])
    return None


@cache
def list_imported(module: str) -> frozenset[str]:
    """All names that a file sees which imports this module."""
    names: set[str] = set()
    seen = {module}
    pending = [module]
    while pending:
        found = _modules()[pending.pop()]
        names |= {*found.names, *found.parameters}
        pending += [other for other in found.imports if other not in seen]
        seen.update(found.imports)
    return frozenset(names)


def module_of(file: Path) -> str | None:
    """The name of a module of the library, by its file."""
    if not file.is_relative_to(LIBRARY):
        return None
    return ".".join(file.relative_to(LIBRARY).with_suffix("").parts)


@cache
def _modules() -> dict[str, _LibraryModule]:
    """Read when the first unknown name is met; nothing changes the library while a program runs."""
    files = ((module_of(file), file) for file in sorted(LIBRARY.rglob("*.phe")))
    return {name: _read(file) for name, file in files if name is not None}


def _read(file: Path) -> _LibraryModule:
    names: dict[str, tuple[str, ...]] = {}
    parameters: set[str] = set()
    imports: list[str] = []
    for declaration in parse_bytes(str(file), file.read_bytes()).declarations:
        match declaration:
            case Input() | Fact():
                arguments = tuple(argument.name.text for argument in declaration.arguments)
                names[declaration.name.text] = arguments
            case Definition() | ExclusiveState():
                head = declaration.head
                names[head.name.text] = tuple(variable.name for variable in head.variables)
            case Parameter():
                parameters.add(declaration.name.text)
            case Import():
                imports.append(".".join(declaration.module))
    return _LibraryModule(names, frozenset(parameters), tuple(imports))


def place_for_import(parsed: Parsed) -> tuple[Span, bool]:
    """Where a file takes another import, and whether that is at the end of a line.

    After its last import, else below the comment that it begins with.
    """
    source = parsed.source
    imports = [one.span for one in parsed.declarations if isinstance(one, Import)]
    if imports:
        return Span(source, imports[-1].end, imports[-1].end), True
    offset = 0
    for line in source.text.splitlines(keepends=True):
        if not line.startswith("//") or line.startswith("///") or not line.endswith("\n"):
            break
        offset += len(line)
    return Span(source, offset, offset), False
