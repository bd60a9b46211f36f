"""The endless stream of the benchmarks."""

import pyarrow as pa

from tests.benchmarks.stream import DAY
from tests.benchmarks.traffic import Traffic


def test_pieces_are_the_whole() -> None:
    whole = Traffic(3).take(2 * DAY)
    traffic = Traffic(3)
    pieces = [traffic.take(until) for until in range(7200, 2 * DAY + 1, 7200)]
    for name, table in whole.items():
        assert table.num_rows > 10
        assert pa.concat_tables([piece[name] for piece in pieces]).equals(table)


def test_each_piece_is_later_than_the_one_before() -> None:
    traffic = Traffic(4, stay=DAY)
    for until in range(7200, 4 * DAY + 1, 7200):
        for table in traffic.take(until).values():
            times = table["t"].to_pylist()
            assert times == sorted(times)
            assert all(until - 7200 < time <= until for time in times)


def test_vessels_never_return_and_the_fleet_stays_as_large() -> None:
    traffic = Traffic(4, stay=DAY)
    types = traffic.list_types(6 * DAY)["vessel"].to_pylist()
    seen: dict[int, set[int]] = {}
    for day in range(6):
        for vessel in traffic.take((day + 1) * DAY)["ais"]["vessel"].unique().to_pylist():
            seen.setdefault(vessel, set()).add(day)
    assert len(seen) >= 4 * 4
    assert set(seen) <= set(types)
    assert all(max(days) - min(days) <= 1 for days in seen.values())
