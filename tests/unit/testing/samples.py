"""Small programs with tests, written to disk, and the reference as the engine."""

import json
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.testing.run_tests import Outcome, run_tests
from tests.reference import evaluate

PROGRAM = """
input event drop(person: str, thing: str);
input event pick_up(person: str, thing: str);
input event weigh(thing: str, grams: float, times: int, fragile: bool);
input state open_at(shop: str);
fact dear(thing: str);
fact sunday();
param limit: float = 5.0;

state lying(T) : drop(_, T) ~> pick_up(_, T);
event light(T) : weigh(T, G, _, _) and G < limit;
event loss(P, T) : drop(P, T) and dear(T);
dynamic search(T) : lying(T) before lying(T);
state closed(S) : start(open_at(S)) ~> end(open_at(S));
event rest(P) : drop(P, _) and sunday();
"""


def write(folder: Path, *lines: Any, program: str = PROGRAM, name: str = "things") -> Path:
    """A line is an object, or text as it is."""
    (folder / f"{name}.phe").write_text(program, "utf-8")
    file = folder / f"{name}.test.jsonl"
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    file.write_text("".join(text + "\n" for text in texts), "utf-8")
    return file


def event(name: str, t: Any, *args: Any, **more: Any) -> dict[str, Any]:
    return {"name": name, "args": list(args), "t": t, **more}


def expect(name: str, *args: Any, **time: Any) -> dict[str, Any]:
    return {"expect": name, "args": list(args), **time}


def run_reference(
    program: CheckedProgram,
    tables: Mapping[str, Any],
    facts: Mapping[str, Any],
    *,
    until: int | None = None,
    start: int | None = None,
    only: Collection[str] | None = None,
) -> dict[str, Any]:
    """The slow evaluator behind the interface of the engines."""
    arity = {one.name: len(one.arguments) for one in (*program.inputs, *program.facts)}
    found = evaluate(
        program,
        {name: _list_rows(table, arity[name]) for name, table in tables.items()},
        {name: [row[0] for row in _list_rows(table, arity[name])] for name, table in facts.items()},
        until=until,
        start=start,
    )
    return {
        one.signature.name: _make_table(one.signature, found[one.signature.name])
        for one in program.definitions
        if only is None or one.signature.name in only
    }


def run(*files: Path) -> list[Outcome]:
    return list(run_tests(files, run_reference))


def _list_rows(table: Any, arity: int) -> list[Any]:
    columns = [column.to_pylist() for column in table.columns]
    rows = zip(*columns, strict=True) if columns else [()] * table.num_rows
    return [(row[:arity], *row[arity:]) for row in rows]


def _make_table(signature: Signature, rows: Iterable[Any]) -> Any:
    names = [*signature.arguments, *(("t",) if signature.kind == "event" else ("ts", "te"))]
    flat = [(*row[0], *row[1:]) for row in rows]
    return pa.Table.from_arrays(
        [pa.array([row[index] for row in flat]) for index in range(len(names))], names=names
    )
