"""Types are inferred from the inputs, through as many definitions as it takes."""

import pytest

from phenesthe.syntax.tree import Comparison, ParameterRef, StrLiteral
from phenesthe.syntax.tree.walk import walk
from tests.unit.check.programs import INPUTS, accept, body, check_files, find, reject


def test_types_travel_through_definitions_in_any_order() -> None:
    program = accept(
        INPUTS
        + "dynamic d(P, V) : c(V) before b(V, P);\n"
        + "state b(A, B) : a(A, B) lasting > 5m;\n"
        + "state a(X, Y) : in_port(X, Y) union in_port(X, Y);\n"
        + "event c(W) : ais(W, S) and S > 1;"
    )
    types = {d.signature.name: d.signature.types for d in program.definitions}
    assert types == {"a": ("int", "str"), "b": ("int", "str"), "c": ("int",), "d": ("str", "int")}


def test_a_conflict_is_found_far_from_its_origin() -> None:
    text = INPUTS + "state a(V, P) : in_port(V, P);\nstate b(V, P) : a(V, P);\n"
    program, found = check_files(text + "state c(V) : b(V, X) intersection b(X, _);")
    assert program is None
    (conflict,) = [d for d in found if d.code == "T001"]
    assert "`str`" in conflict.message
    assert "`int`" in conflict.message
    assert len(conflict.related) == 1


def test_a_broken_definition_does_not_break_its_users() -> None:
    text = "state a(V, P) : in_port(P, V) intersection in_port(V, P);\n"
    assert set(reject(INPUTS + text + "event b(V) : start(a(V, P)) and vessel_type(V, P);")) == {
        "T001"
    }


@pytest.mark.parametrize(
    ("labels", "type_name"),
    [(("on", "off"), "str"), (("1", "-2"), "int"), (("true", "false"), "bool")],
)
def test_the_value_of_an_exclusive_state_has_the_type_of_its_labels(
    labels: tuple[str, str], type_name: str
) -> None:
    first, second = labels
    program = accept(
        f"{INPUTS}exclusive state m(V, X) {{ {first} : ping(V) ~> ais(V, _);"
        f" {second} : ais(V, _) ~> ping(V); }}\nevent e(V, X) : start(m(V, X));"
    )
    assert find(program, "m").signature.types == ("int", type_name)
    assert find(program, "e").signature.types == ("int", type_name)


@pytest.mark.parametrize(
    ("condition", "is_right"),
    [
        ("S > 3", True),
        ("V > 0.5", True),
        ("V / 2 > S", True),
        ("S == fast", False),
        ('T > "a"', True),
        ("T > 3", False),
        ("T + 1 > 3", False),
        ("B == true", True),
        ("B != false", True),
        ("B < true", False),
        ("B == 1", False),
        ("abs(T) > 1", False),
        ("min(V, S, 4) > 1", True),
        ("angle_diff(V, S) > 90", True),
        ("-S < pause", True),
        ("S > 90s", True),
    ],
)
def test_comparisons_know_types(condition: str, is_right: bool) -> None:
    text = (
        "param pause: duration = 5m;\n"
        "input event e(v: int, s: float, x: str, b: bool);\n"
        f"event d(V) : e(V, S, T, B) and {condition} and S == S and T == T and B == B;\n"
        "state u(V) : e(V, _, _, _) ~> e(V, _, _, _) expires pause;"
    )
    program, found = check_files(text)
    assert (program is not None) == is_right, [d.message for d in found]


@pytest.mark.parametrize(
    ("argument", "is_right"),
    [("7", True), ("-7", True), ("7.5", False), ("x", False), ('"x"', False), ("true", False),
     ("_", True), ("limit", True), ("ratio", False)],
)  # fmt: skip
def test_constants_fit_their_argument(argument: str, is_right: bool) -> None:
    text = (
        f"{INPUTS}param limit: int = 7;\nparam ratio: float = 0.5;\nevent e() : ping({argument});\n"
        "event f(V) : ais(V, S) and S > limit and S < ratio;"
    )
    assert (check_files(text)[0] is not None) == is_right


def test_a_whole_number_fits_a_float_argument() -> None:
    assert accept(INPUTS + "event e(V) : ais(V, 3);")


def test_a_word_is_the_parameter_of_that_name_or_a_text() -> None:
    program = accept(
        INPUTS + "param tug: str = barge;\n"
        "event a(V) : ping(V) and vessel_type(V, T) and T == tug;\n"
        "event b(V) : ping(V) and vessel_type(V, T) and T == ferry;"
    )
    values = [
        node.right
        for name in ("a", "b")
        for node in walk(body(program, name))
        if isinstance(node, Comparison)
    ]
    assert isinstance(values[0], ParameterRef)
    assert isinstance(values[1], StrLiteral)
    assert values[1].value == "ferry"
