"""The input of a run, by the way of reading that an engine has."""

from collections.abc import Callable
from typing import TypeVar

from phenesthe.runs.request import Places, Request

R = TypeVar("R")


def read(request: Request, from_places: Callable[..., R], from_tables: Callable[..., R]) -> R:
    """Where the memory is kept a later run may take any row back, which it must name in full."""
    from phenesthe.plan.needed import list_columns

    whole = request.state is not None
    options = {
        "mapping": request.mapping,
        "strict": request.strict,
        "time_format": request.time_format,
        "columns": None if whole else list_columns(request.program, request.only),
    }
    if isinstance(request.source, Places):
        place, facts = request.source.input, request.source.facts
        return from_places(request.program, place, facts=facts, **options)
    return from_tables(request.program, request.source, **options)
