"""From a name to where it is declared, and to everywhere it is used."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from phenesthe.ide.analysis import Analysis
from phenesthe.ide.targets import choose_analyses, find_target, list_mentions
from phenesthe.syntax.source import Span

_WRITING = ("declares", "argument", "imports")


@dataclass(frozen=True, slots=True)
class Location:
    file: Path
    span: Span


@dataclass(frozen=True, slots=True)
class Highlight:
    """`writes`: this is where the name gets its meaning."""

    span: Span
    writes: bool


def find_definition(analysis: Analysis, file: Path, offset: int) -> list[Location]:
    """Where the name at an offset is declared: a module's file, a variable's first occurrence.

    Several places where a name is declared several times, which is an error of the program.
    """
    found = find_target(analysis, file, offset)
    if found is None:
        return []
    target, _ = found
    locations: list[Location] = []
    for home in sorted(target.homes):
        if target.kind == "module":
            module = analysis.find_module(home)
            if module is not None:
                locations.append(Location(home, Span(module.parsed.source, 0, 0)))
            continue
        mentions = list_mentions(analysis, home, target)
        declared = [one for one in mentions if one.role == "declares"] or mentions[:1]
        locations += [Location(home, one.span) for one in declared]
    return locations


def find_references(
    analyses: Iterable[Analysis], file: Path, offset: int, *, declarations: bool = True
) -> list[Location]:
    """Everywhere in a workspace that the name at an offset is written, meaning the same."""
    chosen = choose_analyses(analyses)
    if file not in chosen:
        return []
    found = find_target(chosen[file], file, offset)
    if found is None:
        return []
    target, _ = found
    places = chosen if target.kind in ("name", "module") else {file: chosen[file]}
    return [
        Location(path, one.span)
        for path, analysis in places.items()
        for one in list_mentions(analysis, path, target)
        if declarations or one.role not in ("declares", "argument")
    ]


def highlight(analysis: Analysis, file: Path, offset: int) -> list[Highlight]:
    """The same name in the same file."""
    found = find_target(analysis, file, offset)
    if found is None:
        return []
    target, _ = found
    mentions = list_mentions(analysis, file, target)
    return [
        Highlight(one.span, (at == 0 and target.kind == "variable") or one.role in _WRITING)
        for at, one in enumerate(mentions)
    ]
