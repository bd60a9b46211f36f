"""The programs under `language/conformance`, and how each is checked."""

import errno
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from phenesthe.check import check
from phenesthe.check.modules import read_file
from phenesthe.check.program import CheckedProgram
from phenesthe.diagnostics.model import Diagnostic
from phenesthe.plan.warn_memory import warn_memory

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "language" / "conformance"
DIAGNOSTICS = FOLDER / "diagnostics"


@dataclass(frozen=True)
class Program:
    """A file, the diagnostics it must have (none without `.expected`), and its circumstances."""

    path: Path

    @property
    def name(self) -> str:
        """As test ids and pages show it."""
        return self.path.relative_to(FOLDER).with_suffix("").as_posix()

    @property
    def expected(self) -> Path:
        return self.path.with_suffix(".expected")

    @property
    def twin(self) -> "Program":
        """The almost-right program beside a wrong one."""
        return Program(self.path.with_suffix(".ok.phe"))

    @property
    def is_clean(self) -> bool:
        return not self.expected.exists() and not self.is_case

    @property
    def is_case(self) -> bool:
        """It exists to trigger the code its name begins with."""
        return self.path.parent == DIAGNOSTICS and not self.path.name.endswith(".ok.phe")

    @property
    def code(self) -> str:
        return self.path.name[:4]

    @cached_property
    def setup(self) -> Mapping[str, Any]:
        """What a file cannot say: a line repeated, a parameter given, a module unreadable."""
        file = self.path.with_suffix(".setup.json")
        return json.loads(file.read_text("utf-8")) if file.exists() else {}

    @cached_property
    def data(self) -> bytes:
        data = self.path.read_bytes()
        if repeat := self.setup.get("repeat"):
            lines = data.splitlines(keepends=True)
            lines[repeat["line"] - 1] *= repeat["times"]
            data = b"".join(lines)
        return data

    @cached_property
    def text(self) -> str:
        return self.path.read_bytes().decode("utf-8-sig", errors="replace")

    @property
    def comment(self) -> str:
        """The plain English at the top of the file."""
        lines = []
        for line in self.text.splitlines():
            if not line.startswith("//"):
                break
            lines.append(line.lstrip("/").strip())
        return " ".join(lines)

    def check(
        self, changed: Mapping[str, str] | None = None
    ) -> tuple[CheckedProgram | None, tuple[Diagnostic, ...]]:
        """Everything that `phenesthe check` says.

        `changed` are new texts of files, by the names that messages call them.
        """
        texts = {
            (self.path.parent / name).absolute(): text.encode()
            for name, text in (changed or {}).items()
        }

        def read(path: Path) -> bytes | None:
            if any(path == self.path.parent / name for name in self.setup.get("unreadable", ())):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            return texts.get(path) or read_file(path)

        checked, diagnostics = check(
            self.path,
            texts.get(self.path, self.data),
            name=self.path.name,
            read=read,
            parameters=self.setup.get("params"),
        )
        if checked is not None:
            found = (*diagnostics, *warn_memory(checked))
            diagnostics = tuple(sorted(found, key=lambda diagnostic: diagnostic.sort_key))
        return checked, diagnostics


@cache
def all_programs() -> tuple[Program, ...]:
    return tuple(Program(path) for path in sorted(FOLDER.rglob("*.phe")))


def cases_of(code: str) -> tuple[Program, ...]:
    return tuple(p for p in all_programs() if p.is_case and p.code == code)
