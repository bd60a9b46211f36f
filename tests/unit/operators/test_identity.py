"""The id of an operator says what it means, and nothing else."""

import dataclasses
from typing import Any

import pytest

import phenesthe
from phenesthe.graph.every import Graph
from phenesthe.graph.operator import Operator
from phenesthe.plan.lower import lower

INPUTS = """
input event a(x: int, y: float, z: str);
input event b(x: int);
input state s(x: int, z: str);
input dynamic d(x: int);
fact good(x: int);
param limit: float = 3.0;
param long: duration = 10s;
"""
#: One of each operator, and of each of its parameters.
BODIES = {
    "select": "event f(X) : a(X, _, _) ;",
    "constant": 'event f(X) : a(X, _, "red");',
    "other constant": 'event f(X) : a(X, _, "blue");',
    "and": "event f(X) : a(X, _, _) and b(X);",
    "or": "event f(X) : a(X, _, _) or b(X);",
    "not": "event f(X) : a(X, _, _) and not b(X);",
    "fact": "event f(X) : b(X) and good(X);",
    "no fact": "event f(X) : b(X) and not good(X);",
    "above": "event f(X) : a(X, Y, _) and Y > 3.0;",
    "at least": "event f(X) : a(X, Y, _) and Y >= 3.0;",
    "more": "event f(X) : a(X, Y, _) and Y > 4.0;",
    "sum": "event f(X) : a(X, Y, _) and Y + 1.0 > 3.0;",
    "difference": "event f(X) : a(X, Y, _) and Y - 1.0 > 3.0;",
    "negative": "event f(X) : a(X, Y, _) and -Y > 3.0;",
    "call": "event f(X) : a(X, Y, _) and abs(Y) > 3.0;",
    "in": "event f(X) : b(X) in s(X, _);",
    "not in": "event f(X) : b(X) not in s(X, _);",
    "start": "event f(X) : start(s(X, _));",
    "end": "event f(X) : end(s(X, _));",
    "range": "state f(X) : a(X, _, _) ~> b(X);",
    "range back": "state f(X) : b(X) ~> a(X, _, _);",
    "expires": "state f(X) : a(X, _, _) ~> b(X) expires 10s;",
    "expires later": "state f(X) : a(X, _, _) ~> b(X) expires 20s;",
    "repeat": "state f(X) : repeat b(X) while gap <= 10s;",
    "repeat below": "state f(X) : repeat b(X) while gap < 10s;",
    "repeat longer": "state f(X) : repeat b(X) while gap <= 11s;",
    "repeat with": "state f(X) : repeat a(X, Y, _) while gap <= 10s and Y > prev(Y);",
    "repeat other": "state f(X) : repeat a(X, Y, _) while gap <= 10s and Y < prev(Y);",
    "union": 'state f(X) : s(X, "p") union s(X, "q");',
    "intersection": 'state f(X) : s(X, "p") intersection s(X, "q");',
    "complement": 'state f(X) : s(X, "p") complement s(X, "q");',
    "complement back": 'state f(X) : s(X, "q") complement s(X, "p");',
    "lasting": 'state f(X) : s(X, "p") lasting > 10s;',
    "lasting at least": 'state f(X) : s(X, "p") lasting >= 10s;',
    "lasting more": 'state f(X) : s(X, "p") lasting > 11s;',
    "where": 'state f(X) : s(X, Z) where Z != "p";',
    "where not": 'state f(X) : s(X, Z) where Z == "p";',
    "then": "state f(X) : b(X) then s(X, _);",
    "before": "dynamic f(X) : b(X) before d(X);",
    "before within": "dynamic f(X) : b(X) before d(X) within 10s;",
    "before within more": "dynamic f(X) : b(X) before d(X) within 11s;",
    "before from": "dynamic f(X) : b(X) before d(X) from 10s;",
    "before from more": "dynamic f(X) : b(X) before d(X) from 11s;",
    "dense from": "dynamic f(X) : (good(X) and not b(X)) before d(X) from 10s;",
    "meets within": 'dynamic f(X) : s(X, "p") meets s(X, "q") within 10s;',
    "meets within more": 'dynamic f(X) : s(X, "p") meets s(X, "q") within 11s;',
    "equals within": 'dynamic f(X) : s(X, "p") equals s(X, "q") within 10s;',
    "without": 'state f(X) : s(X, "p") without s(X, "q");',
    "range limit": "state f(X) : b(X) ~> a(X, _, _) limit 10s;",
    "range limit more": "state f(X) : b(X) ~> a(X, _, _) limit 11s;",
    "range of a limit only": "state f(X) : b(X) limit 10s;",
    "range of expires only": "state f(X) : b(X) expires 10s;",
    "source": 'state f(X) : s(X, "p") before s(X, "q") as source;',
    "target": 'state f(X) : s(X, "p") before s(X, "q") as target;',
    "overlaps": 'dynamic f(X) : s(X, "p") overlaps s(X, "q");',
    "contains": 'dynamic f(X) : s(X, "p") contains s(X, "q");',
    "overlaps source": 'state f(X) : s(X, "p") overlaps s(X, "q") as source;',
    "overlaps target": 'state f(X) : s(X, "p") overlaps s(X, "q") as target;',
    "dense": "dynamic f(X) : (good(X) and not b(X)) before d(X);",
    "dense within": "dynamic f(X) : (good(X) and not b(X)) before d(X) within 10s;",
    "exclusive": "exclusive state f(X, V) { on : a(X, _, _) ~> b(X); off : b(X) ~> a(X, _, _); }",
    "labels": "exclusive state f(X, V) { on : a(X, _, _) ~> b(X); out : b(X) ~> a(X, _, _); }",
}


