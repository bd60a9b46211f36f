"""What a name means, so that two occurrences can be told to mean the same."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from phenesthe.ide.analysis import Analysis
from phenesthe.ide.places import (
    Occurrence,
    find_imported,
    find_name,
    find_place,
    list_occurrences,
)  # fmt: skip
from phenesthe.ide.words import read_words
from phenesthe.syntax.source import Span

#: name: a phenomenon, fact or parameter.
TargetKind: TypeAlias = Literal["name", "variable", "argument", "module"]


@dataclass(frozen=True, slots=True)
class Target:
    """`homes` are the files that declare a name (several where one is broken), or that a variable
    is in, or the module itself; `scope` is how far a variable or an argument reaches.
    """

    kind: TargetKind
    name: str
    homes: frozenset[Path]
    scope: tuple[int, int] | None = None

    def equals(self, other: "Target | None") -> bool:
        return (
            other is not None
            and self.kind == other.kind
            and (self.name == other.name or self.kind == "module")
            and not self.homes.isdisjoint(other.homes)
            and self.scope == other.scope
        )


def find_target(analysis: Analysis, file: Path, offset: int) -> tuple[Target, Occurrence] | None:
    """What the name at an offset means, if there is one and it is known."""
    place = find_place(analysis, file, offset)
    if place is None or place.occurrence is None:
        return None
    target = identify(analysis, file, place.occurrence)
    return None if target is None else (target, place.occurrence)


def identify(analysis: Analysis, file: Path, occurrence: Occurrence) -> Target | None:
    name = occurrence.name
    match occurrence.role:
        case "declares":
            return Target("name", name, frozenset((file,)))
        case "uses" if occurrence.symbol is not None:
            return Target("name", name, frozenset((occurrence.symbol.file,)))
        case "uses":
            homes = frozenset(_find_lost(analysis, file, name))
            return Target("name", name, homes) if homes else None
        case "variable" | "argument" as kind:
            assert occurrence.scope is not None
            scope = occurrence.scope.start, occurrence.scope.end
            return Target(kind, name, frozenset((file,)), scope)
        case "imports":
            found = find_imported(analysis, file, name)
            return None if found is None else Target("module", name, frozenset((found,)))
        case _:
            return None


def list_mentions(analysis: Analysis, file: Path, target: Target) -> list[Occurrence]:
    """Where a file says the same."""
    return [
        one
        for one in list_occurrences(analysis, file)
        if (one.name == target.name or target.kind == "module")
        and target.equals(identify(analysis, file, one))
    ]


def list_declaring(analysis: Analysis, name: str) -> Iterator[tuple[Path, Span]]:
    """Every place of a program that declares a name, in declarations with errors too."""
    for module in analysis.modules.files:
        if name not in module.parsed.source.text:
            continue
        for sentence in read_words(module.parsed.source).sentences:
            at = find_name(sentence)
            if at is not None and sentence.tokens[at].text == name:
                token = sentence.tokens[at]
                yield module.path, Span(sentence.span.source, token.start, token.end)


def choose_analyses(analyses: Iterable[Analysis]) -> dict[Path, Analysis]:
    """Each file of a workspace once, with the program it is looked at in: its own, if it has one.

    What a file means depends on the files it imports, not on who imports it.
    """
    chosen: dict[Path, Analysis] = {}
    for analysis in analyses:
        for module in analysis.modules.files:
            if module.path == analysis.root or module.path not in chosen:
                chosen[module.path] = analysis
    return chosen


def _find_lost(analysis: Analysis, file: Path, name: str) -> Iterator[Path]:
    """The files in which a declaration that cannot be read declares a name."""
    visible = analysis.modules.visible.get(file, frozenset())
    return (home for home, _ in list_declaring(analysis, name) if home in visible)
