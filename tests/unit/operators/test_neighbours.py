"""Pair conditions of `repeat`: whatever is left out, the condition as written decides."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import phenesthe
from phenesthe.graph.formulas import Formula
from phenesthe.kernels import neighbours as kernel
from phenesthe.kernels.arrays import Array, Mask
from phenesthe.kernels.repeat import Occurrences
from phenesthe.operators import neighbours, repeats
from phenesthe.operators.conditions import Conditions
from phenesthe.operators.rows import Rows
from phenesthe.operators.table import Table, open_table
from phenesthe.operators.values import previous
from phenesthe.vocabulary import Names

#: Conditions, and whether there is a sweep for what they say of pairs.
CONDITIONS = {
    "abs(S - prev(S)) < 6": True,
    "abs(S - prev(S)) <= 0.1": True,
    "6 > abs(prev(S) - S)": True,
    "abs(S - prev(S)) > 6": True,
    "abs(S - prev(S)) >= 0.30000000000000004": True,
    "S >= prev(S)": True,
    "S < prev(S)": True,
    "S - 1 > prev(S) / 3": True,
    "-S + prev(S) * -2 < 3": True,
    "S == prev(S)": True,
    "S != prev(S)": True,
    "S - prev(S) == 0.1": True,
    "S - prev(S) < 0.1 and prev(S) - S < 0.1": True,
    "S > prev(S) - 0.2 and S < prev(S) + 0.2": True,
    "not abs(S - prev(S)) >= 0.5": True,
    "not (S < prev(S) or S > prev(S) + 1)": True,
    "max(S, prev(S)) - min(S, prev(S)) < 0.2": True,
    "6 - 2 * abs(S - prev(S)) > 5.5": True,
    "abs(S - prev(S)) < 1 and abs(C - prev(C)) < 1": True,
    "abs(S - prev(S)) < 1 and angle_diff(C, prev(C)) < 10": True,
    "(abs(S - prev(S)) < 1 or C > prev(C))": True,
    "(abs(S - prev(S)) < 1 or angle_diff(C, prev(C)) < 5)": False,
    "S + C < prev(S) - prev(C)": True,
    "abs(I - prev(I)) < 2": True,
    "abs(I - prev(I)) >= 9223372036854775807": True,
    "I - prev(S) < 1": True,
    "I + S > prev(I) * 2": True,
    "N >= prev(N)": True,
    "N == prev(N) and S > prev(S)": True,
    "abs(S - prev(S)) < V": True,
    "S / prev(S) < 2": False,
    "S * prev(S) > 1": False,
    "not S / prev(C) < 2": False,
    "angle_diff(S, prev(S)) < 5": False,
    "min(S, prev(C)) > 1": True,
    "max(S / prev(C), S - prev(C)) > 2": False,
    "S > 1 and prev(S) > 1": False,
    "S > 1 and prev(S) > 1 and S > prev(S)": True,
    "kind(N, K) and S > prev(S) and K == 1": True,
    "S > prev(S) and not kind(N, _)": True,
    "kind(N, K) and S > prev(S) + K": False,
    "kind(N, K) and (S > prev(S) + K or S < prev(S) - 1)": False,
    "(kind(N, 1) or S < prev(S) - 1)": False,
    "(kind(N, 2) and S - prev(S) > 1 or S < prev(S) - 1)": True,
    "V > 1": False,
    "not (1 == prev(S) and 2 != 1)": False,
    "not (1 < prev(S) and prev(C) > S) and S < prev(C)": True,
}

SPEEDS = [
    0.0, -0.0, 0.1, 0.2, 0.30000000000000004, 1.0, 1.5, -1.0, 5.9, 6.0, 7.0, 1e16, 1e16 + 2, -3.0,
    5e-324, float("nan"), float("inf"), float("-inf"), 1.7e308, -1.7e308, 1e101,
]  # fmt: skip
WHOLE = [0, 1, -1, 2, 3, 2**53, 2**53 + 1, 2**63 - 1, -(2**63), 2**62]

PROGRAM = """\
input event e(v: int, n: str, s: float, c: float, i: int);
fact kind(n: str, k: int);
state x(V) : repeat e(V, N, S, C, I) while gap <= 2 and {condition};
"""


def list_pairs(occurrences: Occurrences, candidates: Array) -> Iterator[tuple[int, int, int]]:
    offset = occurrences.offset
    for at in candidates.tolist():
        for one in range(offset[at - 1], offset[at]):
            for two in range(offset[at], offset[at + 1]):
                yield at, one, two


def try_all(
    conditions: Conditions,
    condition: Formula,
    _: Names,
    rows: Rows,
    occurrences: Occurrences,
    candidates: Array,
) -> Mask:
    connects = np.zeros(len(occurrences.instants), dtype=np.bool_)
    listed = np.array(list(list_pairs(occurrences, candidates)), dtype=np.int64).reshape(-1, 3)
    own, before = (open_table(rows).take(listed[:, column]) for column in (2, 1))
    both = Table(
        {**own.codes, **{previous(n): before.codes[n] for n in before.codes}},
        {**own.extra, **{previous(n): before.extra[n] for n in before.extra}},
        np.arange(len(listed)),
    )
    connects[listed[conditions.solve(both, condition).origin, 0]] = True
    return connects


def draw(random: Random, count: int, values: list[float]) -> dict[str, pa.Table]:
    some = random.sample(values, random.randint(2, len(values)))
    rows: dict[str, list[Any]] = {
        "v": [random.randint(0, 2) for _ in range(count)],
        "n": [random.choice("abc") for _ in range(count)],
        "s": [random.choice(some) for _ in range(count)],
        "c": [random.choice([0.0, 1.0, 90.0, 350.0, random.random()]) for _ in range(count)],
        "i": [random.choice(WHOLE[: random.choice([4, 10])]) for _ in range(count)],
        "t": [random.randint(0, 8) for _ in range(count)],
    }
    facts = {"n": ["a", "b", "b"], "k": [1, 2, 3]}
    return {"e": pa.table(rows), "kind": pa.table(facts)}


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("values", [SPEEDS[:15], SPEEDS], ids=["plain", "strange"])
def test_the_same_as_all_pairs(
    condition: str, values: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    connected = looked_at = 0

    def compare(*given: Any) -> Mask:
        nonlocal connected, looked_at
        found, expected = neighbours.mark_connected(*given), try_all(*given)
        assert found.tolist() == expected.tolist()
        connected += int(found.sum())
        looked_at += len(given[-1])
        return found

    monkeypatch.setattr(repeats, "mark_connected", compare)
    monkeypatch.setattr(kernel, "FEW", 0)
    monkeypatch.setattr(neighbours, "PAIRS", 7)
    program = phenesthe.compile(text=PROGRAM.format(condition=condition))
    for seed in range(12):
        random = Random(seed)
        program.run(draw(random, random.choice([0, 20, 60]), values))
    assert 0 < connected <= looked_at


@pytest.mark.parametrize(("condition", "is_swept"), CONDITIONS.items())
def test_what_is_swept(condition: str, is_swept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the test above does not compare all pairs with all pairs."""
    swept = 0

    def note(*given: Any) -> None:
        nonlocal swept
        swept += 1
        sweep(*given)

    sweep = neighbours._sweep
    monkeypatch.setattr(neighbours, "_sweep", note)
    monkeypatch.setattr(kernel, "FEW", 0)
    program = phenesthe.compile(text=PROGRAM.format(condition=condition))
    program.run(draw(Random(1), 60, SPEEDS[:15]))
    assert (swept > 0) == is_swept


def test_crowded_instants_cost_little() -> None:
    """Of 2 · 10⁹ pairs few are looked at: this would take minutes."""
    count = 100_000
    t = np.arange(count) % 2
    rows = {"v": np.zeros(count, dtype=int), "n": ["a"] * count, "s": 2.0 * np.arange(count) + t,
            "c": np.zeros(count), "i": np.arange(count), "t": t}  # fmt: skip
    for condition, expected in (("abs(S - prev(S)) < 1", 0), ("abs(S - prev(S)) <= 1", 1)):
        program = phenesthe.compile(text=PROGRAM.format(condition=condition))
        assert program.run({"e": pa.table(rows)})["x"].num_rows == expected
