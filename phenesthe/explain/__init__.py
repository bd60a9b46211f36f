"""What a program becomes, for people and for programs."""

from phenesthe.check.program import CheckedProgram
from phenesthe.explain.as_dot import as_dot
from phenesthe.explain.as_json import as_json
from phenesthe.explain.as_text import as_text
from phenesthe.plan.plan import make_plan

FORMATS = {"text": as_text, "json": as_json, "dot": as_dot}


def explain(program: CheckedProgram, format: str) -> str:
    if format not in FORMATS:
        raise ValueError(f"unknown format {format!r}: use one of {', '.join(FORMATS)}")
    return FORMATS[format](program, make_plan(program))
