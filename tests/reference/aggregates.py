"""Aggregates, read straight from their section.

"A row of the event formula φ is an instant with the values of the variables of its event atoms, `_`
included: `and` has those of both sides, `or` those that are such variables of both sides by name,
`in` and `where` those of their left, conditions, `not`, `start` and `end` none".
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import Any, Literal, TypeAlias, cast

from phenesthe.syntax.tree import (
    Aggregate,
    And,
    Atom,
    Counting,
    Exists,
    Formula,
    In,
    Let,
    Or,
    Variable,
    Where,
    Wildcard,
)
from phenesthe.syntax.tree.walk import Expression, children, with_children
from tests.reference.values import Number, Scalar, as_float, is_undefined

Names: TypeAlias = frozenset[str]
FormulaKind: TypeAlias = Literal["event", "state", "dynamic", "condition"]
#: An instant and what tells the rows of one instant apart; the value that is asked for.
Rows: TypeAlias = dict[tuple[int, Any], tuple[Scalar, ...]]


def list_outside(node: Expression) -> Iterator[str]:
    """The variables that occur in no aggregate: with these the rows of an aggregate are joined."""
    if isinstance(node, Variable):
        yield node.name
    elif not isinstance(node, Aggregate):
        local = node.local if isinstance(node, Counting) else ()
        for part in children(node):
            yield from (name for name in list_outside(part) if name not in local)


def find_row_variables(formula: Formula, kinds: Mapping[str, FormulaKind]) -> Names:
    match formula:
        case Atom(name=name, arguments=arguments) if kinds[name.text] == "event":
            return frozenset(one.name for one in arguments if isinstance(one, Variable))
        case And(operands=operands):
            return frozenset().union(*(find_row_variables(one, kinds) for one in operands))
        case Or(operands=operands):
            first, *others = (find_row_variables(one, kinds) for one in operands)
            return first.intersection(*others)
        case In(event=left) | Where(operand=left) | Let(operand=left) | Exists(operand=left):
            return find_row_variables(left, kinds)
        case _:
            return frozenset()


def name_wildcards(formula: Formula, kinds: Mapping[str, FormulaKind]) -> Formula:
    """ "`_` included": each is a variable by itself. In an `or` no two have one name."""
    numbers = count(1)

    def name(node: Formula) -> Formula:
        match node:
            case Atom(name=text, arguments=arguments) if kinds[text.text] == "event":
                terms = tuple(
                    Variable(span=one.span, name=f"_ {next(numbers)} of a row")
                    if isinstance(one, Wildcard)
                    else one
                    for one in arguments
                )
                return replace(node, arguments=terms)
            case And(operands=operands):
                return replace(node, operands=tuple(map(name, operands)))
            case In() | Where() | Let() | Exists():
                first, *others = children(node)
                changed = (name(cast(Formula, first)), *others)
                return cast(Formula, with_children(node, changed))
            case _:
                return node

    return name(formula)


def aggregate(function: str, rows: Rows) -> Scalar:
    """ "Nothing to aggregate: `count`, `sum` and `total` are 0, the others undefined"."""
    if function == "count":
        values = set(rows.values())
        return len(values) if any(values) else len(rows)
    found: list[Any] = [value for (value,) in rows.values()]
    if function == "sum":
        return add(found)
    if not found:
        return math.nan
    match function:
        case "avg":
            # "an average that sum divided by the number"
            return as_float(add(found)) / len(found)
        case "min" | "max":
            if any(map(is_undefined, found)):
                return math.nan
            return cast(Scalar, min(found) if function == "min" else max(found))
        case "first" | "last":
            times = [t for t, _ in rows]
            chosen = min(times) if function == "first" else max(times)
            at = [value for (t, _), (value,) in rows.items() if t == chosen]
            # "the least X of their instant"; what is no number comes last.
            known = [one for one in at if not is_undefined(one)]
            return min(known) if known else math.nan
        case _:
            raise ValueError(function)


def add(values: list[Number]) -> Number:
    """ "the exact sum rounded once (as `math.fsum`)"; "a sum of ints is an int"."""
    if not any(isinstance(one, float) for one in values):
        return sum(cast(list[int], values))
    if any(not math.isfinite(one) for one in values):
        # Of both infinities, or of what is no number, there is no sum.
        others = {float(one) for one in values if not math.isfinite(one)}
        return others.pop() if len(others) == 1 else math.nan
    try:
        return math.fsum(values)
    except OverflowError:
        # Only on the way: what is added is exact.
        exact = sum(map(Fraction, values), Fraction())
        try:
            return float(exact)
        except OverflowError:
            return math.inf if exact > 0 else -math.inf
