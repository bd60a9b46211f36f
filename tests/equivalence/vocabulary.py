"""What random programs are about: few phenomena, few values, so that everything coincides."""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from phenesthe.syntax.tree import Kind
from phenesthe.vocabulary import ValueType
from tests.column_names import COLUMN_NAMES, TIMES

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
        Named("asks", ("int", "int")),
    ),
    "state": (
        Named("dark", ()),
        Named("busy", ("int",)),
        Named("inside", ("int", "str")),
        Named("heat", ("int", "float")),
        Named("lamp", ("str", "bool")),
        Named("rents", ("int", "int")),
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
    Named("lasts", ("int", "int")),
    Named("stay", ("str", "int")),
)
#: Those of which the last argument is a length of time, and the lengths that rows have.
TIMED = ("asks", "rents", "lasts", "stay")
LENGTHS = (1, 2, 3, 3, 4, 4, 5, 5, 6, 8, 8, 12, 20)
ODD_LENGTHS = (0, -4, -(2**63), 9_000_000_000_000_000_000, 2**63 - 1)
KINDS: dict[str, Kind] = {kind: kind for kind in INPUTS}
#: Parameters, by type, with their defaults; `pause` is a duration.
PARAMETERS: dict[str, tuple[str, str]] = {
    "int": ("chosen", "1"),
    "float": ("limit", "1.5"),
    "str": ("harbour", '"north"'),
    "bool": ("wanted", "true"),
    "duration": ("pause", "4"),
}
#: Another one, for how many there are at once.
NUMBER = "param several: int = 2;"
VALUES: dict[ValueType, tuple[int | float | str | bool, ...]] = {
    "int": (1, 2, 3),
    "float": (
        0.0,
        1.5,
        2.0,
        -1.0,
        float("nan"),
        float("inf"),
        float("-inf"),
        -0.0,
        5e-324,
        sys.float_info.max,
    ),
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


#: What is rare, also in rows: signs of zero, what floats cannot tell apart, the ends of each type.
EXTREMES: dict[ValueType, tuple[str, ...]] = {
    "int": ("9223372036854775807", "-9223372036854775808", "9007199254740993", "0", "-1"),
    "float": ("-0.0", "-0.0", "5e-324", "1.7976931348623157e308", "9007199254740993", "-2.0"),
    "str": ('""',),
    "bool": ("true",),
}
#: Other defaults of parameters. One that counts ticks is not negative.
DEFAULTS: dict[str, tuple[str, ...]] = {
    "int": ("9223372036854775807", "9007199254740993", "3"),
    "float": EXTREMES["float"],
    "duration": ("9223372036854775807", "1"),
}


def vary(declarations: str, random: Random) -> str:
    """Some with arguments called as columns of ours are, some with extreme defaults."""
    lines = declarations.splitlines()
    if random.random() < 0.3:
        lines = [_name_arguments(line, random) for line in lines]
    if random.random() < 0.3:
        lines = [_change_default(line, random) for line in lines]
    return "".join(f"{line}\n" for line in lines)


def _name_arguments(line: str, random: Random) -> str:
    word, kind, *_ = line.split()
    if word not in ("input", "fact"):
        return line
    free = [one for one in COLUMN_NAMES if word == "fact" or one not in TIMES[KINDS[kind]]]
    # The times of the other kinds are the likeliest to be taken for what they are not.
    weights = [8 if one in ("t", "ts", "te", "arrival", "op") else 1 for one in free]
    names: dict[str, None] = {}
    while len(names) < line.count(":"):
        names |= dict.fromkeys(random.choices(free, weights))
    return re.sub(r"a(\d): ", lambda found: f"{list(names)[int(found[1])]}: ", line)


def _change_default(line: str, random: Random) -> str:
    if not line.startswith("param "):
        return line
    head, _, _ = line.partition(" = ")
    choices = DEFAULTS.get(head.split(": ")[1])
    return line if choices is None else f"{head} = {random.choice(choices)};"


def declare(definitions: str, like: str = "") -> str:
    """The declarations of what the definitions mention, as another program has them if it does."""
    used = set(re.findall(r"[a-z_]+", definitions))
    given = {
        found[1]: found[0]
        for found in re.finditer(r"^(?:param|input \w+|fact) (\w+).*;$", like, re.MULTILINE)
    }
    lines = [given.get(_find_name(line), line) for line in _declare_plainly(used)]
    return "".join(f"{line}\n" for line in lines) or "\n"


def _find_name(line: str) -> str:
    found = re.match(r"(?:param|input \w+|fact) (\w+)", line)
    assert found is not None
    return found[1]


def _declare_plainly(used: set[str]) -> list[str]:
    lines = [
        f"param {name}: {type_name} = {value};"
        for type_name, (name, value) in PARAMETERS.items()
        if name in used
    ]
    lines += [NUMBER] if "several" in used else []
    for kind, inputs in INPUTS.items():
        lines += [
            f"input {kind} {one.name}({list_arguments(one)});" for one in inputs if one.name in used
        ]
    lines += [f"fact {one.name}({list_arguments(one)});" for one in FACTS if one.name in used]
    return lines


def list_arguments(named: Named) -> str:
    return ", ".join(f"a{at}: {type_name}" for at, type_name in enumerate(named.types))
