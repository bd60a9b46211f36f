"""What is computed over several rows, written as in SQL, Flink, Esper, Python and pandas.

Each message names a remedy, and whoever puts it in the place of what was written has no error.
"""

import pytest

from phenesthe.diagnostics.fixes import apply_fixes
from tests.mistakes.programs import diagnose, errors_of

_BESIDE = """
input event ais(vessel: int, speed: float);
input event ping(vessel: int);
input event pay(card: int, amount: float, city: str);
input state in_port(vessel: int, port: str);
input state towing(vessel: int);
"""
_SHIP = "event e(V) : ais(V, S) and {};"
_CARD = "event e(C) : pay(C, A, _) and {};"
_TOW = "state s(V) : towing(V) where {};"
_VALUE = "state s(V, M) : towing(V) let M = {};"
_BUSY = "count(ais(V, _) over 1h)"
_MEAN = "avg(S2 of ais(V, S2) over 1h)"
_BEFORE = "last(S2 of ais(V, S2) past 1h)"

#: The definition, what stands in it, and what is said to stand in place of it.
_WRITTEN = [
    # SQL
    (_SHIP, "[count(*)] > 10", _BUSY),
    (_SHIP, "[COUNT(*)] > 10", _BUSY),
    (_SHIP, "[count()] > 10", _BUSY),
    (_SHIP, "[count(1)] > 10", _BUSY),
    (_SHIP, "[count(S)] > 10", _BUSY),
    (_SHIP, "[count(ais)] > 10", _BUSY),
    (_SHIP, "[count(*) over 2h] > 10", "count(ais(V, _) over 2h)"),
    (_SHIP, "10 < [count(*)]", _BUSY),
    (_SHIP, "[count(*)] / 2 > 10", _BUSY),
    (_SHIP, "[count(distinct S)] > 3", "count(S2 of ais(V, S2) over 1h)"),
    (_SHIP, "[COUNT(DISTINCT S)] > 3", "count(S2 of ais(V, S2) over 1h)"),
    (_SHIP, "[count_distinct(S)] > 3", "count(S2 of ais(V, S2) over 1h)"),
    (_SHIP, "[approx_count_distinct(S)] > 3", "count(S2 of ais(V, S2) over 1h)"),
    (_SHIP, "[count_if(S > 3)] > 3", "count(ais(V, S2) and S2 > 3 over 1h)"),
    (
        _SHIP,
        "[sum(case when S > 3 then 1 else 0 end)] > 3",
        "count(ais(V, S2) and S2 > 3 over 1h)",
    ),
    (_SHIP, "[avg(S)] > 10", _MEAN),
    (_SHIP, "[AVG(S)] > 10", _MEAN),
    (_SHIP, "S > [avg(S)]", _MEAN),
    (_SHIP, "S > 0.5 * [avg(S)]", _MEAN),
    (_SHIP, "[avg(S) over (partition by V order by t)] > 10", _MEAN),
    (
        _SHIP,
        "[avg(S) OVER (PARTITION BY V ORDER BY t RANGE INTERVAL '2' HOUR PRECEDING)] > 10",
        "avg(S2 of ais(V, S2) over 2h)",
    ),
    (_SHIP, "[max(S)] > 10", "max(S2 of ais(V, S2) over 1h)"),
    (_SHIP, "[MAX(S)] > 10", "max(S2 of ais(V, S2) over 1h)"),
    (_SHIP, "S == [max(S)]", "max(S2 of ais(V, S2) over 1h)"),
    (_SHIP, "[min(S past 2h)] > 10", "min(S2 of ais(V, S2) past 2h)"),
    (_SHIP, "[first_value(S)] > 5", "first(S2 of ais(V, S2) over 1h)"),
    (_SHIP, "[last_value(S)] > 5", "last(S2 of ais(V, S2) over 1h)"),
    (_SHIP, "S > [lag(S)]", _BEFORE),
    (_SHIP, "S > [lag(S, 1)]", _BEFORE),
    (_SHIP, "S - [LAG(S) OVER (PARTITION BY V ORDER BY t)] > 5", _BEFORE),
    (_SHIP, "[lead(S)] > S", _BEFORE),
    (_SHIP, "[ROW_NUMBER() OVER (PARTITION BY V ORDER BY S)] <= 3", _BUSY),
    (_SHIP, "S >= [rank() OVER (ORDER BY S)]", "max(S2 of ais(V, S2) over 1h)"),
    (_CARD, "[sum(A)] > 100", "sum(A2 of pay(C, A2, _) over 1h)"),
    (_CARD, "[SUM(A)] > 100", "sum(A2 of pay(C, A2, _) over 1h)"),
    (_CARD, "[total(A)] > 100", "sum(A2 of pay(C, A2, _) over 1h)"),
    (_CARD, "[sum(A) over 2h] > 100", "sum(A2 of pay(C, A2, _) over 2h)"),
    (_CARD, "[sum(A * 2)] > 100", "sum(X of (pay(C, A2, _) let X = A2 * 2) over 1h)"),
    (_CARD, "[sum(amount)] > 100", "sum(A2 of pay(C, A2, _) over 1h)"),
    # Flink, Esper
    (_SHIP, "[ais(V, S).win:time(2h).avg(S)] > 10", "avg(S2 of ais(V, S2) over 2h)"),
    (_SHIP, "[avg(ais.speed)] > 10", "avg(Speed of ais(V, Speed) over 1h)"),
    (_SHIP, "[avg(S, 2h)] > 10", "avg(S2 of ais(V, S2) over 2h)"),
    (_SHIP, "S > [prev(1, S)]", _BEFORE),
    (_SHIP, "S > [prev(S)]", _BEFORE),
    # Python and pandas
    (_SHIP, "[S.mean()] > 10", _MEAN),
    (_SHIP, "[S.rolling(10).mean()] > 10", _MEAN),
    (_SHIP, "[ais.speed.rolling(10).mean()] > 10", "avg(Speed of ais(V, Speed) over 1h)"),
    (_SHIP, "[rolling_mean(S, 10)] > 10", _MEAN),
    (_SHIP, "[nunique(S)] > 3", "count(S2 of ais(V, S2) over 1h)"),
    (_SHIP, "S > [S.shift(1)]", _BEFORE),
    (_SHIP, "[S.diff()] > 3", f"S - {_BEFORE}"),
    (_SHIP, "[mean(S)] > 10", _MEAN),
    (_VALUE, "[sum(S for S in ais(V, S))]", "sum(S of ais(V, S))"),
    (_VALUE, "[mean(S for ais(V, S))]", "avg(S of ais(V, S))"),
    # Almost as here
    (_SHIP, "[avg(ais(V, S))] > 10", _MEAN),
    (_SHIP, "[avg(ais(V, S), S)] > 10", _MEAN),
    (_SHIP, "S > [avg(S of ais(V, S))]", _MEAN),
    (_SHIP, "S > [avg(S of ais(V, S) over 2h)]", "avg(S2 of ais(V, S2) over 2h)"),
    (_SHIP, "[count(ping(V))] > 3", "count(ping(V) over 1h)"),
    (_SHIP, "[count(ping(V), 2h)] > 3", "count(ping(V) over 2h)"),
    (_SHIP, "[count(ping(V) within 2h)] > 3", "count(ping(V) over 2h)"),
    (_SHIP, "[count(ping(V) over last 2h)] > 3", "count(ping(V) over 2h)"),
    (_SHIP, "[count(ping(V) over)] > 3", "count(ping(V) over 1h)"),
    (_SHIP, "[count(ping(V)) over 2h] > 3", "count(ping(V) over 2h)"),
    (_SHIP, "[count(S > 3)] > 3", "count(ais(V, S2) and S2 > 3 over 1h)"),
    (_VALUE, "[avg(ais(V, S))]", "avg(S of ais(V, S))"),
    (_VALUE, "[avg(S, ais(V, S))]", "avg(S of ais(V, S))"),
    (_VALUE, "[avg(S from ais(V, S))]", "avg(S of ais(V, S))"),
    (_VALUE, "[avg(S in ais(V, S))]", "avg(S of ais(V, S))"),
    (_VALUE, "[avg(S | ais(V, S))]", "avg(S of ais(V, S))"),
    (_VALUE, "[avg(speed of ais(V, S))]", "avg(S of ais(V, S))"),
    (_VALUE, "[avg(S * 2 of ais(V, S))]", "avg(X of (ais(V, S) let X = S * 2))"),
    (_VALUE, "[avg(S of ais(V, S) over 1h)]", "avg(S of ais(V, S))"),
    (_VALUE, "[max(S of ais)]", "max(S of ais(V, S))"),
    # Beside a state, about whose intervals nothing but the file says what there is to count.
    (_TOW, "[count(*)] > 3", "count(ais(V, _))"),
    (_TOW, "[count(distinct S)] > 3", "count(S of ais(V, S))"),
    (_TOW, "[avg(S)] > 3", "avg(S of ais(V, S))"),
    (_TOW, "[max(S)] > 3", "max(S of ais(V, S))"),
    (_TOW, "[first_value(S)] > 3", "first(S of ais(V, S))"),
    (_TOW, "[count(ais(V, _) over 1h)] > 3", "count(ais(V, _))"),
    (_VALUE, "[count(*)]", "count(ais(V, _))"),
    (_VALUE, "[mean(S of ais(V, S))]", "avg(S of ais(V, S))"),
    (_VALUE, "[sum(in_port(V, _))]", "total(in_port(V, _))"),
    (_VALUE, "[sum(duration(in_port(V, _)))]", "total(in_port(V, _))"),
    (_VALUE, "[total(V of in_port(V, _))]", "total(in_port(V, _))"),
    (_VALUE, "[total(in_port(V, _), 5)]", "total(in_port(V, _))"),
    # Clauses
    ("event e(V) : ais(V, S) {};", "[having count(*) > 3]", f"and {_BUSY} > 3"),
    ("event e(V) : ais(V, S) {};", "[HAVING AVG(S) > 3]", f"and {_MEAN} > 3"),
    ("state s(V) : towing(V) {};", "[having count(*) > 3]", "where count(ais(V, _)) > 3"),
    ("event e(V, N) : ais(V, _) let N = {};", "[count(*)]", _BUSY),
    ("state s(V) : (ais(V, S) and {}) ~> ping(V);", "[count(*)] > 3", _BUSY),
    ("state s(V) : (towing(V) where {}) union towing(V);", "[count(*)] > 3", "count(ais(V, _))"),
    ("machine m(V, W) initially a {{ a -> b : ais(V, _) and {}; b -> a : ping(V); }}",
     "[count(*)] > 3", _BUSY),
    ("dynamic d(V) : ping(V) before (ais(V, S) and {});", "[avg(S)] > 3", _MEAN),
    ("event e(V) : {};", "[count(ais(V, _)) > 3]",
     "ais(V, _) and count(ais(V, _) over 1h) > 3"),
    ("event e(V) : {};", "[max(S of ais(V, S)) > 3]",
     "ais(V, _) and max(S of ais(V, S) over 1h) > 3"),
    ("{}", "[state s(V) : count(ais(V, _)) > 3;]",
     "event s(V) : ais(V, _) and count(ais(V, _) over 1h) > 3;"),
]  # fmt: skip


