"""What is said of values that cannot be read: the same, whoever meets them."""

import re
from typing import Literal, TypeAlias

from phenesthe.io.time_format import suggest_formats
from phenesthe.io.times import format_time
from phenesthe.options import name_option
from phenesthe.vocabulary import ValueType

Wanted: TypeAlias = ValueType | Literal["time"]

_NAMES: dict[Wanted, str] = {
    "int": "a whole number",
    "float": "a number",
    "bool": "`true` or `false`",
    "str": "text in UTF-8",
    "time": "a time",
}
_SHOWN = 60
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")


def describe_unreadable(column: str, wanted: Wanted, sample: str, count: int) -> str:
    """A column of which some values are not what they should be: one, and how many rows."""
    rows = "1 row" if count == 1 else f"{count:,} rows"
    shown = sample if len(sample) <= _SHOWN else f"{sample[:_SHOWN]}…"
    text = f"column `{column}`: `{shown}` is not {_NAMES[wanted]} ({rows})"
    if wanted == "time":
        return f"{text}\n  help: {_suggest(sample)}"
    if wanted == "float" and _DECIMAL_COMMA.fullmatch(sample.strip()):
        return f"{text}\n  help: numbers have a decimal point: write {sample.replace(',', '.')}"
    return text


def _suggest(sample: str) -> str:
    found = suggest_formats(sample)
    if len(found) == 1:
        return f"{_name_form(*found.values())} reads it"
    if found:
        # The 1st of March, or the 3rd of January: whoever takes the wrong one is told nothing more.
        shown = (
            f"{_name_form(form)} reads it as {format_time(second, 'second')[:10]}"
            for second, form in found.items()
        )
        return ", ".join(shown)
    return (
        f"times are whole numbers or ISO 8601; {name_option('time_format')} says how others are "
        f"written, such as {_name_form('%d/%m/%Y %H:%M:%S')}"
    )


def _name_form(form: str) -> str:
    return name_option("time_format", f'"{form}"')
