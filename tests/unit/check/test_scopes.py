"""Where a variable ends that is not in the head: the smallest formula with all its occurrences."""

import pytest

from phenesthe.syntax.printer import print_formula
from phenesthe.syntax.tree import Exists, Formula, Repeat
from phenesthe.syntax.tree.walk import walk
from tests.unit.check.programs import INPUTS, accept, body, reject


def closings(formula: Formula) -> list[tuple[str, str]]:
    """The variables, and the text of the formula each is closed in."""
    found: dict[tuple[str, str], None] = {}
    for node in walk(formula):
        match node:
            case Exists():
                found |= dict.fromkeys((name, node.reach.text) for name in node.variables)
            case Repeat():
                found |= dict.fromkeys((name, node.span.text) for name in node.local)
    return list(found)


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ("event d(V) : ping(V)", []),
        ("event d(V) : ais(V, _)", []),
        ("event d(V) : ais(V, S)", [("S", "ais(V, S)")]),
        ("event d(V, S) : ais(V, S)", []),
        ("event d(V) : ais(V, S) and S > 3", [("S", "ais(V, S) and S > 3")]),
        ("event d(V) : ais(V, S) where S > 3", [("S", "ais(V, S) where S > 3")]),
        (
            "event d(V) : ping(V) and (ais(V, S) and S > 3)",
            [("S", "ais(V, S) and S > 3")],
        ),
        (
            "event d(V) : ais(V, S) and S > 3 or ais(V, S) and S < 1",
            [("S", "ais(V, S) and S > 3 or ais(V, S) and S < 1")],
        ),
        ("state d(V) : ping(V) ~> ais(V, S)", [("S", "ais(V, S)")]),
        ("state d(V, K) : count P of in_port(V, P) as K", []),
        (
            "state d(V) : count P of in_port(V, P) as K where 1 < 2",
            [("K", "count P of in_port(V, P) as K")],
        ),
        (
            "state d(V) : count P of in_port(V, P) as K where K > 2",
            [("K", "count P of in_port(V, P) as K where K > 2")],
        ),
        (
            "state d(P) : at least 2 V of (in_port(V, P) where vessel_type(V, X))",
            [("X", "vessel_type(V, X)")],
        ),
        ("state d(V) : ais(V, S) ~> ais(V, S)", [("S", "ais(V, S) ~> ais(V, S)")]),
        (
            "state d(V) : ais(V, S1) and S1 > 3 ~> ais(V, S2) and S2 < 3",
            [("S1", "ais(V, S1) and S1 > 3"), ("S2", "ais(V, S2) and S2 < 3")],
        ),
        ("event d(V) : ping(V) in in_port(V, P)", [("P", "in_port(V, P)")]),
        (
            "event d(V) : ping(V) in in_port(V, P) and vessel_type(V, P)",
            [("P", "ping(V) in in_port(V, P) and vessel_type(V, P)")],
        ),
        ("event d(V) : ping(V) and not ais(V, S)", [("S", "ais(V, S)")]),
        (
            "state d(V) : in_port(V, P) union in_port(V, P)",
            [("P", "in_port(V, P) union in_port(V, P)")],
        ),
        (
            "event d(V) : ping(V) or ais(V, S) and S > 3 or ping(V)",
            [("S", "ais(V, S) and S > 3")],
        ),
        (
            "event d(V) : ping(V) and (ais(V, S) or ping(V) or start(in_port(V, P)) or ais(V, S))",
            [("S", "ais(V, S) or ping(V) or start(in_port(V, P)) or ais(V, S)"),
             ("P", "in_port(V, P)")],
        ),
        (
            "state d(V) : ((in_port(V, P) lasting > 5m) union in_port(V, _)) union in_port(V, P)",
            [("P", "((in_port(V, P) lasting > 5m) union in_port(V, _)) union in_port(V, P)")],
        ),
        (
            "state d(V) : in_port(V, P) intersection in_port(V, P)",
            [("P", "in_port(V, P) intersection in_port(V, P)")],
        ),
        (
            "state d(V) : in_port(V, P) complement in_port(V, P)",
            [("P", "in_port(V, P) complement in_port(V, P)")],
        ),
        (
            "state d(V) : in_port(V, P) then in_port(V, Q)",
            [("P", "in_port(V, P)"), ("Q", "in_port(V, Q)")],
        ),
        (
            "dynamic d(V) : in_port(V, P) meets in_port(V, P)",
            [("P", "in_port(V, P) meets in_port(V, P)")],
        ),
        (
            "state d(V) : in_port(V, P) lasting > 5m",
            [("P", "in_port(V, P)")],
        ),
        ("event d(V) : start(in_port(V, P))", [("P", "in_port(V, P)")]),
        (
            "state d(V) : repeat ais(V, S) while gap < 5m and abs(S - prev(S)) < 6",
            [("S", "repeat ais(V, S) while gap < 5m and abs(S - prev(S)) < 6")],
        ),
        ("state d(V) : repeat ais(V, S) while gap < 5m", [("S", "ais(V, S)")]),
        (
            "event d() : ais(V, S) and S > 3 and in_zone(V)",
            [("S", "ais(V, S) and S > 3 and in_zone(V)"),
             ("V", "ais(V, S) and S > 3 and in_zone(V)")],
        ),
    ],
)  # fmt: skip
def test_a_variable_ends_where_its_last_sibling_does(
    definition: str, expected: list[tuple[str, str]]
) -> None:
    program = accept(f"{INPUTS}input event in_zone(vessel: int);\n{definition};")
    assert sorted(closings(body(program, "d"))) == sorted(expected)


def test_the_head_keeps_a_variable_open_everywhere() -> None:
    program = accept(INPUTS + "state d(V, P) : in_port(V, P) intersection in_port(V, P);")
    assert closings(body(program, "d")) == []


def test_several_variables_are_closed_together_in_alphabetical_order() -> None:
    program = accept(
        INPUTS + "event d() : ais(V, S) and ais(V, T) and S < T and vessel_type(V, tug);"
    )
    (closed,) = [node for node in walk(body(program, "d")) if isinstance(node, Exists)]
    assert closed.variables == ("S", "T", "V")


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (
            "(in_port(V, P) lasting > 5m) union in_port(V, P)",
            ["in_port(V, P) lasting > 5m", "in_port(V, P)"],
        ),
        ("in_port(V, P) union in_port(V, tug) union in_port(V, P)", ["in_port(V, P)"] * 2),
        (
            "(in_port(V, P) union in_port(V, tug)) union (in_port(V, P) lasting < 5m)",
            ["in_port(V, P)", "in_port(V, P) lasting < 5m"],
        ),
    ],
)
def test_an_alternative_is_closed_as_a_whole(formula: str, expected: list[str]) -> None:
    program = accept(f"{INPUTS}state d(V) : {formula};")
    closed = [node for node in walk(body(program, "d")) if isinstance(node, Exists)]
    assert [print_formula(node.operand) for node in closed] == expected


def test_an_alternative_further_in_has_all_variables_used_outside() -> None:
    text = "state d(V) : ((in_port(V, P) union in_port(V, _)) lasting > 5m) union in_port(V, P);"
    assert reject(INPUTS + text) == ["V004"]
