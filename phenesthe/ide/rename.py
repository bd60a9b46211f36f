"""One name for another in all of a workspace: all of it and nothing else, or a reason why not."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from phenesthe.check import check_work
from phenesthe.check.choose_reported import choose_reported
from phenesthe.check.declare_names import declare_names
from phenesthe.check.modules import Module, Modules
from phenesthe.check.work import Work
from phenesthe.diagnostics.fixes import apply_fixes
from phenesthe.diagnostics.model import Diagnostic, Edit, Severity
from phenesthe.diagnostics.render.cells import make_printable
from phenesthe.ide.analysis import Analysis
from phenesthe.ide.places import Occurrence, find_place, list_occurrences
from phenesthe.ide.targets import (
    Target,
    choose_analyses,
    find_target,
    identify,
    list_declaring,
    list_mentions,
)  # fmt: skip
from phenesthe.ide.words import read_words
from phenesthe.resources import LIBRARY
from phenesthe.syntax.parser import parse
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tokens import RESERVED

#: By file, in the order of the text.
Edits = Mapping[Path, tuple[Edit, ...]]
_NAME = re.compile(r"[a-z][a-zA-Z0-9_]*")
_VARIABLE = re.compile(r"[A-Z_][a-zA-Z0-9_]*")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something cannot be renamed, for the one who asked."""

    reason: str


class _Refused(Exception):
    """Carries the reason out of whatever found it."""


def prepare_rename(analysis: Analysis, file: Path, offset: int) -> Span | Refusal:
    """The name that a renaming at an offset would be of."""
    try:
        return _find(analysis, file, offset)[1].span
    except _Refused as refused:
        return Refusal(str(refused))


def rename(analyses: Iterable[Analysis], file: Path, offset: int, new: str) -> Edits | Refusal:
    """The edits that give the name at an offset another, in every file that means it.

    Refused unless every other name means afterwards what it meant before.
    """
    known = list(analyses)
    chosen = choose_analyses(known)
    try:
        if file not in chosen:
            raise _Refused("this file belongs to no program")
        target, _ = _find(chosen[file], file, offset)
        if new == target.name:
            return {}
        _check_spelling(target, new)
        concerned = [one for one in known if any(map(one.find_module, target.homes))]
        _check_broken(concerned, target)
        _check_clash(concerned, target, new)
        edits = dict(_list_edits(chosen, file, target, new))
        for analysis in concerned:
            _check_meaning(analysis, edits, new)
        if target.kind == "variable":
            _check_types(chosen[file], edits)
        return edits
    except _Refused as refused:
        return Refusal(str(refused))


def _find(analysis: Analysis, file: Path, offset: int) -> tuple[Target, Occurrence]:
    found = find_target(analysis, file, offset)
    if found is None:
        place = find_place(analysis, file, offset)
        raise _Refused(_explain_nothing(None if place is None else place.occurrence))
    target, _ = found
    if target.kind == "module":
        raise _Refused("a module is named by its file: rename the file")
    if any(home.is_relative_to(LIBRARY) for home in target.homes):
        raise _Refused(f"`{target.name}` belongs to the library, which cannot be changed")
    return found


def _explain_nothing(occurrence: Occurrence | None) -> str:
    match occurrence:
        case Occurrence(role="wildcard"):
            return "`_` stands for any value and has no name"
        case Occurrence(role="constant", name=name):
            return f"`{name}` is a text, not a name"
        case Occurrence(role="imports", name=name):
            return f"the module `{name}` cannot be found"
        case Occurrence(name=name):
            return f"`{name}` is not declared"
        case None:
            return "there is no name here"


def _check_spelling(target: Target, new: str) -> None:
    shown = make_printable(new)
    if target.kind == "variable":
        if new == "_" or not _VARIABLE.fullmatch(new):
            raise _Refused(
                f"`{shown}` is no name of a variable: it begins with a capital letter or `_` "
                "and goes on with letters, digits and `_`"
            )
        return
    if not _NAME.fullmatch(new):
        raise _Refused(
            f"`{shown}` is no name: it begins with a small letter and goes on with letters, "
            "digits and `_`"
        )
    if new in RESERVED:
        raise _Refused(f"`{new}` is a word of the language and cannot be a name")


def _check_broken(concerned: Iterable[Analysis], target: Target) -> None:
    """Where a text cannot be read, what a word in it means is a guess."""
    word = re.compile(rf"\b{target.name}\b")
    for analysis in concerned:
        for module in analysis.modules.files:
            for span in _list_unread(module) if _reaches(analysis, target, module.path) else ():
                if target.scope is not None and not _overlaps(span, target.scope):
                    continue
                if not span.text or word.search(span.text):
                    raise _Refused(
                        f"`{target.name}` may be meant in what cannot be read of {_show(span)}: "
                        "correct that first"
                    )


def _reaches(analysis: Analysis, target: Target, file: Path) -> bool:
    """Whether a file may mention it."""
    if target.scope is not None:
        return file in target.homes
    return not target.homes.isdisjoint(analysis.modules.visible[file])


