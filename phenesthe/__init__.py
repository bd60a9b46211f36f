"""Phenesthe: write what you want to recognise in streams of events, get when it holds."""

from typing import TYPE_CHECKING

from phenesthe.diagnostics.model import Diagnostic, ProgramError, Severity
from phenesthe.program import Program, compile

if TYPE_CHECKING:
    from phenesthe.io.errors import DataError

__version__ = "0.1.0"
__all__ = [
    "DataError", "Diagnostic", "Program", "ProgramError", "Severity", "__version__", "compile",
]  # fmt: skip


def __getattr__(name: str) -> object:
    # To check a program nothing is loaded that reads data.
    if name == "DataError":
        from phenesthe.io.errors import DataError

        return DataError
    raise AttributeError(f"module `phenesthe` has no attribute `{name}`")
