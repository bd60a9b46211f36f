"""Whether the rows of a run lie where it asks: before its start or after its end nothing is found,
and nobody would know why.
"""

from collections.abc import Iterator

from phenesthe.options import name_option
from phenesthe.runs.ran import Read
from phenesthe.runs.request import Request


def refuse_too_early(request: Request, found: Read) -> None:
    """Raise `NothingUsed` for a replay that begins when all rows are over: all are too late.

    Where a state is kept these are only some of the rows, and others follow.
    """
    from phenesthe.io.judge import NothingUsed
    from phenesthe.plan.needed import prune

    start = request.start
    if request.windows is None or request.state is not None or start is None:
        return
    if found.last is None or found.last > start:
        return
    inputs = prune(request.program, request.only).inputs
    names = [
        one.name
        for one in inputs
        if found.account.fitted[one.name] and not request.allowed.has(one.name)
    ]
    if names:
        total = sum(found.account.fitted[one] for one in names)
        rows = "the only row is" if total == 1 else f"all {total:,} rows are"
        raise NothingUsed(
            f"{rows} too late: what lies at or before {name_option('start', start)} is not used, "
            f"and the last instant is {found.last}",
            f"give an earlier {name_option('start')}, or leave it out",
            names,
        )


def explain_span(request: Request, found: Read) -> Iterator[str]:
    """Why nothing, or little, can be found."""
    first, last, start, until = found.first, found.last, request.start, request.until
    if first is None or last is None:
        return
    if until is not None and first > until:
        yield (
            f"all rows lie after {name_option('until', until)}, so none of them is used: the first "
            f"instant is {first}, the last {last}\n"
            f"  help: give a later {name_option('until')}, or leave it out"
        )
    elif request.windows is None and start is not None:
        end = last if until is None else until
        if start > end:
            what = "the last instant" if until is None else name_option("until")
            yield (
                f"{name_option('start', start)} lies after {what}, {end}, so there is no timeline: "
                "what asks about every instant finds nothing\n"
                f"  help: give an earlier {name_option('start')}, or leave it out"
            )