def find(text: str, name: str = "f", **overrides: Any) -> str:
    graph = make(text, **overrides)
    return graph.phenomena[name].id


def make(text: str, **overrides: Any) -> Graph:
    return lower(phenesthe.compile(text=INPUTS + text, **overrides).checked)


def test_what_means_something_else_has_another_id() -> None:
    found = {name: find(text) for name, text in BODIES.items()}
    assert len(set(found.values())) == len(found)


@pytest.mark.parametrize("name", BODIES)
def test_names_of_variables_places_and_neighbours_do_not_matter(name: str) -> None:
    """Other definitions ask for other columns of the inputs, and for parts of the same formula."""
    text = BODIES[name]
    renamed = text.replace("X", "Vessel").replace("Y", "Speed").replace("Z", "Kind")
    others = "".join(
        one.replace(" f(", f" other_{at}(") + "\n" for at, one in enumerate(BODIES.values())
    )
    assert find(text) == find(f"\n// first\n{renamed}") == find(f"{others}{renamed}")


def test_a_parameter_is_its_value_and_a_duration_its_ticks() -> None:
    named, written = (f"event f(X) : a(X, Y, _) and Y > {one};" for one in ("limit", "3.0"))
    assert find(named) == find(written)
    assert find(named, params={"limit": 4.0}) == find(written.replace("3.0", "4.0"))
    named, written = (f'state f(X) : s(X, "p") lasting > {one};' for one in ("long", "10"))
    assert find(named) == find(written) == find(written.replace("10", "10000ms"))


def test_an_inverse_is_its_relation_the_other_way_round() -> None:
    one, other = (
        'dynamic f(X) : s(X, "p") during s(X, "q");',
        'dynamic f(X) : s(X, "q") contains s(X, "p");',
    )
    assert find(one) == find(other)


def test_a_definition_is_no_more_than_its_formula() -> None:
    text = 'state g(X) : s(X, "p") union s(X, "q");\nstate f(V) : g(V) lasting > 10s;'
    inline = 'state f(V) : (s(V, "p") union s(V, "q")) lasting > 10s;'
    assert find(text) == find(inline)


def test_what_means_the_same_is_one_operator() -> None:
    text = "state f(X) : a(X, _, _) ~> b(X);\nstate g(V) : a(V, _, _) ~> b(V);"
    graph = make(text)
    assert graph.phenomena["f"].id == graph.phenomena["g"].id
    assert [one.word for one in graph.operators.values()] == ["select", "~>"]


def list_kinds(kind: type[Operator] = Operator) -> list[type[Operator]]:
    below = [one for sub in kind.__subclasses__() for one in list_kinds(sub)]
    return below or [kind]


def test_every_operator_is_lowered_to_by_some_body() -> None:
    """So the test above looks at all of them, one that is added too."""
    seen = {type(one) for text in BODIES.values() for one in make(text).operators.values()}
    seen |= {type(one) for one in make("dynamic f() : d(X) overlaps s(X, _);").operators.values()}
    assert seen == set(list_kinds())


@pytest.mark.parametrize("name", BODIES)
def test_every_field_is_part_of_the_id(name: str) -> None:
    """A field that is changed by hand changes the id."""
    from phenesthe.graph.identity import find_id

    graph = make(BODIES[name])
    for operator in graph.operators.values():
        variables = frozenset(operator.types)
        assert find_id(operator, variables) == operator.id
        for one in dataclasses.fields(operator):
            value = getattr(operator, one.name)
            changed: Any
            match value:
                case bool():
                    changed = not value
                case int():
                    changed = value + 1
                case None:
                    changed = 7
                case str() if one.name not in ("id",):
                    changed = value + "x"
                case _:
                    continue
            other = dataclasses.replace(operator, **{one.name: changed})
            assert find_id(other, variables) != operator.id, one.name
