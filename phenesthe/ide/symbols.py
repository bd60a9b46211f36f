"""The names a file declares, for an outline, and those of a workspace, for a search."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from phenesthe.check.machines import list_values
from phenesthe.check.modules import Module
from phenesthe.ide.analysis import Analysis
from phenesthe.ide.places import find_name
from phenesthe.ide.words import Sentence, read_words
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import (
    Declaration,
    Definition,
    ExclusiveState,
    Fact,
    Import,
    Input,
    Machine,
    Parameter,
    Report,
    UnitDeclaration,
)  # fmt: skip

#: What an outline tells apart. `value` is one of an exclusive state or a machine.
SymbolKind: TypeAlias = Literal[
    "module", "parameter", "fact", "input", "event", "state", "dynamic", "value"
]
MAX_FOUND = 500

_SYMBOL_KINDS: dict[str, SymbolKind] = {
    "input": "input", "exclusive": "state", "machine": "state", "fact": "fact",
    "param": "parameter", "event": "event", "state": "state", "dynamic": "dynamic",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Outlined:
    """A declared name. `span` is all of its declaration, `name_span` where the name is written."""

    name: str
    kind: SymbolKind
    detail: str
    span: Span
    name_span: Span
    parts: tuple["Outlined", ...] = ()
    #: Its declaration could not be read; the name was seen in the text.
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A name that a search in the workspace found, and the file that declares it."""

    file: Path
    outlined: Outlined


def list_symbols(analysis: Analysis, file: Path) -> list[Outlined]:
    """The declarations of a file in their order, also broken ones where the name can be seen."""
    module = analysis.find_module(file)
    return [] if module is None else list(_outline(module))


def search_symbols(analyses: Iterable[Analysis], query: str) -> list[Found]:
    """Names of all files that have the letters of the query in their order, the best first."""
    modules = {module.path: module for one in analyses for module in one.modules.files}
    wanted = query.casefold()
    ranked: list[tuple[tuple[int, int, str, str, int], Found]] = []
    for path, module in modules.items():
        for outlined in _outline(module):
            rank = None if outlined.kind == "module" else _rank(outlined.name.casefold(), wanted)
            if rank is not None:
                order = (rank, len(outlined.name), outlined.name, str(path), outlined.span.start)
                ranked.append((order, Found(path, outlined)))
    ranked.sort(key=lambda one: one[0])
    return [found for _, found in ranked[:MAX_FOUND]]


def _rank(name: str, wanted: str) -> int | None:
    """0 for the name itself, then its beginning, a part of it, its letters; None for others."""
    if name == wanted:
        return 0
    if name.startswith(wanted):
        return 1
    if wanted in name:
        return 2
    letters = iter(name)
    return 3 if all(letter in letters for letter in wanted) else None


def _outline(module: Module) -> Iterator[Outlined]:
    declarations = {one.span.start: one for one in module.parsed.declarations}
    for sentence in read_words(module.parsed.source).sentences:
        declaration = declarations.get(sentence.span.start)
        outlined = _guess(sentence) if declaration is None else _outline_declaration(declaration)
        if outlined is not None:
            yield outlined


def _outline_declaration(declaration: Declaration) -> Outlined | None:
    span = declaration.span
    match declaration:
        case UnitDeclaration() | Report():
            return None
        case Import(module=module):
            return Outlined(".".join(module), "module", "import", span, span)
        case Parameter(name=name):
            return Outlined(name.text, "parameter", declaration.type, span, name.span)
        case Input(name=name) | Fact(name=name):
            arguments = ", ".join(f"{one.name.text}: {one.type}" for one in declaration.arguments)
            kind: SymbolKind = "fact" if isinstance(declaration, Fact) else "input"
            what = "fact" if isinstance(declaration, Fact) else f"input {declaration.kind}"
            return Outlined(name.text, kind, f"{what} ({arguments})", span, name.span)
        case Definition(head=head) | ExclusiveState(head=head) | Machine(head=head):
            variables = ", ".join(variable.name for variable in head.variables)
            if isinstance(declaration, Definition):
                kind = declaration.kind
                return Outlined(head.name.text, kind, f"{kind} ({variables})", span, head.name.span)
            if isinstance(declaration, Machine):
                values = tuple(_list_values(declaration))
                detail = f"machine ({variables})"
                return Outlined(head.name.text, "state", detail, span, head.name.span, values)
            values = tuple(
                Outlined(one.label.span.text, "value", "value", one.span, one.label.span)
                for one in declaration.branches
            )
            detail = f"exclusive state ({variables})"
            return Outlined(head.name.text, "state", detail, span, head.name.span, values)


def _list_values(machine: Machine) -> Iterator[Outlined]:
    """Each where it is written first."""
    first: dict[str, Span] = {}
    for label in list_values(machine):
        first.setdefault(label.span.text, label.span)
    return (Outlined(text, "value", "value", span, span) for text, span in first.items())


def _guess(sentence: Sentence) -> Outlined | None:
    """What a declaration that cannot be read was meant to declare."""
    at = find_name(sentence)
    if at is None:
        return None
    token = sentence.tokens[at]
    name_span = Span(sentence.span.source, token.start, token.end)
    kind = _SYMBOL_KINDS[sentence.opening]
    return Outlined(token.text, kind, "cannot be read", sentence.span, name_span, broken=True)
