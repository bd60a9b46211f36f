"""The comparison with observers, on tracks drawn for it and on theirs, where they are at hand."""

import math
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from examples.maritime.command import main
from examples.maritime.labelled import Judged, judge_file
from tests.e2e.test_real_data import DATA

HOUR = 3600
COLUMNS = ("mmsi", "t", "lon", "lat", "sog", "cog", "ship_type", "gear", "label")
FILE = DATA / "fishing_labelled.parquet"

Report = tuple[int, int, float, float, float, float, str, str, str | None]


def _sail(
    vessel: int, begins: int, knots: float, turn: float, label: str | None
) -> Iterator[Report]:
    """Two hours with a report each minute, and a turn to the other side every ten."""
    lon, lat = 1.0, 50.0
    for minute in range(120):
        course = turn if minute // 10 % 2 else 0.0
        where = (lon, lat, knots, course)
        yield vessel, begins + 60 * minute, *where, "Fishing", "trawl", label
        lat += knots / 3600 * math.cos(math.radians(course))
        lon += knots / 3600 * math.sin(math.radians(course))


def _write(path: Path, *tracks: Iterator[Report], columns: tuple[str, ...] = COLUMNS) -> Path:
    reports = [report for track in tracks for report in track]
    table = pa.table([list(one) for one in zip(*reports, strict=True)], names=list(COLUMNS))
    pq.write_table(table.select(columns), path)
    return path


def test_time_is_compared_trip_by_trip(tmp_path: Path) -> None:
    path = _write(
        tmp_path / "tracks.parquet",
        _sail(1, 0, 3, 60, "tow"),
        _sail(1, 4 * HOUR, 4, 60, "travel"),  # a travel that looks like trawling
        _sail(2, 0, 4, 0, "hauling"),  # a haul without turns
        _sail(2, 4 * HOUR, 3, 60, None),
        _sail(3, 0, 12, 60, "steaming"),
    )
    (*trips, gear), [everything] = judge_file(path)
    assert [one.text.split()[0] for one in trips] == ["1", "1", "2", "3"]
    assert [one.labelled_time for one in trips] == [119 * 60] * 4
    assert (gear.text, everything.text) == ("trawl", "all")
    assert gear.scores == everything.scores
    towed, travelled, hauled, steamed = (one.scores["trawling"] for one in trips)
    # It begins with the first turn, which a second report confirms.
    assert towed.time_recall == pytest.approx(108 / 119, abs=0.02)
    assert towed.time_precision == 1.0
    assert (travelled.time_recall, travelled.time_precision) == (None, 0.0)
    assert trips[1].wrong == pytest.approx(108 / 119, abs=0.02)
    assert (hauled.time_recall, hauled.time_precision) == (0.0, None)
    assert steamed.recognised_time == 0
    assert everything.fishing == 0.5
    assert everything.scores["trawling"].time_precision == pytest.approx(0.5, abs=0.02)
    assert everything.scores["trawling_speed"].time_recall == pytest.approx(1.0)


def test_what_cannot_be_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    track = list(_sail(1, 0, 3, 60, None))
    bare = _write(tmp_path / "bare.parquet", iter(track), columns=COLUMNS[:-1])
    mute = _write(tmp_path / "mute.parquet", iter(track))
    empty, wrong = tmp_path / "empty.parquet", tmp_path / "wrong.parquet"
    pq.write_table(pq.read_table(mute).slice(0, 0), empty)
    pq.write_table(pq.read_table(mute).set_column(0, "mmsi", pa.array(["Ann"] * 120)), wrong)
    for path, reason in (
        (bare, "no column `label`"),
        (mute, "has a label to compare with"),
        (tmp_path / "lost.parquet", "lost.parquet"),
        (empty, "has a label to compare with"),
        (wrong, "wrong.parquet"),
    ):
        assert main(["labelled", str(path), "--quiet"]) == 1
        assert reason in capsys.readouterr().err


def test_against_observers(capsys: pytest.CaptureFixture[str]) -> None:
    """The figures that the example's README gives. They are what they are: a change of the library
    that moves them is told there too."""
    if not FILE.is_file():
        pytest.skip(f"{FILE.name} is not at hand: it is not ours to ship")
    assert main(["labelled", str(FILE), "--quiet"]) == 0
    assert "all" in capsys.readouterr().out
    sums = {group[-1].text: group[-1] for group in judge_file(FILE)}
    assert _list_figures(sums["all"]) == pytest.approx((0.719, 0.708, 0.810, 0.43), abs=0.03)
    assert _list_figures(sums["dredge"]) == pytest.approx((0.84, 1.0, 0.87, 0.78), abs=0.03)
    assert _list_figures(sums["pots"]) == pytest.approx((0.81, 0.99, 0.81, 1.0), abs=0.03)
    assert _list_figures(sums["creel"]) == pytest.approx((0.61, 0.30, 0.69, 0.21), abs=0.03)


def _list_figures(one: Judged) -> tuple[float | None, ...]:
    """The share of fishing; of trawling the recall, the precision and what is wrong."""
    score = one.scores["trawling"]
    return one.fishing, score.time_recall, score.time_precision, one.wrong
