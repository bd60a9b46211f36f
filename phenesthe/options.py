"""Options as the user gives them: `--time-format F` on the command line, `time_format=F` in Python.

Whoever says that an option is missing or wrong does not know who asked. The command line says it,
for the whole process: its threads too speak to whoever typed the command. On Spark it travels with
the work (`engines/spark/dispatch.py`).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

_are_flags = False


def are_flags() -> bool:
    return _are_flags


@contextmanager
def naming_flags(are_flags: bool = True) -> Iterator[None]:
    """A context in which options are named as on the command line, or as in Python."""
    global _are_flags
    before, _are_flags = _are_flags, are_flags
    try:
        yield
    finally:
        _are_flags = before


def name_option(name: str, value: object = None, *, python: str | None = None) -> str:
    """An option, by its name in Python. `python` is what to name there if that differs."""
    if _are_flags:
        flag = f"--{name.replace('_', '-')}"
        return flag if value is None else f"{flag} {value}"
    if python is not None:
        return python
    return name if value is None else f"{name}={value}"


def name_mapping(columns: Mapping[str, str]) -> str:
    """The option that says which column to read for what."""
    if _are_flags:
        return " ".join(f"--map {name}={column}" for name, column in columns.items())
    pairs = ", ".join(f'"{name}": "{column}"' for name, column in columns.items())
    return f"mapping={{{pairs}}}"
