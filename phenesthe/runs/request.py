"""What a run is: one value, whether the command line builds it or Python."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from phenesthe.check.program import CheckedProgram
    from phenesthe.io.judge import Allowed
    from phenesthe.io.lines import Times

Emit: TypeAlias = Literal["final", "changes", "snapshots"]
OnChange: TypeAlias = Literal["refuse", "restart", "carry"]


@dataclass(frozen=True, slots=True)
class Places:
    """Where rows are read: a folder of tables or one file, and facts from one of their own."""

    input: str
    facts: str | None = None


@dataclass(frozen=True, slots=True)
class Output:
    """Where results are written, and how. Without a path it is stdout."""

    path: str | None = None
    overwrite: bool = False
    times: "Times" = "int"


@dataclass(frozen=True, slots=True)
class Windows:
    """How a run is replayed."""

    width: int
    step: int
    emit: Emit = "final"


@dataclass(frozen=True, slots=True)
class State:
    """The folder in which a replay is kept, and what to do if it is of another program."""

    path: str
    on_change: OnChange = "refuse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is to be done, whichever engine does it; all of it is read and checked."""

    #: With its parameters.
    program: "CheckedProgram"
    only: tuple[str, ...]
    #: Places, or tables, frames and paths by the names of inputs and facts.
    source: Places | Mapping[str, Any]
    allowed: "Allowed"
    #: None: results are given back.
    output: Output | None = None
    until: int | None = None
    start: int | None = None
    #: Without them there is one query.
    windows: Windows | None = None
    #: Only with windows.
    state: State | None = None
    mapping: Mapping[str, str] | None = None
    time_format: str | None = None
    strict: bool = False
    #: The files to which rows set aside, and a line about each query, are written.
    rejects: str | None = None
    stats: str | None = None

    @property
    def path(self) -> str | None:
        """The file, folder or address to which results are written, if there is one."""
        return None if self.output is None else self.output.path

    @property
    def overwrite(self) -> bool:
        """Whether what exists may be replaced: the output, and the files beside it."""
        return self.output is not None and self.output.overwrite

    def list_beside(self) -> tuple[str, ...]:
        """The files that are written beside the output."""
        return tuple(one for one in (self.rejects, self.stats) if one is not None)

    def list_written(self) -> tuple[str, ...]:
        return (*(() if self.path is None else (self.path,)), *self.list_beside())
