"""Rows of codes in any order, sorted as Python sorts them."""

import numpy as np
import pytest

from phenesthe.kernels import order
from phenesthe.operators import rows as rows_of
from phenesthe.operators.domains import Domains
from phenesthe.operators.rows import Keys, Rows
from tests.unit.kernels.samples import draw_cases, to_column

FAR = 2**61


@pytest.mark.parametrize("many", [2, 10**9])
@pytest.mark.parametrize("by_time", [True, False])
@pytest.mark.parametrize("codes", [order.CODES, 40])
def test_rows_are_sorted_and_each_there_once(
    monkeypatch: pytest.MonkeyPatch, many: int, by_time: bool, codes: int
) -> None:
    """By their times or not; with keys that say all about columns, and ranks of keys."""
    monkeypatch.setattr(order, "MANY_ROWS", many)
    monkeypatch.setattr(rows_of, "CODES", codes)
    keys = Keys(Domains({}), {})
    for random in draw_cases(300):
        sizes = [random.choice((1, 2, 4, 2**31)) for _ in range(random.randint(0, 4))]
        places = [-FAR, 0, 5, FAR] if random.random() < 0.2 else list(range(6))
        given = [
            (*[random.choice((0, size - 1, random.randrange(size))) for size in sizes], t)
            for t in random.choices(places, k=random.randint(0, 25))
        ]
        if by_time:
            given.sort(key=lambda row: row[-1])
        columns = tuple([to_column(row[at] for row in given) for at in range(len(sizes))])
        ts = to_column(row[-1] for row in given)
        names = tuple("abcd"[: len(sizes)])
        is_lasting = random.random() < 0.3
        te = ts + 1 if is_lasting else ts
        found = keys.sort(Rows(names, columns, ts, te))
        assert list(zip(*found.columns, found.ts, strict=True)) == sorted(set(given))
        assert (found.te == found.ts + is_lasting).all()
        extra = {"x": np.arange(len(given))}
        found = keys.sort(Rows(names, columns, ts, ts, extra))
        listed = list(zip(*found.columns, found.ts, strict=True))
        assert listed == sorted(given)
        assert listed == [given[number] for number in found.extra["x"]]
