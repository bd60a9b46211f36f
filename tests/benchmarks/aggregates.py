"""Aggregates over the million events, beside one `~>` over the same rows and beside DuckDB.

All in one process and in turns, in seconds of processor time, from Arrow tables to Arrow tables.
Both find the same: numbers and times are equal, averages up to a part in 10⁹, since DuckDB adds
floats one after the other and we give the exact average.
"""

import time
from functools import cache

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import phenesthe
from tests.benchmarks.duckdb_aggregates import QUERIES
from tests.benchmarks.engine import stream

#: Turns; of each side the best counts.
_RUNS = 7
_EVENTS = """
input event ais(vessel: int, speed: float, course: float, heading: float);
input event enters_port(vessel: int, port: str);
input event leaves_port(vessel: int, port: str);
"""
_RANGE = (
    _EVENTS
    + """
event stops(V) : ais(V, S, _, _) and S <= 0.5;
event drifts(V) : ais(V, S, _, _) and S > 0.5 and S <= 2.7;
event sails(V) : ais(V, S, _, _) and S > 2.7 and S <= 9.0;
event races(V) : ais(V, S, _, _) and S > 9.0;
state found(V) : (stops(V) or drifts(V)) ~> (sails(V) or races(V));"""
)
_FOUND = {
    "trips": """
state trip(V) : leaves_port(V, _) ~> enters_port(V, _);
state found(V, Mean) : trip(V) let Mean = avg(S of ais(V, S, _, _));""",
    "mean": """
event found(V, Mean) : ais(V, _, _, _) let Mean = avg(S of ais(V, S, _, _) over 1h);""",
    "reports": """
event found(V, Number) : ais(V, _, _, _) let Number = count(ais(V, _, _, _) over 1h);""",
    "vessels": """
state in_area(V, A) : ais(V, _, _, A) ~> ais(V, _, _, _);
state found(A, Number) : count V of in_area(V, A) as Number;""",
}


@cache
def measure(name: str) -> tuple[float, float]:
    """How many times as long as the `~>`, and as DuckDB."""
    folder, _ = stream(206)
    tables = {
        one: pq.read_table(folder / f"{one}.parquet")
        for one in ("ais", "enters_port", "leaves_port")
    }
    db = duckdb.connect()
    for one, table in tables.items():
        db.register(one, table)
    programs = [phenesthe.compile(text=text) for text in (_RANGE, _EVENTS + _FOUND[name])]

    def run(text: int) -> tuple[float, pa.Table]:
        began = time.process_time()
        found = programs[text].run(tables, only=["found"])["found"]
        return time.process_time() - began, found

    def query() -> tuple[float, pa.Table]:
        began = time.process_time()
        found = db.sql(QUERIES[name]).to_arrow_table()
        return time.process_time() - began, found

    _compare(run(1)[1], query()[1])
    turns = [(run(0)[0], run(1)[0], query()[0]) for _ in range(_RUNS)]
    plain, own, other = (min(turn[at] for turn in turns) for at in range(3))
    print(f"{'':11} `~>` {plain:.2f} s, {name} {own:.2f} s, DuckDB {other:.2f} s")
    return own / plain, own / other


def beside_range(name: str) -> float:
    return measure(name)[0]


def beside_duckdb(name: str) -> float:
    return measure(name)[1]


def _compare(own: pa.Table, other: pa.Table) -> None:
    assert own.num_columns == other.num_columns
    own, other = own.rename_columns(other.column_names), _sort(other)
    own = _sort(own)
    assert len(own) == len(other), f"{len(own)} rows, DuckDB has {len(other)}"
    for name in own.column_names:
        one, another = own[name].to_numpy(), other[name].to_numpy()
        if name == "mean":
            np.testing.assert_allclose(one, another, rtol=1e-9)
        else:
            np.testing.assert_array_equal(one, another)


def _sort(table: pa.Table) -> pa.Table:
    """By all that is compared exactly."""
    names = [name for name in table.column_names if name != "mean"]
    return table.sort_by([(name, "ascending") for name in names])