def _write(definition: str, part: str) -> str:
    return definition.format(part.replace("[", "").replace("]", ""))


@pytest.mark.parametrize(("definition", "part", "remedy"), _WRITTEN)
def test_the_remedy_in_its_place_leaves_no_error(definition: str, part: str, remedy: str) -> None:
    found = [d for d in diagnose(_write(definition, part) + _BESIDE) if d.code != "W003"]
    assert found
    assert f"`{remedy}`" in found[0].hint
    before, _, rest = part.partition("[")
    followed = definition.format(f"{before}{remedy}{rest.partition(']')[2]}")
    assert errors_of(followed + _BESIDE) == []


def test_there_are_enough_of_them() -> None:
    assert len(_WRITTEN) >= 60


def test_grouping_and_its_condition_are_told_together() -> None:
    text = "event e(V) : ais(V, S) group by V having count(*) > 3;"
    (found,) = [d for d in diagnose(text + _BESIDE) if d.code == "S022"]
    assert "leave `group by V` out" in found.hint
    assert f"`and {_BUSY} > 3`" in found.hint
    assert found.fix is None


def test_leaving_a_grouping_out_leaves_conditions_in() -> None:
    text = "event e(V) : ais(V, S) group by V and S > 5;"
    (found,) = [d for d in diagnose(text + _BESIDE) if d.code == "S022"]
    fixed = "event e(V) : ais(V, S) and S > 5;"
    assert apply_fixes(text + _BESIDE, found.fix or ()) == fixed + _BESIDE


