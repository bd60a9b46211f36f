"""Operators, clauses and literals of other languages: how they look and what to write instead."""

import re

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
from phenesthe.syntax.foreign_values import VALUE_HABITS
from phenesthe.syntax.habit import Groups, Habit, find_habit
from phenesthe.syntax.match_recognize import suggest_formula
from phenesthe.syntax.pairs import NEAREST, suggest_every
from phenesthe.syntax.python_modules import NOT_OF_PYTHON, PYTHON_MODULES, WITHOUT_IT
from phenesthe.syntax.spelling import TYPE_NAMES
from phenesthe.syntax.tokens import OPERATORS
from phenesthe.vocabulary import CALENDARS, TAKE_AWAY

_CAPITALS = "|".join(f"{word.upper()}|{word.capitalize()}" for word in (*OPERATORS, "gap"))
#: Operators that begin with a capital letter, where no variable can be: not alone in parentheses
#: or between commas.
UPPER_CASE = re.compile(
    rf"(?<![(,.\w])\b(?:{_CAPITALS})\b"
    r"(?!\s*[,)=<>+*/.])"
)

_VARIABLE = r"[A-Z_]\w*"
_CALENDARS = "|".join(CALENDARS)
#: After the `from` of `before … from D`, and after no table of a query.
_A_DURATION = r"\s*[;)]|\s+(?:[0-9]|[a-z]\w*\s*(?:;|\b(?:within|before|after)\b))"


def _find_variable(groups: Groups) -> str | None:
    return find_variable(groups["owner"], groups["column"], groups["declaration"], groups["file"])


def _suggest_variable(groups: Groups) -> str:
    return suggest_variable(
        groups["owner"], groups["column"], groups["declaration"], groups["file"]
    )


def _quote_moments(groups: Groups) -> str:
    parts = (part.strip() for part in groups["at"].split(","))
    return ", ".join(part if part.startswith('"') else f'"{part}"' for part in parts)


def _name_first(groups: Groups) -> str:
    kind = groups["type"].lower()
    return f"{groups['name']}: {TYPE_NAMES[kind]}"


_TYPE = "|".join(TYPE_NAMES)


