"""What a file declares and what a declaration mentions, found in text that cannot be read as one.

Remedies are written in these names. What is found here is offered, never taken for granted.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from phenesthe.syntax.foreign_names import find_foreign
from phenesthe.syntax.spelling import lower_name, variable_name
from phenesthe.syntax.tokens import FUNCTIONS, KINDS

#: In a longer file nobody looks for other declarations.
MAX_TEXT = 64 * 1024
ATOM = r"\b[a-z]\w*\s*\([^()]*\)"
_ATOM = re.compile(r"\b(?P<name>[a-z]\w*)\s*\((?P<arguments>[^()]*)\)")
_DECLARED = re.compile(
    r"\b(?:input\s+(?:event|state|dynamic)|fact)\s+(?P<name>[a-z]\w*)\s*\((?P<arguments>[^()]*)\)"
)
_HEAD = re.compile(
    rf"(?:exclusive\s+)?(?P<kind>{'|'.join(KINDS)})\s+"
    r"(?P<head>(?P<name>[A-Za-z]\w*)\s*\((?P<variables>[^()]*)\))?"
)
_KIND = re.compile(rf"\b(?P<kind>{'|'.join(KINDS)}|machine|fact)\s+(?P<name>[a-z]\w*)\s*\([^()]*\)")
_MACHINE = re.compile(r"machine\s+\w+\s*\((?P<variables>[^()]*)\)")
_VARIABLE = re.compile(r"[A-Z]\w*|_\w+")


@dataclass(frozen=True, slots=True)
class Mention:
    """A phenomenon or fact in a formula, as it is written."""

    name: str
    arguments: tuple[str, ...]
    start: int

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.arguments)})"


@lru_cache(maxsize=8)
def find_declared(file: str) -> Mapping[str, tuple[str, ...]]:
    """The arguments of each input and fact of a file."""
    if len(file) > MAX_TEXT:
        return {}
    return {
        match["name"]: tuple(
            part.partition(":")[0].strip() for part in match["arguments"].split(",") if part.strip()
        )
        for match in _DECLARED.finditer(file)
    }


@lru_cache(maxsize=8)
def find_types(file: str) -> Mapping[str, tuple[str, ...]]:
    """The types of the arguments of each input and fact of a file."""
    return {
        match["name"]: tuple(
            part.partition(":")[2].strip() for part in match["arguments"].split(",") if part.strip()
        )
        for match in _DECLARED.finditer(file if len(file) <= MAX_TEXT else "")
    }


@lru_cache(maxsize=8)
def find_kinds(file: str) -> Mapping[str, str]:
    """What each name is that a file declares; a machine is a state."""
    return {
        match["name"]: match["kind"].replace("machine", "state")
        for match in _KIND.finditer(file if len(file) <= MAX_TEXT else "")
    }


def find_with_columns(file: str, columns: Sequence[str]) -> str | None:
    """The first input or fact that has all these arguments."""
    for name, arguments in find_declared(file).items():
        if columns and set(columns) <= set(arguments):
            return name
    return None


def find_kind(declaration: str) -> str:
    match = _HEAD.match(declaration)
    return match["kind"] if match else ""


def find_head(declaration: str) -> str | None:
    """The name of a definition with its variables."""
    match = _HEAD.match(declaration)
    return match["head"] if match else None


def find_head_variables(declaration: str) -> list[str]:
    match = _HEAD.match(declaration) or _MACHINE.match(declaration)
    return _VARIABLE.findall((match and match["variables"]) or "")


def find_body(declaration: str) -> str:
    """The formula of a definition; all of another declaration."""
    return declaration.partition(":")[2] if _HEAD.match(declaration) else declaration


def find_mentions(formula: str) -> Iterator[Mention]:
    for match in _ATOM.finditer(formula):
        if match["name"] not in FUNCTIONS and find_foreign(match["name"]) is None:
            arguments = tuple(part.strip() for part in match["arguments"].split(","))
            yield Mention(match["name"], arguments, match.start())


def is_variable(argument: str) -> bool:
    return _VARIABLE.fullmatch(argument) is not None


def find_variables(text: str) -> list[str]:
    """Each once, in their order."""
    return list(dict.fromkeys(re.findall(r"(?<![\w\"'])(?:[A-Z]\w*|_\w+)\b", text)))


def write_mention(
    name: str, arguments: Sequence[str], named: Mapping[str, str], about: Sequence[str]
) -> str:
    """A phenomenon of which some arguments have a name, or a value.

    Of the others, the first is what the definition is about, and so are those that have the name of
    one of its variables.
    """
    same = {lower_name(variable): variable for variable in about}
    rest = [one for one in arguments if one not in named]
    first = {rest[0]: about[0]} if rest and about and rest[0] not in same else {}
    known = {**same, **first, **named}
    return f"{name}({', '.join(known.get(one, '_') for one in arguments)})"


def name_column(column: str, taken: Sequence[str]) -> str:
    """A variable for a column, which no other variable is called like."""
    variable = variable_name(column)
    return variable if variable not in taken else f"{variable}2"
