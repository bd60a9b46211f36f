"""Phenesthe: write what you want to recognise in streams of events, get when it holds."""

from phenesthe.diagnostics.model import Diagnostic, ProgramError, Severity
from phenesthe.program import Program, compile

__version__ = "0.1.0"
__all__ = ["Diagnostic", "Program", "ProgramError", "Severity", "__version__", "compile"]
