"""What a program must remember, told before it runs."""

import json
from dataclasses import fields

import pytest

import phenesthe
from phenesthe.explain import explain
from phenesthe.graph.operator import Operator
from phenesthe.graph.remembering import SETTLED
from phenesthe.graph.sets import Union
from phenesthe.plan.lower import lower
from phenesthe.plan.memory_bounds import FormulaBound, MemoryBounds, find_memory_bounds
from phenesthe.plan.warn_memory import warn_memory
from tests.equivalence.cases import Sample
from tests.equivalence.windowed import make_case
from tests.unit.check.programs import accept

INPUTS = """\
param pause: duration = 10m;
input event e(x: int);
input event f(x: int);
input event bell();
input event gong();
input state s(x: int);
input state u(x: int);
input state on();
input state off();
input state near(x: int, y: int);
input dynamic d(x: int);
fact known(x: int);
"""


def remember(definitions: str) -> MemoryBounds:
    return find_memory_bounds(lower(accept(INPUTS + definitions)))


def last(definition: str) -> FormulaBound:
    """Of the outermost operator."""
    return remember(definition).operators[-1]


@pytest.mark.parametrize(
    ("definition", "operator", "bound"),
    [
        ("event r(X) : e(X) and known(X);", "and", "nothing"),
        ("event r(X) : e(X) where X > 1;", "where", "nothing"),
        ("event r(X) : start(s(X));", "start", "nothing"),
        ("event r(X) : end(s(X));", "end", "nothing"),
        ("event q(X) : e(X); event r() : e(_);", "exists", "nothing"),
        ("dynamic r() : d(_);", "exists", "nothing"),
        ("event r(X) : e(X) and f(X);", "and", "window"),
        ("event r(X) : e(X) or f(X);", "or", "window"),
        ("event r(X) : e(X) and not f(X);", "and", "window"),
        ("event r(X) : e(X) in s(X);", "in", "window"),
        ("event r(X) : e(X) not in s(X);", "not in", "window"),
        ("state r(X) : e(X) ~> f(X);", "~>", "binding"),
        ("state r(X) : e(X) ~> not f(X) and known(X);", "~>", "binding"),
        ("state r(X) : e(X) ~> f(X) expires 5m;", "~>", "duration"),
        ("exclusive state r(X, V) { a : e(X) ~> f(X); }", "~>", "binding"),
        ("exclusive state r(X, V) { a : e(X) ~> f(X) expires 5m; }", "~>", "duration"),
        ("exclusive state r(X, V) { a : e(X) ~> not f(X) and known(X); }", "~>", "binding"),
        ("state r(X) : s(X) union u(X);", "union", "binding"),
        ("state r(X) : s(X) intersection u(X);", "intersection", "binding"),
        ("state r(X) : s(X) complement u(X);", "complement", "binding"),
        ("state r(X) : near(X, _);", "exists", "binding"),
        ("state r(X) : near(X, Y) intersection s(Y);", "exists", "binding"),
        ("state r(X) : s(X) lasting < 5m;", "lasting", "duration"),
        ("state r(X) : s(X) lasting <= 5m;", "lasting", "duration"),
        ("state r(X) : s(X) lasting == 5m;", "lasting", "duration"),
        ("state r(X) : s(X) lasting > 5m;", "lasting", "binding"),
        ("state r(X) : s(X) lasting >= 5m;", "lasting", "binding"),
        ("state r(X) : s(X) lasting != 5m;", "lasting", "binding"),
        ("state r(X) : repeat e(X) while gap < 5m;", "repeat", "duration"),
        ("state r(X) : repeat e(X) while gap <= 5m;", "repeat", "duration"),
        ("state r(X) : repeat e(X) while gap == 5m;", "repeat", "duration"),
        ("state r(X) : repeat e(X) while gap > 5m;", "repeat", "unbounded"),
        ("state r(X) : repeat e(X) while gap >= 5m;", "repeat", "unbounded"),
        ("state r(X) : repeat e(X) while gap != 5m;", "repeat", "unbounded"),
        ("state r() : repeat e(_) while gap > 5m;", "repeat", "binding"),
        ("state r(X) : e(X) then f(X);", "then", "unbounded"),
        ("state r(X) : bell() then f(X);", "then", "unbounded"),
        ("state r() : bell() then gong();", "then", "binding"),
        ("dynamic r(X) : e(X) before f(X);", "before", "unbounded"),
        ("dynamic r(X) : e(X) before bell();", "before", "unbounded"),
        ("dynamic r(X) : bell() before e(X);", "before", "unbounded"),
        ("dynamic r() : e(_) before f(_);", "before", "binding"),
        ("dynamic r(X) : e(X) before f(X) within 5m;", "before", "duration"),
        ("dynamic r(X) : e(X) after f(X);", "after", "unbounded"),
        ("dynamic r(X) : e(X) after f(X) within 5m;", "after", "duration"),
        ("dynamic r(X) : s(X) before not e(X) and known(X) within 5m;", "before", "unbounded"),
        ("state r() : on() before off() as source;", "before", "unbounded"),
        ("state r() : on() before off() as target;", "before", "binding"),
        ("state r() : on() after off() as source;", "after", "binding"),
        ("state r() : on() after off() as target;", "after", "unbounded"),
        ("state r(X) : s(X) before u(X) as target;", "before", "unbounded"),
        ("state r(X) : s(X) before u(X) within 5m as source;", "before", "duration"),
        ("state r(X) : s(X) before u(X) within 5m as target;", "before", "duration"),
        ("dynamic r(X) : s(X) contains not e(X) and known(X);", "contains", "unbounded"),
    ],
)  # fmt: skip
def test_each_operator_has_its_bound(definition: str, operator: str, bound: str) -> None:
    found = last(definition)
    assert (found.operator, found.bound) == (operator, bound)
    assert found.because == ()
    assert (found.need.remedy != "") == (bound == "unbounded") == found.is_culprit


