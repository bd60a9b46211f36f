"""The plan of a program, as `compile` shows it and engines follow it."""

from collections import Counter
from dataclasses import dataclass

from phenesthe.check.program import CheckedProgram
from phenesthe.graph.program import Graph
from phenesthe.graph.scan import Scan
from phenesthe.plan.lower import lower
from phenesthe.plan.memory_bounds import MemoryBounds, find_memory_bounds
from phenesthe.plan.stages import Stage, find_stages


@dataclass(frozen=True, slots=True)
class Shared:
    """An operator that several places need and that is evaluated once."""

    id: str
    formula: str
    users: tuple[str, ...]
    times: int


@dataclass(frozen=True, slots=True)
class Plan:
    graph: Graph
    scans: tuple[Scan, ...]
    shared: tuple[Shared, ...]
    stages: tuple[Stage, ...]
    memory: MemoryBounds


def make_plan(program: CheckedProgram) -> Plan:
    graph = lower(program)
    return Plan(
        graph,
        tuple(source.scan for source in graph.sources.values()),
        _find_shared(graph),
        find_stages(program),
        find_memory_bounds(graph),
    )


def _find_shared(graph: Graph) -> tuple[Shared, ...]:
    """Used by several operators, twice by one, or by several definitions that mean the same."""
    users: dict[str, list[str]] = {id_: [] for id_ in graph.operators}
    for operator in graph.operators.values():
        for operand in operator.operands:
            if operand.producer in users:
                users[operand.producer].append(operator.origin.definition)
    named = Counter(graph.phenomena[name].id for name in graph.definitions)
    for name in graph.definitions:
        id_ = graph.phenomena[name].id
        if id_ in users and named[id_] > 1:
            users[id_].append(name)
    return tuple(
        Shared(id_, graph.operators[id_].origin.text, tuple(dict.fromkeys(found)), len(found))
        for id_, found in users.items()
        if len(found) > 1
    )
