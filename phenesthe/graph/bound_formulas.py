"""What formulas over instants keep: the inside of an operator, formula by formula."""

from collections.abc import Sequence
from typing import assert_never

from phenesthe.graph.extended import need_of_extended
from phenesthe.graph.formulas import (
    And,
    Boundary,
    Comparison,
    Exists,
    Formula,
    In,
    Known,
    Leaf,
    Not,
    Occurring,
    Or,
    list_contexts,
)  # fmt: skip
from phenesthe.graph.origin import Origin
from phenesthe.graph.remembering import ENDLESS, ONE_INSTANT, ROW_BY_ROW, Bounds, keep


def bound_formula(formula: Formula, lates: Sequence[int]) -> Bounds:
    """`lates` are those of the operands; a condition has no time and keeps nothing."""
    match formula:
        case Leaf():
            return _leaf(formula, lates)
        case And() | Or():
            timed = [part for part in formula.operands if not part.scope.is_condition]
            found = _connect(formula, timed, lates)
            return _extend(formula, found) if _has_contexts(formula) else found
        case Not():
            return _connect(formula, [formula.operand], lates)
        case In():
            return _connect(formula, [formula.event, formula.state], lates)
        case Exists():
            return _connect(formula, [formula.operand], lates)
        case Boundary():
            return _connect(formula, [formula.state], lates)
        case Known() | Occurring() | Comparison():
            raise AssertionError("a condition has no time")
        case _:
            assert_never(formula)


def _has_contexts(formula: And | Or) -> bool:
    """Whether it is an alternative that its context gives a value."""
    conditions = [part for part in formula.operands if part.scope.is_condition]
    return any(next(list_contexts(part), None) is not None for part in conditions)


def _extend(formula: Formula, found: Bounds) -> Bounds:
    origin = get_origin(formula)
    return Bounds(ENDLESS, (*found.kept, *keep(origin, need_of_extended(origin), (), ())))


def get_origin(formula: Formula) -> Origin:
    origin = formula.scope.origin
    assert origin is not None, "a condition has no time"
    return origin


def _leaf(leaf: Leaf, lates: Sequence[int]) -> Bounds:
    """What an operand of its own keeps it says itself; here a selection may lose a variable."""
    origin, late = get_origin(leaf), lates[leaf.operand]
    is_told = leaf.id and origin.word == "exists"
    return Bounds(late, keep(origin, ROW_BY_ROW, [origin], [late]) if is_told else ())


def _connect(formula: Formula, timed: Sequence[Formula], lates: Sequence[int]) -> Bounds:
    found = [bound_formula(part, lates) for part in timed]
    inside = [kept for one in found for kept in one.kept]
    parts = [one.late for one in found]
    need = ONE_INSTANT if len(timed) > 1 or isinstance(formula, Not) else ROW_BY_ROW
    own = keep(get_origin(formula), need, [get_origin(part) for part in timed], parts)
    return Bounds(max(parts), (*inside, *own))
