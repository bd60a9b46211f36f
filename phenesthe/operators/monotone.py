"""How a comparison depends on one value in it: it may come true, or cease to be, as that one rises.

Rounding does not change that: sums, differences and products with a constant of rising floats never
fall. Only where a float runs over is all this wrong, so a bound on what can come out is found too.
`max`, `min` and with them `abs` are taken apart: `max(a, b) < k` is `a < k and b < k`.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import TypeAlias, assert_never

from phenesthe.graph.formulas import (
    And,
    Arithmetic,
    Call,
    Column,
    Comparison,
    Constant,
    Exists,
    Formula,
    Known,
    Measured,
    Moment,
    Negative,
    Not,
    Or,
    Value,
)  # fmt: skip
from phenesthe.vocabulary import ComparisonOperator

#: A value further from zero than this is none that sums and products are expected of.
LARGEST = 1e100
#: What stays below this does not run over.
_SAFE = 1e300
#: More alternatives than this are not told apart.
_MOST = 16

#: All of these, in one of these ways.
Ways: TypeAlias = list[list[Formula]]

_OPPOSITE: dict[ComparisonOperator, ComparisonOperator] = {
    "<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==",
}  # fmt: skip


def list_columns(node: Formula | Value) -> Iterator[Column]:
    """The columns that a condition looks at; a variable that only its facts bind is one of them."""
    match node:
        case Column():
            yield node
        case Constant() | Moment() | Measured():
            pass
        case Known():
            yield from (Column(one) for one in node.arguments if isinstance(one, str))
        case Negative() | Not() | Exists():
            yield from list_columns(node.operand)
        case Arithmetic() | Comparison():
            yield from list_columns(node.left)
            yield from list_columns(node.right)
        case Call():
            for argument in node.arguments:
                yield from list_columns(argument)
        case And() | Or():
            for part in node.operands:
                yield from list_columns(part)
        case _:
            raise AssertionError(f"no condition: {type(node).__name__}")


def find_truth(node: Comparison, key: Value, varies: Callable[[Column], bool]) -> int | None:
    """1 where a greater key can only make it true, -1 where only a lesser, None if not known.

    `varies` says which columns change as the key does; all others are taken for constants.
    """
    left, right = _find_direction(node.left, key, varies), _find_direction(node.right, key, varies)
    difference = _join(left, _turn(right))
    if difference is None or max(difference[1], _bound(key)) > _SAFE:
        return None
    match node.operator:
        case "<" | "<=":
            return -difference[0]
        case ">" | ">=":
            return difference[0]
        case "==" | "!=":
            return None
        case _:
            assert_never(node.operator)


#: Which way it goes, 0 for neither, and how far from zero it can be.
_Direction: TypeAlias = tuple[int, float]


def _find_direction(node: Value, key: Value, varies: Callable[[Column], bool]) -> _Direction | None:
    if node == key:
        return 1, _bound(node)
    match node:
        case Constant():
            return 0, _bound(node)
        case Moment() | Measured():
            return None
        case Column():
            return None if varies(node) else (0, LARGEST)
        case Negative():
            return _turn(_find_direction(node.operand, key, varies))
        case Arithmetic():
            left = _find_direction(node.left, key, varies)
            right = _find_direction(node.right, key, varies)
            match node.operator:
                case "+":
                    return _join(left, right)
                case "-":
                    return _join(left, _turn(right))
                case "*":
                    if isinstance(node.left, Constant):
                        left, right = right, left
                    factor = node.right if isinstance(node.right, Constant) else node.left
                    return _scale(left, right, factor, node)
                case "/":
                    return _scale(left, right, node.right, node)
                case "%":
                    return _fix(left, right, bound=_bound(node))
                case _:
                    assert_never(node.operator)
        case Call():
            found = [_find_direction(one, key, varies) for one in node.arguments]
            if node.function in ("min", "max"):
                known = found[0]
                for other in found[1:]:
                    known = _join(known, other)
                return known
            if node.function in ("floor", "round"):
                return None if found[0] is None else (found[0][0], _bound(node))
            return _fix(*found, bound=_bound(node))
        case _:
            assert_never(node)


def _turn(one: _Direction | None) -> _Direction | None:
    return None if one is None else (-one[0], one[1])


def _join(one: _Direction | None, other: _Direction | None) -> _Direction | None:
    if one is None or other is None or one[0] * other[0] < 0:
        return None
    return one[0] or other[0], one[1] + other[1]


def _fix(*parts: _Direction | None, bound: float) -> _Direction | None:
    """Of what does not depend on the key."""
    return (0, bound) if all(one is not None and one[0] == 0 for one in parts) else None


def _scale(
    one: _Direction | None, other: _Direction | None, factor: Value, whole: Value
) -> _Direction | None:
    """A product with a constant, or a quotient by one."""
    if one is not None and isinstance(factor, Constant) and isinstance(factor.value, int | float):
        if factor.value == 0:
            return None
        return (one[0] if factor.value > 0 else -one[0]), _bound(whole)
    return _fix(one, other, bound=_bound(whole))


def _bound(node: Value) -> float:
    """How far from zero it can be, if no column is further from it than `LARGEST`.

    Infinite where nothing is known, and then it may be undefined too.
    """
    match node:
        case Constant():
            return abs(float(node.value)) if isinstance(node.value, int | float) else 0.0
        case Column():
            return LARGEST
        case Moment() | Measured():
            return float("inf")
        case Negative():
            return _bound(node.operand)
        case Arithmetic():
            left, right = _bound(node.left), _bound(node.right)
            match node.operator:
                case "+" | "-":
                    return left + right
                case "*":
                    return left * right
                case "/":
                    # Where the divisor may be zero, what comes out may be undefined.
                    known = isinstance(node.right, Constant) and right > 0
                    return left / right if known else float("inf")
                case "%":
                    return right if isinstance(node.right, Constant) and right > 0 else float("inf")
                case _:
                    assert_never(node.operator)
        case Call():
            bound = sum([_bound(one) for one in node.arguments])
            match node.function:
                case "abs" | "min" | "max" | "angle_diff":
                    return bound
                case "floor" | "round":
                    return bound + 1
                case _:
                    return float("inf")
        case _:
            assert_never(node)


def take_apart(node: Formula, key: Value, varies: Callable[[Column], bool]) -> Ways:
    """The same as alternatives of conjunctions, of comparisons that `find_truth` knows if it can.

    Only so for values that are numbers, none of them larger than `LARGEST`.
    """
    found = _take_apart(node, key, varies, negated=False)
    return found if len(found) <= _MOST else [[node]]


def _take_apart(
    node: Formula, key: Value, varies: Callable[[Column], bool], *, negated: bool
) -> Ways:
    match node:
        case Not():
            return _take_apart(node.operand, key, varies, negated=not negated)
        case And() | Or() if isinstance(node, And) != negated:
            parts = [_take_apart(one, key, varies, negated=negated) for one in node.operands]
            count = 1
            for part in parts:
                count *= len(part)
            if count > _MOST:
                return [[Not(node.scope, node) if negated else node]]
            return [[one for way in chosen for one in way] for chosen in product(*parts)]
        case And() | Or():
            parts = [_take_apart(one, key, varies, negated=negated) for one in node.operands]
            return [way for part in parts for way in part]
        case Exists() if not negated:
            # What it asks of known columns must hold in any case.
            ways = _take_apart(node.operand, key, varies, negated=False)
            return [[*way, node] for way in ways]
        case Comparison() if not negated:
            return _take_comparison_apart(node, key, varies)
        case Comparison() if max(_bound(node.left), _bound(node.right)) <= _SAFE:
            turned = replace(node, operator=_OPPOSITE[node.operator])
            return _take_comparison_apart(turned, key, varies)
        case _:
            return [[Not(node.scope, node) if negated else node]]


def _take_comparison_apart(node: Comparison, key: Value, varies: Callable[[Column], bool]) -> Ways:
    both: tuple[Comparison, ...]
    if node.operator == "==":
        both = replace(node, operator="<="), replace(node, operator=">=")
        is_all = True
    elif node.operator == "!=":
        both = replace(node, operator="<"), replace(node, operator=">")
        is_all = False
    elif find_truth(node, key, varies) is not None:
        return [[node]]
    else:
        for call in _list_choices(node):
            truth = find_truth(node, call, _varies_not)
            if truth:
                if call.function == "abs":
                    (inner,) = call.arguments
                    values: tuple[Value, ...] = (inner, Negative(inner))
                else:
                    values = call.arguments
                both = tuple([_put(node, call, one) for one in values])
                is_all = (truth < 0) == (call.function != "min")
                break
        else:
            return [[node]]
    parts = [_take_comparison_apart(one, key, varies) for one in both]
    if not is_all:
        return [way for part in parts for way in part]
    return [[one for way in chosen for one in way] for chosen in product(*parts)]


def _varies_not(_: Column) -> bool:
    """Beside a value that is taken for a whole, all others are constants."""
    return False


def _list_choices(node: Comparison) -> Iterator[Call]:
    """The values that are the greatest or the least of several, the outer ones first."""
    for value in (*list_parts(node.left), *list_parts(node.right)):
        if isinstance(value, Call) and value.function in ("abs", "min", "max"):
            yield value


def list_parts(node: Value) -> Iterator[Value]:
    """A value and all that it is made of."""
    yield node
    match node:
        case Column() | Constant() | Moment() | Measured():
            pass
        case Negative():
            yield from list_parts(node.operand)
        case Arithmetic():
            yield from list_parts(node.left)
            yield from list_parts(node.right)
        case Call():
            for argument in node.arguments:
                yield from list_parts(argument)
        case _:
            assert_never(node)


def _put(node: Comparison, call: Call, value: Value) -> Comparison:
    left, right = _put_value(node.left, call, value), _put_value(node.right, call, value)
    return replace(node, left=left, right=right)


def _put_value(node: Value, call: Call, value: Value) -> Value:
    if node == call:
        return value
    match node:
        case Column() | Constant() | Moment() | Measured():
            return node
        case Negative():
            return Negative(_put_value(node.operand, call, value))
        case Arithmetic():
            left, right = (_put_value(one, call, value) for one in (node.left, node.right))
            return Arithmetic(node.operator, left, right)
        case Call():
            return Call(node.function, tuple([_put_value(a, call, value) for a in node.arguments]))
        case _:
            assert_never(node)
