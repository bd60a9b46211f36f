"""What the definition library has, for programs that forget to import it."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from phenesthe.frozen import dataclass
from phenesthe.resources import LIBRARY
from phenesthe.syntax.parser import Parsed, parse_bytes
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import (
    Definition,
    ExclusiveState,
    Fact,
    Import,
    Input,
    Kind,
    Machine,
    Parameter,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LibraryName:
    """A phenomenon or fact of the library."""

    module: str
    arguments: tuple[str, ...]
    #: None: a fact.
    kind: Kind | None


@dataclass(frozen=True, slots=True)
class _LibraryModule:
    names: dict[str, tuple[tuple[str, ...], Kind | None]]
    parameters: frozenset[str]
    imports: tuple[str, ...]


def find_in_library(name: str) -> LibraryName | None:
    for module, found in _modules().items():
        if name in found.names:
            return LibraryName(module, *found.names[name])
    return None


def find_forgotten(name: str, arity: int) -> LibraryName | None:
    """What an import would bring, where the name is used with as many arguments."""
    found = find_in_library(name)
    return found if found is not None and len(found.arguments) == arity else None


def find_wanted(text: str, is_known: Callable[[str], bool]) -> frozenset[str]:
    """Names of the library that a file uses and does not know."""
    # Only for a name that is not defined.
    from phenesthe.syntax.declared import MAX_TEXT, find_mentions

    if len(text) > MAX_TEXT:
        return frozenset()
    used = {(one.name, len(one.arguments)) for one in find_mentions(text)}
    return frozenset(
        name for name, arity in used if not is_known(name) and find_forgotten(name, arity)
    )


def choose_module(name: str, wanted: frozenset[str]) -> tuple[str, list[str]]:
    """The module to import for a name, which brings most of those that are wanted, and these."""
    found = {one: find_in_library(one) for one in (name, *sorted(wanted))}
    modules = {one.module for one in found.values() if one is not None}
    having = [one for one in sorted(modules) if name in list_imported(one)]
    best = max(having, key=lambda one: (len(wanted & list_imported(one)), -len(list_imported(one))))
    return best, sorted(wanted & list_imported(best))


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
    names: dict[str, tuple[tuple[str, ...], Kind | None]] = {}
    parameters: set[str] = set()
    imports: list[str] = []
    for declaration in parse_bytes(str(file), file.read_bytes()).declarations:
        match declaration:
            case Input() | Fact():
                arguments = tuple(argument.name.text for argument in declaration.arguments)
                kind = declaration.kind if isinstance(declaration, Input) else None
                names[declaration.name.text] = arguments, kind
            case Definition() | ExclusiveState() | Machine():
                head = declaration.head
                variables = tuple(variable.name for variable in head.variables)
                kind = declaration.kind if isinstance(declaration, Definition) else "state"
                names[head.name.text] = variables, kind
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
