"""Distances on the Earth: one formula, which the language and the preparation of reports use."""

import math
from pathlib import Path

import numpy as np

import phenesthe
from phenesthe.ais.earth import measure_distances, place_points
from phenesthe.kernels.sphere import RADIUS, measure
from phenesthe.operators.arithmetic import call

PLACES = np.random.default_rng(5).uniform((-180, -90, -180, -90), (180, 90, 180, 90), (200, 4)).T


def test_it_is_the_angle_between_two_points() -> None:
    lon1, lat1, lon2, lat2 = PLACES
    cosine = (place_points(lon1, lat1) * place_points(lon2, lat2)).sum(axis=0)
    assert np.allclose(measure_distances(*PLACES), RADIUS * np.arccos(cosine), rtol=1e-6)
    found = measure(np.array([0.0]), np.array([0.0]), np.array([math.pi]))
    assert found.tolist() == [RADIUS * math.pi]


def test_the_language_and_the_reports_measure_alike() -> None:
    assert np.allclose(call("distance", list(PLACES))[0], measure_distances(*PLACES), rtol=1e-12)


def test_to_the_last_bit_it_is_what_the_formula_says() -> None:
    """Whatever processor: a cluster may have several."""
    lon1, lat1, lon2, lat2 = np.radians(PLACES)
    for at, found in enumerate(measure(lat1, lat2, lon2 - lon1).tolist()):
        part = math.sin((lat2[at] - lat1[at]) / 2) ** 2
        part += math.cos(lat1[at]) * math.cos(lat2[at]) * math.sin((lon2[at] - lon1[at]) / 2) ** 2
        assert found == 2 * RADIUS * math.asin(math.sqrt(part))


def test_the_formula_and_the_radius_are_written_once() -> None:
    package = Path(phenesthe.__file__).parent
    texts = {one: one.read_text(encoding="utf-8") for one in package.rglob("*.py")}
    for part in ("arcsin(np.sqrt", "pc.asin(", "008.8"):
        assert [str(one.relative_to(package)) for one, text in texts.items() if part in text] == [
            "kernels/sphere.py"
        ]
