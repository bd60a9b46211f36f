"""Simulated traffic: the same for the same seed, every activity in it, a truth that agrees."""

from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from examples.maritime.files import REPORTS, TRUTH, write_traffic
from examples.maritime.geography import PORTS, find_route, measure
from examples.maritime.simulate import FEWEST_VESSELS, SHORTEST, Traffic, simulate
from examples.maritime.stage import HOUR
from examples.maritime.truth import NAMES


@pytest.fixture(scope="module")
def traffic() -> Traffic:
    return simulate(3, 24 * HOUR, FEWEST_VESSELS)


def test_every_activity_comes_in_a_few_seeds(traffic: Traffic) -> None:
    days = [traffic, *(simulate(seed, 24 * HOUR, 60) for seed in (1, 2))]
    counts = Counter(deed.name for day in days for deed in day.truth)
    assert set(counts) == set(NAMES)


def test_files_are_the_same_for_the_same_seed(tmp_path: Path) -> None:
    def write(seed: int, folder: str) -> tuple[bytes, bytes]:
        day = simulate(seed, SHORTEST, FEWEST_VESSELS)
        write_traffic(day, tmp_path / folder, seed=seed, noise=1, every=60)
        return (tmp_path / folder / REPORTS).read_bytes(), (tmp_path / folder / TRUTH).read_bytes()

    first = write(5, "first")
    assert write(5, "again") == first
    assert write(6, "other")[0] != first[0]


def test_truth_lies_within_the_day_of_its_vessels(traffic: Traffic) -> None:
    spans = {vessel.mmsi: (vessel.begins, vessel.ends) for vessel in traffic.vessels}
    assert len(spans) == len(traffic.vessels) >= FEWEST_VESSELS
    for deed in traffic.truth:
        assert deed.ts < deed.te
        for arg in deed.args:
            if isinstance(arg, int):
                begins, ends = spans[arg]
                assert begins <= deed.ts
                # Who has left is not heard until the end of the day.
                assert deed.te <= (
                    24 * HOUR if deed.name in ("gap", "disappeared_in_area") else ends
                )


def test_a_name_is_not_true_twice_at_once(traffic: Traffic) -> None:
    spans = defaultdict(list)
    for deed in traffic.truth:
        spans[deed.name, deed.args].append((deed.ts, deed.te))
    for found in spans.values():
        for (_, end), (start, _) in pairwise(sorted(found)):
            assert end <= start


def test_no_vessel_jumps_and_speeds_are_those_of_the_positions(traffic: Traffic) -> None:
    for vessel in traffic.vessels:
        motion = vessel.motion
        east = np.diff(motion.lon) * np.cos(np.radians(motion.lat[1:]))
        steps = 111_195.0 * np.hypot(east, np.diff(motion.lat)) * 3600 / 1852
        assert steps.max() < 320  # between two parts of a day a berth or a tow rope apart
        assert np.median(np.abs(steps - motion.speed[1:])) < 0.1


def test_vessels_that_meet_are_close(traffic: Traffic) -> None:
    vessels = {vessel.mmsi: vessel for vessel in traffic.vessels}
    together = [
        deed
        for deed in traffic.truth
        if deed.name in ("rendezvous", "suspicious_rendezvous", "tugging", "pilot_boarding")
    ]
    assert together
    for deed in together:
        one, other = (vessels[arg] for arg in deed.args if isinstance(arg, int))
        for time in range(deed.ts + 60, min(deed.te, one.ends, other.ends) - 60, 60):
            place = one.motion.lon[time - one.begins], one.motion.lat[time - one.begins]
            at = slice(time - other.begins, time - other.begins + 1)
            assert measure(other.motion.lon[at], other.motion.lat[at], place)[0] < 450


def test_trawlers_stay_on_their_ground(traffic: Traffic) -> None:
    inside = [deed for deed in traffic.truth if deed.name == "within_area"]
    for deed in traffic.truth:
        if deed.name in ("trawling", "fishing_in_closed_area"):
            assert any(
                other.args[0] == deed.args[0]
                and str(other.args[1]).endswith("fishing")
                and other.ts <= deed.ts
                and deed.te <= other.te
                for other in inside
            )


def test_routes_join_every_two_ports() -> None:
    for start in PORTS:
        for end in set(PORTS) - {start}:
            route = find_route(start, end)
            assert route[0] == PORTS[start].place
            assert route[-1] == PORTS[end].place
            assert all(one != other for one, other in pairwise(route))
