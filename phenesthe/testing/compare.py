"""What a test expects against what was found: exactly and completely."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.testing.model import Entry

if TYPE_CHECKING:
    import pyarrow as pa


class Difference(NamedTuple):
    """A phenomenon that is not as expected; all of both sides, for those who draw it."""

    signature: Signature
    expected: Sequence[Entry]
    found: Sequence[Entry]
    missing: Sequence[Entry]
    unexpected: Sequence[Entry]


def compare(
    expected: "Mapping[str, Sequence[Entry]]",
    found: "Mapping[str, pa.Table]",
    program: CheckedProgram,
) -> tuple[Difference, ...]:
    signatures = program.defined
    differences = []
    for name, entries in expected.items():
        wanted = {entry.key: entry for entry in entries}
        held = {entry.key: entry for entry in read_entries(found[name], signatures[name])}
        missing = [wanted[key] for key in sorted(wanted.keys() - held.keys())]
        unexpected = [held[key] for key in sorted(held.keys() - wanted.keys())]
        if missing or unexpected:
            differences.append(
                Difference(
                    signatures[name],
                    [wanted[key] for key in sorted(wanted)],
                    [held[key] for key in sorted(held)],
                    missing,
                    unexpected,
                )
            )
    return tuple(differences)


def read_entries(table: "pa.Table", signature: Signature) -> list[Entry]:
    """Rows of a result table, whose columns are the arguments and then the time."""
    arity = len(signature.arguments)
    columns = (column.to_pylist() for column in table.columns)
    if signature.kind == "event":
        return [Entry(row[:arity], row[arity], row[arity]) for row in zip(*columns, strict=True)]
    return [Entry(row[:arity], row[arity], row[arity + 1]) for row in zip(*columns, strict=True)]


def write_expectation(entry: Entry, signature: Signature) -> str:
    """The line a test file would have for it."""
    time = {"t": entry.start} if signature.kind == "event" else {"ts": entry.start, "te": entry.end}
    return json.dumps({"expect": signature.name, "args": list(entry.args), **time})
