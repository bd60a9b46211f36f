"""What waits for what comes next: the words of `before`, `after` and `then` as they are written."""

from collections.abc import Set

from phenesthe.graph.lengths import Length, Varying, explain_unlimited
from phenesthe.graph.origin import Origin
from phenesthe.graph.remembering import Need, find_limit


def need_of_pairs(
    origin: Origin, within: Length | None, earlier: Set[str], later: Set[str]
) -> Need:
    """`earlier` and `later` are the variables of the sides, by their order in time."""
    first, second = _sides(origin)
    keeps = f"the last {first} side of each binding, until a {second} side follows"
    if not later <= earlier:
        # A binding that was answered is not answered again, while others still wait.
        keeps += f", and the last {second} side of each binding, which bars later ones"
    if within is not None:
        return _wait_within(origin, within, keeps)
    if not earlier | later:
        return Need(keeps, "binding", "there is only one binding")
    waiting = _explain_waiting(origin, earlier, later)
    if origin.word == "then":
        remedy = "if it may not take for ever, write `… before … within D`"
        return Need(keeps, "unbounded", f"`then` has no limit: {waiting}", remedy)
    return Need(
        keeps,
        "unbounded",
        f"`{origin.word}` without `within`: {waiting}",
        f"say how long it may take: `… {origin.word} … within D`",
    )


def _explain_waiting(origin: Origin, earlier: Set[str], later: Set[str]) -> str:
    first, second = _sides(origin)
    if earlier & later:
        return "a binding that never comes back waits for ever"
    if earlier:
        return f"bindings add up until a {second} side follows, whenever that is"
    return f"bindings add up until another {first} side comes, whenever that is"


def need_of_followed(origin: Origin, within: Length | None) -> Need:
    """All that are followed, which is whatever came first."""
    first, second = _sides(origin)
    keeps = f"every {first} side that a {second} side may still follow"
    if within is not None:
        return _wait_within(origin, within, keeps)
    return _wait_for_ever(origin, keeps, f"all {first} sides wait for the next {second} side")


def need_of_preceded(origin: Origin, within: Length | None, variables: Set[str]) -> Need:
    """Of what comes first only that there was one."""
    first, second = _sides(origin)
    if within is not None:
        return _wait_within(origin, within, f"the last {first} side of each binding")
    keeps = f"one {first} side of each binding"
    if not variables:
        return Need(keeps, "binding", "there is only one binding")
    return _wait_for_ever(origin, keeps, f"it counts for every later {second} side")


def _wait_within(origin: Origin, within: Length, keeps: str) -> Need:
    limit = find_limit(origin, "within", within)
    if isinstance(within, Varying) and not within.is_settled:
        reason, remedy = explain_unlimited(within, "within")
        return Need(keeps, "unbounded", reason, remedy, limit=limit)
    return Need(keeps, "duration", "after that long nothing can follow any more", limit=limit)


def _wait_for_ever(origin: Origin, keeps: str, reason: str) -> Need:
    name, mode = origin.word, origin.mode
    return Need(
        keeps,
        "unbounded",
        f"`{name} … as {mode}` without `within`: {reason}",
        f"say how far apart they may be: `… {name} … within D as {mode}`",
    )


def _sides(origin: Origin) -> tuple[str, str]:
    """The side that comes first in time, and the other one."""
    return ("right", "left") if origin.word == "after" else ("left", "right")
