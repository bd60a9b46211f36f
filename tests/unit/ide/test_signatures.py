"""Which arguments the parentheses around the cursor take, and which comes now."""

import pytest

from phenesthe.ide.signatures import help_signature
from tests.unit.ide.marked import INPUTS, MAIN, analyse_marked


@pytest.mark.parametrize(
    ("text", "label", "active"),
    [
        ("event x(V) : ais(|V, S);", "input event ais(vessel: int, speed: float)", "vessel: int"),
        ("event x(V) : ais(V,| S);", "input event ais(vessel: int, speed: float)", "speed: float"),
        ("event x(V) : ais(V, S|);", "input event ais(vessel: int, speed: float)", "speed: float"),
        ("event x(V) : ais(|", "input event ais(vessel: int, speed: float)", "vessel: int"),
        ("event x(V) : ais(V, |", "input event ais(vessel: int, speed: float)", "speed: float"),
        ("event x(V) : ais(V, S, |", "input event ais(vessel: int, speed: float)", None),
        ("event x() : alarm(|", "input event alarm()", None),
        ("event x(V) : vessel_type(V, | and", "fact vessel_type(vessel: int, type: str)",
         "type: str"),
        ("event x(V) : start(in_port(V, |", "input state in_port(vessel: int, port: str)",
         "port: str"),
        ("event x(V) : start(|", "start(state)", "state"),
        ('state x() : daily("22:00", |', "daily(from, to, zone)", "to"),
        ("state x() : always(|", "always()", None),
        ("event daily(V) : ais(V, _);\nevent x(V) : daily(|", "event daily(V: int)", "V: int"),
        ("event x(V) : ais(V, S) and abs(|", "abs(x)", "x"),
        ("event x(V) : ais(V, S) and distance(1, 2, |", "distance(lon1, lat1, lon2, lat2)", "lon2"),
        ("event x(V) : ais(V, S) and max(1, 2, |", "max(x, y)", "y"),
        ("event x(V) : ais(V, S) and max((1 + |", "max(x, y)", "x"),
        ("state y(V) : in_port(V, ; event x(V) : start(y(|", "state y(V: int)", "V: int"),
        ("exclusive state y(V, W) { a : ais(V, |", "input event ais(vessel: int, speed: float)",
         "speed: float"),
    ],
)  # fmt: skip
def test_signature(text: str, label: str, active: str | None) -> None:
    analysis, offset = analyse_marked(INPUTS + text)
    found = help_signature(analysis, MAIN, offset)
    assert found is not None
    assert found.label == label
    shown = [found.label[start:end] for start, end in found.arguments]
    assert (shown[found.active] if found.active is not None else None) == active


@pytest.mark.parametrize(
    "text",
    [
        "event x(|",
        "event x(V|) : ais(V, _);",
        "event x(V) : | ais(V, _);",
        "event x(V) : ais(V, _)|;",
        "event x(V) : nobody(|",
        "event x(V) : limit(|",
        "event x(V) : (|",
        "event x(V) : ais(V, // |",
        "exclusive state y(V, W) { a : ais(V, ; b : |",
        "|",
    ],
)
def test_no_signature(text: str) -> None:
    analysis, offset = analyse_marked(INPUTS + text)
    assert help_signature(analysis, MAIN, offset) is None


def test_the_doc_comes_along() -> None:
    analysis, offset = analyse_marked("/// A *report*.\ninput event a(v: int); event x(V) : a(|")
    found = help_signature(analysis, MAIN, offset)
    assert found is not None
    assert found.doc == "A \\*report\\*."
