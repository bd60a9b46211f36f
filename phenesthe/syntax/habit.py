"""A habit of another language: how it looks in a declaration, and what to write instead."""

import re
from collections.abc import Callable
from dataclasses import dataclass

Groups = dict[str, str]


@dataclass(frozen=True, slots=True)
class Habit:
    """`at` of the pattern is marked and put into the message, `fix` is what the fix replaces.

    Without these groups it is all that the pattern matches. `{write}` in the hint is the fix,
    `{event}` a phenomenon of the declaration. Functions get the groups as they are written, and the
    text of the `declaration` and of its `file`.
    """

    pattern: re.Pattern[str]
    message: str
    hint: str | Callable[[Groups], str]
    write: str | Callable[[Groups], str | None] | None = None


def find_habit(pattern: str, *, any_case: bool = True) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE if any_case else 0)
