"""Rows that rest inside the window, and how they come back."""

import pyarrow as pa

import phenesthe
from phenesthe.memory import Advance, Memory, Operations

_TEXT = """
input event report(vessel: int, speed: float);
state moving(V) : repeat report(V, S) while gap < 5 and S > 1.0 and prev(S) > 1.0;
state fast(V) : report(V, S1) and S1 > 1.0 ~> report(V, S2) and S2 < 1.0;
"""
_WINDOW = 2000


def test_what_nobody_looks_at_rests_and_is_remembered() -> None:
    memory = _make_memory()
    _play(memory, 500)
    source = memory.graph.inputs["report"]
    assert len(source.quiet) > 400
    assert len(source.near) < 100
    assert len(source.rows) == len(source.live) == 500
    assert all(len(edge.kept) == 500 for edge in source.users)
    assert memory.dump()[1]["input.report"].num_rows == 500


def test_a_late_row_finds_what_rests() -> None:
    memory = _make_memory()
    _play(memory, 500)
    source = memory.graph.inputs["report"]
    before = len(source.quiet)
    advance = _advance(memory, 1001, [(901, 0.5)])
    assert advance.late == 1
    assert [row["te"] for row in advance.removed["fast"].to_pylist()] == [None]
    assert advance.added["fast"].column("te").to_pylist() == [901, None]
    # What comes after it was at hand, and rests again.
    assert len(source.quiet) >= before


def test_the_frontier_takes_rows_out_of_their_rest() -> None:
    memory = _make_memory()
    _play(memory, 500)
    source = memory.graph.inputs["report"]
    _advance(memory, _WINDOW + 800, [])
    assert len(source.rows) < 110
    _advance(memory, _WINDOW + 1000, [])
    assert not len(source.quiet)
    assert len(source.rows) <= 2


def _make_memory() -> Memory:
    program = phenesthe.compile(text=_TEXT).checked
    return Memory(program, {}, window=_WINDOW, watch=True)


def _play(memory: Memory, until: int) -> None:
    for query in range(2, 2 * until + 1, 2):
        _advance(memory, query, [(query, 2.0)])


def _advance(memory: Memory, query: int, rows: list[tuple[int, float]]) -> Advance:
    table = pa.table(
        {
            "vessel": pa.array([1 for _ in rows], pa.int64()),
            "speed": pa.array([speed for _, speed in rows], pa.float64()),
            "t": pa.array([t for t, _ in rows], pa.int64()),
        }
    )
    return memory.advance(query, {"report": Operations(table)})