@pytest.mark.parametrize("mode", ["union", "intersection", "complement", "inverse_complement"])
@pytest.mark.parametrize("relation", ["before", "after"])
def test_a_mode_that_needs_both_sides_waits_with_all_of_the_first(relation: str, mode: str) -> None:
    assert last(f"state r() : on() {relation} off() as {mode};").bound == "unbounded"
    bounded = last(f"state r() : on() {relation} off() within 1h as {mode};")
    first = "left" if relation == "before" else "right"
    assert bounded.bound == "duration"
    assert bounded.need.keeps.startswith(f"every {first} side")


@pytest.mark.parametrize(
    "relation",
    ["meets", "overlaps", "starts", "finishes", "equals", "contains",
     "met_by", "overlapped_by", "started_by", "finished_by", "during"],
)  # fmt: skip
def test_other_relations_are_bounded_by_what_holds(relation: str) -> None:
    assert last(f"dynamic r(X) : s(X) {relation} d(X);").bound == "binding"
    assert last(f"state r(X) : s(X) {relation} u(X) as union;").bound == "binding"


@pytest.mark.parametrize(
    ("asked", "bound", "keeps"),
    [
        ("count(near_by(X, _))", "binding", "a number"),
        ("sum(Y of near_by(X, Y))", "binding", "a number"),
        ("avg(Y of near_by(X, Y))", "binding", "a number"),
        ("total(s(X))", "binding", "a number"),
        ("min(Y of near_by(X, Y))", "binding", "the least and the greatest row"),
        ("max(Y of near_by(X, Y))", "binding", "the greatest row"),
        ("first(Y of near_by(X, Y))", "binding", "the first row"),
        ("last(Y of near_by(X, Y))", "binding", "the last row"),
        ("count(Y of near_by(X, Y))", "values", "a row for each different `Y`"),
        (
            "count((Y, Z) of (near_by(X, Y) and near_by(X, Z)))",
            "values",
            "a row for each different `(Y, Z)`",
        ),
    ],
)
def test_what_is_kept_of_an_interval_that_holds_is_told_by_aggregate(
    asked: str, bound: str, keeps: str
) -> None:
    found = last(f"input event near_by(x: int, y: int); state r(X, N) : u(X) let N = {asked};")
    assert (found.operator, found.bound) == ("let", bound)
    assert found.keeps == f"the intervals that still hold, and of each {keeps}"


def test_of_several_aggregates_the_one_that_keeps_most_counts() -> None:
    declared = "input event near_by(x: int, y: int);"
    counted = "count(Y of near_by(X, Y)) > 3 and count(near_by(X, _)) > 5"
    found = last(f"{declared} state r(X) : u(X) where {counted};")
    assert found.bound == "values"
    assert found.keeps.endswith("a row for each different `Y`, a number")
    computed = "let Y = count(e(X)), N = count(near_by(X, Y)), M = count(Z of near_by(X, Z))"
    found = last(f"{declared} state r(X, Y, N, M) : u(X) {computed};")
    assert found.bound == "rows"
    assert "all rows that join with what is computed" in found.keeps


def test_the_number_of_different_values_is_told_as_text_and_as_json() -> None:
    text = (
        f"{INPUTS} input event near_by(x: int, y: int);"
        "state r(X) : u(X) where count(Y of near_by(X, Y)) > 3;"
    )
    program = accept(text)
    said = explain(program, "text")
    assert "bounded by how many different `Y` each interval that holds has had" in said
    operators = json.loads(explain(program, "json"))["memory"]["operators"]
    assert [one["bound"] for one in operators if one["definition"] == "r"][-1] == "values"


