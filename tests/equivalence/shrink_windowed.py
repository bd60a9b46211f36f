"""Make a failing replay small, and show it."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from phenesthe.syntax.parser import parse
from phenesthe.syntax.printer import print_module
from phenesthe.syntax.source import Source
from phenesthe.syntax.tree import Declaration
from tests.equivalence.compare import Results
from tests.equivalence.late import WindowedCase
from tests.equivalence.overrides import compile_with
from tests.equivalence.shrink import drop_parts, shrink_by, simplify_declaration
from tests.equivalence.windowed import Failure, list_expected, show
from tests.reference.windowed import Operation

Fails = Callable[[WindowedCase], Failure | None]


def shrink_windowed(case: WindowedCase, find: Fails, most: int = 3000) -> WindowedCase:
    """The smallest case found that fails in the same way, in whichever definition."""
    return shrink_by(case, find, list_smaller, most)


def list_smaller(case: WindowedCase) -> Iterator[WindowedCase]:
    """Cases a little smaller than this one, the greatest steps first."""
    declarations = parse(Source("program.phe", case.text)).declarations
    for at in range(len(declarations) - 1, -1, -1):
        yield _replace_text(case, (*declarations[:at], *declarations[at + 1 :]))
    for name, operations in case.operations.items():
        for fewer in drop_parts(operations):
            yield replace(case, operations={**case.operations, name: fewer})
    for name, rows in case.facts.items():
        for fewer_rows in drop_parts(rows):
            yield replace(case, facts={**case.facts, name: fewer_rows})
    for at, declaration in enumerate(declarations):
        for simpler in simplify_declaration(declaration):
            yield _replace_text(case, (*declarations[:at], simpler, *declarations[at + 1 :]))
    yield from _list_simpler_replays(case)
    for name, operations in case.operations.items():
        for at, one in enumerate(operations):
            if one.arrival is not None:
                known = replace(one, arrival=None)
                changed = [*operations[:at], known, *operations[at + 1 :]]
                yield replace(case, operations={**case.operations, name: changed})


def _list_simpler_replays(case: WindowedCase) -> Iterator[WindowedCase]:
    """Fewer queries, and a window without a remainder."""
    if case.start is not None:
        yield replace(case, start=None)
    if case.until is not None:
        yield replace(case, until=None)
    if case.session:
        yield replace(case, session=False)
    for step in (case.window, case.step + 1):
        if case.step < step <= case.window:
            yield replace(case, step=step)
    for window in (case.step, case.window // 2, case.window - 1):
        if case.step <= window < case.window:
            yield replace(case, window=window)
    if case.step > 1 and case.step == case.window:
        yield replace(case, step=case.step - 1, window=case.window - 1)


def _replace_text(case: WindowedCase, declarations: tuple[Declaration, ...]) -> WindowedCase:
    return replace(case, text=print_module(declarations))


def describe_windowed(case: WindowedCase, failure: Failure) -> str:
    """Everything needed to look at a failing case."""
    program = compile_with(case.text, case.params).checked
    kinds = {one.name: one.kind for one in program.inputs}
    lines = [
        f"--- program.phe\n{case.text}",
        f"--- window {case.window}, step {case.step}, start {case.start}, until {case.until}"
        f", resumed after {case.resume} queries" + (", a session" if case.session else ""),
        f"--- parameters {case.params}",
    ]
    lines += [
        json.dumps(show_operation(name, kinds[name], one))
        for name, found in case.operations.items()
        if name in kinds
        for one in found
    ]
    lines += [
        json.dumps({"fact": one.name, "args": row})
        for one in program.facts
        for row in case.facts.get(one.name, [])
    ]
    lines.append("--- queries at which something is given or changes")
    before: Results = {}
    for expected in list_expected(case, program):
        q = expected.query
        given = [
            f"  {'-' if one.retract else '+'} {name} {one.row} {q.refused[name].get(number, '')}"
            for name, operations in q.operations.items()
            for number, one in enumerate(operations)
        ]
        changed = [
            f"  = {name} {show(rows)}"
            for name, rows in expected.results.items()
            if before.get(name) != rows
        ]
        if given or changed or q.time == failure.query:
            lines += [f"query {q.time}", *given, *changed]
        before = expected.results
    return "\n".join([*lines, f"--- {failure}", ""])


def show_operation(name: str, kind: str | None, one: Operation) -> dict[str, Any]:
    """As a line of a `.jsonl` file."""
    shown: dict[str, Any] = {"name": name, "args": one.row[0]}
    shown |= dict(zip(("t",) if kind == "event" else ("ts", "te"), one.row[1:], strict=True))
    if one.arrival is not None:
        shown["arrival"] = one.arrival
    return shown | ({"op": "retract"} if one.retract else {})
