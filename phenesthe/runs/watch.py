"""Who is told how a run goes."""

from dataclasses import dataclass, field
from typing import Protocol


class Watch(Protocol):
    def say(self, step: str) -> None:
        """What is being done now."""

    def warn(self, text: str) -> None:
        """What is odd but stops nothing."""

    def note(self, text: str) -> None:
        """What was found as it should be."""


@dataclass(slots=True)
class Listener:
    """Keeps what is told for whoever asks afterwards."""

    warnings: list[str] = field(default_factory=list)

    def say(self, step: str) -> None:
        pass

    def warn(self, text: str) -> None:
        self.warnings.append(text)

    def note(self, text: str) -> None:
        self.warnings.append(text)