def _list_unread(module: Module) -> Iterator[Span]:
    """What of a file is no declaration, for all we know."""
    source = module.parsed.source
    read = {declaration.span.start for declaration in module.parsed.declarations}
    words = read_words(source)
    yield from (one.span for one in words.sentences if one.span.start not in read)
    for diagnostic in module.parsed.diagnostics:
        match diagnostic.code:
            case "S005":
                yield Span(source, diagnostic.span.start, len(source.text))
            case "S002":
                yield Span(source, 0, 0)


def _overlaps(span: Span, scope: tuple[int, int]) -> bool:
    return span.start < scope[1] and scope[0] < span.end


def _check_clash(concerned: Iterable[Analysis], target: Target, new: str) -> None:
    if target.kind != "name":
        return
    for analysis in concerned:
        declared = list(list_declaring(analysis, target.name))
        if len(declared) > 1:
            raise _Refused(f"`{target.name}` is declared twice, at {_show(declared[1][1])} again")
        for _, span in list_declaring(analysis, new):
            raise _Refused(f"`{new}` is already declared at {_show(span)}")


def _list_edits(
    chosen: Mapping[Path, Analysis], file: Path, target: Target, new: str
) -> Iterator[tuple[Path, tuple[Edit, ...]]]:
    places = chosen if target.kind == "name" else {file: chosen[file]}
    for path, analysis in places.items():
        mentions = list_mentions(analysis, path, target)
        if mentions:
            yield path, tuple(Edit(span=one.span, text=new) for one in mentions)


def _check_meaning(analysis: Analysis, edits: Edits, new: str) -> None:
    """Compare what every name of a program means with what it would mean."""
    changed = _apply(analysis, edits)
    for module in analysis.modules.files:
        path = module.path
        renamed = {edit.span.start for edit in edits.get(path, ())}
        before, after = (list_occurrences(one, path) for one in (analysis, changed))
        meant = _identify_all(analysis, path, before)
        meaning = _identify_all(changed, path, after)
        for old, one, was, would_be in zip(before, after, meant, meaning, strict=False):
            name = new if old.span.start in renamed else old.name
            if (old.role, name, was) != (one.role, one.name, would_be):
                raise _Refused(_explain_change(old, one, new))
        if len(before) != len(after):
            raise _Refused(f"`{new}` would change how {path.name} is read")
    _check_errors(_list_errors(analysis), _list_errors(changed))


def _check_types(analysis: Analysis, edits: Edits) -> None:
    """Values of an exclusive state may share a variable's name, but only if they share a type."""
    changed = _apply(analysis, edits).modules
    _check_errors(analysis.diagnostics, check_work(changed, {})[2])


def _check_errors(before: Iterable[Diagnostic], after: Iterable[Diagnostic]) -> None:
    known = Counter(one.code for one in before)
    for diagnostic in after:
        known[diagnostic.code] -= 1
        if diagnostic.severity is Severity.ERROR and known[diagnostic.code] < 0:
            raise _Refused(f"that would be an error: {diagnostic.message}")


def _explain_change(old: Occurrence, one: Occurrence, new: str) -> str:
    place = _show(old.span)
    match one.role:
        case "variable":
            return f"`{new}` would become one with another variable, see `{old.name}` at {place}"
        case "argument":
            return f"`{new}` is already an argument, see {place}"
        case "uses" if one.name == new:
            return f"`{new}` at {place} would then mean it too"
        case _:
            return f"`{one.name}` at {place} would then mean something else"


def _identify_all(
    analysis: Analysis, file: Path, occurrences: Sequence[Occurrence]
) -> list[tuple[object, ...] | None]:
    """What occurrences mean, without saying their names: which of them mean the same."""
    numbers: dict[Target, int] = {}
    found: list[tuple[object, ...] | None] = []
    for one in occurrences:
        target = identify(analysis, file, one)
        if target is None:
            found.append(None)
        elif target.kind in ("variable", "argument"):
            found.append((target.kind, numbers.setdefault(target, len(numbers))))
        else:
            found.append((target.kind, target.homes))
    return found


def _apply(analysis: Analysis, edits: Edits) -> Analysis:
    """The program after a renaming, as far as its names are declared."""
    files = tuple(_edit_module(module, edits) for module in analysis.modules.files)
    modules = replace(analysis.modules, files=files)
    return Analysis(analysis.root, modules, _declare(modules), None, ())


def _edit_module(module: Module, edits: Edits) -> Module:
    wanted = edits.get(module.path)
    if not wanted:
        return module
    source = module.parsed.source
    changed = Source(source.path, apply_fixes(source.text, wanted))
    return replace(module, parsed=parse(changed))


def _declare(modules: Modules) -> Work:
    work = Work(modules)
    declare_names(work)
    choose_reported(work)
    return work


def _list_errors(analysis: Analysis) -> list[Diagnostic]:
    """Of reading and declaring; what comes later follows from what the names mean."""
    said = [
        *_declare(analysis.modules).diagnostics,
        *(one for module in analysis.modules.files for one in module.parsed.diagnostics),
    ]
    return [one for one in said if one.severity is Severity.ERROR]


def _show(span: Span) -> str:
    return f"{make_printable(Path(span.source.path).name)}:{span.first.line}"
