"""What each operator keeps of rows from before the window, and why no more than that."""

from phenesthe.check.program import Signature
from phenesthe.check.scopes import Names
from phenesthe.plan.memory import Limit, Need, RememberedInput
from phenesthe.syntax.tree import ComparisonOperator, Formula, Mode

ROW_BY_ROW = Need("nothing", "nothing", "each row is judged by itself")
ONE_INSTANT = Need(
    "nothing from before the window",
    "window",
    "it compares what is true at one instant, and instants before the window are final",
)
HOLDING = Need(
    "the start of the interval that still holds, for each binding",
    "binding",
    "everything before that start is final",
)
COMPLEMENT = Need(
    "the intervals of both sides that still hold, and the start of the piece that holds",
    "binding",
    "pieces that ended before the window are final",
)
INTERSECTION = Need(
    "the intervals of each side that still hold",
    "binding",
    "the pieces of intervals that ended before the window are final",
)
RELATED = Need(
    "the intervals of either side that still hold, and what is already related to one of them",
    "binding",
    "two intervals that both ended before the window are related or not for good",
)
CONTAINS = Need(
    "the intervals of either side that still hold, and for each one that it contains",
    "binding",
    "one contained interval is enough, and what ended before the window is in it or not for good",
)


def remember_input(signature: Signature) -> RememberedInput:
    match signature.kind:
        case "event":
            return RememberedInput(signature.name, "the rows inside the window", "window")
        case "state":
            keeps = "the rows inside the window, and for each binding the interval that still holds"
        case _:
            keeps = "the rows inside the window, and the intervals that still hold"
    return RememberedInput(signature.name, keeps, "binding")


def need_of_range(expires: Limit | None, *, is_exclusive: bool) -> Need:
    holding = "the start of the interval that still holds, for each binding"
    if is_exclusive:
        holding = "the start of the interval on which this value still holds, for each binding"
    if expires is None:
        return Need(holding, "binding", "one row for as long as it holds; the rest is final")
    return Need(
        f"{holding}, and the last instant that restarted its clock",
        "duration",
        "a binding that goes quiet is forgotten when its clock has run out",
        limit=expires,
    )


def need_of_lasting(operator: ComparisonOperator, limit: Limit) -> Need:
    keeps = "the intervals that still hold"
    if operator in ("<", "<=", "=="):
        reason = "an interval that has lasted longer is out for good"
        return Need(keeps, "duration", reason, limit=limit)
    reason = "undecided for that long, and then in the result for as long as it holds"
    return Need(keeps, "binding", reason, limit=limit)


def need_of_repeat(operator: ComparisonOperator, limit: Limit, variables: Names) -> Need:
    keeps = "the start of the run and the last two occurrences, for each binding"
    if operator in ("<", "<=", "=="):
        reason = "after that long without another occurrence the run is over"
        return Need(keeps, "duration", reason, limit=limit)
    if not variables:
        return Need(keeps, "binding", "there is only one binding")
    return Need(
        keeps,
        "unbounded",
        f"`gap {operator}` never runs out: a binding that never returns is never decided",
        f"bound the gap from above: `while gap <= D` in place of `gap {operator} {limit.duration}`",
    )


def need_of_before(name: str, within: Limit | None, earlier: Names, later: Names) -> Need:
    """`earlier` and `later` are the variables of the sides, by their order in time."""
    keeps = _keep_last(name, earlier, later)
    if within is not None:
        return Need(keeps, "duration", "after that long nothing can follow any more", limit=within)
    if not earlier | later:
        return Need(keeps, "binding", "there is only one binding")
    return Need(
        keeps,
        "unbounded",
        f"`{name}` without `within`: {_explain_waiting(name, earlier, later)}",
        f"say how long it may take: `… {name} … within D`",
    )


def need_of_then(earlier: Names, later: Names) -> Need:
    keeps = _keep_last("then", earlier, later)
    if not earlier | later:
        return Need(keeps, "binding", "there is only one binding")
    return Need(
        keeps,
        "unbounded",
        f"`then` has no limit: {_explain_waiting('then', earlier, later)}",
        "if it may not take for ever, write `… before … within D`",
    )


def _keep_last(name: str, earlier: Names, later: Names) -> str:
    first, second = _sides(name)
    keeps = f"the last {first} side of each binding, until a {second} side follows"
    if not later <= earlier:
        # A binding that was answered is not answered again, while others still wait.
        keeps += f", and the last {second} side of each binding, which bars later ones"
    return keeps


def _explain_waiting(name: str, earlier: Names, later: Names) -> str:
    first, second = _sides(name)
    if earlier & later:
        return "a binding that never comes back waits for ever"
    if earlier:
        return f"bindings add up until a {second} side follows, whenever that is"
    return f"bindings add up until another {first} side comes, whenever that is"


def reports_later(name: str, mode: Mode) -> bool:
    """Only the side that comes second in time is reported."""
    return (name, mode) in (("before", "target"), ("after", "source"))


def _sides(name: str) -> tuple[str, str]:
    """The side that comes first in time, and the other one."""
    return ("right", "left") if name == "after" else ("left", "right")


def need_of_before_as(name: str, mode: Mode, within: Limit | None, variables: Names) -> Need:
    """Of what comes first, `as` wants to know all that are followed, or only that one was."""
    first, second = _sides(name)
    wants_all = not reports_later(name, mode)
    if wants_all:
        keeps = f"every {first} side that a {second} side may still follow"
    elif within is not None:
        keeps = f"the last {first} side of each binding"
    else:
        keeps = f"one {first} side of each binding"
    if within is not None:
        return Need(keeps, "duration", "after that long nothing can follow any more", limit=within)
    if not wants_all and not variables:
        return Need(keeps, "binding", "there is only one binding")
    if wants_all:
        reason = f"all {first} sides wait for the next {second} side"
    else:
        reason = f"it counts for every later {second} side"
    return Need(
        keeps,
        "unbounded",
        f"`{name} … as {mode}` without `within`: {reason}",
        f"say how far apart they may be: `… {name} … within D as {mode}`",
    )


def need_of_dense(operand: Formula) -> Need:
    return Need(
        "everything since the beginning of the timeline",
        "unbounded",
        "a negation that no event limits is true at nearly every instant",
        "join the negation with the event at which to look: `ais(V, _) and not …`",
        cause=operand,
    )
