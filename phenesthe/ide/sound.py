"""The part of a program that has no errors in it, nor in what it uses, as a program by itself."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from phenesthe.check import check_modules
from phenesthe.check.modules import Module, Modules
from phenesthe.check.program import CheckedProgram
from phenesthe.diagnostics.model import Diagnostic, Severity
from phenesthe.ide.analysis import Analysis
from phenesthe.ide.places import find_name
from phenesthe.ide.words import Sentence, read_words
from phenesthe.syntax.tokens import KINDS, RESERVED, TokenKind
from phenesthe.syntax.tree import Declaration, Report

#: A declaration, by its file and where it begins.
_Key: TypeAlias = tuple[Path, int]
#: What is left may show an error that another one hid; more than a few times is no progress.
_MAX_ROUNDS = 5
_DEFINING = frozenset((*KINDS, "exclusive", "machine"))


def select_sound(analysis: Analysis) -> tuple[Modules, CheckedProgram] | None:
    """Those declarations that will mean the same when the others are mended.

    None where nobody knows which: a file is missing, or which unit is meant.
    """
    modules = analysis.modules
    if not all(map(_is_whole, modules.files)) or "N006" in {d.code for d in analysis.diagnostics}:
        return None
    dropped = set(_list_wrong(modules, analysis.diagnostics))
    names = _list_uncertain(modules)
    for _ in range(_MAX_ROUNDS):
        _spread(modules, dropped, names)
        files = tuple(_leave_out(module, dropped, names) for module in modules.files)
        rest = replace(modules, files=files, diagnostics=())
        program, said = check_modules(rest, {})
        if program is not None:
            return rest, program
        dropped.update(_list_wrong(rest, said))
    return None


def _is_whole(module: Module) -> bool:
    read = {declaration.span.start for declaration in module.parsed.declarations}
    sentences = read_words(module.parsed.source).sentences
    units = (one.span.start for one in sentences if one.opening == "unit")
    return module.whole and read.issuperset(units)


def _list_wrong(modules: Modules, said: Iterable[Diagnostic]) -> Iterator[_Key]:
    """The declarations that errors lie in."""
    sources = {module.parsed.source.path: module for module in modules.files}
    for one in said:
        module = sources.get(one.span.source.path)
        if one.severity is not Severity.ERROR or module is None:
            continue
        for declaration in module.parsed.declarations:
            if declaration.span.start <= one.span.start < declaration.span.end:
                yield module.path, declaration.span.start


def _list_uncertain(modules: Modules) -> set[str]:
    """Names that are declared twice, or where nothing can be read."""
    declared: Counter[str] = Counter()
    lost: set[str] = set()
    for module in modules.files:
        lost |= module.parsed.lost
        read = {declaration.span.start for declaration in module.parsed.declarations}
        for sentence in read_words(module.parsed.source).sentences:
            name = _read_name(sentence)
            if name is not None:
                declared[name] += 1 if sentence.span.start in read else 2
    return {name for name in (*declared, *lost) if declared[name] != 1} - RESERVED


def _spread(modules: Modules, dropped: set[_Key], names: set[str]) -> None:
    """What mentions a name that is dropped, or uncertain, is dropped too."""
    found: dict[_Key, Sentence] = {}
    mentions: dict[str, list[_Key]] = {}
    for module in modules.files:
        for sentence in read_words(module.parsed.source).sentences:
            key = module.path, sentence.span.start
            found[key] = sentence
            for name in _list_names(sentence):
                mentions.setdefault(name, []).append(key)
    names.update(filter(None, (_read_name(found[key]) for key in dropped)))
    pending = list(names)
    while pending:
        for key in mentions.pop(pending.pop(), ()):
            dropped.add(key)
            own = _read_name(found[key])
            if own is not None and own not in names:
                names.add(own)
                pending.append(own)


def _list_names(sentence: Sentence) -> set[str]:
    """Of declarations that define nothing only the name itself is one."""
    if sentence.opening not in _DEFINING:
        return set(filter(None, (_read_name(sentence),)))
    return {token.text for token in sentence.tokens if token.kind is TokenKind.WORD}


def _read_name(sentence: Sentence) -> str | None:
    at = find_name(sentence)
    return None if at is None else sentence.tokens[at].text


def _leave_out(module: Module, dropped: set[_Key], names: set[str]) -> Module:
    parsed = module.parsed
    kept: list[Declaration] = []
    for one in parsed.declarations:
        if isinstance(one, Report):
            # What else a file reports is as it was.
            kept.append(replace(one, names=tuple(n for n in one.names if n.text not in names)))
        elif (module.path, one.span.start) not in dropped:
            kept.append(one)
    sound = replace(parsed, declarations=tuple(kept), diagnostics=(), lost=frozenset())
    return replace(module, parsed=sound)
