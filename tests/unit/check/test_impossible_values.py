"""Values that a state never has, and distances in time that nothing has."""

from pathlib import Path

import pytest

from phenesthe.check import check
from phenesthe.diagnostics.fixes import apply_fixes
from phenesthe.diagnostics.model import Diagnostic

_BESIDE = """
param wanted: str = "nothing";
param least: duration = 1h;
input event goes(m: int);
input event comes(m: int);
input event says(m: int, text: str);
input state tagged(m: int, text: str);
machine status(M, Value) initially idle {
    idle -> voting : goes(M);
    voting -> "in doubt" : comes(M);
    _ -> idle : says(M, _);
}
exclusive state light(M, On) { true : goes(M) ~> comes(M); }
exclusive state place(M, Text) : says(M, Text) ~> comes(M);
exclusive state floor_of(M, N) { 1 : goes(M) ~> comes(M); 2 : comes(M) ~> goes(M); }
"""


def _find(text: str, code: str) -> list[Diagnostic]:
    found = check(Path("main.phe"), (text + _BESIDE).encode(), name="main.phe")[1]
    assert all(one.severity.value == "warning" for one in found), found
    return [one for one in found if one.code == code]


@pytest.mark.parametrize(
    ("definition", "value", "instead"),
    [
        ("event e(M) : comes(M) in status(M, vote);", "vote", "voting"),
        ('event e(M) : comes(M) in status(M, "vote");', "vote", '"voting"'),
        ("event e(M) : comes(M) not in status(M, votng);", "votng", "voting"),
        ("event e(M) : start(status(M, idl));", "idl", "idle"),
        ("event e(M) : start(status(M, in_doubt));", "in_doubt", '"in doubt"'),
        ("event e(M) : comes(M) in status(M, closed);", "closed", None),
        ("event e(M) : comes(M) in status(M, V) and V == vote;", "vote", "voting"),
        ("event e(M) : comes(M) in status(M, V) and vote != V;", "vote", "voting"),
        ("event e(M) : comes(M) and count(start(status(M, vote)) over 1h) > 1;", "vote", "voting"),
        ("state s(M) : status(M, V) where not (V == vote);", "vote", "voting"),
        ("event e(M) : comes(M) in floor_of(M, 3);", "3", None),
        ("event e(M) : comes(M) in light(M, false);", "false", None),
    ],
)
def test_a_value_that_is_none_of_them_is_told(
    definition: str, value: str, instead: str | None
) -> None:
    (found,) = _find(definition, "W012")
    assert f"never has the value `{value}`" in found.message
    if instead is None:
        assert found.fix is None
        return
    fixed = apply_fixes(definition + _BESIDE, found.fix or ())
    assert instead in fixed
    assert _find(fixed.removesuffix(_BESIDE), "W012") == []


@pytest.mark.parametrize(
    "definition",
    [
        "event e(M) : comes(M) in status(M, voting);",
        'event e(M) : comes(M) in status(M, "in doubt");',
        "event e(M) : comes(M) in status(M, idle);",
        "event e(M) : comes(M) in status(M, wanted);",
        "event e(M) : comes(M) in status(M, V) and V == wanted;",
        "event e(M) : comes(M) in place(M, anything);",
        "event e(M) : says(M, V) and V == vote;",
        # Something else may say what the variable is.
        "event e(M) : comes(M) in (status(M, V) union tagged(M, V)) and V == vote;",
        "event e(M) : comes(M) in (status(M, V) union tagged(M, V)) and V != vote;",
        "event e(M) : comes(M) in floor_of(M, 2);",
        "event e(M) : comes(M) in status(M, V) and V > vote;",
        "event e(M) : comes(M) in status(M, V) and lower(V) == vote;",
    ],
)
def test_nothing_is_said_of_what_may_be(definition: str) -> None:
    assert _find(definition, "W012") == []


@pytest.mark.parametrize(
    ("distance", "fixed"),
    [
        ("before comes(M) from 5m within 3m", "before comes(M) from 3m within 5m"),
        ("after comes(M) from 5m within 3m", "after comes(M) from 3m within 5m"),
        ("before comes(M) within 3m from 5m", "before comes(M) within 5m from 3m"),
        ("before comes(M) from 301 within 5m", "before comes(M) from 5m within 301"),
        ("before comes(M) from 5m within 0", None),
        ("before comes(M) within 0", None),
    ],
)
def test_a_distance_that_nothing_has_is_told(distance: str, fixed: str | None) -> None:
    definition = f"dynamic d(M) : goes(M) {distance};"
    (found,) = _find(definition, "W013")
    assert (found.fix is None) == (fixed is None)
    if fixed is not None:
        mended = f"dynamic d(M) : goes(M) {fixed};{_BESIDE}"
        assert apply_fixes(definition + _BESIDE, found.fix or ()) == mended
        assert _find(mended.removesuffix(_BESIDE), "W013") == []


@pytest.mark.parametrize(
    "distance",
    [
        "before comes(M) from 5m within 5m",
        "before comes(M) from 5m within 301",
        "before comes(M) from least within 1s",
        "before comes(M) from 5m within least",
        "before comes(M) within 1",
    ],
)
def test_nothing_is_said_of_distances_that_there_may_be(distance: str) -> None:
    assert _find(f"dynamic d(M) : goes(M) {distance};", "W013") == []


def test_no_distance_is_needed_where_ends_are_equal() -> None:
    definition = "dynamic d(M) : status(M, _) meets tagged(M, _) within 0;"
    assert _find(definition, "W013") == []