HABITS: tuple[Habit, ...] = (
    *VALUE_HABITS,
    Habit(
        find_habit(
            rf"(?P<fix>^(?P<at>import\s+(?:{'|'.join(sorted(PYTHON_MODULES))})\b[\w.]*"
            r"\s+as\s+\w+)\s*;?)"
        ),
        f"`{{at}}`: {NOT_OF_PYTHON}",
        WITHOUT_IT,
        "",
    ),
    Habit(
        find_habit(r"^import\b[^;]*?(?P<fix>(?<!\s)\s+(?P<at>\bas\s+\w+))"),
        "`{at}`: what a module defines is used by its own name",
        "leave it out",
        "",
    ),
    Habit(
        find_habit(r"(?P<at>\bMATCH_RECOGNIZE\b|(?<=:)\s*\bPATTERN\b)[\s\S]*"),
        "`{at}` is not part of the language: a pattern is a formula",
        lambda groups: suggest_formula(groups["declaration"], groups["file"]),
    ),
    Habit(
        find_habit(r"(?P<at>\bSELECT\b)[\s\S]*"),
        "`{at}` is not part of the language: a definition says what is found, not how to query it",
        "write what must be true, joined with `and`: `{event} and …`",
    ),
    Habit(
        # Up to what closes the parentheses around it, or to how far an aggregate looks back.
        find_habit(
            r"(?P<fix>(?<!\s)\s*(?P<at>\b(?:GROUP|ORDER|PARTITION)\s+BY\b)"
            r"(?:(?!\s*\b(?:(?:over|past)\s+\d|and\b|where\b|let\b|having\b))[^;()]|\([^()]*\))*)"
        ),
        "`{at}` is not part of the language: there are results for each value of the variables in "
        "the head, and they come sorted",
        "leave it out",
        "",
    ),
    Habit(
        find_habit(rf"(?P<at>\bJOIN\b|\bFROM\b(?!{_A_DURATION})|\bOVER\s*\()[^;]*"),
        "`{at}` is not part of the language",
        "write `{event} and …`: phenomena that have a variable in common are joined by it",
    ),
    Habit(
        find_habit(rf"(?P<fix>(?<!\s)\s*\band\s+(?P<at>{_VARIABLE}\s+IS\s+NOT\s+(?:NULL|None))\b)"),
        "`{at}` is not needed: there are no missing values, every argument has one",
        "leave it out; rows without a value are set aside when they are read",
        "",
    ),
    Habit(
        find_habit(rf"(?P<at>\b{_VARIABLE}\s+IS\s+(?:NOT\s+)?(?:NULL|None))\b"),
        "`{at}` is not part of the language: there are no missing values, every argument has one",
        "leave it out; rows without a value are set aside when they are read",
    ),
    Habit(
        find_habit(rf"\bINTERVAL\s*(?P<amount>'·+'|{NUMBER})\s*(?P<unit>{UNIT})\b"),
        "`{at}` is not how a duration is written",
        suggest_duration,
        write_duration,
    ),
    Habit(
        find_habit(
            r"\bfor\s+(?P<more>at\s+least\s+|more\s+than\s+|>=?\s*)?"
            rf"(?P<amount>{NUMBER})\s*(?P<unit>{UNIT})\b"
        ),
        "`{at}` is not how a duration is asked for: the word is `lasting`",
        suggest_lasting,
        write_lasting,
    ),
    Habit(
        find_habit(
            rf"(?<![\w.])(?!{NUMBER}(?-i:ms|s|m|h|d)\b)(?P<amount>{NUMBER})\s*(?P<unit>{UNIT})\b"
        ),
        "`{at}` is not how a duration is written",
        suggest_duration,
        write_duration,
    ),
    Habit(
        find_habit(r"(?P<fix>(?P<at>\bevery\b)\s+)\w*"),
        "`{at}` is not needed: a formula is true wherever what it speaks of happens",
        lambda groups: suggest_every(groups["declaration"]),
        "",
    ),
    Habit(
        find_habit(r"(?P<at>\bfollowed\s*_?by\b)"),
        "`{at}` is not an operator",
        f"write `before`; {NEAREST}",
        "before",
    ),
    Habit(
        find_habit(r"(?P<at>\bunless\b)"),
        "`{at}` is not an operator",
        f"write `and not` for an event, `not in` for a state, or {TAKE_AWAY}",
    ),
    Habit(
        find_habit(r"(?P<at>\buntil\b)"),
        "`{at}` is not an operator: from one event until another is written `~>`",
        "write `~>`",
        "~>",
    ),
    Habit(
        find_habit(r"(?P<at>\bintersects?\b)"),
        "`{at}` is not an operator",
        "write `intersection`",
        "intersection",
    ),
    Habit(
        find_habit(r"(?P<at>\b(?:except|minus|difference)\b)"),
        "`{at}` is not an operator: one state is taken away from another with `complement`",
        "write `complement`, or `without`, which keeps border instants",
        "complement",
    ),
    Habit(
        find_habit(r"(?P<at>\b(?:if|case\s+when|when)\b)[\s\S]*"),
        "`{at}` is not part of the language: a formula says what must be true",
        lambda groups: suggest_cases(groups["declaration"]),
    ),
    Habit(
        find_habit(r"(?P<at>\b(?:for|foreach|lambda)\b)[\s\S]*"),
        "`{at}` is not part of the language: a formula is about all values of its variables",
        "leave it out, and write what must be true, joined with `and`: `{event} and …`",
    ),
    Habit(
        find_habit(r"\\\+"),
        "`{at}` is not an operator: negation is written `not`",
        "write `not`",
        "not",
    ),
    Habit(
        find_habit(rf"\b{_VARIABLE}\s+(?P<at>is)\s", any_case=False),
        "`{at}` is not an operator, and nothing is assigned",
        "compare with `==`, or write the computation where the variable stands",
    ),
    Habit(
        find_habit(r"(?<=\))\s*(?P<at>:=)"),
        f"{PARTED_BY_COLON}, not by `{{at}}`",
        "write `:`",
        ":",
    ),
    Habit(
        find_habit(r"\b(?P<at>(?P<owner>[A-Za-z_]\w*)\.(?P<column>[A-Za-z_]\w*))"),
        "`{at}` is not a value: columns are not reached with a dot",
        _suggest_variable,
        _find_variable,
    ),
    Habit(
        find_habit(r"\*\*|\^"),
        "`{at}` is not an operator: there are no powers",
        "multiply: `X * X`",
    ),
    Habit(
        find_habit(rf"\b(?:{_CALENDARS})\s*\((?P<at>[^()\n]*\d[:-]\d[^()\n]*)\)"),
        "`{at}`: times and dates stand between quotes",
        "write `{write}`",
        _quote_moments,
    ),
    Habit(
        find_habit(rf"(?<=[(,])\s*(?P<at>\b(?P<type>{_TYPE})\s+(?P<name>[a-z]\w*))(?=\s*[,)])"),
        "`{at}`: the name of an argument stands before its type",
        "write `{write}`",
        _name_first,
    ),
    Habit(
        find_habit(rf"(?<=[(,])\s*(?P<at>\b(?P<name>[a-z]\w*)\s+(?P<type>{_TYPE}))(?=\s*[,)])"),
        "`{at}`: a `:` stands between the name of an argument and its type",
        "write `{write}`",
        _name_first,
    ),
)
