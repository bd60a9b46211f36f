"""How long an operator waits, looks back or lets pass: one length for all bindings, or for each."""

from typing import TypeAlias

from phenesthe.frozen import dataclass
from phenesthe.vocabulary import Names


@dataclass(frozen=True, slots=True)
class Varying:
    """The value of a variable, in ticks and positive: other rows were taken out before.

    `is_settled`: its values come of facts, so that the largest one is known when a run begins.
    """

    variable: str
    is_settled: bool


#: In ticks.
Length: TypeAlias = int | Varying


def name_varying(*lengths: Length | None) -> Names:
    return tuple([one.variable for one in lengths if isinstance(one, Varying)])


def is_limited(length: Length | None) -> bool:
    """Whether it can be said before a row is there how long it is at most."""
    return length is not None and (isinstance(length, int) or length.is_settled)


def explain_unlimited(length: Varying, word: str) -> tuple[str, str]:
    """Why it limits nothing, and the remedy."""
    return (
        f"`{word} {length.variable}` is as long as a row says, and nothing says how long that is "
        "at most",
        f"take `{length.variable}` from a fact: `(…) where longest(V, {length.variable})`",
    )