def test_the_duration_is_told_as_written_and_in_ticks() -> None:
    limits = [
        one.need.limit
        for one in remember("""
            state a(X) : e(X) ~> f(X) expires pause;
            state b(X) : s(X) lasting > 2h;
            state c(X) : repeat e(X) while gap < 90;
            dynamic g(X) : e(X) before f(X) within 1d;
        """).operators
    ]
    assert [(one.word, one.duration, one.ticks) for one in limits if one is not None] == [
        ("expires", "pause", 600),
        ("lasting", "2h", 7200),
        ("gap", "90", 90),
        ("within", "1d", 86400),
    ]


def test_a_parameter_of_the_run_counts() -> None:
    program = accept(INPUTS + "state r(X) : e(X) ~> f(X) expires pause;", parameters={"pause": 60})
    limit = find_memory_bounds(lower(program)).operators[-1].need.limit
    assert limit is not None
    assert limit.ticks == 60


def test_an_argument_that_nobody_asks_for_is_left_out_row_by_row() -> None:
    assert [one.bound for one in remember("event r() : e(_);").operators] == ["nothing"]


def test_what_is_shared_is_told_of_every_definition_as_it_is_written_there() -> None:
    found = remember("""
        dynamic a(X) : e(X) before f(X);
        dynamic b(Y) : e(Y) before f(Y);
    """)
    assert [(one.definition, one.formula) for one in found.operators] == [
        ("a", "e(X) before f(X)"),
        ("b", "e(Y) before f(Y)"),
    ]
    assert found.unbounded == ("a", "b")


@pytest.mark.parametrize(
    "definition",
    [
        "state r(X) : e(X) then f(X);",
        "state r(X) : s(X) before u(X) as union;",
        "state r(X) : s(X) after u(X) within 5m as inverse_complement;",
        "state r(X) : s(X) contains u(X) as intersection;",
        "state r(X) : near(X, _);",
    ],
)
def test_a_formula_of_several_operators_is_told_once(definition: str) -> None:
    graph = lower(accept(INPUTS + definition))
    assert len(graph.operators) > 1
    (found,) = find_memory_bounds(graph).operators
    assert found.formula == definition.partition(" : ")[2].rstrip(";")


def test_an_operator_that_does_not_say_what_it_remembers_cannot_be_made() -> None:
    class Forgetful(Union):
        bound = Operator.bound

    (union,) = lower(accept(INPUTS + "state r(X) : s(X) union u(X);")).operators.values()
    given = {one.name: getattr(union, one.name) for one in fields(union)}
    assert Union(**given).bound([SETTLED, SETTLED]).late == SETTLED
    with pytest.raises(TypeError, match="abstract method"):
        Forgetful(**given)


def test_inputs_keep_their_window_and_what_holds() -> None:
    inputs = {one.name: one.bound for one in remember("event r(X) : e(X);").inputs}
    assert (inputs["e"], inputs["s"], inputs["d"]) == ("window", "binding", "binding")


@pytest.mark.parametrize(
    "definition",
    [
        "event r(X) : e(X) and start(s(X) lasting > 5m);",
        "event r(X) : e(X) in (repeat f(X) while gap < 5m);",
        "event r(X) : e(X) and end(s(X) complement u(X));",
        "event r(X) : e(X) or start(s(X) contains u(X) as source);",
        "event r(X) : e(X) and end(s(X) lasting > 5m);",
        "event r(X) : end(s(X) contains u(X) as source);",
        "dynamic r(X) : (d(X) lasting > 5m) where X > 1;",
    ],
)
def test_instants_that_may_still_become_true_keep_their_company(definition: str) -> None:
    """An undecided interval may appear with a start from before the window."""
    found = last(definition)
    assert (found.bound, len(found.since)) == ("binding", 1)
    assert found.keeps.startswith("all of a binding since `")


@pytest.mark.parametrize(
    "definition",
    [
        "event r(X) : e(X) in (e(X) ~> f(X));",
        "event r(X) : e(X) and start(s(X) union u(X));",
    ],
)
def test_what_is_decided_up_to_the_window_needs_nothing_before_it(definition: str) -> None:
    assert last(definition).bound == "window"


def test_a_limit_holds_only_if_the_operand_has_one_too() -> None:
    repeat = "state r(X) : repeat start({}) while gap < 5m;"
    assert last(repeat.format("s(X)")).bound == "duration"
    assert last(repeat.format("s(X) lasting > 1h")).bound == "duration"
    assert last(repeat.format("s(X) contains u(X) as source")).bound == "binding"


WAITS = "dynamic w(X) : e(X) before f(X);"


