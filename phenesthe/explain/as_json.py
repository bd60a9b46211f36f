"""The program for other programs; the schema is `docs/compile.schema.json`."""

import json
import math
from typing import Any, assert_never

from phenesthe.check.program import (
    Checked,
    CheckedDefinition,
    CheckedExclusive,
    CheckedMachine,
    CheckedProgram,
    Signature,
)  # fmt: skip
from phenesthe.explain.operators import describe_operators
from phenesthe.explain.parts import list_transitions, scopes
from phenesthe.graph.program import Graph
from phenesthe.graph.remembering import Limit
from phenesthe.plan.memory_bounds import MemoryBounds
from phenesthe.plan.plan import Plan
from phenesthe.syntax.printer import print_formula, print_value
from phenesthe.syntax.source import Span

FORMAT_VERSION = 1


def as_json(program: CheckedProgram, plan: Plan) -> str:
    return json.dumps(describe(program, plan), indent=2, ensure_ascii=False) + "\n"


def describe(program: CheckedProgram, plan: Plan) -> dict[str, Any]:
    return {
        "version": FORMAT_VERSION,
        "unit": program.unit,
        "parameters": [
            {
                "name": p.name,
                "type": p.type,
                "value": _plain(p.value),
                "doc": p.doc,
                **_place(p.span),
            }
            for p in program.parameters
        ],
        "inputs": [_signature(signature) for signature in program.inputs],
        "facts": [_signature(signature) for signature in program.facts],
        "definitions": [_definition(definition, plan.graph) for definition in program.definitions],
        "reported": list(program.reported),
        "plan": _plan(plan),
        "memory": _memory(plan.memory),
    }


def _plain(value: int | float | str | bool) -> int | float | str | bool:
    """JSON has no number for NaN and the infinities: they are texts, as in results."""
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _plan(plan: Plan) -> dict[str, Any]:
    return {
        "scans": [
            {
                "name": scan.name,
                "columns": [{"name": name, "use": use} for name, use in scan.columns],
                "alternatives": [
                    [
                        {"column": t.column, "operator": t.operator, "value": _plain(t.value)}
                        for t in tests
                    ]
                    for tests in scan.alternatives
                ],
            }
            for scan in plan.scans
        ],
        "inputs": [{"name": name, "id": source.id} for name, source in plan.graph.sources.items()],
        "operators": describe_operators(plan.graph),
        "shared": [
            {
                "id": shared.id,
                "formula": shared.formula,
                "users": list(shared.users),
                "times": shared.times,
            }
            for shared in plan.shared
        ],
        "stages": [
            {
                "number": stage.number,
                "global": stage.is_global,
                "definitions": [
                    {"name": name, "key": list(stage.keys[name])} for name in stage.definitions
                ],
                "inputs": [
                    {"name": name, "keys": [list(way) for way in ways]}
                    for name, ways in stage.inputs.items()
                ],
                "exchanges": [
                    {"name": e.name, "source": e.source, "key": list(e.key)}
                    for e in stage.exchanges
                ],
            }
            for stage in plan.stages
        ],
    }


def _limit(limit: Limit) -> dict[str, Any]:
    return {"word": limit.word, "duration": limit.duration, "ticks": limit.ticks}


def _memory(memory: MemoryBounds) -> dict[str, Any]:
    return {
        "inputs": [
            {"name": one.name, "keeps": one.keeps, "bound": one.bound} for one in memory.inputs
        ],
        "operators": [
            {
                "definition": one.definition,
                "operator": one.operator,
                "formula": one.formula,
                "keeps": one.keeps,
                "bound": one.bound,
                "limit": one.need.limit and _limit(one.need.limit),
                "reason": one.reason,
                "remedy": one.need.remedy or None,
                "because": [operand.text for operand in one.because],
                "since": [operand.text for operand in one.since],
                **_place(one.span),
            }
            for one in memory.operators
        ],
        "unbounded": list(memory.unbounded),
    }


def _signature(signature: Signature) -> dict[str, Any]:
    return {
        "name": signature.name,
        "kind": signature.kind or "fact",
        "arguments": [
            {"name": name, "type": type_}
            for name, type_ in zip(signature.arguments, signature.types, strict=True)
        ],
        "level": signature.level,
        "doc": signature.doc,
        **_place(signature.span),
    }


def _definition(definition: Checked, graph: Graph) -> dict[str, Any]:
    described = _signature(definition.signature)
    match definition:
        case CheckedDefinition(body=body):
            described["formula"] = print_formula(body)
        case CheckedExclusive(branches=branches):
            described["exclusive"] = [
                {"value": print_value(branch.label), "formula": print_formula(branch.body)}
                for branch in branches
            ]
        case CheckedMachine(initially=initially):
            described["machine"] = {
                "initially": print_value(initially),
                "transitions": [
                    {"from": source, "to": target, "event": event or None, "after": after or None}
                    for source, target, event, after in list_transitions(definition)
                ],
            }
        case _:
            assert_never(definition)
    described["operator"] = graph.phenomena[definition.signature.name].id
    described["uses"] = list(definition.uses)
    described["scopes"] = [
        {"variable": scope.variable, "formula": scope.formula, **_place(scope.span)}
        for scope in scopes(definition)
    ]
    return described


def _place(span: Span) -> dict[str, Any]:
    start, end = span.first, span.last
    return {
        "file": span.source.path,
        "range": {
            "start": {"line": start.line, "column": start.column},
            "end": {"line": end.line, "column": end.column},
        },
    }
