"""What is said of values that cannot be read: the same, whoever meets them."""

import math
import re
from typing import Literal, TypeAlias

from phenesthe.io.time_format import suggest_formats
from phenesthe.io.times import format_time
from phenesthe.options import name_option
from phenesthe.vocabulary import FLOAT_MAX, INT_MAX, INT_MIN, ValueType

Wanted: TypeAlias = ValueType | Literal["time"]

_NAMES: dict[Wanted, str] = {
    "int": "a whole number",
    "float": "a number",
    "bool": "`true` or `false`",
    "str": "text in UTF-8",
    "time": "a time",
}
_SHOWN = 60
_NUMBER = re.compile(r"[+-]?[0-9]+\.[0-9]+")
_WHOLE = re.compile(r"\s*[+-]?[0-9]+(\.0*)?\s*")
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")


def describe_unreadable(
    column: str, wanted: Wanted, sample: str, count: int, place: str = "", argument: str = ""
) -> str:
    """A column of which some values are not what they should be: one, and how many rows.

    `place` is where the sample stands, and `argument` what the program declares, if it declares it.
    """
    rows = "1 row" if count == 1 else f"{count:,} rows"
    text = f"column `{column}`: `{_show(sample)}` is {_name_fault(wanted, sample)} ({rows})"
    if wanted == "time":
        return f"{text}\n  help: {_suggest(sample)}"
    where = f" in {place}" if count == 1 else f", for example in {place}"
    where = where if place else ""
    if has_decimal_comma(wanted, sample):
        write = sample.replace(",", ".")
        return f"{text}\n  help: numbers have a decimal point: write {write}{where}"
    if not place:
        return text
    return f"{text}\n  help: correct it{where}{suggest_type(argument, wanted, sample)}"


def describe_value(column: str, wanted: Wanted, sample: str) -> str:
    return f"`{_show(sample)}` in `{column}` is {_name_fault(wanted, sample)}"


def _name_fault(wanted: Wanted, sample: str) -> str:
    if not _is_beyond(wanted, sample):
        return f"not {_NAMES[wanted]}"
    size = "too small" if sample.strip().startswith("-") else "too large"
    if wanted == "int":
        return f"{size}: whole numbers go from {INT_MIN} to {INT_MAX}"
    return f"{size}: numbers go from -{FLOAT_MAX} to {FLOAT_MAX}"


def _is_beyond(wanted: Wanted, sample: str) -> bool:
    """Whether it is a number, and 64 bits do not hold it."""
    if wanted == "int" and _WHOLE.fullmatch(sample):
        digits = sample.strip().partition(".")[0]
        # Python refuses numbers of thousands of digits in its own words.
        return len(digits) > 1_000 or not INT_MIN <= int(digits) <= INT_MAX
    try:
        return wanted == "float" and math.isinf(float(sample)) and "inf" not in sample.lower()
    except ValueError:
        return False


def has_decimal_comma(wanted: Wanted, sample: str) -> bool:
    return wanted == "float" and _DECIMAL_COMMA.fullmatch(sample.strip()) is not None


def suggest_type(argument: str, wanted: Wanted, sample: str) -> str:
    """The end of a remedy: another declaration, if that is one."""
    if wanted == "int" and _NUMBER.fullmatch(sample.strip()):
        return f", or declare `{argument}: float` if fractions are meant"
    if wanted in ("int", "float") and sample in ("true", "false"):
        return f", or declare `{argument}: bool` if truth is meant"
    is_text = any(one.isalpha() for one in sample) and not _is_beyond(wanted, sample)
    if wanted in ("str", "time") or not is_text:
        return ""
    return f", or declare `{argument}: str` if text is meant, and compare it with text"


def _show(sample: str) -> str:
    return sample if len(sample) <= _SHOWN else f"{sample[:_SHOWN]}…"


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
