"""What is remembered between the queries of a windowed run, for a reader in a terminal."""

from collections.abc import Iterator, Sequence

from phenesthe.check.program import Checked
from phenesthe.graph.remembering import Limit
from phenesthe.plan.memory_bounds import FormulaBound, MemoryBounds
from phenesthe.plan.origins import is_whole


def list_bounds(definition: Checked, operators: Sequence[FormulaBound]) -> Iterator[str]:
    """What a definition keeps from before the window; most of its operators keep nothing."""
    for one in operators:
        if one.bound in ("nothing", "window"):
            continue
        yield f"    remembers {one.keeps}"
        if not is_whole(definition, one.origin):
            yield f"      in {one.formula}"
        yield f"      {_describe_bound(one)}: {one.reason}"


def list_unbounded(memory: MemoryBounds) -> Iterator[str]:
    """Which definitions to mend before they run in windows, and how."""
    if not memory.unbounded:
        yield from ("", "memory: bounded for every definition")
        return
    yield from ("", "memory: unbounded in windowed runs")
    for name, operators in memory.by_definition().items():
        unbounded = [one for one in operators if one.bound == "unbounded"]
        culprits = [one for one in unbounded if one.is_culprit]
        for one in culprits or unbounded[:1]:
            yield f"  {name}: {one.reason}"
            if one.need.remedy:
                yield f"    help: {one.need.remedy}"


def _describe_bound(one: FormulaBound) -> str:
    limit = one.need.limit
    match one.bound:
        case "unbounded":
            return "not bounded"
        case "values":
            different = one.need.different
            return f"bounded by how many different {different} each interval that holds has had"
        case "rows":
            return "bounded by how many rows each interval that holds has had"
        case "duration" if limit is not None:
            return f"bounded by {_describe_limit(limit)}"
        case _ if limit is not None:
            return f"bounded for each binding ({_describe_limit(limit)})"
        case _:
            return "bounded for each binding"


def _describe_limit(limit: Limit) -> str:
    written = f"`{limit.word} {limit.duration}`"
    if limit.ticks is not None:
        return f"{written}, {limit.ticks} ticks"
    if limit.is_settled:
        return f"{written}, the largest value that a fact gives `{limit.duration}`"
    return f"{written}, as long as each row says"
