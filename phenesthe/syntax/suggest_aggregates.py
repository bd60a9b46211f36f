"""An aggregate in the names of the program, for who wrote one as elsewhere."""

import re
from dataclasses import replace
from itertools import islice

from phenesthe.diagnostics.shorten import MAX_REMEDY, shorten
from phenesthe.syntax.aggregate_rows import (
    Asked,
    find_rows,
    find_variable,
    is_beside_event,
    name_outside,
    place_variable,
)  # fmt: skip
from phenesthe.syntax.declared import (
    Mention,
    find_kinds,
    find_mentions,
    find_variables,
    is_variable,
)  # fmt: skip
from phenesthe.syntax.durations import DURATION, write_duration
from phenesthe.syntax.foreign_aggregates import find_meant
from phenesthe.syntax.foreign_calls import ForeignCall, find_call, find_calls, find_close
from phenesthe.vocabulary import AGGREGATES

#: Each is looked for in all of the declaration, and a remedy with more is not read.
_MOST_CALLS = 8
_SOME_LENGTH = "1h"
_LENGTH = re.compile(rf"\b(?P<own>\d+(?:ms|s|m|h|d))\b|\b(?:INTERVAL\s*)?{DURATION}", re.IGNORECASE)
#: In ticks, as a bare number is here.
_TICKS = re.compile(r"\b(?:over|past|within)\s+(?P<ticks>\d+)\s*$")
_PAST = re.compile(r"\bpast\b", re.IGNORECASE)
_VALUE = r"(?:-?\d[\d.]*|\"[^\"]*\"|'[^']*'|true|false)"
#: A condition on what is counted, as in SQL and Python.
_CONDITION = re.compile(
    r"(?:\b(?:when|and|where|if)\s+|^\s*)"
    rf"(?P<name>(?-i:[A-Z]\w*))\s*(?P<sign>==?|<>|!=|<=|>=|<|>)\s*(?P<value>{_VALUE})",
    re.IGNORECASE,
)
_SIGNS = {"=": "==", "<>": "!="}
_FOREIGN = re.compile(r"[,|:?]|\.(?!\d)|\b(?:for|from|case)\b", re.IGNORECASE)
#: What is computed of each row, and perhaps of which.
_COMPUTED = re.compile(
    r"\s*(?P<value>[A-Z0-9(][\w\s.()]*[-+*/%][-+*/%\w\s.()]*?)"
    r"(?:\s+of\s+(?P<formula>[a-z(][\s\S]*?))?"
    rf"(?:\s+(?:over|past)\s+(?:{DURATION}|\d+))?\s*"
)
#: What an aggregate of this language has in its parentheses, up to how far it looks back.
_OWN = re.compile(
    r"\s*(?:distinct\s+)?(?:(?P<of>[A-Z]\w*|\(\s*[A-Z]\w*(?:\s*,\s*[A-Z]\w*)*\s*\))\s+of\s+)?"
    r"(?P<formula>[a-z(][\s\S]*?)"
    rf"(?:(?:\s+(?:over|past|within|in|last|for|during)|,)+\s*(?:INTERVAL\s*)?(?:{DURATION}|\d+)"
    r"|\s+(?:over|past))?\s*"
)


def suggest_aggregate(call: ForeignCall, declaration: str, file: str) -> str:
    """The remedy for a call in a declaration."""
    asked = _ask(call, declaration, file)
    written, more = write_aggregate(call, declaration, file)
    besides = f"; {asked.meant.besides}" if asked.meant.besides else ""
    besides = besides.replace("(X)", f"({name_outside(asked.call) or 'X'})")
    return f"write `{shorten(written, MAX_REMEDY)}`{more}{besides}"


def explain_call(call: ForeignCall) -> str:
    """What is wrong with it, as the end of a sentence."""
    meant = find_meant(call.name)
    assert meant is not None
    if call.name in AGGREGATES and next(find_mentions(call.inside), None) is not None:
        if _COMPUTED.fullmatch(call.inside):
            return "before `of` stands a variable, which `let` may have computed"
        if _LENGTH.search(call.inside):
            return "how far back it looks is said by `over` at the end of its parentheses"
        if name_outside(call) is not None:
            return "between a variable and the event that has it stands `of`"
    return meant.lacks


def suggest_at(place: int, declaration: str, file: str) -> str | None:
    """The same for the call around a place of the declaration."""
    call = find_call(declaration, place)
    return None if call is None else suggest_aggregate(call, declaration, file)


def rewrite_calls(start: int, end: int, declaration: str, file: str) -> str:
    """A part of a declaration with its aggregates as they are written here: with the first ones."""
    written, at = "", start
    for call in islice(find_calls(declaration, start, end), _MOST_CALLS):
        if at <= call.start and call.end <= end:
            written += declaration[at : call.start] + write_aggregate(call, declaration, file)[0]
            at = call.end
    return written + declaration[at:end]


def write_aggregate(call: ForeignCall, declaration: str, file: str) -> tuple[str, str]:
    """The aggregate that is meant, and what its reader has still to say in it."""
    asked = _ask(call, declaration, file)
    function = asked.meant.function
    is_event = is_beside_event(declaration[: call.start], declaration, file)
    given = _LENGTH.search(call.all) if is_event else None
    ticks = _TICKS.search(call.inside) if is_event else None
    told = (
        ticks["ticks"] if ticks else given and (given["own"] or write_duration(given.groupdict()))
    )
    length = told or _SOME_LENGTH
    word = "past" if asked.meant.is_past or _PAST.search(call.all) else "over"
    back = f" {word} {length}" if is_event and function != "total" else ""
    own = ", with your own length of time" if back and not told else ""
    written = _write_computed(asked) or _write_own(asked) or _write_rows(asked)
    if written is None:
        variable = (name_outside(asked.call) or "X") if asked.needs_variable else None
        of, with_it = (f"{variable} of ", f" that has `{variable}`") if variable else ("", "")
        also = " and your own length of time" if own else ""
        what = "a state" if function == "total" else f"an event{with_it}"
        return f"{function}({of}…{back})", f", with {what} in the place of `…`{also}"
    taken = f"{name_outside(asked.call) or 'X'} - " if asked.meant.is_difference else ""
    return f"{taken}{function}({written}{back})", own


