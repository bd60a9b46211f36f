"""What is told of a run at its end."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol

from phenesthe.frozen import dataclass
from phenesthe.runs.request import Request

if TYPE_CHECKING:
    from phenesthe.check.program import CheckedProgram
    from phenesthe.io.account import Account
    from phenesthe.io.meta import Meta
    from phenesthe.io.rejects import Rejects
    from phenesthe.io.unseen import Values


class Read(Protocol):
    """What was read, in whatever form an engine has it."""

    @property
    def rejects(self) -> "Rejects": ...

    @property
    def warnings(self) -> tuple[str, ...]: ...

    @property
    def account(self) -> "Account": ...

    @property
    def first(self) -> int | None: ...

    @property
    def last(self) -> int | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What was read and found, counted on the way: nothing is looked at for it."""

    #: With what the run needed, and nothing else.
    program: "CheckedProgram"
    account: "Account"
    rejects: "Rejects"
    #: By definition: results, or the rows of their versions. None: what was done before.
    found: Mapping[str, int] | None
    #: What a row that was found is, if it is no result.
    row: str = ""
    #: Facts that need not be given again.
    remembered: Collection[str] = ()
    #: Seconds it took until Spark was there; next to none where it was there before.
    start: float = 0.0
    #: What is worth saying, now that all is done.
    warnings: Sequence[str] = field(default_factory=tuple)


def make_ran(
    request: Request,
    found: Read,
    counts: Mapping[str, int] | None,
    values: "Values | None" = None,
) -> Ran:
    """With the `values` that were read, it tells what they lack."""
    from phenesthe.io.unseen import warn_unseen
    from phenesthe.plan.needed import prune

    needed = prune(request.program, request.only)
    return Ran(
        program=needed,
        account=found.account,
        rejects=found.rejects,
        found=counts,
        warnings=() if values is None else warn_unseen(needed, found.account, values),
    )


def make_meta(request: Request, found: Read, last: int | None) -> "Meta":
    """What is told beside the results. `last` is the last query, if it was not asked for."""
    from phenesthe.io.meta import Meta
    from phenesthe.plan.needed import prune
    from phenesthe.plan.print_program import find_fingerprint, print_program

    return Meta(
        unit=request.program.unit,
        query=last if request.until is None else request.until,
        dates=found.account.dated,
        program=find_fingerprint(print_program(prune(request.program, request.only))),
    )


def count_rows(tables: Mapping[str, Any]) -> dict[str, int]:
    return {name: table.num_rows for name, table in tables.items()}
