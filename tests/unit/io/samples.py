"""A small program with every kind and type, and files for it."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

import phenesthe
from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.io import Loaded
from phenesthe.io.columns import make_schema

TEXT = """
unit {unit};
input event ais(vessel: int, speed: float, name: str, ok: bool);
input state in_port(vessel: int, port: str);
input dynamic convoy(leader: int, follower: int);
input event alarm();
fact vessel_type(vessel: int, type: str);
fact holiday();
event echo(V, S, N, O) : ais(V, S, N, O);
event rings() : alarm();
state held(V, P) : in_port(V, P);
dynamic pair(A, B) : convoy(A, B);
"""
AIS = {"vessel": 1, "speed": 0.5, "name": "a", "ok": True, "t": 7}
NAMES = ("ais", "in_port", "convoy", "alarm")


def make_program(unit: str = "second", text: str = TEXT) -> CheckedProgram:
    return phenesthe.compile(text=text.replace("{unit}", unit)).checked


PROGRAM = make_program()
SCHEMAS = {one.signature.name: make_schema(one.signature) for one in PROGRAM.definitions}


def find(name: str, program: CheckedProgram = PROGRAM) -> Signature:
    return next(one for one in (*program.inputs, *program.facts) if one.name == name)


def write_lines(path: Path, rows: Iterable[Mapping[str, Any] | str]) -> Path:
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text("\n".join(lines), encoding="utf-8", newline="")
    return path


def list_rows(table: Any) -> list[tuple[Any, ...]]:
    """The rows of a table, sorted, null last."""
    rows = list(zip(*(column.to_pylist() for column in table.columns), strict=True))
    return sorted(
        rows, key=lambda row: [(one is None, one if one is not None else 0) for one in row]
    )


def list_reasons(loaded: Loaded) -> list[tuple[Any, ...]]:
    """Place, reason and column of every row set aside."""
    return [
        (one.get("line", one.get("position")), one["reason"], one.get("column"))
        for one in list_rejects(loaded)
    ]


def list_rejects(loaded: Loaded) -> list[dict[str, Any]]:
    lines = loaded.rejects.read_lines()
    return [json.loads(line) for line in lines]


def make_results(**rows: list[tuple[Any, ...]]) -> dict[str, Any]:
    """Tables of results."""
    return {
        name: pa.Table.from_arrays(
            [pa.array([row[place] for row in found], field.type)
             for place, field in enumerate(SCHEMAS[name])],
            schema=SCHEMAS[name],
        )
        for name, found in rows.items()
    }  # fmt: skip
