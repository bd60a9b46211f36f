"""Which event's rows somebody means who computes over several of them as in another language.

It is found in text that cannot be read: offered, never taken for granted.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from phenesthe.syntax.declared import (
    Mention,
    find_body,
    find_declared,
    find_head_variables,
    find_kind,
    find_kinds,
    find_mentions,
    find_types,
    find_variables,
    is_variable,
    write_mention,
)  # fmt: skip
from phenesthe.syntax.foreign_aggregates import Meant
from phenesthe.syntax.foreign_calls import ForeignCall
from phenesthe.syntax.spelling import lower_name, variable_name

#: What tells that a formula is true on intervals.
_HOLDS = re.compile(
    r"~>|\b(?:lasting|expires|limit|repeat|union|intersection|complement|without|then|before|after|"
    r"during|contains|meets|overlaps|starts|finishes|equals|always|daily|weekly|yearly|dates)\b"
)
_REPEATED = re.compile(r"^[\s\S]*\brepeat\b(?![\s\S]*\bwhile\b)")
_BOUNDARY = re.compile(r"\b(?:start|end)\s*\($")
_COLUMN = re.compile(r"(?<![\w\"'])[a-z]\w*\b(?!\s*\()")
_NO_VARIABLE = re.compile(r"DISTINCT|CASE|WHEN|THEN|ALL|OVER|PARTITION|ORDER|BY|ASC|DESC")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A call, and where it stands."""

    meant: Meant
    call: ForeignCall
    declaration: str
    file: str
    #: Something has to be named of which it is computed.
    needs_variable: bool

    @property
    def outside(self) -> str:
        """The declaration without the call."""
        before, after = self.declaration[: self.call.start], self.declaration[self.call.end :]
        return f"{before} … {after}"

    def list_said(self) -> Iterator[Mention]:
        """The phenomena in the call; what stands behind a point is none."""
        text = self.call.said
        for mention in find_mentions(text):
            if text[: mention.start][-1:] not in (".", ":"):
                yield mention

    @property
    def head(self) -> list[str]:
        return find_head_variables(self.declaration)


def is_beside_event(before: str, declaration: str, file: str) -> bool:
    """Whether what stands behind `before`, the beginning of a declaration, is asked of an event."""
    if find_kind(declaration) == "event" or "->" in before:
        return True
    kinds = find_kinds(file)
    for whole in _list_parts(before):
        # What is repeated is an event.
        part = _REPEATED.sub("", whole)
        if part != whole and not next(find_mentions(part), None):
            return True
        if _HOLDS.search(part):
            return False
        for mention in find_mentions(part):
            kind = kinds.get(mention.name)
            if kind == "event" or _BOUNDARY.search(part[: mention.start]):
                return True
            if kind in ("state", "dynamic"):
                return False
    return False


