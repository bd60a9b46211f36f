"""Every list of words is the one in `vocabulary`, or says the same."""

import re
from dataclasses import fields
from typing import get_args

import pytest

from phenesthe import vocabulary
from phenesthe.check.check_arity import _USES
from phenesthe.check.check_parameters import MICROSECONDS
from phenesthe.check.infer_kinds import _RELATIONS
from phenesthe.check.work import FormulaKind
from phenesthe.ide import meanings
from phenesthe.io.columns import TYPES as COLUMN_TYPES
from phenesthe.io.times import ARROW_UNITS, TICKS_PER_SECOND
from phenesthe.kernels.allen import AllenRelation
from phenesthe.kernels.nearly import ExactRelation as KernelExactRelation
from phenesthe.kernels.relations import Relation as KernelRelation
from phenesthe.kernels.spans import Operator as KernelOperator
from phenesthe.operators.domains import ARROW
from phenesthe.operators.relations import _STARTS, _WAITS
from phenesthe.report.clock import TICKS
from phenesthe.syntax import clauses, tokens
from phenesthe.syntax.tree import TypeName
from tests.conformance.programs import ROOT

REFERENCE = (ROOT / "language" / "reference.md").read_text("utf-8")
#: What the reference shows in tables, as single words and signs.
SHOWN = {
    word
    for line in REFERENCE.splitlines()
    if line.startswith("|")
    for code in re.findall(r"`([^`]+)`", line)
    for word in re.findall(r"[a-z_0-9]+|[^\sa-zA-Z0-9_(),.]+", code)
}
PLAIN = set(get_args(vocabulary.PlainRelation))
RELATIONS = set(get_args(vocabulary.RelationName))


def test_relations() -> None:
    assert set(tokens.RELATIONS) == RELATIONS
    assert set(vocabulary.INVERSES) == RELATIONS - PLAIN
    # What equals another is equal the other way round too.
    assert set(vocabulary.INVERSES.values()) == PLAIN - {"equals"}
    assert set(_RELATIONS) == PLAIN
    assert set(get_args(KernelRelation)) == PLAIN
    assert get_args(KernelExactRelation) == get_args(vocabulary.ExactRelation)
    assert set(get_args(AllenRelation)) == RELATIONS
    assert set(_WAITS) == set(_STARTS) == PLAIN - {"before"}


def test_modes() -> None:
    assert set(tokens.MODES) == set(meanings.MODE_MEANINGS) == set(get_args(vocabulary.Mode))


def test_comparisons() -> None:
    assert set(tokens.COMPARISONS) == set(get_args(vocabulary.ComparisonOperator))
    assert set(get_args(KernelOperator)) == set(get_args(vocabulary.ComparisonOperator))


def test_functions_and_what_they_take() -> None:
    assert set(vocabulary.FUNCTIONS) == set(get_args(vocabulary.Function)) == set(_USES)
    assert tokens.FUNCTIONS == vocabulary.FUNCTIONS
    counts = {name: len(given) for name, given in meanings.FUNCTION_ARGUMENTS.items()}
    least = {name: shape.least for name, shape in vocabulary.FUNCTIONS.items()}
    built_in = {str(name): len(takes) for name, takes in vocabulary.CALENDARS.items()}
    # `min` and `max` are functions, too.
    of_rows: dict[str, int] = {
        name: 1 for name in vocabulary.AGGREGATES if name not in vocabulary.FUNCTIONS
    }
    assert counts == {**least, **built_in, **of_rows, "start": 1, "end": 1, "prev": 1}


def test_what_is_built_in() -> None:
    built_in = set(vocabulary.BUILT_IN)
    assert built_in == set(meanings.EXAMPLES) == set(get_args(vocabulary.CalendarName))
    assert not built_in & tokens.RESERVED


@pytest.mark.parametrize("name", vocabulary.FUNCTIONS)
def test_the_reference_shows_what_a_function_takes(name: str) -> None:
    arguments = meanings.FUNCTION_ARGUMENTS[name]
    more = ", …" if vocabulary.FUNCTIONS[name].takes_more else ""
    assert f"`{name}({', '.join(arguments)}{more})`" in REFERENCE


def test_kinds_types_and_units() -> None:
    assert set(tokens.KINDS) == set(get_args(vocabulary.Kind))
    types = set(get_args(vocabulary.ValueType))
    assert set(tokens.TYPES) == set(COLUMN_TYPES) == set(ARROW) == types
    assert set(meanings.TYPE_MEANINGS) == set(get_args(TypeName)) == types | {"duration"}
    assert set(get_args(FormulaKind)) == {*tokens.KINDS, "condition"}
    for table in (meanings.UNIT_MEANINGS, TICKS_PER_SECOND, ARROW_UNITS, TICKS, MICROSECONDS):
        assert set(table) == set(tokens.UNITS) == set(get_args(vocabulary.Unit))


def test_clauses() -> None:
    """Each belongs to operators that there are, and its word is known as one or as special."""
    for kind in clauses._CLAUSES:
        for clause in clauses.list_clauses(kind):
            assert set(clause.follows) <= {*tokens.RESERVED, *tokens.FREE_OPERATORS, "~>"}
            assert clause.field in {one.name for one in fields(kind)}
            assert clause.word in tokens.RESERVED or clause.word in (
                *clauses.CONTEXTUAL, *tokens.COUNTING, "gap",
            )  # fmt: skip
            assert meanings.MEANINGS[clause.word] == clause.meaning


def list_words() -> list[str]:
    return sorted(
        {
            *tokens.RESERVED, *tokens.FREE_OPERATORS, *tokens.FREE_DECLARING, *tokens.COUNTING,
            *tokens.COMPARISONS, *tokens.FUNCTIONS, *vocabulary.AGGREGATES,
            *get_args(vocabulary.ArithmeticOperator),
            *clauses.MEANINGS, *vocabulary.BUILT_IN, "~>", "_",
        }
    )  # fmt: skip


def test_every_word_has_a_meaning_and_nothing_else_has() -> None:
    of_machines = ("->", "initially")
    assert sorted(meanings.MEANINGS) == sorted([*list_words(), "not in", *of_machines])


@pytest.mark.parametrize("word", list_words())
def test_the_reference_shows_every_word(word: str) -> None:
    if word != "_":
        assert set(word.split()) <= SHOWN


@pytest.mark.parametrize("word", [*tokens.MODES, *tokens.TYPES, *tokens.DURATIONS, "duration"])
def test_the_reference_shows_what_is_special_in_one_place(word: str) -> None:
    assert word in SHOWN or any(re.fullmatch(rf"\d+{word}", shown) for shown in SHOWN)


@pytest.mark.parametrize("unit", tokens.UNITS)
def test_the_reference_names_every_unit(unit: str) -> None:
    assert f"`{unit}`" in REFERENCE