@pytest.mark.parametrize("name", ["median", "stddev", "percentile", "var", "quantile", "mode"])
def test_statistics_that_there_are_none_of_become_an_input(name: str) -> None:
    text = _SHIP.format(f"{name}(S) > 3")
    found = diagnose(text + _BESIDE)[0]
    declared = f"input event {name}_s(vessel: int, value: float);"
    assert f"`{declared}`" in found.hint
    followed = f"{declared}event e(V) : {name}_s(V, X) and X > 3;"
    assert errors_of(followed + _BESIDE) == []


@pytest.mark.parametrize("written", ["avg(S)", "S.mean()", "avg(S) over (partition by V)"])
def test_without_an_event_its_place_is_told(written: str) -> None:
    text = f"input state towing(vessel: int);\nstate s(V, M) : towing(V) let M = {written};"
    hint = diagnose(text)[0].hint
    assert "`avg(S of …)`, with an event that has `S` in the place of `…`" in hint


def test_what_has_many_values_gets_another_name_by_a_fix() -> None:
    text = "event e(V) : ais(V, S) and S > avg(S of ais(V, S) over 1h);"
    found = diagnose(text + _BESIDE)[0]
    fixed = "event e(V) : ais(V, S) and S > avg(S2 of ais(V, S2) over 1h);"
    assert apply_fixes(text + _BESIDE, found.fix or ()) == fixed + _BESIDE
    assert errors_of(fixed + _BESIDE) == []


