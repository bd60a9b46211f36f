"""Operators, clauses and literals of other languages: how they look and what to write instead."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from phenesthe.syntax.choices import suggest_cases
from phenesthe.syntax.columns import find_variable, suggest_variable
from phenesthe.syntax.durations import (
    NUMBER,
    UNIT,
    suggest_duration,
    suggest_lasting,
    write_duration,
    write_lasting,
)
from phenesthe.syntax.foreign_marks import PARTED_BY_COLON
from phenesthe.syntax.match_recognize import suggest_formula
from phenesthe.syntax.pairs import NEAREST, suggest_every
from phenesthe.syntax.python_modules import NOT_OF_PYTHON, PYTHON_MODULES, WITHOUT_IT
from phenesthe.syntax.spelling import TYPE_NAMES
from phenesthe.syntax.tokens import OPERATORS
from phenesthe.vocabulary import CALENDARS, TAKE_AWAY

Groups = dict[str, str]


@dataclass(frozen=True, slots=True)
class Habit:
    """`at` of the pattern is marked and put into the message, `fix` is what the fix replaces.

    Without these groups it is all that the pattern matches. `{write}` in the hint is the fix,
    `{event}` a phenomenon of the declaration. Functions get the groups as they are written, and the
    text of the `declaration` and of its `file`.
    """

    pattern: re.Pattern[str]
    message: str
    hint: str | Callable[[Groups], str]
    write: str | Callable[[Groups], str | None] | None = None


_CAPITALS = "|".join(f"{word.upper()}|{word.capitalize()}" for word in (*OPERATORS, "gap"))
#: Operators that begin with a capital letter, where no variable can be: not alone in parentheses
#: or between commas.
UPPER_CASE = re.compile(
    rf"(?<![(,.\w])\b(?:{_CAPITALS})\b"
    r"(?!\s*[,)=<>+*/.])"
)

_VALUE = r"-?[\w.]+|\"·*\"|'·*'"
_WRITTEN_VALUE = re.compile(r"-?[\w.]+|\"(?:\\.|[^\"\\])*\"|'[^']*'")
_VARIABLE = r"[A-Z_]\w*"
_CALENDARS = "|".join(CALENDARS)
#: After the `from` of `before … from D`, and after no table of a query.
_A_DURATION = r"\s*[;)]|\s+(?:[0-9]|[a-z]\w*\s*(?:;|\b(?:within|before|after)\b))"


def _like_hint(groups: Groups) -> str:
    negation = "not " if groups["negated"] else ""
    return (
        "compare the whole text with `==` or `!=`; or give the texts that match as a fact, "
        f"`fact matching(text: str);`, and write `{negation}matching({groups['name']})`"
    )


def _find_variable(groups: Groups) -> str | None:
    return find_variable(groups["owner"], groups["column"], groups["declaration"], groups["file"])


def _suggest_variable(groups: Groups) -> str:
    return suggest_variable(
        groups["owner"], groups["column"], groups["declaration"], groups["file"]
    )


def _quote(value: str) -> str:
    return f'"{value[1:-1]}"' if value[0] == "'" else value


def _quote_moments(groups: Groups) -> str:
    parts = (part.strip() for part in groups["at"].split(","))
    return ", ".join(part if part.startswith('"') else f'"{part}"' for part in parts)


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


def _name_first(groups: Groups) -> str:
    kind = groups["type"].lower()
    return f"{groups['name']}: {TYPE_NAMES[kind]}"


_TYPE = "|".join(TYPE_NAMES)


def _compile(pattern: str, *, any_case: bool = True) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE if any_case else 0)


HABITS: tuple[Habit, ...] = (
    Habit(
        _compile(
            rf"(?P<fix>^(?P<at>import\s+(?:{'|'.join(sorted(PYTHON_MODULES))})\b[\w.]*"
            r"\s+as\s+\w+)\s*;?)"
        ),
        f"`{{at}}`: {NOT_OF_PYTHON}",
        WITHOUT_IT,
        "",
    ),
    Habit(
        _compile(r"^import\b[^;]*?(?P<fix>(?<!\s)\s+(?P<at>\bas\s+\w+))"),
        "`{at}`: what a module defines is used by its own name",
        "leave it out",
        "",
    ),
    Habit(
        _compile(r"(?P<at>\bMATCH_RECOGNIZE\b|(?<=:)\s*\bPATTERN\b)[\s\S]*"),
        "`{at}` is not part of the language: a pattern is a formula",
        lambda groups: suggest_formula(groups["declaration"], groups["file"]),
    ),
    Habit(
        _compile(r"(?P<at>\bSELECT\b)[\s\S]*"),
        "`{at}` is not part of the language: a definition says what is found, not how to query it",
        "write what must be true, joined with `and`: `{event} and …`",
    ),
    Habit(
        _compile(
            rf"(?P<fix>\b(?P<name>{_VARIABLE})\s+(?P<at>(?P<negated>NOT\s+)?BETWEEN)\s+"
            rf"(?P<low>{_VALUE})\s+AND\s+(?P<high>{_VALUE}))"
        ),
        "`{at}` is not part of the language",
        "write `{write}`",
        _between,
    ),
    Habit(
        _compile(
            rf"(?P<fix>\b(?-i:(?P<name>{_VARIABLE}))\s+(?P<at>(?P<negated>NOT\s+)?IN)\s*"
            rf"\(\s*(?P<values>(?:{_VALUE})(?:\s*,\s*(?:{_VALUE}))*)\s*\))"
        ),
        "`{at}` relates an event and a state, and cannot look into a list of values",
        "write `{write}`, or give the list as a fact",
        _one_of,
    ),
    Habit(
        _compile(
            rf"\b(?P<name>\w+)\s+(?P<at>(?P<negated>NOT\s+)?(?:I?LIKE|RLIKE|REGEXP|MATCHES))\s+"
            rf"(?:{_VALUE})"
        ),
        "`{at}` is not part of the language: strings are compared as a whole",
        _like_hint,
    ),
    Habit(
        _compile(r"(?P<fix>(?<!\s)\s*(?P<at>\b(?:GROUP|ORDER|PARTITION)\s+BY\b)[^;]*)"),
        "`{at}` is not part of the language: there are results for each value of the variables in "
        "the head, and they come sorted",
        "leave it out",
        "",
    ),
    Habit(
        _compile(rf"(?P<at>\bHAVING\b|\bJOIN\b|\bFROM\b(?!{_A_DURATION})|\bOVER\s*\()[^;]*"),
        "`{at}` is not part of the language",
        "write `{event} and …`: phenomena that have a variable in common are joined by it",
    ),
    Habit(
        _compile(rf"(?P<fix>(?<!\s)\s*\band\s+(?P<at>{_VARIABLE}\s+IS\s+NOT\s+(?:NULL|None))\b)"),
        "`{at}` is not needed: there are no missing values, every argument has one",
        "leave it out; rows without a value are set aside when they are read",
        "",
    ),
    Habit(
        _compile(rf"(?P<at>\b{_VARIABLE}\s+IS\s+(?:NOT\s+)?(?:NULL|None))\b"),
        "`{at}` is not part of the language: there are no missing values, every argument has one",
        "leave it out; rows without a value are set aside when they are read",
    ),
    Habit(
        _compile(rf"\bINTERVAL\s*(?P<amount>'·+'|{NUMBER})\s*(?P<unit>{UNIT})\b"),
        "`{at}` is not how a duration is written",
        suggest_duration,
        write_duration,
    ),
    Habit(
        _compile(
            r"\bfor\s+(?P<more>at\s+least\s+|more\s+than\s+|>=?\s*)?"
            rf"(?P<amount>{NUMBER})\s*(?P<unit>{UNIT})\b"
        ),
        "`{at}` is not how a duration is asked for: the word is `lasting`",
        suggest_lasting,
        write_lasting,
    ),
    Habit(
        _compile(
            rf"(?<![\w.])(?!{NUMBER}(?-i:ms|s|m|h|d)\b)(?P<amount>{NUMBER})\s*(?P<unit>{UNIT})\b"
        ),
        "`{at}` is not how a duration is written",
        suggest_duration,
        write_duration,
    ),
    Habit(
        _compile(r"(?P<fix>(?P<at>\bevery\b)\s+)\w*"),
        "`{at}` is not needed: a formula is true wherever what it speaks of happens",
        lambda groups: suggest_every(groups["declaration"]),
        "",
    ),
    Habit(
        _compile(r"(?P<at>\bfollowed\s*_?by\b)"),
        "`{at}` is not an operator",
        f"write `before`; {NEAREST}",
        "before",
    ),
    Habit(
        _compile(r"(?P<at>\bunless\b)"),
        "`{at}` is not an operator",
        f"write `and not` for an event, `not in` for a state, or {TAKE_AWAY}",
    ),
    Habit(
        _compile(r"(?P<at>\buntil\b)"),
        "`{at}` is not an operator: from one event until another is written `~>`",
        "write `~>`",
        "~>",
    ),
    Habit(
        _compile(r"(?P<at>\bintersects?\b)"),
        "`{at}` is not an operator",
        "write `intersection`",
        "intersection",
    ),
    Habit(
        _compile(r"(?P<at>\b(?:except|minus|difference)\b)"),
        "`{at}` is not an operator: one state is taken away from another with `complement`",
        "write `complement`, or `without`, which keeps border instants",
        "complement",
    ),
    Habit(
        _compile(r"(?P<at>\b(?:if|case\s+when|when)\b)[\s\S]*"),
        "`{at}` is not part of the language: a formula says what must be true",
        lambda groups: suggest_cases(groups["declaration"]),
    ),
    Habit(
        _compile(r"(?P<at>\b(?:for|foreach|lambda)\b)[\s\S]*"),
        "`{at}` is not part of the language: a formula is about all values of its variables",
        "leave it out, and write what must be true, joined with `and`: `{event} and …`",
    ),
    Habit(
        _compile(r"\\\+"),
        "`{at}` is not an operator: negation is written `not`",
        "write `not`",
        "not",
    ),
    Habit(
        _compile(rf"\b{_VARIABLE}\s+(?P<at>is)\s", any_case=False),
        "`{at}` is not an operator, and nothing is assigned",
        "compare with `==`, or write the computation where the variable stands",
    ),
    Habit(
        _compile(r"(?<=\))\s*(?P<at>:=)"),
        f"{PARTED_BY_COLON}, not by `{{at}}`",
        "write `:`",
        ":",
    ),
    Habit(
        _compile(r"\b(?P<at>(?P<owner>[A-Za-z_]\w*)\.(?P<column>[A-Za-z_]\w*))"),
        "`{at}` is not a value: columns are not reached with a dot",
        _suggest_variable,
        _find_variable,
    ),
    Habit(
        _compile(r"\*\*|\^"),
        "`{at}` is not an operator: there are no powers",
        "multiply: `X * X`",
    ),
    Habit(
        _compile(rf"\b(?:{_CALENDARS})\s*\((?P<at>[^()\n]*\d[:-]\d[^()\n]*)\)"),
        "`{at}`: times and dates stand between quotes",
        "write `{write}`",
        _quote_moments,
    ),
    Habit(
        _compile(rf"(?<=[(,])\s*(?P<at>\b(?P<type>{_TYPE})\s+(?P<name>[a-z]\w*))(?=\s*[,)])"),
        "`{at}`: the name of an argument stands before its type",
        "write `{write}`",
        _name_first,
    ),
    Habit(
        _compile(rf"(?<=[(,])\s*(?P<at>\b(?P<name>[a-z]\w*)\s+(?P<type>{_TYPE}))(?=\s*[,)])"),
        "`{at}`: a `:` stands between the name of an argument and its type",
        "write `{write}`",
        _name_first,
    ),
)
