"""Constants of a program that occur in no row, and what occurs in their place."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

import pyarrow.compute as pc

from phenesthe.arrow import pack
from phenesthe.check.program import CheckedProgram
from phenesthe.diagnostics.shorten import shorten
from phenesthe.diagnostics.suggest import closest
from phenesthe.io.account import Account
from phenesthe.io.columns import TYPES
from phenesthe.plan.constants import Column, find_constants

#: Different values of a column beyond which none is suggested.
MOST_VALUES = 1_000
#: Values, and constants, that are told.
_TOLD = 8

Constant = str | int


class Values(Protocol):
    """The columns of what was read, on whichever engine."""

    def find_present(
        self, asked: Mapping[Column, Collection[Constant]]
    ) -> Mapping[Column, Collection[Constant]]:
        """Those of some constants that occur."""
        ...

    def list_values(
        self, columns: Sequence[Column]
    ) -> Mapping[Column, Collection[Constant] | None]:
        """All different values of columns; None where there are too many."""
        ...


def warn_unseen(program: CheckedProgram, account: Account, values: Values) -> list[str]:
    """A warning for each column with constants that it does not have.

    The program has only what a run needs. Of what has no rows it is said elsewhere.
    """
    asked: dict[Column, dict[Constant, None]] = {}
    wanted = [
        one
        for one in find_constants(program)
        if all(account.fitted[name] > 0 for name, _ in one.columns)
    ]
    for one in wanted:
        for column in one.columns:
            asked.setdefault(column, {})[one.value] = None
    if not asked:
        return []
    present = values.find_present(asked)
    unseen: dict[Column, dict[Constant, None]] = {}
    for one in wanted:
        if not any(one.value in present.get(column, ()) for column in one.columns):
            unseen.setdefault(one.columns[0], {})[one.value] = None
    if not unseen:
        return []
    there = values.list_values(list(unseen))
    facts = {one.name for one in program.facts}
    return [
        _describe(column, list(constants), there.get(column), is_fact=column[0] in facts)
        for column, constants in unseen.items()
    ]


def _describe(
    column: Column,
    constants: Sequence[Constant],
    there: Collection[Constant] | None,
    *,
    is_fact: bool,
) -> str:
    name, argument = column
    if there is not None and isinstance(constants[0], int):
        there = [int(one) for one in there]  # not every engine knows them as numbers
    shown = [_suggest(one, there) for one in constants[:_TOLD]]
    more = f" and {len(constants) - _TOLD} more" if len(constants) > _TOLD else ""
    text = ", ".join(told for told, _ in shown) + more
    kind = "fact" if is_fact else "input"
    found = f"no row of {kind} `{name}` has as `{argument}` what the program asks for: {text}"
    if there is not None and not any(has for _, has in shown):
        found += f" (there is: {_list(there)})"
    return found


def _suggest(constant: Constant, there: Collection[Constant] | None) -> tuple[str, bool]:
    """How a constant is told, and whether with what is meant instead."""
    values = sorted(there or (), key=str, reverse=True)
    folded = {str(one).strip().casefold(): one for one in values}
    likely = closest(str(constant).strip().casefold(), folded)
    told = _quote(constant)
    if likely is None:
        return told, False
    return f"{told} (did you mean {_quote(folded[likely])}?)", True


def _list(values: Collection[Constant]) -> str:
    shown: list[Constant] = []
    shown += sorted(one for one in values if isinstance(one, int))
    shown += sorted(one for one in values if isinstance(one, str))
    shown = shown[:_TOLD]
    return ", ".join(map(_quote, shown)) + (", …" if len(values) > _TOLD else "")


def _quote(value: Constant) -> str:
    return f"`{shorten(str(value))}`"


class TableValues:
    """Of tables in this process."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self._tables = tables

    def find_present(
        self, asked: Mapping[Column, Collection[Constant]]
    ) -> dict[Column, set[Constant]]:
        return {
            column: {one for one in constants if _occurs(self._get(column), one)}
            for column, constants in asked.items()
        }

    def list_values(self, columns: Iterable[Column]) -> dict[Column, list[Constant] | None]:
        found = {}
        for column in columns:
            unique = pc.unique(self._get(column))
            found[column] = None if len(unique) > MOST_VALUES else unique.to_pylist()
        return found

    def _get(self, column: Column) -> Any:
        name, argument = column
        return self._tables[name][argument]


def _occurs(column: Any, constant: Constant) -> bool:
    kind = TYPES["str"] if isinstance(constant, str) else TYPES["int"]
    return bool(pc.index(column, pack([constant], kind)[0]).as_py() >= 0)
