"""What means the same finds the same, at once and in windows."""

from random import Random

import pytest

from tests.equivalence.cases import Sample
from tests.equivalence.compare import Case
from tests.equivalence.metamorphic import (
    CHANGES,
    Tally,
    Variant,
    describe_broken,
    examine,
    examine_case,
    shrink_broken,
)
from tests.equivalence.streams import Stream

#: Random programs in the tests; `python -m tests.soak --only metamorphic` runs many more.
CASES = 40
#: How often each change is tried on a program that is given: places are chosen at random.
TRIES = 6

SCOPES = Case(
    """\
input state s(x: int);
input state u(x: int);
state d() : (s(L) lasting > 5) union u(L);
event f() : start(u(L)) or end(s(L));
state m() : start(s(L)) or end(u(L)) ~> end(s(K)) or start(u(K));
""",
    Stream(inputs={"s": [((1,), 1, 5), ((2,), 3, 8)], "u": [((1,), 30, 40)]}),
)
NEGATIONS = Case(
    """\
input event z(x: int);
input event a(x: int);
input event g(x: int);
event both(X) : z(X) and a(_) and not g(_);
event either(X) : z(X) and (a(_) or not g(_)) and not (g(_) or not a(_));
""",
    Stream(
        inputs={"z": [((1,), 1), ((1,), 5)], "a": [((3,), 1), ((3,), 5)], "g": [((7,), 9)]},
        start=3,
    ),
)
OTHERS = Case(
    """\
input event z(x: int);
input state s(x: int);
event z_low(X) : z(X) where X < 2;
dynamic before_s(X) : z_low(X) before (s(X) union (s(X) lasting > 1) union s(X));
""",
    Stream(inputs={"z": [((1,), 1), ((2,), 2)], "s": [((1,), 3, 5), ((2,), 4, 9)]}),
)


def test_changed_random_programs_find_the_same() -> None:
    tally = Tally()
    for number in range(CASES):
        broken = examine(number, tally)
        if broken is not None:
            case, broken = shrink_broken(Sample(number).case, broken)
            pytest.fail(f"case {number}\n{describe_broken(case, broken)}")
    assert tally.filled > tally.definitions / 2
    assert tally.windowed > CASES / 8


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("case", [SCOPES, NEGATIONS], ids=["scopes", "negations"])
def test_a_change_that_means_the_same(case: Case, name: str) -> None:
    for seed in range(TRIES):
        broken = examine_case(case, Random(seed), [(name,)], Tally())
        assert broken is None, describe_broken(case, broken)


def test_every_change_has_a_place_in_some_program() -> None:
    tally = Tally()
    for case in (SCOPES, NEGATIONS, OTHERS):
        for seed in range(4):
            assert examine_case(case, Random(seed), [(name,) for name in CHANGES], tally) is None
    assert set(tally.made) == set(CHANGES)


def test_a_variable_compared_with_itself_keeps_its_scope() -> None:
    found = {
        variant.case.text.splitlines()[2]
        for seed in range(60)
        if (variant := CHANGES["a variable compared with itself"](Variant(SCOPES), Random(seed)))
    }
    assert "state d() : s(L) lasting > 5 union (u(L) where L == L);" in found
    assert "state d() : (s(L) lasting > 5 where L == L) union u(L);" in found
    assert "state d() : (s(L) where L == L) lasting > 5 union u(L);" in found
