"""The operators of a program, for readers and for other programs."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from phenesthe.graph.operator import Operator
from phenesthe.graph.program import Graph

#: Of an id as many letters as tell the operators of one program apart.
_SHORT = 8
_COMMON = {one.name for one in fields(Operator)}


def list_operators(graph: Graph) -> list[str]:
    """Operands before what uses them, each with the definition in which it is written first."""
    if not graph.operators:
        return []
    names = {source.id: name for name, source in graph.sources.items()}
    lines = ["", "operators"]
    for operator in graph.operators.values():
        parts = ", ".join(
            names.get(one.producer, one.producer[:_SHORT]) for one in operator.operands
        )
        lines.append(f"  {name_operator(operator)}" + (f": {parts}" if parts else ""))
        lines.append(f"    {operator.origin.text}  (in {operator.origin.definition})")
    return lines


def name_operator(operator: Operator) -> str:
    return f"{operator.id[:_SHORT]} {operator.kind} {operator.word}"


def describe_operators(graph: Graph) -> list[dict[str, Any]]:
    return [_describe(operator) for operator in graph.operators.values()]


def _describe(operator: Operator) -> dict[str, Any]:
    return {
        "id": operator.id,
        "operator": operator.word,
        "kind": operator.kind,
        "columns": _list_columns(operator.variables, operator.types),
        "compared": _list_columns(operator.extras, operator.types),
        "operands": [
            {"id": one.producer, "names": [name and name.partition("=")[0] for name in one.names]}
            for one in operator.operands
        ],
        "parameters": _list_parameters(operator),
        "definition": operator.origin.definition,
        "formula": operator.origin.text,
    }


def _list_columns(names: tuple[str, ...], types: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "type": types[name]} for name in names]


def _list_parameters(operator: Operator) -> dict[str, int | str | bool | None]:
    """What an operator has of its own that is a plain value: durations in ticks, names."""
    found = {
        one.name: getattr(operator, one.name) for one in fields(operator) if one.name not in _COMMON
    }
    return {
        name: value
        for name, value in found.items()
        if value is None or isinstance(value, int | str | bool)
    }
