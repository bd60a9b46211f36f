"""What random programs are about: few phenomena, few values, so that everything coincides."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from phenesthe.check.program import ValueType
from phenesthe.syntax.tree import Kind

Scope = Mapping[str, ValueType]


@dataclass(frozen=True, slots=True)
class Named:
    """An input, a fact or a definition as an atom sees it."""

    name: str
    types: tuple[ValueType, ...]


#: By kind, the inputs; each kind has a phenomenon for each type of argument.
INPUTS: dict[Kind, tuple[Named, ...]] = {
    "event": (
        Named("tick", ()),
        Named("seen", ("int",)),
        Named("calls", ("int", "int")),
        Named("enters", ("int", "str")),
        Named("level", ("int", "float", "bool")),
    ),
    "state": (
        Named("dark", ()),
        Named("busy", ("int",)),
        Named("inside", ("int", "str")),
        Named("heat", ("int", "float")),
        Named("lamp", ("str", "bool")),
    ),
    "dynamic": (
        Named("storm", ()),
        Named("trip", ("int", "str")),
        Named("convoy", ("int", "int")),
        Named("drift", ("float", "bool")),
    ),
}
FACTS = (
    Named("member", ("int",)),
    Named("place", ("str",)),
    Named("home", ("int", "str")),
    Named("pair", ("int", "int")),
    Named("weight", ("int", "float")),
    Named("switch", ("str", "bool")),
    Named("enabled", ()),
)
#: Parameters, by type, with their defaults; `pause` is a duration.
PARAMETERS: dict[str, tuple[str, str]] = {
    "int": ("chosen", "1"),
    "float": ("limit", "1.5"),
    "str": ("harbour", '"north"'),
    "bool": ("wanted", "true"),
    "duration": ("pause", "4"),
}
VALUES: dict[ValueType, tuple[int | float | str | bool, ...]] = {
    "int": (1, 2, 3),
    "float": (0.0, 1.5, 2.0, -1.0, float("nan"), float("inf"), float("-inf"), -0.0),
    "str": ("north", "south"),
    "bool": (True, False),
}
#: How constants are written; some occur in no row.
CONSTANTS: dict[ValueType, tuple[str, ...]] = {
    "int": ("1", "1", "1", "2", "2", "7"),
    "float": ("1.5", "2", "0.0", "0", "-1.0"),
    "str": ("north", '"south"', "north", '"north"', '"nowhere"'),
    "bool": ("true", "false"),
}


def declare(definitions: str) -> str:
    """The declarations of what the definitions mention."""
    used = set(re.findall(r"[a-z_]+", definitions))
    lines = [
        f"param {name}: {type_name} = {value};"
        for type_name, (name, value) in PARAMETERS.items()
        if name in used
    ]
    for kind, inputs in INPUTS.items():
        lines += [
            f"input {kind} {one.name}({list_arguments(one)});" for one in inputs if one.name in used
        ]
    lines += [f"fact {one.name}({list_arguments(one)});" for one in FACTS if one.name in used]
    return "\n".join(lines) + "\n"


def list_arguments(named: Named) -> str:
    return ", ".join(f"a{at}: {type_name}" for at, type_name in enumerate(named.types))
