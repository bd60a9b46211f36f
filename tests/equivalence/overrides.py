"""What a run says of parameters instead of their defaults, extremes above all."""

import math
import re
import sys
from collections.abc import Mapping
from random import Random

import phenesthe
from phenesthe.diagnostics.model import ProgramError
from phenesthe.program import Program
from tests.reference import Scalar

_OVERRIDES: dict[str, tuple[Scalar, ...]] = {
    "int": (2**63 - 1, -(2**63), 2**53 + 1, 0, 2, 3),
    "float": (
        -0.0, -0.0, math.nan, math.nan, math.inf, -math.inf, 5e-324, sys.float_info.max, 2.0, 0.0,
    ),
    "str": ("south", "", "nowhere"),
    "bool": (False,),
    "duration": (2**63 - 1, 1, 2, 7),
}  # fmt: skip


def compile_with(text: str, params: Mapping[str, Scalar]) -> Program:
    """With those of the parameters that the text declares, as it may be a part of another."""
    declared = {name for name, _ in list_parameters(text)}
    chosen = {name: value for name, value in params.items() if name in declared}
    return phenesthe.compile(text=text, params=chosen)


def list_parameters(text: str) -> list[tuple[str, str]]:
    return re.findall(r"^param (\w+): (\w+)", text, re.MULTILINE)


def choose_overrides(text: str, random: Random) -> dict[str, Scalar]:
    """Values that the program accepts: a parameter that counts ticks may not be negative."""
    chosen: dict[str, Scalar] = {}
    for name, type_name in list_parameters(text):
        if random.random() < 0.6:
            value = random.choice(_OVERRIDES[type_name])
            try:
                phenesthe.compile(text=text, params={name: value})
            except ProgramError:
                continue
            chosen[name] = value
    return chosen
