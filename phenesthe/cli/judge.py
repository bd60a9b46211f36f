"""What `phenesthe run` says of its input, before anything is found in it."""

import argparse
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from phenesthe.cli.order import Order
from phenesthe.cli.terminal import warn

if TYPE_CHECKING:
    from phenesthe.io import Rejects
    from phenesthe.io.account import Account
    from phenesthe.io.putting import Putting


#: More are meant with `--allow-empty` alone.
MOST_NAMES = 8


class Read(Protocol):
    """What was read, in whatever form an engine has it."""

    @property
    def rejects(self) -> "Rejects": ...

    @property
    def warnings(self) -> tuple[str, ...]: ...

    @property
    def account(self) -> "Account": ...

    @property
    def last(self) -> int | None: ...


def judge(
    given: argparse.Namespace,
    order: Order,
    found: Read,
    *,
    remembered: Collection[str] = (),
    goes_on: bool = False,
) -> None:
    """Tell what is odd about the input. Raises `DataError` if the run could find nothing."""
    from phenesthe.io import DataError
    from phenesthe.io.judge import NothingUsed, judge_input
    from phenesthe.plan.needed import prune
    from phenesthe.results import offer_empty

    for text in found.warnings:
        warn(text)
    written = {Path(one).resolve() for one in (given.output, given.rejects, given.stats) if one}
    found.account.strangers = [
        (folder, name)
        for folder, name in found.account.strangers
        if Path(folder, name).resolve() not in written
    ]
    try:
        told = judge_input(
            prune(order.program, order.only),
            found.account,
            found.rejects,
            allowed=order.allowed,
            remembered=remembered,
            goes_on=goes_on,
        )
    except NothingUsed as problem:
        report_rejects(given, found.rejects)
        few = problem.names if len(problem.names) <= MOST_NAMES else ()
        meant = " ".join(["--allow-empty", *few])
        hint = offer_empty(problem, f"add {meant}")
        raise DataError(problem.message, hint) from None
    if told:
        # One remedy for all of them.
        told[-1] += "\n  help: give one, or add --allow-empty if that is meant"
    for text in told:
        warn(text)
    if not goes_on:
        _warn_of_no_row(order, found)


def _warn_of_no_row(order: Order, found: Read) -> None:
    """Tables that have no row at all: nothing will be found, and nothing is wrong with them."""
    from phenesthe.diagnostics.shorten import list_names
    from phenesthe.plan.needed import prune

    names = [one.name for one in prune(order.program, order.only).inputs]
    given = found.account.there.intersection(names)
    if not given or any(found.account.fitted[one] or order.allowed.has(one) for one in names):
        return
    warn(
        f"no input has a row: there is only an empty table for {list_names(sorted(given))}\n"
        "  help: look at what has written it, or add --allow-empty if that is meant"
    )


def _explain_null(rejects: "Rejects") -> str:
    """Where a value is missing: what cannot be read is told by itself, this is not."""
    from phenesthe.io.columns import Reason

    for (_, reason), first in rejects.firsts.items():
        if reason == Reason.NULL_ARGUMENT.text and first.column is not None:
            return (
                f"\n  help: null argument: there is no value for `{first.column}`, for example in "
                f"{first.describe_place()}: give one, or leave the row out"
            )
    return ""


def report_rejects(
    given: argparse.Namespace, rejects: "Rejects", putting: "Putting | None" = None
) -> None:
    """Count the rows set aside, and keep them if that is wanted."""
    from phenesthe.io.putting import AT_ONCE

    if not rejects:
        return
    counts = ", ".join(f"{count:,} {reason}" for reason, count in rejects.count_reasons().items())
    total = len(rejects)
    them = "it" if total == 1 else "them"
    hint = "" if given.rejects else f"; --rejects PATH writes {them} to a file"
    rows = "row was" if total == 1 else "rows were"
    warn(f"{total:,} {rows} set aside ({counts}){hint}{_explain_null(rejects)}")
    if given.rejects:
        Path(given.rejects).parent.mkdir(parents=True, exist_ok=True)
        rejects.write(given.rejects, putting or AT_ONCE)
