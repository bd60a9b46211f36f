"""After every edit a workspace knows what it would know had it just been started."""

from collections import Counter
from dataclasses import fields, is_dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from phenesthe.check.find_modules import Reader
from phenesthe.ide.analysis import Analysis, analyse
from phenesthe.ide.workspace import Workspace
from phenesthe.syntax.source import Span
from tests.strategies.edits import edit
from tests.strategies.project import PROJECT

_STEPS = 40


def describe(value: Any) -> Any:
    """A value with its places: trees compare without them."""
    if isinstance(value, Span):
        return (value.source.path, value.start, value.end)
    if is_dataclass(value):
        parts = (describe(getattr(value, one.name)) for one in fields(value))
        return (type(value).__name__, *parts)
    if isinstance(value, tuple | list):
        return [describe(one) for one in value]
    return value


def describe_analysis(analysis: Analysis) -> list[tuple[str, Any]]:
    """Everything there is in it, in pieces that show what differs."""
    work = analysis.work
    pieces: list[tuple[str, Any]] = [("diagnostics", describe(analysis.diagnostics))]
    pieces += [(f"file {one.path.name}", describe(one)) for one in analysis.modules.files]
    pieces += [("seen", analysis.modules.visible), ("unit", analysis.modules.unit)]
    pieces += [("order of symbols", list(work.symbols)), ("order of drafts", list(work.drafts))]
    pieces += [(f"symbol {name}", describe(one)) for name, one in work.symbols.items()]
    for name, draft in work.drafts.items():
        bodies = draft.bodies
        pieces.append((f"draft {name}", (describe(draft), describe(bodies))))
    return [*pieces, ("program", describe(analysis.program))]


class _Typist:
    """Edits the files of a project, and compares after every step."""

    def __init__(self, folder: Path, random: Random) -> None:
        self.random = random
        self.folder = folder
        self.workspace = Workspace()
        self.texts: dict[Path, str] = {}
        self.counts: Counter[str] = Counter()
        for name, text in PROJECT.items():
            file = folder / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        self.files = [folder / name for name in PROJECT]
        for file in self.files[:3]:
            self._open(file)

    def _open(self, file: Path) -> None:
        self.texts[file] = PROJECT[file.relative_to(self.folder).as_posix()]
        self.workspace.open(file, self.texts[file])

    def step(self) -> None:
        file = self.random.choice((self.files[0], *self.files))
        draw = self.random.random()
        if draw < 0.2:
            for one in self.texts:
                self._open(one)  # back to where all is well
        elif file not in self.texts:
            self._open(file)
        elif draw < 0.25 and file != self.files[0]:
            del self.texts[file]
            self.workspace.close(file)
        else:
            self.texts[file] = edit(self.texts[file], self.random)
            self.workspace.change(file, self.texts[file])

    def compare(self, root: Path) -> None:
        found = self.workspace.analyse(root)
        expected = analyse(root, self.texts[root].encode(), read=self._reader())
        for (what, now), (_, fresh) in zip(
            describe_analysis(found), describe_analysis(expected), strict=True
        ):
            assert now == fresh, what
        assert found.diagnostics == expected.diagnostics
        self._count(found)

    def _reader(self) -> Reader:
        def read(file: Path) -> bytes | None:
            text = self.texts.get(file)
            if text is None and file.is_file():
                return file.read_bytes()
            return None if text is None else text.encode()

        return read

    def _count(self, analysis: Analysis) -> None:
        checked = len(self.workspace.last.checked)
        declarations = sum(len(one.parsed.declarations) for one in analysis.modules.files)
        self.counts["checked"] += checked
        self.counts["not checked"] += len(analysis.work.drafts) - checked
        self.counts["parsed"] += self.workspace.last.parsed
        self.counts["not parsed"] += max(0, declarations - self.workspace.last.parsed)
        self.counts["valid" if analysis.program is not None else "broken"] += 1
        for diagnostic in analysis.diagnostics:
            self.counts[diagnostic.code] += 1


@pytest.mark.parametrize("seed", range(5))
def test_no_drift(seed: int, tmp_path: Path) -> None:
    typist = _Typist(tmp_path, Random(seed))
    for _ in range(_STEPS):
        typist.step()
        others = [file for file in typist.texts if file != typist.files[0]]
        typist.compare(typist.files[0])
        if others and typist.random.random() < 0.3:
            typist.compare(typist.random.choice(others))
    counts = typist.counts
    # The test would show nothing if all were done again, or nothing.
    assert counts["checked"] > _STEPS
    assert counts["not checked"] > counts["checked"]
    assert counts["parsed"] > _STEPS / 4
    assert counts["not parsed"] > 5 * counts["parsed"]
    assert counts["broken"] > _STEPS / 4
    assert counts["valid"] > _STEPS / 6


def test_who_asks_for_a_value_is_looked_at_when_the_values_change(tmp_path: Path) -> None:
    machine = (
        "input event goes(m: int); input event comes(m: int);\n"
        "machine status(M, Value) initially idle {{\n"
        "    idle -> {0} : goes(M); {0} -> idle : comes(M);\n"
        "}}\n"
        "event asked(M) : comes(M) in status(M, voting);\n"
    )
    file, workspace = tmp_path / "main.phe", Workspace()
    for value, codes in (("voting", []), ("vote", ["W012"]), ("voting", [])):
        workspace.open(file, machine.format(value))
        assert [one.code for one in workspace.analyse(file).diagnostics] == codes
