"""Programs as newcomers write them, and what they are told."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from phenesthe.check import check
from phenesthe.diagnostics.fixes import apply_fixes
from phenesthe.diagnostics.model import Diagnostic, Severity

_FILE = Path(__file__).with_name("programs.toml")
#: No program needs as many fixes one after the other.
_MAX_ROUNDS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    name: str
    #: The language that the habit comes from.
    habit: str
    mistake: str
    program: str
    #: What else the file has, below the program.
    beside: str
    codes: tuple[str, ...]
    at: str
    says: tuple[str, ...]
    fixed: bool

    def check(self) -> tuple[Diagnostic, ...]:
        return diagnose(self.program + self.beside)

    def tell(self) -> tuple[Diagnostic, ...]:
        """The errors, or what is worth a warning about a program without errors."""
        return _errors(self.check()) or tuple(d for d in self.check() if d.code != "W003")

    def fix(self) -> str:
        """The text after applying fixes, one after the other, until none is left."""
        text = self.program + self.beside
        for _ in range(_MAX_ROUNDS):
            found = diagnose(text)
            fixes = [d.fix for d in _errors(found) or found if d.fix and d.code != "W003"]
            if not fixes:
                return text
            text = apply_fixes(text, fixes[0])
        raise AssertionError(f"the fixes of {self.name} come to no end:\n{text}")


def diagnose(text: str) -> tuple[Diagnostic, ...]:
    return check(Path("main.phe"), text.encode(), name="main.phe")[1]


def _errors(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    return tuple(d for d in diagnostics if d.severity is Severity.ERROR)


def errors_of(text: str) -> list[str]:
    return [f"{d.code} {d.message}" for d in _errors(diagnose(text))]


@cache
def all_mistakes() -> tuple[Mistake, ...]:
    data = tomllib.loads(_FILE.read_text("utf-8"))
    return tuple(
        Mistake(
            name=entry["name"],
            habit=entry["habit"],
            mistake=entry["mistake"],
            program=entry["program"].strip("\n") + "\n",
            beside="" if entry.get("alone") else data["beside"],
            codes=tuple(entry["codes"]),
            at=entry["at"],
            says=tuple(entry["says"]),
            fixed=entry.get("fixed", False),
        )
        for entry in data["mistake"]
    )
