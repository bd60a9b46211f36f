"""Who follows a remedy to the letter has a program without errors, which means what was meant."""

import pytest

from tests.mistakes.programs import all_mistakes, diagnose, errors_of

_MISTAKES = {one.name: one for one in all_mistakes()}
_LOGINS = "input event login(user: int, failed: bool);\n"
#: The mistake, what its remedy must name, and the program of whoever follows it.
_FOLLOWED = {
    "count-star": (
        "count(ais(V, _) over 1h)",
        "event busy(V) : ais(V, _) and count(ais(V, _) over 1h) > 10;",
    ),
    "average": (
        "avg(S2 of ais(V, S2) over 1h)",
        "event fast(V) : ais(V, S) and avg(S2 of ais(V, S2) over 1h) > 10;",
    ),
    "maximum": (
        "max(S2 of ais(V, S2) over 1h)",
        "event fast(V) : ais(V, S) and max(S2 of ais(V, S2) over 1h) > 10;",
    ),
    "def": (
        "event fast(V) : ais(V, Speed) and Speed > 5;",
        "event fast(V) : ais(V, Speed) and Speed > 5;",
    ),
    "if-then-else": (
        "(ais(V, _) and ping(V)) or (not ais(V, _) and heard(V, _))",
        "event seen(V) : (ais(V, _) and ping(V)) or (not ais(V, _) and heard(V, _));",
    ),
    "program-in-flink": (
        "event attack(U) : login(U, true) and count(login(U, true) over 5m) >= 3;",
        f"{_LOGINS}event attack(U) : login(U, true) and count(login(U, true) over 5m) >= 3;",
    ),
    "match-recognize": (
        "event a(V) : ais(V, Speed) and Speed > 5;",
        "event a(V) : ais(V, Speed) and Speed > 5; event b(V) : ais(V, _);"
        "dynamic turn(V) : a(V) before b(V);",
    ),
    "column-of-event": (
        "`S` instead of `ais.speed`",
        "event fast(V) : ais(V, S) and S > 5;",
    ),
    "no-head": (
        "`fast(Vessel)` and `ais(Vessel, S)`",
        "event fast(Vessel) : ais(Vessel, S) and S > 5;",
    ),
}


@pytest.mark.parametrize(("name", "named", "followed"), [(n, *v) for n, v in _FOLLOWED.items()])
def test_following_a_remedy_leaves_no_error(name: str, named: str, followed: str) -> None:
    mistake = _MISTAKES[name]
    assert named in str(mistake.tell()[0].hint)
    assert errors_of(followed + mistake.beside) == []


def test_a_function_without_an_input_is_told_to_declare_one() -> None:
    said = str(_MISTAKES["program-in-python"].tell()[-1].hint)
    declared = "input event my_input(bus: int, speed: float);"
    written = "event stopped(Bus) : my_input(Bus, Speed) and Speed < 1;"
    assert f"`{declared}`" in said
    assert f"`{written}`" in said
    assert errors_of(f"{declared}\n{written}") == []


def test_a_function_that_does_more_is_told_what_becomes_of_its_columns() -> None:
    program = "def fast(v):\n    for w in all:\n        use(v.speed)\n"
    said = str(diagnose(program + _MISTAKES["def"].beside)[0].hint)
    assert "`event fast(V) : ais(V, Speed) and …;`" in said
    assert "`Speed` for `v.speed`" in said


def test_a_function_without_columns_is_told_what_a_formula_is() -> None:
    said = str(diagnose("def fast(v):\n    return True\n")[0].hint)
    assert "`event fast(V) : …;`" in said
    assert "a phenomenon with a variable for each argument" in said


@pytest.mark.parametrize("name", ["every-followed-by", "program-in-esper"])
def test_what_before_pairs_is_told(name: str) -> None:
    mistake = _MISTAKES[name]
    every, arrow, *_ = (str(told.hint) for told in mistake.tell())
    first = "ping(V)" if mistake.beside else "login(U)"
    then = "heard(V, _)" if mistake.beside else "logout(U)"
    for said in (every, arrow):
        assert f"of several `{first}` before one `{then}` only the last" in said
        assert "define a state instead: `state " in said
        assert f"{first} ~> {then}`" in said
    assert "each occurrence counts" not in f"{mistake.tell()[0].message} {every}"


