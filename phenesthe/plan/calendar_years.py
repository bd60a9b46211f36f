"""Calendar states ask for times that are dates."""

from phenesthe.check.check_parameters import MICROSECONDS
from phenesthe.check.program import CheckedProgram
from phenesthe.io.errors import DataError
from phenesthe.options import name_option
from phenesthe.plan.columns import bodies_of
from phenesthe.syntax.tree import Calendar, Unit
from phenesthe.syntax.tree.walk import walk

#: The seconds of the years 1 to 9999.
_LEAST, _MOST = -62_135_596_800, 253_402_300_799


def find_calendar(program: CheckedProgram) -> str | None:
    """The name of a calendar state that the program uses."""
    for definition in program.definitions:
        for body in bodies_of(definition):
            for node in walk(body):
                if isinstance(node, Calendar) and node.name != "always":
                    return node.name
    return None


def check_years(name: str, unit: Unit, first: int, q: int) -> None:
    """Raise `DataError` where a calendar state would hold on days that have no date.

    There would also be more of them than a machine has room for.
    """
    if first > q:
        return
    per_second = 1_000_000 // MICROSECONDS[unit]
    for time in (first, q):
        if not _LEAST <= time // per_second <= _MOST:
            raise DataError(
                f"`{name}` takes times for {unit}s since 1970, and {time:,} is in no year from 1 "
                "to 9999",
                f"say what times count with `unit`, mend the row that has it, or leave it out with "
                f"{name_option('start')} or {name_option('until')}",
            )
