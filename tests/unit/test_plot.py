"""The pictures of the documentation."""

from xml.etree import ElementTree

import pytest

from tests.tools.plot import Curve, Panel, draw, find_ticks

_SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("most", "ticks"),
    [
        (0, [0, 1]),
        (1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (9.1, [0, 2, 4, 6, 8, 10]),
        (182, [0, 50, 100, 150, 200]),
    ],
)
def test_ticks_are_round_and_reach_the_most(most: float, ticks: list[float]) -> None:
    assert find_ticks(most) == pytest.approx(ticks)


def test_a_curve_has_one_colour_in_all_panels_and_the_legend() -> None:
    curves = [Curve("a < b", [(0, 1), (2, 3)]), Curve("c", [(0, 2), (2, 2)], is_dashed=True)]
    panels = [
        Panel("one", "days", "rows", curves),
        Panel("two", "days", "MiB", list(reversed(curves))),
    ]
    root = ElementTree.fromstring(draw(panels))
    strokes = [line.get("stroke") for line in root.iter(f"{_SVG}polyline")]
    legend = [line.get("stroke") for line in root.findall(f"{_SVG}line")]
    assert strokes == [*legend, *reversed(legend)]
    assert len(set(legend)) == 2
    texts = [text.text for text in root.findall(f"{_SVG}text")]
    assert texts == ["a < b", "c"]


def test_greater_values_are_higher() -> None:
    root = ElementTree.fromstring(draw([Panel("", "", "", [Curve("a", [(0, 0), (5, 10)])])]))
    line = next(root.iter(f"{_SVG}polyline")).get("points", "")
    (x0, y0), (x1, y1) = ([float(part) for part in point.split(",")] for point in line.split())
    assert x0 < x1
    assert y0 > y1