def _list_parts(before: str) -> Iterator[str]:
    """What stands before a place in its own parentheses, then in those around them, and so on."""
    depth, end = 0, len(before)
    for at in range(len(before) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(before[at], 0)
        is_end = depth == 0 and (before[at] in ":{;" or before[at : at + 2] == "~>")
        if depth < 0 or is_end:
            yield before[at + 1 : end]
            end, depth = at, 0
            if before[at] in ":{;":
                return


def find_rows(asked: Asked) -> Mention | None:
    """The event that is meant: of the call itself, of the formula around it, of the file."""
    kinds = find_kinds(asked.file)
    wanted = "state" if asked.meant.function == "total" else "event"
    for mention in asked.list_said():
        if kinds.get(mention.name, wanted) == wanted:
            return mention
    declared, columns = find_declared(asked.file), _name_columns(asked)
    for word in _COLUMN.findall(asked.call.said):
        if word in declared and kinds.get(word) == wanted:
            known = {columns[one]: one for one in columns if columns[one] in declared[word]}
            about = () if known else asked.head
            return _read(write_mention(word, declared[word], known, about))
    variable = name_outside(asked.call)
    around = [
        mention
        for part in (*_list_parts(asked.declaration[: asked.call.start]), asked.outside)
        for mention in find_mentions(find_body(part))
        if kinds.get(mention.name, wanted) == wanted
    ]
    for mention in around:
        if variable is None or not asked.needs_variable or variable in mention.arguments:
            return mention
    for mention in around:
        if "_" in mention.arguments:
            return mention
    return _find_declared(asked, wanted, variable, columns)


def _find_declared(
    asked: Asked, wanted: str, variable: str | None, columns: Mapping[str, str]
) -> Mention | None:
    """An input about the same things as the definition, that has what is asked for."""
    kinds, types = find_kinds(asked.file), find_types(asked.file)
    for name, arguments in find_declared(asked.file).items():
        shared = {column: one for one, column in columns.items() if column in arguments}
        if kinds.get(name) != wanted or not shared:
            continue
        if not asked.needs_variable:
            return _read(write_mention(name, arguments, shared, ()))
        rest = [one for one in arguments if one not in shared]
        if asked.meant.function in ("sum", "avg"):
            rest = [one for one in rest if types[name][arguments.index(one)] in ("int", "float")]
        like = [one for one in rest if variable and one.startswith(lower_name(variable))]
        if rest:
            column = (like or rest)[0]
            named = {**shared, column: variable or variable_name(column)}
            return _read(write_mention(name, arguments, named, ()))
    return None


def _name_columns(asked: Asked) -> dict[str, str]:
    """The columns that the variables of the head stand for, by what the formula mentions."""
    declared, head = find_declared(asked.file), asked.head
    return {
        one: declared[mention.name][at]
        for mention in find_mentions(find_body(asked.outside))
        if len(declared.get(mention.name, ())) == len(mention.arguments)
        for at, one in enumerate(mention.arguments)
        if one in head
    }


def _read(mention: str) -> Mention | None:
    return next(find_mentions(mention), None)


def name_outside(call: ForeignCall) -> str | None:
    """The variable that a call names, outside of an event in it."""
    text = call.inside
    for mention in find_mentions(text):
        text = text.replace(str(mention), " ")
    owner = re.sub(r"\([^()]*\)", " ", call.owner)
    order = call.behind.upper().rpartition("ORDER BY")[2]
    sorted_by = call.behind[len(call.behind) - len(order) :]
    named = find_variables(f"{text} {owner} {sorted_by}")
    return next((one for one in named if not _NO_VARIABLE.fullmatch(one)), None)


def find_variable(asked: Asked, rows: Mention) -> str | None:
    """The variable of the event whose values are asked for; it may have to be given to it."""
    variable = name_outside(asked.call)
    if variable is not None and variable in rows.arguments:
        return variable
    columns = find_declared(asked.file).get(rows.name, ())
    words = [*_COLUMN.findall(asked.call.said), *re.findall(r"\.([a-z]\w*)", asked.call.owner)]
    for word in (*words, *([lower_name(variable)] if variable else [])):
        if word in columns and len(columns) == len(rows.arguments):
            found = rows.arguments[columns.index(word)]
            return found if is_variable(found) else variable_name(word)
    if variable is not None:
        return variable if "_" in rows.arguments else None
    own = [one for one in rows.arguments if is_variable(one) and one not in asked.head]
    return own[-1] if own else _name_free(asked, rows, columns)


def _name_free(asked: Asked, rows: Mention, columns: Sequence[str]) -> str | None:
    """A variable for an argument that has none, of a type that can be computed with."""
    types = find_types(asked.file).get(rows.name, ())
    if len(columns) != len(rows.arguments):
        return None
    is_number = asked.meant.function in ("sum", "avg")
    free = [
        column
        for column, kind, one in zip(columns, types, rows.arguments, strict=True)
        if one == "_" and (kind in ("int", "float") or not is_number)
    ]
    return variable_name(free[0]) if free else None


def place_variable(asked: Asked, rows: Mention, variable: str) -> list[str]:
    """The arguments of the event, one of which is the variable."""
    arguments = list(rows.arguments)
    if variable in arguments:
        return arguments
    columns = find_declared(asked.file).get(rows.name, ())
    like = [at for at, one in enumerate(columns) if lower_name(variable) == one]
    free = [at for at, one in enumerate(arguments) if one == "_"]
    # What is first is mostly what it is about.
    at = like[0] if like and like[0] < len(arguments) else (free or [len(arguments) - 1])[-1]
    arguments[at] = variable
    return arguments
