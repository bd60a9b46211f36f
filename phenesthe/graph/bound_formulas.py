"""What formulas over instants keep: the inside of an operator, formula by formula."""

from collections.abc import Sequence
from typing import assert_never

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
    Or,
)  # fmt: skip
from phenesthe.graph.origin import Origin
from phenesthe.graph.remembering import (
    ONE_INSTANT,
    ROW_BY_ROW,
    Bounds,
    Kept,
    Late,
    both,
    find_worst,
    keep,
)  # fmt: skip


def bound_formula(formula: Formula, lates: Sequence[Late]) -> Bounds:
    """`lates` are those of the operands; a condition has no time and keeps nothing."""
    match formula:
        case Leaf():
            return _leaf(formula, lates)
        case And() | Or():
            timed = [part for part in formula.operands if not part.scope.is_condition]
            return _connect(formula, timed, lates)
        case Not():
            return _connect(formula, [formula.operand], lates)
        case In():
            return _connect(formula, [formula.event, formula.state], lates)
        case Exists():
            found = bound_formula(formula.operand, lates)
            return Bounds(found.late, (*found.kept, Kept(get_origin(formula), ROW_BY_ROW)))
        case Boundary():
            found = bound_formula(formula.state, lates)
            late = found.late.ends if formula.is_end else found.late.starts
            return Bounds(both(late), (*found.kept, Kept(get_origin(formula), ROW_BY_ROW)))
        case Known() | Comparison():
            raise AssertionError("a condition has no time")
        case _:
            assert_never(formula)


def get_origin(formula: Formula) -> Origin:
    origin = formula.scope.origin
    assert origin is not None, "a condition has no time"
    return origin


def _leaf(leaf: Leaf, lates: Sequence[Late]) -> Bounds:
    """What an operand of its own keeps it says itself; here a selection may lose a variable."""
    origin = get_origin(leaf)
    is_told = leaf.id and origin.word == "exists"
    return Bounds(lates[leaf.operand], (Kept(origin, ROW_BY_ROW),) if is_told else ())


def _connect(formula: Formula, timed: Sequence[Formula], lates: Sequence[Late]) -> Bounds:
    found = [bound_formula(part, lates) for part in timed]
    inside = [kept for one in found for kept in one.kept]
    parts = [one.late for one in found]
    own: tuple[Kept, ...] = (Kept(get_origin(formula), ROW_BY_ROW),)
    if len(timed) > 1 or isinstance(formula, Not):
        own = keep(get_origin(formula), ONE_INSTANT, [get_origin(part) for part in timed], parts)
    return Bounds(both(find_worst(parts).worst), (*inside, *own))
