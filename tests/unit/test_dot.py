"""`compile --format dot`: the operators of the graph, as `compile` names them."""

import re

import phenesthe
from phenesthe.explain import explain
from phenesthe.plan.lower import lower

PROGRAM = """
input event a(x: int, z: str);
input state s(x: int, z: str);
fact good(x: int);
event odd(X) : a(X, "say \\"hi\\" \\\\N") and good(X);
state on(X) : odd(X) ~> a(X, _);
state same(X) : odd(X) ~> a(X, _);
state both(X) : on(X) intersection s(X, "p");
state none(X, Z) : s(X, Z);
"""
_TEXT = r'"(?:[^"\\]|\\.)*"'


def draw() -> str:
    return explain(phenesthe.compile(text=PROGRAM).checked, "dot")


def list_edges(drawn: str) -> list[tuple[str, str, str]]:
    found = re.findall(rf"^  ({_TEXT}) -> ({_TEXT})(.*);$", drawn, re.M)
    return [(one[1:-1], other[1:-1], rest) for one, other, rest in found]


def test_every_operator_is_a_node_in_its_definition() -> None:
    graph, drawn = lower(phenesthe.compile(text=PROGRAM).checked), draw()
    for id_, operator in graph.operators.items():
        (line,) = re.findall(rf'^ *"{id_}" \[.*\];$', drawn, re.M)
        assert f'label="{id_[:8]} {operator.kind} {operator.word}\\n' in line
        cluster = drawn[: drawn.index(line)].rpartition("subgraph")[2]
        assert f'label="{operator.origin.definition}"' in cluster
    nodes = re.findall(rf"^ *({_TEXT}) \[", drawn, re.M)
    names = {"a", "s", "good", "odd", "on", "same", "both", "none"}
    assert sorted(one[1:-1] for one in nodes) == sorted({*graph.operators, *names})


def test_edges_go_from_operands_to_operators_and_on_to_definitions() -> None:
    graph = lower(phenesthe.compile(text=PROGRAM).checked)
    names = {source.id: name for name, source in graph.sources.items()}
    expected = [
        (names.get(one.producer, one.producer), id_)
        for id_, operator in graph.operators.items()
        for one in operator.operands
    ]
    for name in graph.definitions:
        id_ = graph.phenomena[name].id
        expected.append((names.get(id_, id_), name))
    found = list_edges(draw())
    assert sorted((one, other) for one, other, rest in found if "dashed" not in rest) == sorted(
        expected
    )
    assert [one[:2] for one in found if "dashed" in one[2]] == [("good", "odd")]
    # Two definitions that mean the same are one operator, and an input by another name is none.
    ends = {other: one for one, other, _ in found if other in ("on", "same", "none")}
    assert ends["on"] == ends["same"]
    assert ends["none"] == "s"


def test_the_order_of_operands_is_told() -> None:
    (both,) = {one for one, other, _ in list_edges(draw()) if other == "both"}
    labels = [rest for _, other, rest in list_edges(draw()) if other == both]
    assert labels == [' [label="1"]', ' [label="2"]']


def test_quotes_and_backslashes_are_escaped() -> None:
    drawn = draw()
    (label,) = re.findall(r'label="([^\n]*hi[^\n]*)"\];', drawn)
    assert r"a(X, \"say \\\"hi\\\" \\\\N\")" in label
    # Nothing but our own words is outside of quotes.
    outside = re.sub(_TEXT, "", drawn)
    assert '"' not in outside
    assert "\\" not in outside
    assert outside.count("{") == outside.count("}")
