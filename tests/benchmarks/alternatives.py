"""Alternatives that lack what their context binds, beside the same joins written out by hand."""

import time
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

import phenesthe
from phenesthe.check.program import CheckedProgram
from phenesthe.engines.local import run_local

RUNS = 5
VESSELS, PAIRS, GAPS, MEETINGS, CALLS = 2_000, 20_000, 200_000, 100_000, 300_000
_DAY = 86_400
#: Events coincide often enough to be joined.
_TICKS = 60
Column: TypeAlias = npt.NDArray[np.int64]
_INPUTS = """\
input state gap(vessel: int);
input state proximity(one: int, other: int);
input event calls(one: int, other: int);
input event moves(vessel: int);
fact pair(one: int, other: int);
"""
#: As it is meant, and as it had to be written.
FORMS = {
    "intersection": (
        "state f(V, W) : (gap(V) union gap(W)) intersection proximity(V, W);",
        "state f(V, W) : (gap(V) intersection proximity(V, W)) union"
        " (gap(W) intersection proximity(V, W));",
    ),
    "without": (
        "state f(V, W) : proximity(V, W) without (gap(V) union gap(W));",
        "state f(V, W) : (proximity(V, W) without gap(V)) without gap(W);",
    ),
    "in": (
        "event f(V, W) : calls(V, W) in (gap(V) union gap(W));",
        "event f(V, W) : (calls(V, W) in gap(V)) or (calls(V, W) in gap(W));",
    ),
    "and": (
        "event f(V, W) : calls(V, W) and (moves(V) or moves(W));",
        "event f(V, W) : (calls(V, W) and moves(V)) or (calls(V, W) and moves(W));",
    ),
    "~>": (
        "state f(V, W) : calls(V, W) ~> (moves(V) or moves(W));",
        "state f(V, W) : calls(V, W) ~> (moves(V) and pair(V, W)) or (moves(W) and pair(V, W));",
    ),
}


def make_rows() -> tuple[dict[str, pa.Table], dict[str, pa.Table]]:
    """Vessels of which some are near each other, fall silent, call each other and move."""
    rng = np.random.default_rng(7)
    pairs = np.unique(rng.integers(0, VESSELS, (PAIRS, 2)), axis=0)

    def choose_pairs(count: int) -> dict[str, Column]:
        chosen = pairs[rng.integers(0, len(pairs), count)]
        return {"one": chosen[:, 0], "other": chosen[:, 1]}

    def choose_vessels(count: int) -> dict[str, Column]:
        return {"vessel": rng.integers(0, VESSELS, count)}

    def hold(of: dict[str, Column], count: int) -> pa.Table:
        ts = rng.integers(0, 30 * _DAY, count)
        return pa.table({**of, "ts": ts, "te": ts + rng.integers(60, 3_600, count)})

    def happen(of: dict[str, Column], count: int) -> pa.Table:
        return pa.table({**of, "t": rng.integers(0, 30 * _DAY // _TICKS, count) * _TICKS})

    tables = {
        "gap": hold(choose_vessels(GAPS), GAPS),
        "proximity": hold(choose_pairs(MEETINGS), MEETINGS),
        "calls": happen(choose_pairs(CALLS), CALLS),
        "moves": happen(choose_vessels(CALLS), CALLS),
    }
    return tables, {"pair": pa.table({"one": pairs[:, 0], "other": pairs[:, 1]})}


def compile_form(text: str) -> CheckedProgram:
    return phenesthe.compile(text=_INPUTS + text).checked


def measure_alternatives() -> float:
    """How much longer the slowest form takes than the same by hand: best of runs, taken in turn."""
    tables, facts = make_rows()
    worst = 0.0
    for texts in FORMS.values():
        programs = [compile_form(text) for text in texts]
        seconds: list[list[float]] = [[], []]
        for _ in range(RUNS):
            found = []
            for program, taken in zip(programs, seconds, strict=True):
                began = time.process_time()
                found.append(run_local(program, tables, facts)["f"])
                taken.append(time.process_time() - began)
            assert found[0].equals(found[1]), texts
            assert found[0].num_rows > 0, texts
        written, by_hand = map(min, seconds)
        worst = max(worst, written / by_hand)
    return worst
