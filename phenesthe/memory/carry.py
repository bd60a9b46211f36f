"""Going on from a state with a program that has changed.

An operator that means what it meant before, on operands of which that is true too, goes on with
what it remembers. Every other one begins anew, with what is remembered of its operands: the rows
that end after the frontier. It has seen nothing that lies before.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import pyarrow as pa

from phenesthe.check.program import CheckedProgram
from phenesthe.graph.formulas import Known
from phenesthe.graph.operator import Operand, Operator, Source
from phenesthe.kernels.arrays import OPEN
from phenesthe.memory.dump import describe_input
from phenesthe.memory.inputs import EventInput
from phenesthe.memory.refill import refill
from phenesthe.memory.undump import Reading, prepare
from phenesthe.memory.working_memory import Memory
from phenesthe.vocabulary import ValueType

#: Of what goes on as it is: nothing of it is missing.
_ALWAYS = -OPEN


def carry(
    program: CheckedProgram,
    only: Collection[str],
    manifest: Mapping[str, Any],
    tables: Mapping[str, pa.Table],
    facts: Mapping[str, pa.Table],
) -> Memory:
    """`facts` are those that have other rows, or that were not there.

    Raises `Damage`, `KeyError`.
    """
    memory = prepare(program, {**manifest, "only": list(only)}, tables)
    assert memory.last is not None
    reading = Reading(memory, tables)
    for name in memory.world.facts:
        if name in manifest["facts"] and name not in facts:
            reading.read_fact(name, manifest["facts"][name])
    missing = _find_missing(memory, reading, manifest, facts)
    for name, source in memory.graph.inputs.items():
        was = manifest["inputs"].get(name)
        if was == describe_input(source.source):
            reading.read_input(source, name, manifest, is_whole=False)
        elif isinstance(source, EventInput) and was is not None and was[0] == source.source.id:
            refill(reading, source, was, tables.get(f"chunk.{name}.0"))
    for id_, node in memory.graph.operators.items():
        if missing[id_] == _ALWAYS:
            reading.read_holder(node, f"node.{id_}", is_whole=False)
    memory.add_values(_list_values(memory, facts))
    memory.set_facts(facts)
    memory.restore_frontier()
    memory.begin_anew({id_: at for id_, at in missing.items() if at != _ALWAYS})
    memory.whole = _find_whole(memory, manifest, missing)
    return memory


def _find_missing(
    memory: Memory, reading: Reading, manifest: Mapping[str, Any], facts: Collection[str]
) -> dict[str, int]:
    """By input and operator, up to when it has not seen what it should have."""
    assert memory.last is not None
    window, found = memory.last - memory.window, {}
    unread: dict[str, set[str]] = {}
    for name, source in memory.graph.inputs.items():
        one = source.source
        was = manifest["inputs"].get(name)
        is_known = was is not None and was[0] == one.id
        found[one.id] = _ALWAYS if is_known else memory.last
        unread[one.id] = _list_unread(reading, source.source, name)
    for id_, node in memory.graph.operators.items():
        operands = node.operator.operands
        at = max((found[one.producer] for one in operands), default=_ALWAYS)
        is_known = id_ in manifest["operators"] and not set(list_facts(node.operator)) & set(facts)
        if at != _ALWAYS or not is_known or not reading.has_edges(node):
            at = max(at, window)
            for one in operands:
                new = unread.get(one.producer)
                if new and new & set(_list_asked(memory, one)):
                    at = memory.last
        found[id_] = at
    return found


def _list_unread(reading: Reading, source: Source, name: str) -> set[str]:
    """Columns that are asked for now and were not, so that the window has no values of them."""
    chunk = reading.tables.get(f"chunk.{name}.0")
    known = set(source.signature.arguments) if chunk is None else set(chunk.column_names)
    return {*source.variables, *source.extras} - known


def _list_asked(memory: Memory, operand: Operand) -> Iterator[str]:
    """The columns of an input that an operator looks at."""
    (source,) = [one for one in memory.plan.sources.values() if one.id == operand.producer]
    for column, name in zip(source.variables, operand.names, strict=True):
        if name is not None:
            yield column
    yield from (column for column, _ in operand.extras)


def list_facts(node: Any) -> Iterator[str]:
    """The facts that an operator asks."""
    if isinstance(node, Known):
        yield node.fact
    elif isinstance(node, tuple):
        for part in node:
            yield from list_facts(part)
    elif is_dataclass(node):
        skipped = {"operands", "origin"} if isinstance(node, Operator) else {"scope"}
        for one in fields(node):
            if one.name not in skipped:
                yield from list_facts(getattr(node, one.name))


def _list_values(
    memory: Memory, facts: Mapping[str, pa.Table]
) -> dict[ValueType, list[pa.ChunkedArray]]:
    """Those of the facts."""
    found: dict[ValueType, list[pa.ChunkedArray]] = {}
    for one in memory.plan.facts:
        if one.name in facts:
            for argument, type_name in zip(one.arguments, one.types, strict=True):
                found.setdefault(type_name, []).append(facts[one.name][argument])
    return found


def _find_whole(
    memory: Memory, manifest: Mapping[str, Any], missing: Mapping[str, int]
) -> dict[str, int]:
    """By definition, as it is to be told; what was told before is still true."""
    found: dict[str, int] = {}
    for name in memory.plan.definitions:
        id_ = memory.plan.phenomena[name].id
        if missing[id_] != _ALWAYS:
            found[name] = missing[id_]
        elif name in manifest["whole"]:
            found[name] = manifest["whole"][name]
    return found
