"""A test as it is written, and what can be wrong with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from phenesthe.report.rows import Key, Value, order_args


class Problem(NamedTuple):
    """What a test file gets wrong: the place, the reason and the remedy."""

    file: Path
    line: int
    reason: str
    remedy: str = ""


class Misfit(Exception):
    """A line that cannot be used; whoever reads the lines adds the place."""

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy


class Line(NamedTuple):
    number: int
    data: Mapping[str, Any]


@dataclass(slots=True, kw_only=True)
class Test:
    """The lines of one test, in their order; `problems` are those that cannot be read."""

    file: Path
    head: Line
    name: str
    inputs: list[Line] = field(default_factory=list)
    facts: list[Line] = field(default_factory=list)
    expects: list[Line] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def params(self) -> Mapping[str, object]:
        given = self.head.data.get("params", {})
        assert isinstance(given, dict)
        return given


class Entry(NamedTuple):
    """One instant (`end` is `start`) or interval of a phenomenon, expected or found."""

    args: tuple[Value, ...]
    start: int
    end: int | None

    @property
    def key(self) -> tuple[Key, int, bool, int]:
        """Orders entries, and tells the same from different: 1 and 1.0 are the same, NaN too."""
        return order_args(self.args), self.start, self.end is None, self.end or 0
