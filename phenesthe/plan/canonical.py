"""When are two formulas the same but for the names of their variables?"""

from collections.abc import Hashable

from phenesthe.syntax.clauses import list_durations
from phenesthe.syntax.tree import (
    Aggregate,
    Atom,
    BoolLiteral,
    Comparison,
    Complement,
    Counting,
    DurationLiteral,
    Exists,
    FloatLiteral,
    In,
    IntLiteral,
    Lasting,
    MaximalRange,
    ParameterRef,
    Relation,
    Repeat,
    StrLiteral,
    Variable,
    Wildcard,
)  # fmt: skip
from phenesthe.syntax.tree.values import Arithmetic, Call
from phenesthe.syntax.tree.walk import Expression, children, walk


def variable_order(node: Expression) -> tuple[str, ...]:
    """All variables, closed ones too, by their first occurrence."""
    return tuple(dict.fromkeys(part.name for part in walk(node) if isinstance(part, Variable)))


def canonical(node: Expression) -> Hashable:
    """Equal for formulas that differ only in the names of variables."""
    numbers = {name: at for at, name in enumerate(variable_order(node))}
    return _key(node, numbers)


def _key(node: Expression, numbers: dict[str, int]) -> Hashable:
    kind = type(node).__name__
    match node:
        case Variable():
            return numbers[node.name]
        case Wildcard():
            return "_"
        case IntLiteral() | FloatLiteral() | StrLiteral() | BoolLiteral():
            return (kind, node.value)
        case DurationLiteral():
            return (kind, node.microseconds)
        case ParameterRef():
            return (kind, node.name)
        case Atom():
            own: Hashable = node.name.text
        case Comparison() | Arithmetic():
            own = node.operator
        case Call():
            own = node.function
        case Aggregate():
            own = (node.function, len(node.of))
        case In():
            own = node.negated
        case Repeat():
            own = (node.operator, tuple(numbers[name] for name in node.local))
        case MaximalRange(value=str() as value):
            own = numbers[value]
        case Complement():
            own = node.name
        case Counting():
            own = (node.word, len(node.counted))
        case Lasting():
            own = node.operator
        case Relation():
            own = (node.name, node.mode)
        case Exists():
            own = tuple(numbers[name] for name in node.variables)
        case _:
            own = None
    # Which variables is told with the parts.
    durations = tuple(
        [
            (clause.word, "varies" if isinstance(duration, Variable) else duration)
            for clause, duration in list_durations(node)
        ]
    )
    return (kind, own, durations, tuple([_key(part, numbers) for part in children(node)]))
