"""One code and its explanation."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    code: str
    title: str
    explanation: str
