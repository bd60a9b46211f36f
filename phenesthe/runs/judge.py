"""What is said of the input of a run, before anything is found in it."""

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from phenesthe.options import name_option
from phenesthe.runs.ran import Read
from phenesthe.runs.request import Request
from phenesthe.runs.span import explain_span, refuse_too_early
from phenesthe.runs.watch import Watch

if TYPE_CHECKING:
    from phenesthe.io import DataError, Rejects
    from phenesthe.io.judge import NothingUsed
    from phenesthe.io.putting import Putting


#: More are meant with `--allow-empty` alone.
MOST_NAMES = 8


def judge(
    request: Request,
    found: Read,
    watch: Watch,
    *,
    remembered: Collection[str] = (),
    goes_on: bool = False,
) -> None:
    """Tell what is odd about the input. Raises `DataError` if the run could find nothing."""
    from phenesthe.io.errors import DataError
    from phenesthe.io.judge import NothingUsed, judge_input
    from phenesthe.plan.needed import prune

    for text in found.warnings:
        watch.warn(text)
    written = {Path(one).resolve() for one in request.list_written()}
    found.account.strangers = [
        (folder, name)
        for folder, name in found.account.strangers
        if Path(folder, name).resolve() not in written
    ]
    try:
        told = judge_input(
            prune(request.program, request.only),
            found.account,
            found.rejects,
            allowed=request.allowed,
            remembered=remembered,
            goes_on=goes_on,
        )
        refuse_too_early(request, found)
    except NothingUsed as problem:
        try:
            report_rejects(request, found.rejects, watch)
        except DataError as refused:
            # Not in the place of what is wrong with the input.
            watch.warn(str(refused))
        raise _offer_empty(request, found, problem) from None
    if told and request.output is not None:
        # One remedy for all of them.
        told[-1] += f"\n  help: give one, or add {name_option('allow_empty')} if that is meant"
    for text in told:
        watch.warn(text)
    if not goes_on and request.output is not None:
        _warn_of_no_row(request, found, watch)
    for text in explain_span(request, found):
        watch.warn(text)


def _offer_empty(request: Request, found: Read, problem: "NothingUsed") -> "DataError":
    """The remedy, and what to do if it is no mistake."""
    from phenesthe.io import DataError

    message = problem.message
    if request.output is None:
        # Nobody will see what there is to say of the columns, unless it is here.
        message = "\n  ".join((message, *found.warnings))
        how = f"give allow_empty={list(problem.names)}"
    else:
        few = problem.names if len(problem.names) <= MOST_NAMES else ()
        how = " ".join(["add", name_option("allow_empty"), *few])
    who = f"`{problem.names[0]}`" if len(problem.names) == 1 else "they"
    asked = str(problem.hint).endswith("?")
    hint = f"{problem.hint}{' If' if asked else '; if'} {who} may be empty, {how}"
    return DataError(message, hint)


def _warn_of_no_row(request: Request, found: Read, watch: Watch) -> None:
    """Tables that have no row at all: nothing will be found, and nothing is wrong with them."""
    from phenesthe.diagnostics.shorten import list_names
    from phenesthe.plan.needed import prune

    names = [one.name for one in prune(request.program, request.only).inputs]
    given = found.account.there.intersection(names)
    if not given or any(found.account.fitted[one] or request.allowed.has(one) for one in names):
        return
    watch.warn(
        f"no input has a row: there is only an empty table for {list_names(sorted(given))}\n"
        "  help: look at what has written it, or add "
        f"{name_option('allow_empty')} if that is meant"
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
    request: Request, rejects: "Rejects", watch: Watch, putting: "Putting | None" = None
) -> None:
    """Count the rows set aside, and keep them if that is wanted.

    Whoever gets results back gets these with them.
    """
    from phenesthe.io.putting import AT_ONCE

    if request.output is None:
        return
    if not rejects:
        if request.rejects and Path(request.rejects).is_file():
            # Those of an earlier run, which may be replaced, are none of this one.
            rejects.write(request.rejects, putting or AT_ONCE, overwrite=request.overwrite)
        return
    counts = ", ".join(f"{count:,} {reason}" for reason, count in rejects.count_reasons().items())
    total = len(rejects)
    them = "it" if total == 1 else "them"
    path = name_option("rejects", "PATH")
    hint = "" if request.rejects else f"; {path} writes {them} to a file"
    rows = "row was" if total == 1 else "rows were"
    watch.warn(f"{total:,} {rows} set aside ({counts}){hint}{_explain_null(rejects)}")
    if request.rejects:
        Path(request.rejects).parent.mkdir(parents=True, exist_ok=True)
        rejects.write(request.rejects, putting or AT_ONCE, overwrite=request.overwrite)