def test_what_only_the_head_has_is_not_renamed() -> None:
    found = diagnose("state s(V, S) : towing(V) let M = avg(S of ais(V, S));" + _BESIDE)[0]
    assert found.code == "V010"
    assert found.fix is None
    assert "`S2`" not in found.hint


def test_mistakes_inside_of_an_aggregate_are_told_themselves() -> None:
    for written, said in (
        ("count(ais(V, S) AND S > 3 over 1h)", "`and`"),
        ("count(ais(V, _) over 1 hour)", "`1h`"),
        ("max(S of ais(V, S) && ping(V) over 1h)", "`and`"),
        ("count(ais(V, S) && S > 3 over 1h)", "`and`"),
        ("count(pay(_, _, X) and X == 'a' over 1h)", '`"a"`'),
    ):
        found = diagnose(_SHIP.format(f"{written} > 3") + _BESIDE)[0]
        assert f"write {said}" in found.hint
        assert found.fix is not None


def test_a_new_value_is_named_with_let() -> None:
    found = diagnose("event e(V, N) : ais(V, _) and N = count(ais(V, _) over 1h);" + _BESIDE)[0]
    assert found.fix is None
    assert "`… let N = count(ais(V, _) over 1h)`" in found.hint
    equal = diagnose("event e(V) : ais(V, S) and S = 5;" + _BESIDE)[0]
    assert "let" not in equal.hint
    assert equal.fix is not None
