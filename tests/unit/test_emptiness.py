"""What cannot hold for want of rows, seen from the formulas alone."""

import pytest

import phenesthe
from phenesthe.cli.unrecognised import list_unrecognised
from phenesthe.plan.emptiness import Lacking, find_empty

DECLARED = """\
input event a(x: int);
input event b(x: int);
input state s(x: int);
input state t(x: int);
fact f(x: int, type: str);
"""


@pytest.mark.parametrize(
    ("text", "lacking", "is_empty"),
    [
        ("event e(X) : a(X) and b(X);", "b", True),
        ("event e(X) : a(X) or b(X);", "b", False),
        ("event e(X) : a(X) or b(X);", "a b", True),
        ("event e(X) : a(X) and not b(X);", "b", False),
        ("event e(X) : a(X) in s(X);", "s", True),
        ("event e(X) : a(X) not in s(X);", "s", False),
        ("event e(X) : start(s(X));", "s", True),
        ("state e(X) : a(X) ~> b(X);", "a", True),
        ("state e(X) : a(X) ~> b(X);", "b", False),
        ("state e(X) : s(X) union t(X);", "s", False),
        ("state e(X) : s(X) intersection t(X);", "t", True),
        ("state e(X) : s(X) complement t(X);", "t", False),
        ("state e(X) : s(X) complement t(X);", "s", True),
        ("state e(X) : s(X) lasting > 5s;", "s", True),
        ("state e(X) : repeat a(X) while gap < 5s;", "a", True),
        ("state e(X) : s(X) during t(X) as source;", "t", True),
        ("dynamic e(X) : s(X) before t(X);", "t", True),
        ("event e(X) : a(X) where f(X, reef);", "reef", True),
        ("event e(X) : a(X) where f(X, reef);", "bank", False),
        ("event e(X) : a(X) where f(X, reef) or f(X, bank);", "reef", False),
        ("event e(X) : a(X) where f(X, reef) or f(X, bank);", "reef bank", True),
        ("event e(X) : a(X) where not f(X, reef);", "reef", False),
        ("event d(X, T) : a(X) where f(X, T);\nevent e(X) : d(X, reef);", "reef", True),
        ("event d(X, T) : a(X) where f(X, T);\nevent e(X) : d(X, reef);", "bank", False),
        ("event d(X, T) : a(X) where f(X, T);\nevent e(X, T) : d(X, T);", "reef", False),
        (
            "exclusive state d(X, V) { on: a(X) ~> b(X); off: b(X) ~> a(X); }\n"
            "event e(X) : start(d(X, on));",
            "a",
            True,
        ),
        (
            "exclusive state d(X, V) { on: a(X) ~> b(X); off: b(X) ~> a(X); }\n"
            "event e(X) : start(d(X, off));",
            "a",
            False,
        ),
    ],
)
def test_what_a_formula_needs(text: str, lacking: str, is_empty: bool) -> None:
    program = phenesthe.compile(text=DECLARED + text).checked
    words = lacking.split()
    names = [one for one in words if len(one) == 1]
    values = {("f", "type"): [one for one in words if len(one) > 1]}
    assert ("e" in find_empty(program, Lacking(names, values))) == is_empty


def test_the_library_is_asked_what_it_needs() -> None:
    types = ["anchorage", "fishing", "closed_fishing", "coast", "port"]
    rows = dict.fromkeys(("ais", "enters_area", "gap_start", "proximity"), 5)
    assert list(list_unrecognised(types, rows)) == []
    (told,) = list_unrecognised(types[1:], rows)
    assert told.startswith("there is no area of type `anchorage`: nothing of ")
    assert "`in_anchorage`" in told
    (told,) = list_unrecognised(types, rows | {"proximity": 0})
    assert told.startswith("there are no rows in `proximity`: nothing of ")
    assert "`close_to`" in told


def test_types_that_nobody_asks_for_are_told_where_others_lack() -> None:
    *_, told = list_unrecognised(["anchorage", "fishing", "closed", "coast", "port"], {"ais": 1})
    assert told.startswith("areas of type `closed` are there, which the library does not ask for")
    assert told.endswith(
        "\n  help: if `closed` is what the library calls `closed_fishing`, make that their type"
    )


def test_types_that_may_be_meant_are_named() -> None:
    types = ["Closed-Fishing", "Ports", "lane", "fishing"]
    *_, told = list_unrecognised(types, {"ais": 1})
    assert [line for line in told.splitlines() if "help:" in line] == [
        "  help: if `Closed-Fishing` is what the library calls `closed_fishing`, make that their "
        "type",
        "  help: if `Ports` is what the library calls `port`, make that their type",
    ]
