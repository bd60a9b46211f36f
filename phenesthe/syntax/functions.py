"""What to write for a function of another language: an input with variables, and conditions."""

import re

from phenesthe.diagnostics.shorten import MAX_REMEDY, shorten
from phenesthe.syntax.declared import find_declared, find_with_columns, name_column, write_mention
from phenesthe.syntax.spelling import lower_name, variable_name

_HEAD = re.compile(r"\w+\s+(?P<name>[A-Za-z]\w*)\s*\((?P<variables>[\w\s,]*)\)\s*:?")
_RESULT = re.compile(
    r"\s*(?:return\s+(?P<value>[^\n;]+?)|if\s+(?P<test>[^\n:;]+?)\s*:\s*return\s+True)\s*;?\s*"
)
#: All that a condition of this language can have, once columns are variables.
_CONDITION = re.compile(r"(?:\b(?:and|or|not|[A-Z]\w*|\d[\d.]*)\b|[\s<>=!+*/()-])+")
_CONSTANT = re.compile(r"\b(?:True|False|None)\b")
_SOME_INPUT = "my_input"
#: What is longer is not looked at: a function that long is no single condition.
_MAX_BODY = 2_000


def suggest_definition(text: str, file: str) -> str | None:
    """The remedy in the names of a function; None if it is written in another way."""
    head = _HEAD.match(text)
    if head is None:
        return None
    name = shorten(lower_name(head["name"]), 40)
    given = re.findall(r"\w+", head["variables"])
    variables = [variable_name(one) for one in given]
    body = text[head.end() :]
    columns = _find_columns(body, given)
    start = f"event {name}({', '.join(variables)})"
    if not columns:
        return (
            f"write `{start} : …;`, where a formula is a phenomenon with a variable for each "
            "argument, and conditions on them, joined with `and`"
        )
    named = {column: name_column(column, variables) for column in columns.values()}
    declared = ""
    phenomenon = find_with_columns(file, list(named))
    if phenomenon is None:
        phenomenon = _SOME_INPUT
        arguments = (*given[:1], *named)
        typed = ", ".join(f"{one}: {'float' if one in named else 'int'}" for one in arguments)
        declared = (
            f"declare what the data has, `input event {phenomenon}({typed});` with its own name "
            "and types, and "
        )
    else:
        arguments = find_declared(file)[phenomenon]
    mention = write_mention(phenomenon, arguments, named, variables)
    condition = _find_condition(body, {old: named[column] for old, column in columns.items()})
    written = shorten(f"{start} : {mention} and {condition or '…'};", MAX_REMEDY)
    first = next(iter(columns))
    return f"{declared}write `{written}`: `{named[columns[first]]}` for `{first}`"


def _find_columns(body: str, given: list[str]) -> dict[str, str]:
    """What a body reads of its parameters, as it is written: the column."""
    if not given:
        return {}
    owners = "|".join(map(re.escape, given))
    found = re.finditer(
        rf"(?<![\w.])(?:{owners})(?:\.(?P<point>[a-z]\w*)(?!\s*\()"
        r"|\[[\"'](?P<key>[a-z]\w*)[\"']\])",
        body,
    )
    return {match[0]: match["point"] or match["key"] for match in found}


def _find_condition(body: str, variables: dict[str, str]) -> str | None:
    """What a function that is one condition returns."""
    result = _RESULT.fullmatch(body) if len(body) <= _MAX_BODY else None
    if result is None:
        return None
    condition = result["value"] or result["test"]
    for old in sorted(variables, key=len, reverse=True):
        condition = condition.replace(old, variables[old])
    if _CONSTANT.search(condition) or not _CONDITION.fullmatch(condition):
        return None
    return f"({condition})" if re.search(r"\bor\b", condition) else condition