def test_every_of_a_state_is_told_of_its_operator() -> None:
    program = (
        f"state call(V) : every ping(V) -> heard(V, _);\n{_MISTAKES['every-followed-by'].beside}"
    )
    said = str(diagnose(program)[0].hint)
    assert "`~>`" in said
    assert "`before`" not in said


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("ais(V, _) and ais.speed > 5", "`ais(V, Speed)`"),
        ("ping(V) and ais.speed > 5", "`ais(V, Speed) and …`"),
        ("ais(V, S) and V.speed > 5", "`S` instead of `V.speed`"),
        ("ping(V) and radar.speed > 5", "`radar(…)`"),
    ],
)  # fmt: skip
def test_a_column_is_reached_by_the_variable_of_its_argument(formula: str, said: str) -> None:
    beside = _MISTAKES["column-of-event"].beside
    assert said in str(diagnose(f"event fast(V) : {formula};\n{beside}")[0].hint)


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("ping(V)", "`fast(V)` for a definition about each V"),
        ("ais(V, S) and S > 5", "`fast(V, S)` for one about each V and S"),
        ("ping(V) or ais(V, S)", "write `fast(V)` for a definition about each V, `fast()`"),
        ("ping(V) and not ais(V, S)", "write `fast(V)` for a definition about each V, `fast()`"),
        ("ping(_)", "`fast(Vessel)` and `ping(Vessel)`"),
        ("ping(7)", "write `fast()`"),
    ],
)
def test_a_head_is_offered_the_variables_that_the_formula_has(formula: str, said: str) -> None:
    beside = _MISTAKES["no-head"].beside
    assert said in str(diagnose(f"event fast : {formula};\n{beside}")[0].hint)


def test_how_often_a_step_comes_is_counted_in_rows_of_its_own() -> None:
    beside = _MISTAKES["match-recognize"].beside
    pattern = "PATTERN (F{3,}) WITHIN INTERVAL '5' MINUTE DEFINE F AS F.speed > 5"
    hint = str(diagnose(f"state s(V) : MATCH_RECOGNIZE ({pattern});\n{beside}")[0].hint)
    counted = "count(ais(V, Speed2) and Speed2 > 5 over 5m) >= 3"
    written = f"event s(V) : ais(V, Speed) and Speed > 5 and {counted};"
    assert f"`{written}`" in hint
    assert errors_of(f"{written}\n{beside}") == []


def test_else_is_told_with_its_own_not_for_states_too() -> None:
    beside = _MISTAKES["if-then-else"].beside
    program = f"state a(V) : if towing(V) then in_port(V, _) else in_port(V, brest);\n{beside}"
    written = (
        "(towing(V) intersection in_port(V, _)) union (in_port(V, brest) complement towing(V))"
    )
    assert f"`{written}`" in str(diagnose(program)[0].hint)
    assert errors_of(f"state a(V) : {written};\n{beside}") == []


def test_if_without_else_is_written_with_and() -> None:
    beside = _MISTAKES["if-then-else"].beside
    program = f"event a(V) : if ais(V, S) then ping(V);\n{beside}"
    assert "`ais(V, S) and ping(V)`" in str(diagnose(program)[0].hint)


def test_one_import_is_enough_and_mixed_kinds_are_told_at_once() -> None:
    told = _MISTAKES["program-forgets-the-library"].tell()
    assert [one.code for one in told] == ["S022", "N001", "N001", "K002"]
    assert ["maritime.inputs" in str(one.hint) for one in told[1:3]] == [False, False]
    assert "`import maritime.core;`" in str(told[1].hint)
    assert told[1].fix == told[2].fix
    assert "`moored` is a state" in told[3].message
    assert "`ais(V, _, _, _) in moored(V, P)`" in str(told[3].hint)
