"""The id of an operator says what it means, and nothing else."""

import dataclasses
from typing import Any

import pytest

import phenesthe
from phenesthe.graph import identity
from phenesthe.graph.formulas import Constant
from phenesthe.graph.identity import _Description, find_id
from phenesthe.graph.operator import Operator
from phenesthe.graph.program import Graph
from phenesthe.plan.lower import lower

INPUTS = """
input event a(x: int, y: float, z: str);
input event b(x: int);
input event c(x: int, y: float);
input state s(x: int, z: str);
input dynamic d(x: int);
fact good(x: int);
fact bad(x: int);
fact pair(x: int, y: int);
param limit: float = 3.0;
param long: duration = 10s;
"""
#: One of each operator, and of each of its parameters.
BODIES = {
    "duration of a row": "state f(X) : s(X, _) lasting > X;",
    "duration of a fact": "state f(X) : (s(X, _) lasting > D) where pair(X, D);",
    "duration, one of two": "state f(X) : (s(X, _) where pair(X, D) and pair(E, X)) lasting > D;",
    "duration, the other": "state f(X) : (s(X, _) where pair(X, D) and pair(E, X)) lasting > E;",
    "range of a row": "state f(X) : b(X) expires X;",
    "range of a row, other": "state f(X) : b(X) limit X;",
    "select": "event f(X) : a(X, _, _) ;",
    "constant": 'event f(X) : a(X, _, "red");',
    "other constant": 'event f(X) : a(X, _, "blue");',
    "and": "event f(X) : a(X, _, _) and b(X);",
    "or": "event f(X) : a(X, _, _) or b(X);",
    "not": "event f(X) : a(X, _, _) and not b(X);",
    "fact": "event f(X) : b(X) and good(X);",
    "other fact": "event f(X) : b(X) and bad(X);",
    "fact twice": "event f(X) : b(X) and pair(X, 1);",
    "fact other": "event f(X) : b(X) and pair(X, 2);",
    "no fact": "event f(X) : b(X) and not good(X);",
    "above": "event f(X) : a(X, Y, _) and Y > 3.0;",
    "at least": "event f(X) : a(X, Y, _) and Y >= 3.0;",
    "more": "event f(X) : a(X, Y, _) and Y > 4.0;",
    "sum": "event f(X) : a(X, Y, _) and Y + 1.0 > 3.0;",
    "difference": "event f(X) : a(X, Y, _) and Y - 1.0 > 3.0;",
    "negative": "event f(X) : a(X, Y, _) and -Y > 3.0;",
    "negative other": "event f(X) : a(X, Y, _) and -(Y + 1.0) > 3.0;",
    "sum left": "event f(X) : a(X, Y, _) and 2.0 + Y > 3.0;",
    "sum other left": "event f(X) : a(X, Y, _) and 4.0 + Y > 3.0;",
    "sum right": "event f(X) : a(X, Y, _) and Y + 2.0 > 3.0;",
    "call": "event f(X) : a(X, Y, _) and abs(Y) > 3.0;",
    "call other": "event f(X) : a(X, Y, _) and abs(Y - 5.0) > 3.0;",
    "least": "event f(X) : a(X, Y, _) and min(Y, 9.0) > 3.0;",
    "greatest": "event f(X) : a(X, Y, _) and max(Y, 9.0) > 3.0;",
    "or with": "event f(X) : (a(X, Y, _) and Y > 3.0) or b(X);",
    "or with more": "event f(X) : (a(X, Y, _) and Y > 4.0) or b(X);",
    "not with": "event f(X) : b(X) and not (a(X, Y, _) and Y > 3.0);",
    "not with more": "event f(X) : b(X) and not (a(X, Y, _) and Y > 4.0);",
    "column": "event f(X) : a(X, Y, _) and c(X, Z) and Y > Z;",
    "other column": "event f(X) : a(X, Y, _) and c(X, Z) and Z > Y;",
    "in with": "event f(X) : (a(X, Y, _) and Y > 3.0) in s(X, _);",
    "in with more": "event f(X) : (a(X, Y, _) and Y > 4.0) in s(X, _);",
    "in which": 'event f(X) : b(X) in s(X, "p") ;',
    "in other": 'event f(X) : b(X) in s(X, "q") ;',
    "start of": 'event f(X) : start(s(X, "p"));',
    "start of other": 'event f(X) : start(s(X, "q"));',
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
    "repeat previous": "state f(X) : repeat a(X, Y, _) while gap <= 10s and prev(Y) > 3.0;",
    "repeat current": "state f(X) : repeat a(X, Y, _) while gap <= 10s and Y > 3.0;",
    "range of no": "state f(X) : (good(X) and not b(X)) ~> b(X);",
    "range of no other": "state f(X) : (bad(X) and not b(X)) ~> b(X);",
    "range to no": "state f(X) : b(X) ~> (good(X) and not b(X));",
    "range to no other": "state f(X) : b(X) ~> (bad(X) and not b(X));",
    "union": 'state f(X) : s(X, "p") union s(X, "q");',
    "intersection": 'state f(X) : s(X, "p") intersection s(X, "q");',
    "complement": 'state f(X) : s(X, "p") complement s(X, "q");',
    "complement back": 'state f(X) : s(X, "q") complement s(X, "p");',
    "lasting": 'state f(X) : s(X, "p") lasting > 10s;',
    "lasting at least": 'state f(X) : s(X, "p") lasting >= 10s;',
    "lasting more": 'state f(X) : s(X, "p") lasting > 11s;',
    "where": 'state f(X) : s(X, Z) where Z != "p";',
    "where not": 'state f(X) : s(X, Z) where Z == "p";',
    "aggregate": 'state f(X) : s(X, "p") where count(b(X)) > 2;',
    "aggregate more": 'state f(X) : s(X, "p") where count(b(X)) > 3;',
    "aggregate of other values": 'state f(X) : s(X, "p") where count(Z of a(X, _, Z)) > 2;',
    "aggregate of all": 'state f(X) : s(X, "p") where count(b(_)) > 2;',
    "aggregate of values": 'state f(X) : s(X, "p") where count(Y of a(X, Y, _)) > 2;',
    "aggregate of rows": 'state f(X) : s(X, "p") where count(a(X, _, _)) > 2;',
    "aggregate sum": 'state f(X) : s(X, "p") where sum(Y of a(X, Y, _)) > 2;',
    "aggregate max": 'state f(X) : s(X, "p") where max(Y of a(X, Y, _)) > 2;',
    "aggregate two": 'state f(X) : s(X, "p") where sum(Y of a(X, Y, _)) > max(Y of a(X, Y, _));',
    "aggregate turned": 'state f(X) : s(X, "p") where max(Y of a(X, Y, _)) > sum(Y of a(X, Y, _));',
    "aggregate total": 'state f(X) : s(X, "p") where total(s(X, "q")) > 2;',
    "aggregate let": 'state f(X, N) : s(X, "p") let N = count(b(X));',
    "aggregate over": "event f(X) : b(X) and count(b(X) over 10s) > 2;",
    "aggregate over more": "event f(X) : b(X) and count(b(X) over 11s) > 2;",
    "aggregate past": "event f(X) : b(X) and count(b(X) past 10s) > 2;",
    "alternative": 'state f(X) : ((s(X, "p") union s(1, "q")) lasting > 9s)'
    ' intersection s(X, "r");',
    "event alternative": 'state f(X) : start(s(X, "p")) ~> (start(s(X, "p")) or b(1));',
    "let": 'state f(X, Y) : s(X, "p") let Y = X + 1;',
    "let other": 'state f(X, Y) : s(X, "p") let Y = X + 2;',
    "let start": 'state f(X, Y) : s(X, "p") let Y = start_time();',
    "let end": 'state f(X, Y) : s(X, "p") let Y = end_time();',
    "let two": 'state f(X, Y, Z) : s(X, "p") let Y = X + 1, Z = X + 2;',
    "let other two": 'state f(X, Y, Z) : s(X, "p") let Y = X + 1, Z = Y + 2;',
    "remainder": "event f(X) : a(X, Y, _) and Y % 2 > 1.0;",
    "root": "event f(X) : a(X, Y, _) and sqrt(Y) > 3.0;",
    "floor": "event f(X) : a(X, Y, _) and floor(Y) > 3.0;",
    "prefix": 'event f(X) : a(X, _, Z) and starts_with(Z, "p");',
    "suffix": 'event f(X) : a(X, _, Z) and ends_with(Z, "p");',
    "time": "event f(X) : b(X) and time() > 3;",
    "where end": 'state f(X) : s(X, "p") where end_time() > 10;',
    "where start": 'state f(X) : s(X, "p") where start_time() > 10;',
    "two": "state f(Z) : at least 2 X of s(X, Z);",
    "three": "state f(Z) : at least 3 X of s(X, Z);",
    "two of another": "state f(X) : at least 2 Z of s(X, Z);",
    "two pairs": "state f() : at least 2 (X, Z) of s(X, Z);",
    "three of any": "state f() : at least 3 X of s(X, _);",
    "number": "state f(Z, K) : count X of s(X, Z) as K;",
    "number of another": "state f(X, K) : count Z of s(X, Z) as K;",
    "number of pairs": "state f(K) : count (X, Z) of s(X, Z) as K;",
    "then": "state f(X) : b(X) then s(X, _);",
    "before": "dynamic f(X) : b(X) before d(X);",
    "before within": "dynamic f(X) : b(X) before d(X) within 10s;",
    "before within more": "dynamic f(X) : b(X) before d(X) within 11s;",
    "before from": "dynamic f(X) : b(X) before d(X) from 10s;",
    "before from more": "dynamic f(X) : b(X) before d(X) from 11s;",
    "meets within": 'dynamic f(X) : s(X, "p") meets s(X, "q") within 10s;',
    "meets within more": 'dynamic f(X) : s(X, "p") meets s(X, "q") within 11s;',
    "equals within": 'dynamic f(X) : s(X, "p") equals s(X, "q") within 10s;',
    "without": 'state f(X) : s(X, "p") without s(X, "q");',
    "range limit": "state f(X) : b(X) ~> a(X, _, _) limit 10s;",
    "range limit more": "state f(X) : b(X) ~> a(X, _, _) limit 11s;",
    "any value": "exclusive state f(X, Y) : a(X, Y, _) ~> b(X);",
    "any value of another": "exclusive state f(Y, X) : a(X, Y, _) ~> b(X);",
    "a range of two": "state f(X, Y) : a(X, Y, _) ~> b(X);",
    "range of a limit only": "state f(X) : b(X) limit 10s;",
    "range of expires only": "state f(X) : b(X) expires 10s;",
    "source within": 'state f(X) : s(X, "p") before s(X, "q") within 10s as source;',
    "source within more": 'state f(X) : s(X, "p") before s(X, "q") within 11s as source;',
    "target within": 'state f(X) : s(X, "p") before s(X, "q") within 10s as target;',
    "target within more": 'state f(X) : s(X, "p") before s(X, "q") within 11s as target;',
    "source": 'state f(X) : s(X, "p") before s(X, "q") as source;',
    "target": 'state f(X) : s(X, "p") before s(X, "q") as target;',
    "overlaps": 'dynamic f(X) : s(X, "p") overlaps s(X, "q");',
    "project": 'dynamic f() : s(X, "p") overlaps s(X, "q");',
    "contains": 'dynamic f(X) : s(X, "p") contains s(X, "q");',
    "overlaps source": 'state f(X) : s(X, "p") overlaps s(X, "q") as source;',
    "contains source": 'state f(X) : s(X, "p") contains s(X, "q") as source;',
    "overlaps target": 'state f(X) : s(X, "p") overlaps s(X, "q") as target;',
    "dense": "dynamic f(X) : (good(X) and not b(X)) before d(X);",
    "dense within": "dynamic f(X) : (good(X) and not b(X)) before d(X) within 10s;",
    "dense from": "dynamic f(X) : (good(X) and not b(X)) before d(X) from 10s;",
    "dense other": "dynamic f(X) : (bad(X) and not b(X)) before d(X);",
    "dense right": "dynamic f(X) : d(X) before (good(X) and not b(X));",
    "dense other right": "dynamic f(X) : d(X) before (bad(X) and not b(X));",
    "dense starts": "dynamic f(X) : (good(X) and not b(X)) starts d(X);",
    "dense finishes": "dynamic f(X) : (good(X) and not b(X)) finishes d(X);",
    "always": "state f() : always();",
    "daily": 'state f() : daily("22:00", "06:00");',
    "daily earlier": 'state f() : daily("21:00", "06:00");',
    "daily later": 'state f() : daily("22:00", "06:30");',
    "daily elsewhere": 'state f() : daily("22:00", "06:00", "Europe/Copenhagen");',
    "daily elsewhere else": 'state f() : daily("22:00", "06:00", "Europe/Helsinki");',
    "weekly": 'state f() : weekly("Mon 22:00", "Mon 06:00");',
    "yearly": 'state f() : yearly("01-01", "01-02");',
    "dates": 'state f() : dates("1970-01-01", "1970-01-02");',
    "start of calendar": 'event f() : start(daily("22:00", "06:00"));',
    "always where": "state f(X) : always() where good(X);",
    "exclusive": "exclusive state f(X, V) { on : a(X, _, _) ~> b(X); off : b(X) ~> a(X, _, _); }",
    **{
        f"machine {name}": f"machine f(X, V) initially u {{ u -> v : b(X); {rest} }}"
        for name, rest in (
            ("one", "v -> u : a(X, _, _); v -> u : b(X);"),
            ("from any value", "v -> u : a(X, _, _); _ -> u : b(X);"),
            ("that ends", "v -> u : a(X, _, _); v -> _ : b(X);"),
            ("on another event", "v -> u : a(X, _, _); v -> u : a(X, _, _);"),
            ("after some time", "v -> u : a(X, _, _); v -> u : after 10s;"),
            ("after more", "v -> u : a(X, _, _); v -> u : after 11s;"),
            ("of other values", "v -> w : a(X, _, _); w -> v : b(X);"),
        )
    },
    "machine with another name of a value": "machine f(X, V) initially u { u -> v : b(X); "
    "v -> z : a(X, _, _); z -> v : b(X); }",
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


def test_another_name_of_an_input_has_its_arguments_in_another_order() -> None:
    """`g(X, _)` asks for the second argument of `e`, and `e(X, _)` for its first."""
    texts = (
        "input event e(x: int, y: int);\ninput event b(x: int);\n"
        "event g(X, Y) : e(Y, X);\nstate f(X) : b(X) ~> {};\n"
    )
    found = {
        stop: lower(phenesthe.compile(text=texts.replace("{}", stop)).checked).phenomena["f"].id
        for stop in ("g(X, _)", "e(_, X)", "e(X, _)", "g(_, X)", "e(X, 1)", "g(1, X)", "g(X, 1)")
    }
    assert found["g(X, _)"] == found["e(_, X)"]
    assert found["g(_, X)"] == found["e(X, _)"]
    assert found["g(1, X)"] == found["e(X, 1)"]
    assert len(set(found.values())) == 4


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
    assert seen == set(list_kinds())


#: Follows from the rest, or says where and under which names something is written.
LEFT_OUT = {"id", "types", "origin", "scope", "rules", "is_bounded", "is_settled"}


def list_described(operator: Operator) -> list[Any]:
    """The operator and all inside it that its id is made of: formulas, values, branches."""
    found: list[Any] = []

    class Listing(_Description):
        def describe(self, node: Any) -> object:
            if isinstance(node, Constant):
                found.append(node)
            return super().describe(node)

        def _describe_fields(self, node: Any) -> object:
            found.append(node)
            return super()._describe_fields(node)

    Listing(frozenset(operator.types)).describe(operator)
    return found


def list_fields(node: Any) -> list[str]:
    """What its operands mean is described on its own."""
    left_out = LEFT_OUT | ({"operands"} if isinstance(node, Operator) else set())
    return [one.name for one in dataclasses.fields(node) if one.name not in left_out]


def change(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case None:
            return 7
        case str():
            return value + "x"
        case tuple():
            return (*value, "more")
        case _:
            return "other"


def find_unseen(name: str) -> set[tuple[str, str]]:
    """Fields that are changed by hand and do not change the id."""
    unseen = set()
    for operator in make(BODIES[name]).operators.values():
        variables = frozenset(operator.types)
        assert find_id(operator, variables) == operator.id
        for node in list_described(operator):
            for field in list_fields(node):
                value = getattr(node, field)
                object.__setattr__(node, field, change(value))
                if find_id(operator, variables) == operator.id:
                    unseen.add((type(node).__name__, field))
                object.__setattr__(node, field, value)
    return unseen


@pytest.mark.parametrize("name", BODIES)
def test_every_field_is_part_of_the_id(name: str) -> None:
    assert find_unseen(name) == set()


# Mutants

#: Nobody can write two definitions that differ in one of these alone: they follow from the rest of
#: an operator, or what is inside them is told once more, as the meaning of an operand, or a whole
#: program has the same.
REDUNDANT = {
    "kind", "variables", "extras", "leaf", "state", "source", "values", "second_ticks", "variable",
    "shared",
    "rows", "number", "type",
}  # fmt: skip


def list_by_kind() -> dict[type, dict[str, list[str]]]:
    """Every class that an id is made of: its fields, each with the bodies that have it."""
    found: dict[type, dict[str, list[str]]] = {}
    for name, text in BODIES.items():
        for operator in make(text).operators.values():
            for node in list_described(operator):
                if not isinstance(node, Constant):
                    for field in list_fields(node):
                        names = found.setdefault(type(node), {}).setdefault(field, [])
                        if name not in names:
                            names.append(name)
    return found


def test_an_id_that_forgets_a_field_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever field of whichever class it is, one of the tests above fails."""
    programs = {
        name: phenesthe.compile(text=INPUTS + text).checked for name, text in BODIES.items()
    }
    right = {name: lower(program).phenomena["f"].id for name, program in programs.items()}
    kinds = list_by_kind()
    assert set(kinds) >= set(list_kinds())
    mutants = [(kind, field) for kind, names in kinds.items() for field in names]
    for kind, field in mutants:
        bodies, whole = kinds[kind][field], identity._FIELDS[kind]
        with monkeypatch.context() as patch:
            patch.setitem(identity._FIELDS, kind, tuple([one for one in whole if one != field]))
            assert (kind.__name__, field) in find_unseen(bodies[0])
            if field not in REDUNDANT:
                new = {name: lower(programs[name]).phenomena["f"].id for name in bodies}
                assert len(set({**right, **new}.values())) < len(right), (kind, field)
    # How many there are, so that a new field is seen here.
    assert (len(mutants), sum(field not in REDUNDANT for _, field in mutants)) == (150, 67)
