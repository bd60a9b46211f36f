"""What the printer writes reads back as the tree it was written from."""

import pytest
from hypothesis import given, settings

from phenesthe.syntax.format import format_source
from phenesthe.syntax.parser import parse
from phenesthe.syntax.printer import (
    print_declaration,
    print_formula,
    print_module,
    print_value,
)
from phenesthe.syntax.source import Source
from phenesthe.syntax.tree import (
    Atom,
    Comparison,
    Declaration,
    Definition,
    Exists,
    FloatLiteral,
    Formula,
    IntLiteral,
    Name,
    Negate,
    ParameterRef,
    Variable,
)
from tests.strategies.trees import DECLARATIONS, FORMULAS, MODULES, NOWHERE


def read(text: str) -> tuple[Declaration, ...]:
    parsed = parse(Source("t.phe", text))
    assert parsed.diagnostics == ()
    return parsed.declarations


def read_formula(text: str) -> Formula:
    (definition,) = read(f"event e() : {text};")
    assert isinstance(definition, Definition)
    return definition.body


@given(DECLARATIONS)
@settings(deadline=None)
def test_a_printed_declaration_reads_back(declaration: Declaration) -> None:
    assert read(print_declaration(declaration)) == (declaration,)
    assert read(print_declaration(declaration, unicode=True)) == (declaration,)


@given(FORMULAS)
@settings(deadline=None)
def test_a_printed_formula_reads_back_from_one_line(formula: Formula) -> None:
    text = print_formula(formula)
    assert "\n" not in text
    assert read_formula(text) == formula


@given(MODULES)
@settings(max_examples=50, deadline=None)
def test_a_printed_module_is_already_formatted(declarations: tuple[Declaration, ...]) -> None:
    text = print_module(declarations)
    assert read(text) == declarations
    assert [d.doc for d in read(text)] == [d.doc for d in declarations]
    assert format_source(Source("t.phe", text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "a() before b() before c()",
        "(a() before b()) before c()",
        "a() before (b() before c() within 5m)",
        "a() before (b() before c()) within 5m as inverse_complement",
        "a() before (b() meets c())",
        "a() then b() then c()",
        "(a() then b()) then c() before d()",
        "a() union b() union c()",
        "(a() union b()) union c()",
        "a() union (b() intersection c())",
        "a() complement (b() complement c())",
        "(a() union b()) lasting > 5 lasting < stay",
        "a() ~> b() lasting > 5 union repeat c() while gap < 3",
        "a() or b() ~> c() or d() expires 1h",
        "(a() ~> b()) ~> c()",
        "repeat a() or b() while gap < 10m and X > prev(X) and not c()",
        "repeat a() while gap < 10m and (b() or c())",
        "(a() or b()) and (c() and d()) and e()",
        "a() and b() or c() and d()",
        "not not a() in b() not in c()",
        "(not a()) in (b() in c())",
        "X - (Y - Z) - -3 < -X * (Y + 2) / -(5)",
        "abs(X + 1) < -(-3) and min(X, -Y) == 0.50",
        'a(V, _, word, "a \\"b\\"\\n", -1.5e-07, true)',
        "start(a() where X > 1 or b()) and c() where d()",
        "a() where b() where (c() ~> d())",
    ],
)
def test_no_parenthesis_is_lost_or_added(text: str) -> None:
    assert print_formula(read_formula(text)) == text


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("((a()) and (b()))", "a() and b()"),
        ("a() before (b() before c())", "a() before b() before c()"),
        ("(a() and b()) or (not (c()))", "a() and b() or not c()"),
        ("repeat a() while gap < 5 and (b() and c())", "repeat a() while gap < 5 and b() and c()"),
        ("(a() ~> b()) lasting > (5)", "a() ~> b() lasting > 5"),
        ("(X * Y) + (Z) < (abs((X)))", "X * Y + Z < abs(X)"),
    ],
)
def test_idle_parentheses_go(text: str, shorter: str) -> None:
    assert print_formula(read_formula(text)) == shorter


def test_unicode_signs() -> None:
    text = "a() not in (b() union c()) and not d() and X != 1 ~> e() or X <= 2"
    assert print_formula(read_formula(text), unicode=True) == (
        "a() ∉ (b() ⊔ c()) ∧ ¬d() ∧ X ≠ 1 ⤳ e() ∨ X ≤ 2"
    )
    text = "(a() complement b()) meets (c() intersection d()) as complement"
    assert print_formula(read_formula(text), unicode=True) == (
        "a() \\ b() meets c() ⊓ d() as complement"
    )


def test_a_tree_as_deep_as_the_parser_allows_is_printed() -> None:
    text = "a()"
    for _ in range(49):
        text = f"(b() or {text}) and c()"
    text = f"start({text})"
    assert print_formula(read_formula(text)) == text
    (declaration,) = read(f"event e() : {text};")
    assert read(print_declaration(declaration)) == (declaration,)


def test_what_only_the_checker_builds() -> None:
    variable = Variable(span=NOWHERE, name="X")
    atom = Atom(span=NOWHERE, name=Name(span=NOWHERE, text="a"), arguments=(variable,))
    exists = Exists(span=NOWHERE, variables=("X", "Y"), operand=atom, reach=NOWHERE)
    assert print_formula(exists) == "exists X, Y: (a(X))"
    limit = ParameterRef(span=NOWHERE, name="limit")
    comparison = Comparison(span=NOWHERE, operator="<=", left=variable, right=limit)
    assert print_formula(comparison) == "X <= limit"


def test_values() -> None:
    five = IntLiteral(span=NOWHERE, value=5)
    assert print_value(Negate(span=NOWHERE, operand=five)) == "-(5)"
    assert print_value(FloatLiteral(span=NOWHERE, value=0.5, text="0.50")) == "0.50"
    assert print_value(FloatLiteral(span=NOWHERE, value=0.5, text="")) == "0.5"


def test_labels_are_bare_where_they_can_be() -> None:
    (declaration,) = read(
        'exclusive state s(V, W) { "far" : a(V) ~> b(V); "in": b(V) ~> a(V); -1: c() ~> a(V); }'
    )
    assert print_declaration(declaration) == (
        "exclusive state s(V, W) {\n"
        "    far : a(V) ~> b(V);\n"
        '    "in" : b(V) ~> a(V);\n'
        "    -1 : c() ~> a(V);\n"
        "}"
    )


def test_a_module_groups_its_declarations() -> None:
    text = (
        "import a.b;\n"
        "\n"
        "param x: float = -0.5;\n"
        "param y: duration = 30m;\n"
        "\n"
        "/// The ships.\n"
        "///\n"
        "///   Indented.\n"
        "input event ais(vessel: int);\n"
        "\n"
        "event a(V) : ais(V);\n"
        "event b(V) : a(V);\n"
    )
    assert print_module(read(text)) == text
    assert print_module(()) == ""
