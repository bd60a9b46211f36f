"""How names, types and constants are spelt here, for what is spelt as elsewhere."""

import re

#: What the types of values are called elsewhere, and here.
TYPE_NAMES = {
    "int": "int", "integer": "int", "long": "int", "bigint": "int", "float": "float",
    "double": "float", "real": "float", "decimal": "float", "number": "float", "str": "str",
    "string": "str", "varchar": "str", "text": "str", "bool": "bool", "boolean": "bool",
}  # fmt: skip


def lower_name(word: str) -> str:
    """A name as this language writes it: `StopStart` is `stop_start`."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word.strip("_"))
    return parted.lower() or "name"


def variable_name(word: str) -> str:
    """A variable as this language writes it: `stop_speed` is `StopSpeed`."""
    return "".join(part[:1].upper() + part[1:] for part in word.split("_")) or "X"


def guess_type(value: str) -> str:
    """The type of a constant, by its spelling."""
    if value.startswith('"'):
        return "str"
    if value in ("true", "false"):
        return "bool"
    if re.fullmatch(r"-?\d+", value):
        return "int"
    return "duration" if re.search(r"(?:ms|[smhd])$", value) else "float"
