"""Columns that are spelt in another way: `SPEED`, `Ship Type` and `ship-type` for `ship_type`.

A column of the exact name always wins, and `--map` is exact. Another is taken where there is only
one that it can be; where there are two, nobody guesses.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import field

from phenesthe.check.program import Signature
from phenesthe.frozen import dataclass
from phenesthe.io.errors import DataError
from phenesthe.io.names import Names, list_fields
from phenesthe.options import name_mapping

_VALUE = re.compile(r"\s*(?:[-+]?\d+(?:[.,]\d+)?|\d[\d/.-]+(?:[T ]\d[\d:.,]*Z?)?)\s*")


def fold(name: str) -> str:
    """What is left of a name without capitals, blanks and signs: `# Base Date_Time` is a
    `basedatetime`."""
    return "".join(one for one in name.casefold() if one.isalnum())


def has_values(names: Collection[str]) -> bool:
    """Whether a column is called like a number or a time: then its table has no line of names.

    Columns that are numbered from 0 are named, though by nobody.
    """
    numbers = [str(number) for number in range(len(names))]
    return list(names) != numbers and any(_VALUE.fullmatch(one) for one in names)


@dataclass(frozen=True, slots=True)
class Spelt:
    """The columns of a table as it spells them."""

    names: Names
    #: By argument or time: the column that was taken for it, and those of which none was.
    taken: Mapping[str, str] = field(default_factory=dict)
    unclear: Mapping[str, Collection[str]] = field(default_factory=dict)

    def check(self, signature: Signature, fields: Iterable[str], label: str) -> None:
        """Raise `DataError` where a column that is needed may be one of several."""
        for name in fields:
            if name in self.unclear:
                columns = sorted(self.unclear[name])
                option = name_mapping({f"{signature.name}.{name}": columns[0]})
                raise refuse_unclear(label, name, columns, option)

    def describe(self, signature: Signature, fields: Iterable[str]) -> str | None:
        """What was taken for what, of some fields."""
        shown = [f"`{self.taken[one]}` for `{one}`" for one in fields if one in self.taken]
        if not shown:
            return None
        kind = "fact" if signature.kind is None else "input"
        columns = "column" if len(shown) == 1 else "columns"
        return f"{kind} `{signature.name}`: took the {columns} {', '.join(shown)}"


def refuse_unclear(label: str, name: str, columns: Iterable[str], option: str) -> DataError:
    shown = " and ".join(f"`{one}`" for one in sorted(columns))
    return DataError(
        f"`{label}` has no column `{name}`, and {shown} are spelt like it",
        f"say which is meant: {option}",
    )


def spell(
    signature: Signature, names: Names, present: Iterable[str], wanted: Collection[str] | None
) -> Spelt:
    """The columns that a table has for the arguments and times, and for `arrival` and `op`.

    These two may be missing. They are looked for in another spelling only in a table that spells
    what is needed in its own way; elsewhere an `OP` is a column like any other.
    """
    there = set(present)
    fields = list_fields(signature, None)
    absent = [one for one in fields if names[one] == one and one not in there]
    if not absent:
        return Spelt(names)
    alike: dict[str, list[str]] = {}
    for column in sorted(there - set(names.values())):
        alike.setdefault(fold(column), []).append(column)
    alike.pop("", None)
    taken: dict[str, str] = {}
    unclear: dict[str, Collection[str]] = {}

    def look_for(name: str, rivals: Iterable[str]) -> None:
        found = alike.get(fold(name), [])
        if len(found) == 1 and not any(fold(one) == fold(name) for one in rivals if one != name):
            taken[name] = found[0]
        elif len(found) > 1:
            unclear[name] = found

    for name in absent:
        look_for(name, absent)
    if taken.keys() & set(list_fields(signature, wanted)):
        for name in ("arrival", "op"):
            if name not in (*signature.arguments, *there) and names[name] == name:
                look_for(name, fields)
    return Spelt({**names, **taken}, taken, unclear)