@pytest.mark.parametrize(
    "formula",
    [
        "e(X) starts w(X)",
        "d(X) meets w(X)",
        "w(X) contains e(X)",
        "d(X) during w(X)",
        "e(X) before w(X) within 5m",
        "e(X) finishes w(X)",
        "d(X) equals w(X)",
        "w(X) overlaps d(X)",
        "w(X) before e(X) within 5m",
        "w(X) lasting < 5m",
        "w(X) where X > 1",
    ],
)
def test_what_meets_an_unbounded_operand_is_unbounded_too(formula: str) -> None:
    """What the operand gave since its oldest row that waits is there for as long as that waits."""
    found = last(f"{WAITS} dynamic r(X) : {formula};")
    assert found.bound == "unbounded"
    assert [one.text for one in found.because] == ["w(X)"]
    assert not found.is_culprit


def test_it_spreads_through_definitions_but_is_blamed_once() -> None:
    text = (
        INPUTS
        + """
        state w(X) : s(X) before u(X) as source;
        event begins(X) : start(w(X));
        event both(X) : begins(X) and e(X);
        state r(X) : both(X) ~> f(X);
    """
    )
    memory = find_memory_bounds(lower(accept(text)))
    assert memory.unbounded == ("w", "begins", "both", "r")
    assert [d.code for d in warn_memory(accept(text))] == ["M001"]
    (both,) = memory.by_definition()["both"]
    assert both.reason == "`begins(X)` may still change far back"
    assert both.need.remedy == ""


def test_only_the_side_that_comes_later_is_reported_in_time() -> None:
    found = remember("""
        state w(X) : s(X) before u(X) as target;
        event r(X) : start(w(X)) and e(X);
    """)
    assert found.unbounded == ("w",)


def test_a_right_side_with_its_own_variables_is_remembered_too() -> None:
    assert "bars" in last("dynamic r(X) : bell() before e(X);").need.keeps
    assert "bars" not in last("dynamic r(X) : e(X) before bell();").need.keeps


def test_everything_has_a_reason_and_operands_come_first() -> None:
    for number in range(40):
        program = Sample(number).program
        memory = find_memory_bounds(lower(program))
        order = [definition.signature.name for definition in program.definitions]
        places = [order.index(one.definition) for one in memory.operators]
        assert places == sorted(places)
        for one in memory.operators:
            assert one.reason
            assert one.need.keeps
            assert (one.bound == "duration") <= (one.need.limit is not None)
            assert one.span.text


def test_one_warning_a_definition_at_the_operator() -> None:
    text = INPUTS + "dynamic r(X) : e(X) /* before */ before ( f(X) before\n e(X));"
    (found,) = warn_memory(accept(text))
    assert found.span.text == "before"
    assert found.span.source.text[: found.span.start].endswith("/* before */ ")
    assert [one.span.text for one in found.related] == ["before"]
    assert found.severity is phenesthe.Severity.WARNING
    assert "within" in found.hint


def test_only_what_a_run_needs_is_warned_of() -> None:
    library = "input event a(x: int);\ndynamic w(X) : a(X) before a(X);\nevent v(X) : a(X);\n"
    program = accept("import lib;\nevent r(X) : v(X);", {"lib.phe": library})
    assert warn_memory(program) == ()
    assert [d.code for d in warn_memory(program, ["w"])] == ["M001"]
    used = accept("import lib;\ndynamic r(X) : w(X);", {"lib.phe": library})
    assert [d.span.source.path for d in warn_memory(used)] == ["lib.phe"]


def test_compile_tells_it_as_text_and_as_json() -> None:
    program = accept(INPUTS + WAITS + "dynamic b(X) : e(X) before f(X) within pause;")
    text = explain(program, "text")
    assert "    remembers the last left side of each binding, until a right side follows\n" in text
    assert "      bounded by `within pause`, 600 ticks: " in text
    assert "memory: unbounded in windowed runs\n  w: `before` without `within`: " in text
    described = json.loads(explain(program, "json"))["memory"]
    assert described["unbounded"] == ["w"]
    w, b = described["operators"]
    assert (w["bound"], w["limit"], b["bound"], b["remedy"]) == (
        "unbounded",
        None,
        "duration",
        None,
    )
    assert b["limit"] == {"word": "within", "duration": "pause", "ticks": 600}
    bounded = explain(accept(INPUTS + "event r(X) : e(X);"), "text")
    assert "memory: bounded for every definition" in bounded


@pytest.mark.parametrize("number", range(40))
def test_no_definition_to_blame_is_passed_over(number: int) -> None:
    """Warnings look at few definitions; the theory itself looks at all."""
    _, program = make_case(number)
    operators = find_memory_bounds(lower(program)).operators
    blamed = {one.definition for one in operators if one.is_culprit}
    told = {one.message.split("`")[1] for one in warn_memory(program)}
    assert told == blamed
