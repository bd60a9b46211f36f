"""What to write for a pattern of SQL or Flink, in its own names and durations."""

import re
from typing import NamedTuple

from phenesthe.diagnostics.shorten import shorten
from phenesthe.syntax.declared import (
    find_declared,
    find_head,
    find_head_variables,
    find_kind,
    find_with_columns,
    name_column,
    write_mention,
)  # fmt: skip
from phenesthe.syntax.durations import DURATION, write_duration
from phenesthe.syntax.spelling import lower_name

_STEPS = re.compile(r"\bPATTERN\s*\((?P<steps>[^()]*)\)", re.IGNORECASE)
_STEP = re.compile(r"(?P<name>[A-Za-z]\w*)(?P<often>[*+]|\{[^{}]*\})?")
_WITHIN = re.compile(rf"\bWITHIN\s+(?:INTERVAL\s*)?{DURATION}", re.IGNORECASE)
_DEFINED = re.compile(r"\b(?P<name>\w+)\s+AS\s+(?P<condition>[^,();]*)", re.IGNORECASE)
_COMPARED = re.compile(
    r"\w+\.(?P<column>[a-z]\w*)\s*(?P<sign>==?|<>|!=|<=|>=|<|>)\s*"
    r"(?P<value>-?\d[\d.]*|'[^']*'|\"[^\"]*\"|TRUE|FALSE)",
    re.IGNORECASE,
)
_SIGNS = {"=": "==", "<>": "!="}
#: How often, as a number.
_AT_LEAST = re.compile(r"\{\s*(?P<number>\d+)")
_SOME_DURATION = "10m"
_LONGEST = 120
_MAX_TEXT = 4_000
_GENERAL = (
    "one thing after another is `a(V) before b(V)`, or `a(V) then b(V)` for a state; something "
    "again and again is `repeat a(V) while gap <= 10m`, without counting how often"
)


class _Step(NamedTuple):
    name: str
    #: How the pattern writes that it repeats.
    often: str
    #: What it is, as far as that can be told, and how the pattern says it.
    formula: str | None
    condition: str


def suggest_formula(text: str, file: str) -> str:
    """`text` is the declaration that has the pattern."""
    found = _STEPS.search(text) if len(text) <= _MAX_TEXT else None
    about = find_head_variables(text)
    if found is None or not about:
        return _GENERAL
    conditions = {one["name"]: one["condition"].strip() for one in _DEFINED.finditer(text)}
    steps = [
        _Step(
            one["name"],
            one["often"] or "",
            _write_step(conditions.get(one["name"], ""), file, about),
            conditions.get(one["name"], ""),
        )
        for one in _STEP.finditer(found["steps"])
    ]
    within = _WITHIN.search(text)
    duration = write_duration(within.groupdict()) if within else None
    if len(steps) == 1 and steps[0].often:
        return _write_run(steps[0], text, duration, about)
    return _write_sequence(steps, text, duration, about) if len(steps) > 1 else _GENERAL


def _write_step(condition: str, file: str, about: list[str]) -> str | None:
    """An input with the columns of a condition, and what is compared."""
    parts = [_COMPARED.fullmatch(part) for part in re.split(r"\s+AND\s+", condition, flags=re.I)]
    compared = [part for part in parts if part is not None]
    if len(compared) < len(parts):
        return None
    name = find_with_columns(file, [one["column"] for one in compared])
    if name is None:
        return None
    named: dict[str, str] = {}
    conditions: list[str] = []
    for one in compared:
        column, sign, value = one["column"], one["sign"], _write_value(one["value"])
        # Numbers may be of another type than the column, which no argument may be.
        if sign in ("=", "==") and column not in named and not value.lstrip("-")[:1].isdigit():
            named[column] = value
            continue
        variable = named.setdefault(column, name_column(column, about))
        conditions.append(f"{variable} {_SIGNS.get(sign, sign)} {value}")
    mention = write_mention(name, find_declared(file)[name], named, about)
    return shorten(" and ".join([mention, *conditions]), _LONGEST)


def _write_value(value: str) -> str:
    if value.lower() in ("true", "false"):
        return value.lower()
    return f'"{value[1:-1]}"' if value[0] == "'" else value


def _write_run(step: _Step, text: str, duration: str | None, about: list[str]) -> str:
    """Something again and again."""
    formula = step.formula or f"{lower_name(step.name)}({', '.join(about)})"
    inner = f"({formula})" if " and " in formula else formula
    written = f"repeat {inner} while gap <= {duration or _SOME_DURATION}"
    if find_kind(text) != "state":
        written = f"state {find_head(text)} : {written};"
    what = (
        f"with `{formula}` for `{shorten(step.condition, 60)}`"
        if step.formula
        else f"with an event `{formula}` for `{step.name}`"
    )
    own = "" if duration else f", and your own limit for `{_SOME_DURATION}`"
    least = _AT_LEAST.match(step.often)
    if least is not None and least["number"] not in ("0", "1"):
        name = f"event {find_head(text)}"
        # Of all rows that have the same variables as the definition, whatever else they have.
        rows = re.sub(
            r"\b[A-Z]\w*\b", lambda one: one[0] if one[0] in about else f"{one[0]}2", formula
        )
        counted = f"{formula} and count({rows} over {duration or _SOME_DURATION})"
        return (
            f"write `{name} : {counted} >= {least['number']};`, {what}{own}: it happens at number "
            f"{least['number']} within that time and at each after it; a state that goes on until "
            f"one comes too late is `repeat {inner} while gap <= {duration or _SOME_DURATION}`"
        )
    return (
        f"write `{written}`, {what}{own}; `gap` limits the time from one to the next, not of all "
        "together, and how many there are is not counted"
    )


def _write_sequence(steps: list[_Step], text: str, duration: str | None, about: list[str]) -> str:
    """One thing after another."""
    heads = [f"{lower_name(step.name)}({', '.join(about)})" for step in steps]
    word = "then" if find_kind(text) == "state" else "before"
    written = f" {word} ".join(heads)
    if duration and word == "before" and len(steps) == 2:
        written += f" within {duration}"
    if find_kind(text) == "event":
        written = f"dynamic {find_head(text)} : {written};"
    known = [
        f"`event {head} : {step.formula};`"
        for step, head in zip(steps, heads, strict=True)
        if step.formula and not step.often
    ]
    such = f", such as {' and '.join(known)}" if known else ""
    remedy = f"define each step by itself{such}, and write `{written}`"
    for step, head in zip(steps, heads, strict=True):
        if step.often:
            event = step.formula or "…"
            event = f"({event})" if " and " in event else event
            return (
                f"{remedy}; `{step.name}{step.often}`, again and again, is `state {head} : repeat "
                f"{event} while gap <= {_SOME_DURATION};`, without counting how often"
            )
    return remedy
