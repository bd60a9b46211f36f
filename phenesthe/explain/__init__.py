"""What a program becomes, for people and for programs."""

from phenesthe.check.program import CheckedProgram
from phenesthe.explain.as_dot import as_dot
from phenesthe.explain.as_json import as_json
from phenesthe.explain.as_text import as_text

FORMATS = {"text": as_text, "json": as_json, "dot": as_dot}


def explain(program: CheckedProgram, format: str) -> str:
    return FORMATS[format](program)