def _ask(call: ForeignCall, declaration: str, file: str) -> Asked:
    meant = find_meant(call.name)
    assert meant is not None
    kinds = find_kinds(file)
    is_total = any(kinds.get(one.name) == "state" for one in find_mentions(call.inside))
    if meant.function == "sum" and is_total:
        meant = meant._replace(function="total")
    elif meant.function == "sum" and _CONDITION.search(call.inside):
        # `sum(case when S > 3 then 1 else 0 end)`
        meant = meant._replace(function="count")
    is_distinct = meant.is_distinct or re.search(r"\bof\b|\bdistinct\b", call.inside, re.I)
    return Asked(
        meant=meant,
        call=call,
        declaration=declaration,
        file=file,
        needs_variable=meant.function not in ("count", "total") or bool(is_distinct),
    )


def _write_computed(asked: Asked) -> str | None:
    """The values of a variable that `let` computes of each row."""
    found = _COMPUTED.fullmatch(asked.call.inside)
    rows = find_rows(asked)
    if found is None or rows is None or asked.meant.function in ("count", "total"):
        return None
    names = find_variables(found["value"])
    if not names or not all(one in rows.arguments for one in names):
        return None
    renamed = _rename(names, asked)
    formula = (found["formula"] or "").strip()
    if not formula or not _is_whole(formula):
        formula = f"{rows.name}({', '.join(_write_arguments(asked, rows, names, renamed))})"
    taken = {*find_variables(asked.declaration), *renamed.values()}
    new = next(one for one in ("X", "Y", "Z", "Computed") if one not in taken)
    value = _replace(found["value"].strip(), renamed)
    return f"{new} of ({_replace(formula, renamed)} let {new} = {value})"


def _write_own(asked: Asked) -> str | None:
    """What is in the parentheses, if it is a formula as here and has more than one event."""
    own = _OWN.fullmatch(asked.call.inside)
    if own is None or not _is_whole(own["formula"]):
        return None
    first = next(find_mentions(own["formula"]), None)
    kinds, wanted = find_kinds(asked.file), "state" if asked.meant.function == "total" else "event"
    is_right = first is not None and kinds.get(first.name, wanted) == wanted
    is_atom = first is not None and str(first) == own["formula"].strip()
    if first is None or (not is_right and "(" not in own["formula"][: first.start]):
        return None
    names = find_variables(own["of"] or "")
    if asked.meant.function == "total" and not is_atom:
        return None
    if asked.meant.function == "total" or (not asked.needs_variable and not own["of"]):
        return own["formula"].strip()
    if not names or (is_atom and names[0] not in first.arguments):
        return None
    renamed = _rename(names, asked)
    return f"{_replace(own['of'], renamed)} of {_replace(own['formula'].strip(), renamed)}"


def _is_whole(formula: str) -> bool:
    """Whether parentheses close, and no comma parts it."""
    close = find_close(f"{formula})", 0)
    bare = re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)", "", formula))
    return close == len(formula) + 1 and _FOREIGN.search(bare) is None


def _write_rows(asked: Asked) -> str | None:
    rows = find_rows(asked)
    if rows is None:
        return None
    if asked.meant.function == "total":
        return str(rows)
    condition = _CONDITION.search(asked.call.inside)
    variable = find_variable(asked, rows) if asked.needs_variable else None
    if asked.needs_variable and variable is None:
        return None
    arguments = place_variable(asked, rows, variable) if variable else list(rows.arguments)
    own = [one for one in (variable, condition and condition["name"]) if one is not None]
    renamed = _rename(own, asked)
    rows = replace(rows, arguments=tuple(arguments))
    text = f"{rows.name}({', '.join(_write_arguments(asked, rows, own, renamed))})"
    if condition is not None and condition["name"] in arguments:
        sign = _SIGNS.get(condition["sign"], condition["sign"])
        text += f" and {renamed[condition['name']]} {sign} {_quote(condition['value'])}"
    return f"{renamed[variable]} of {text}" if variable is not None else text


def _write_arguments(
    asked: Asked, rows: Mention, asked_for: list[str], renamed: dict[str, str]
) -> list[str]:
    """What the call does not say itself is joined by the variables of the head alone."""
    known = {*asked.head, *asked_for}
    for one in asked.list_said():
        known |= {*one.arguments} if one.name == rows.name else set()
    return [
        renamed.get(one, "_" if is_variable(one) and one not in known else one)
        for one in rows.arguments
    ]  # fmt: skip


def _rename(names: list[str], asked: Asked) -> dict[str, str]:
    """Variables that are not used outside, where each has one value."""
    taken = set(find_variables(asked.outside))
    renamed: dict[str, str] = {}
    for one in names:
        new, number = one, 2
        while new in taken:
            new, number = f"{one}{number}", number + 1
        renamed[one] = new
        taken.add(new)
    return renamed


def _replace(text: str, renamed: dict[str, str]) -> str:
    return re.sub(r"\b[A-Z]\w*\b", lambda match: renamed.get(match[0], match[0]), text)


def _quote(value: str) -> str:
    return f'"{value[1:-1]}"' if value[0] == "'" else value
