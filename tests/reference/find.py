"""One definition over inputs with short names: what most tests of a meaning need."""

from typing import Any

from phenesthe.syntax.tree import Formula, Kind
from tests.reference import build
from tests.reference.program import evaluate

Flat = set[tuple[Any, ...]]

KINDS: dict[str, Kind] = {
    **dict.fromkeys("efg", "event"),
    **dict.fromkeys("stu", "state"),
    **dict.fromkeys("dk", "dynamic"),
}
E, F, G = build.atom("e"), build.atom("f"), build.atom("g")
S, T, U = build.atom("s"), build.atom("t"), build.atom("u")
D, K = build.atom("d"), build.atom("k")
EX, FX, SX = build.atom("e", "X"), build.atom("f", "X"), build.atom("s", "X")


def find(
    kind: Kind,
    body: Formula,
    variables: str = "",
    /,
    *,
    facts: Any = None,
    until: Any = None,
    start: Any = None,
    params: Any = None,
    **inputs: Any,
) -> Flat:
    """What a definition with this body gives; its parameter `p` is 5.

    Rows and results are the arguments, then the times; an event without arguments may be given
    by its instant alone.
    """
    program = build.program(
        build.definition("found", kind, variables, body),
        inputs=KINDS,
        facts=tuple(facts or {}),
        parameters={"p": 5},
    )
    rows: dict[str, list[Any]] = {}
    for name, given in inputs.items():
        times = 1 if KINDS[name] == "event" else 2
        flat = [row if isinstance(row, tuple) else (row,) for row in given]
        rows[name] = [(row[:-times], *row[-times:]) for row in flat]
    found = evaluate(program, rows, facts or {}, until=until, start=start, params=params)["found"]
    return {(*arguments, *times) for arguments, *times in found}
