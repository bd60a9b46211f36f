"""How many intervals cover an instant, against looking at every step between two instants."""

from random import Random

import numpy as np
import pytest

from phenesthe.kernels.arrays import OPEN, Intervals
from phenesthe.kernels.counting import find_at_least, find_counts
from tests.unit.kernels.samples import draw_cases, to_column

#: What stands for all the time after the last border.
AFTER = 40
Row = tuple[int, int, int]


def draw_rows(random: Random) -> list[Row]:
    """Intervals of a few keys; of one key they may overlap."""
    rows = []
    for _ in range(random.randint(0, 12)):
        start = random.randint(0, 12)
        end = random.choice((OPEN, start + random.randint(1, 9)))
        rows.append((random.randint(0, 2), start, end if random.random() < 0.3 else start + 2))
    return rows


def to_intervals(rows: list[Row]) -> Intervals:
    return Intervals(*[to_column([row[at] for row in rows]) for at in range(3)])


def walk(rows: list[Row], key: int, least: int | None) -> list[tuple[int, int, int]]:
    """Steps of one level put together: (start, end, level), with a least level 1 or nothing."""
    found: list[tuple[int, int, int]] = []
    for t in range(AFTER):
        level = sum(one == key and start <= t < end for one, start, end in rows)
        if least is not None:
            level = int(level >= least)
        if level and found and found[-1][1:] == (t, level):
            found[-1] = (found[-1][0], t + 1, level)
        elif level:
            found.append((t, t + 1, level))
    return [(start, OPEN if end == AFTER else end, level) for start, end, level in found]


@pytest.mark.parametrize("least", [None, 2, 3])
def test_every_step_is_counted(least: int | None) -> None:
    found = 0
    for random in draw_cases(400):
        rows = draw_rows(random)
        expected = [(key, *one) for key in range(3) for one in walk(rows, key, least)]
        if least is None:
            intervals, levels = find_counts(to_intervals(rows))
        else:
            intervals = find_at_least(to_intervals(rows), least)
            levels = np.ones(len(intervals), dtype=np.int64)
        columns = (intervals.key, intervals.ts, intervals.te, levels)
        assert list(zip(*[column.tolist() for column in columns], strict=True)) == expected, rows
        found += len(expected)
    assert found > (1500 if least is None else 100)


def test_at_the_far_ends_of_time() -> None:
    far = 2**62
    rows = [(0, -far, far), (0, -far, OPEN), (1, far, OPEN)]
    intervals, levels = find_counts(to_intervals(rows))
    assert intervals.ts.tolist() == [-far, far, far]
    assert intervals.te.tolist() == [far, OPEN, OPEN]
    assert levels.tolist() == [2, 1, 1]
    assert len(find_at_least(to_intervals(rows), 2**63 - 1)) == 0
