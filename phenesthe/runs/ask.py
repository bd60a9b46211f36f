"""What Python asks for."""

from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from typing import Any, SupportsIndex

from phenesthe.check.program import CheckedProgram
from phenesthe.io.errors import DataError
from phenesthe.io.judge import allow_empty
from phenesthe.options import name_option
from phenesthe.plan.needed import check_names
from phenesthe.runs.options import (
    UsageError,
    check_span,
    check_state,
    read_time,
    read_windows,
    refuse_parts,
)
from phenesthe.runs.protect import list_given, list_program
from phenesthe.runs.request import Request, State

_CHOICES = {"emit": ("final", "changes", "snapshots"), "on_change": ("refuse", "restart", "carry")}


def ask(
    program: CheckedProgram,
    inputs: Mapping[str, Any],
    *,
    only: Iterable[str] | None = None,
    until: SupportsIndex | str | None = None,
    start: SupportsIndex | str | None = None,
    window: object = None,
    step: object = None,
    emit: Any = None,
    state: str | PathLike[str] | None = None,
    on_change: Any = None,
    mapping: Mapping[str, str] | None = None,
    strict: bool = False,
    time_format: str | None = None,
    allow: bool | Iterable[str] = False,
    partitions: int | None = None,
) -> Request:
    """Raises `DataError` for whatever cannot be meant."""
    if not isinstance(inputs, Mapping):
        what = f"`{inputs}`" if isinstance(inputs, str | PathLike) else type(inputs).__name__
        known = program.inputs[0].name if program.inputs else "ais"
        raise DataError(
            f"a run takes tables by their names, not {what}",
            f'give a dict, for example {{"{known}": table}}; a path may stand for a table',
        )
    names = check_names(program, only)
    allowed = allow_empty(program, (() if allow else None) if isinstance(allow, bool) else allow)
    folder = None if state is None else fspath(state)
    try:
        for option, value in (("emit", emit), ("on_change", on_change)):
            _check_choice(option, value)
        windows = read_windows(
            window=window,
            step=step,
            emit=emit,
            state=folder,
            on_change=on_change,
            unit=program.unit,
        )
        first, last = (
            read_time(start, "start", program.unit),
            read_time(until, "until", program.unit),
        )
        check_span(windows, first, last)
        if folder is not None:
            refuse_parts(folder, partitions)
            check_state(folder, (*list_program(program), *list_given(inputs.items())))
    except UsageError as problem:
        raise DataError(problem.message, problem.hint) from None
    return Request(
        program=program,
        only=names,
        source=inputs,
        allowed=allowed,
        until=last,
        start=first,
        windows=windows,
        state=None if folder is None else State(folder, on_change or "refuse"),
        mapping=mapping,
        time_format=time_format,
        strict=strict,
    )


def _check_choice(option: str, value: object) -> None:
    choices = _CHOICES[option]
    if value is not None and value not in choices:
        listed = ", ".join(f'"{one}"' for one in choices[:-1])
        raise UsageError(
            f"{name_option(option)} cannot be `{value}`", f'give {listed} or "{choices[-1]}"'
        )
