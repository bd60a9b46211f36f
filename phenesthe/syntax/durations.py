"""Durations as other languages write them."""

import re
from collections.abc import Mapping
from decimal import Decimal

#: What a unit of time is called elsewhere, and how it is written here.
_UNITS = {
    "ms": "milliseconds millisecond millis milli msecs msec ms",
    "s": "seconds second secs sec s",
    "m": "minutes minute mins min m",
    "h": "hours hour hrs hr h",
    "d": "days day d",
    "w": "weeks week",
    "": "months month years year",
}
_SHORT = {word: unit for unit, words in _UNITS.items() for word in words.split()}
UNIT = "|".join(sorted(_SHORT, key=len, reverse=True))
NUMBER = r"\d+(?:\.\d+)?"
DURATION = rf"(?P<amount>'[^']+'|{NUMBER})\s*(?P<unit>{UNIT})\b"


def write_duration(groups: Mapping[str, str]) -> str | None:
    """`10 minutes` as `10m`; None for months, which have no fixed length."""
    unit = _SHORT[groups["unit"].lower()]
    amount = groups["amount"].strip("'")
    if not unit or not re.fullmatch(NUMBER, amount):
        return None
    return f"{(Decimal(amount) * 7).normalize():f}d" if unit == "w" else f"{amount}{unit}"


def suggest_duration(groups: Mapping[str, str]) -> str:
    if write_duration(groups) is None:
        return "months and years differ in length: write a number of days, such as `30d`"
    return "write `{write}`: a number and `ms`, `s`, `m`, `h` or `d`, with no space in between"


def write_lasting(groups: Mapping[str, str]) -> str | None:
    duration = write_duration(groups)
    sign = ">" if groups["more"].strip() == ">" or groups["more"].lower()[:4] == "more" else ">="
    return None if duration is None else f"lasting {sign} {duration}"


def suggest_lasting(groups: Mapping[str, str]) -> str:
    return f"write `{write_lasting(groups) or 'lasting >= 30d'}`"
