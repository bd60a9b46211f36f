"""An exclusive state of any value, used where its rows must be in order."""

from typing import Any

import pyarrow as pa
import pytest

import phenesthe

PROPOSED = [("ben", "shed", 20), ("dora", "gate", 24)]
SECONDED = [("cleo", "roof", 1), ("ben", "shed", 21), ("ben", "gate", 25), ("dora", "gate", 26)]


def make_table(rows: list[tuple[str, str, int]]) -> pa.Table:
    people, motions, times = zip(*rows, strict=True)
    return pa.table({"member": people, "motion": motions, "t": times})


@pytest.mark.parametrize("head", ["M, P", "P, M"])
@pytest.mark.parametrize("options", [{}, {"window": 100, "step": 5}], ids=["at once", "in windows"])
def test_whichever_variable_takes_the_value(head: str, options: dict[str, Any]) -> None:
    program = phenesthe.compile(
        text="input event proposes(member: str, motion: str);\n"
        "input event seconds(member: str, motion: str);\n"
        f"exclusive state mover({head}) : proposes(P, M) limit 10;\n"
        f"event own(P, M) : seconds(P, M) in mover({head});\n"
        f"event other(P, M) : seconds(P, M) not in mover({head});\n"
    )
    tables = {"proposes": make_table(PROPOSED), "seconds": make_table(SECONDED)}
    found: Any = program.run(tables, **options)
    own = {(row["P"], row["M"], row["t"]) for row in found["own"].to_pylist()}
    assert own == {("ben", "shed", 21), ("dora", "gate", 26)}
    other = {(row["P"], row["M"], row["t"]) for row in found["other"].to_pylist()}
    assert other == set(SECONDED) - own
