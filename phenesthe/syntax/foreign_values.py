"""Tests of values as other languages write them: ranges, lists, patterns of texts, remainders."""

import re

from phenesthe.syntax.habit import Groups, Habit, find_habit

_VALUE = r"-?[\w.]+|\"·*\"|'·*'"
_WRITTEN_VALUE = re.compile(r"-?[\w.]+|\"(?:\\.|[^\"\\])*\"|'[^']*'")
_VARIABLE = r"[A-Z_]\w*"
_NUMBER = r"-?\d+(?:\.\d+)?"
_TEXT = r"\"·*\"|'·*'"


def _like_hint(groups: Groups) -> str:
    negation = "not " if groups["negated"] else ""
    return (
        "ask with `starts_with`, `ends_with` or `includes`; or give the texts that match as a "
        f"fact, `fact matching(text: str);`, and write `{negation}matching({groups['name']})`"
    )


def _test_text(groups: Groups) -> str | None:
    """A pattern whose only wildcards are `%` at its ends says what a text begins or ends with."""
    inside = groups["value"][1:-1]
    bare = inside.strip("%")
    if not bare or "%" in bare or "_" in bare or groups["at"].upper() not in ("LIKE", "NOT LIKE"):
        return None
    ends = inside.startswith("%"), inside.endswith("%")
    function = {
        (True, True): "includes", (True, False): "ends_with", (False, True): "starts_with",
    }.get(ends)  # fmt: skip
    if function is None:
        sign = "!=" if groups["negated"] else "=="
        return f'{groups["name"]} {sign} "{bare}"'
    negation = "not " if groups["negated"] else ""
    return f'{negation}{function}({groups["name"]}, "{bare}")'


def _suggest_test(groups: Groups) -> str:
    return "write `{write}`" if _test_text(groups) is not None else _like_hint(groups)


def _includes(groups: Groups) -> str:
    return f"includes({groups['name']}, {_quote(groups['value'])})"


def _quote(value: str) -> str:
    return f'"{value[1:-1]}"' if value[0] == "'" else value


def _between(groups: Groups) -> str:
    name, low, high = groups["name"], _quote(groups["low"]), _quote(groups["high"])
    if groups["negated"]:
        return f"({name} < {low} or {name} > {high})"
    return f"{name} >= {low} and {name} <= {high}"


def _one_of(groups: Groups) -> str:
    values = [_quote(value) for value in _WRITTEN_VALUE.findall(groups["values"])]
    sign, word = ("!=", "and") if groups["negated"] else ("==", "or")
    name = groups["name"]
    return "(" + f" {word} ".join(f"{name} {sign} {value}" for value in values) + ")"


VALUE_HABITS: tuple[Habit, ...] = (
    Habit(
        find_habit(
            rf"(?P<fix>\b(?-i:(?P<name>{_VARIABLE}))\s+(?P<at>(?P<negated>NOT\s+)?IN)\s*[(\[]?\s*"
            rf"(?P<low>{_NUMBER})\s*\.\.+\s*(?P<high>{_NUMBER})\s*[)\]]?)"
        ),
        "`{at}` relates an event and a state, and cannot look into a range of numbers",
        "write `{write}`",
        _between,
    ),
    Habit(
        find_habit(
            rf"(?P<fix>\b(?P<name>{_VARIABLE})\s+(?P<at>(?P<negated>NOT\s+)?BETWEEN)\s+"
            rf"(?P<low>{_VALUE})\s+AND\s+(?P<high>{_VALUE}))"
        ),
        "`{at}` is not part of the language",
        "write `{write}`",
        _between,
    ),
    Habit(
        find_habit(
            rf"(?P<fix>\b(?-i:(?P<name>{_VARIABLE}))\s+(?P<at>(?P<negated>NOT\s+)?IN)\s*"
            rf"\(\s*(?P<values>(?:{_VALUE})(?:\s*,\s*(?:{_VALUE}))*)\s*\))"
        ),
        "`{at}` relates an event and a state, and cannot look into a list of values",
        "write `{write}`, or give the list as a fact",
        _one_of,
    ),
    Habit(
        find_habit(
            rf"(?P<fix>\b(?P<name>\w+)\s+"
            rf"(?P<at>(?P<negated>NOT\s+)?(?:I?LIKE|RLIKE|REGEXP|MATCHES))\s+(?P<value>{_VALUE}))"
        ),
        "`{at}` is not part of the language: there are no patterns of texts",
        _suggest_test,
        _test_text,
    ),
    Habit(
        find_habit(
            rf"(?P<fix>\b(?-i:(?P<name>{_VARIABLE}))\s+(?P<at>contains)\s+(?P<value>{_TEXT}))"
        ),
        "`{at}` relates intervals: whether a text has another one in it is asked with `includes`",
        "write `{write}`",
        _includes,
    ),
    Habit(
        find_habit(r"[\w)]+\s+(?P<at>mod)\b(?=\s+[\w(-])"),
        "`{at}` is not an operator: the rest of a division is written `%`",
        "write `%`",
        "%",
    ),
    Habit(
        find_habit(r"\bcount\s*\(\s*(?P<fix>(?P<at>distinct)\s+)(?=\(?\s*\w+[^()]*\)?\s+of\b)"),
        "`{at}` is not needed: `count(X of …)` counts different values",
        "leave it out",
        "",
    ),
    Habit(
        find_habit(r"\blet\s+[A-Z]\w*\s*(?P<at>:=)", any_case=False),
        "`let` gives a value with `=`, not with `{at}`",
        "write `=`",
        "=",
    ),
    Habit(
        find_habit(r"~>\s*(?P<fix>(?P<at>after\s+(?=\d)|(?=\d))(?P<write>\d\w*))\s*(?=;|$)"),
        "`~>` joins events: a range that ends by time alone has no right side",
        lambda groups: (
            f"leave `~>` out: `… limit {groups['write']}` ends it so long after its "
            f"start, `… expires {groups['write']}` so long after the last event inside it"
        ),
    ),
)
