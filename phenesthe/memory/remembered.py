"""What a memory remembers, formula by formula, and why."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from phenesthe.arrow import wrap
from phenesthe.kernels.arrays import OPEN, Mask
from phenesthe.memory.working_memory import Memory
from phenesthe.operators.held import Holder
from phenesthe.operators.node import Node

HOLDS = "it holds on: its end is not known yet"
MAY_CHANGE = "it may still change"
INSIDE = "it lies inside the window"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why some rows are remembered."""

    text: str
    rows: Mask


@dataclass(frozen=True, slots=True)
class Remembered:
    """The rows of one formula of a definition, or of an input.

    `table` has the variables, then `t`, or `ts` and `te` (null: open). For every row there is at
    least one reason. `arguments` are those of the definition or input, by which people know it.
    """

    name: str
    formula: str
    kind: str
    is_input: bool
    arguments: tuple[str, ...]
    variables: tuple[str, ...]
    table: pa.Table
    reasons: tuple[Reason, ...]


def list_remembered(memory: Memory) -> Iterator[Remembered]:
    """Inputs, then formulas in the order of evaluation; those without rows are left out."""
    users = {id(edge): node for node in memory.graph.operators.values() for edge in node.edges}
    inputs = list(memory.graph.inputs.values())
    signatures = memory.program.signatures
    for node in (*inputs, *memory.graph.operators.values()):
        if not len(node.rows):
            continue
        is_input = node in inputs
        yield Remembered(
            node.owner,
            node.label,
            node.kind,
            is_input,
            signatures[node.owner].arguments,
            node.variables,
            _show(node),
            tuple(_find_reasons(node, users, INSIDE if is_input else MAY_CHANGE)),
        )


def _show(node: Holder) -> pa.Table:
    rows = node.rows
    arrays: list[Any] = [
        node.keys.domains[node.keys.types[name]].decode(column)
        for name, column in zip(rows.variables, rows.columns, strict=True)
    ]
    if node.kind == "event":
        return pa.Table.from_arrays([*arrays, wrap(rows.ts)], names=[*rows.variables, "t"])
    times = [wrap(rows.ts), wrap(rows.te, rows.te == OPEN)]
    return pa.Table.from_arrays([*arrays, *times], names=[*rows.variables, "ts", "te"])


def _find_reasons(node: Holder, users: dict[int, Node[Any]], live: str) -> Iterator[Reason]:
    """A row that may change is there for itself, another for the formulas that need it."""
    is_open = node.live & (node.rows.te == OPEN)
    found: dict[str, Mask] = {HOLDS: is_open, live: node.live & ~is_open}
    for edge in node.users:
        user = users[id(edge)]
        text = f"`{user.label}` in `{user.owner}` needs it: {user.reason}"
        before = found.get(text, np.zeros(len(node.rows), dtype=np.bool_))
        found[text] = before | (edge.kept & ~node.live)
    for text, rows in found.items():
        if rows.any():
            yield Reason(text, rows)
