"""What is said above each definition: how often it is used, and what it can be tried on."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from phenesthe.ide.analysis import Analysis
from phenesthe.ide.places import list_occurrences
from phenesthe.ide.preview import find_data
from phenesthe.ide.symbols import list_symbols
from phenesthe.ide.targets import choose_analyses, identify
from phenesthe.syntax.source import Span
from phenesthe.testing.find_tests import SUFFIX


@dataclass(frozen=True, slots=True)
class Lens:
    """A title above a definition. `data` is what a preview runs it on."""

    span: Span
    name: str
    title: str
    command: Literal["references", "preview"]
    data: Path | None = None


def list_lenses(analyses: Iterable[Analysis], file: Path) -> list[Lens]:
    """For the definitions of a file, in their order, as they are used in a workspace."""
    chosen = choose_analyses(analyses)
    if file not in chosen:
        return []
    used = _count_uses(chosen, file)
    beside = find_data(file)
    lenses: list[Lens] = []
    for one in list_symbols(chosen[file], file):
        if one.kind not in ("event", "state", "dynamic"):
            continue
        count = used[one.name]
        title = f"{count} reference{'' if count == 1 else 's'}"
        lenses.append(Lens(one.name_span, one.name, title, "references"))
        lenses += [
            Lens(one.name_span, one.name, _write_title(data), "preview", data)
            for data in beside
            if not one.broken
        ]
    return lenses


def _write_title(data: Path) -> str:
    return "preview tests" if data.name.endswith(SUFFIX) else "preview sample"


def _count_uses(chosen: dict[Path, Analysis], file: Path) -> Counter[str]:
    """How often the names of a file are used, in all files that see it."""
    used: Counter[str] = Counter()
    for path, analysis in chosen.items():
        if file not in analysis.modules.visible.get(path, ()):
            continue
        for one in list_occurrences(analysis, path):
            target = identify(analysis, path, one) if one.role == "uses" else None
            if target is not None and file in target.homes:
                used[target.name] += 1
    return used
