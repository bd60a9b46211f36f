"""The types of what a checked program computes."""

from collections.abc import Mapping
from typing import assert_never

from phenesthe.check.infer_types import find_wider, type_of_literal
from phenesthe.syntax.tree import (
    Aggregate,
    Arithmetic,
    BoolLiteral,
    Call,
    DurationLiteral,
    FloatLiteral,
    Formula,
    IntLiteral,
    Let,
    Negate,
    ParameterRef,
    Previous,
    StrLiteral,
    Value,
    Variable,
    Wildcard,
    Word,
)  # fmt: skip
from phenesthe.syntax.tree.walk import walk
from phenesthe.vocabulary import FUNCTIONS, ValueType

Types = Mapping[str, ValueType]


def list_computed(body: Formula, types: Types, parameters: Types) -> dict[str, ValueType]:
    """The variables that every `let` of a body adds to those of its atoms."""
    found = dict(types)
    # What is computed first is the innermost.
    for node in reversed(list(walk(body))):
        if isinstance(node, Let):
            for one in node.assignments:
                found[one.variable.name] = find_value_type(one.value, found, parameters)
    return found


def find_value_type(value: Value, types: Types, parameters: Types) -> ValueType:
    match value:
        case Variable(name=name) | Previous(variable=Variable(name=name)):
            return types[name]
        case ParameterRef():
            return parameters[value.name]
        case IntLiteral() | FloatLiteral() | StrLiteral() | BoolLiteral() | DurationLiteral():
            return type_of_literal(value)
        case Negate():
            return find_value_type(value.operand, types, parameters)
        case Arithmetic(operator="/"):
            return "float"
        case Arithmetic():
            parts = [find_value_type(one, types, parameters) for one in (value.left, value.right)]
            return find_wider(parts) or "int"
        case Call():
            parts = [find_value_type(one, types, parameters) for one in value.arguments]
            return FUNCTIONS[value.function].gives or find_wider(parts) or "int"
        case Aggregate(function="count" | "total"):
            return "int"
        case Aggregate(function="avg"):
            return "float"
        case Aggregate():
            return types[value.of[0].name]
        case Wildcard() | Word():
            raise AssertionError("a checked program has neither where a value stands")
        case _:
            assert_never(value)
