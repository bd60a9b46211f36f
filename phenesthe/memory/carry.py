"""Going on from a state with a program that has changed.

An operator that means what it meant before, on operands of which that is true too, goes on with
what it remembers. Every other one begins anew, with what is remembered of its operands: the rows
that end after the frontier. It has seen nothing that lies before. The results of a definition are
those of its operator: see `results`.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

import pyarrow as pa

from phenesthe.check.program import CheckedProgram
from phenesthe.graph.formulas import Known
from phenesthe.graph.operator import Operand, Operator, Source
from phenesthe.kernels.arrays import OPEN
from phenesthe.memory.dump import describe_input
from phenesthe.memory.inputs import EventInput
from phenesthe.memory.refill import refill
from phenesthe.memory.results import Meaning, find_meanings, read_meanings, read_told
from phenesthe.memory.undump import Reading, prepare
from phenesthe.memory.working_memory import Memory
from phenesthe.vocabulary import ValueType

#: Of what goes on as it is: nothing of it is missing.
_ALWAYS = -OPEN


class Carried(NamedTuple):
    """A memory that goes on, and of what it reports that which goes on with all its results.

    `misfits` were told as something of other columns, and cannot be taken back as what they are.
    """

    memory: Memory
    same: frozenset[str]
    misfits: frozenset[str]


def carry(
    program: CheckedProgram,
    only: Collection[str],
    manifest: Mapping[str, Any],
    tables: Mapping[str, pa.Table],
    facts: Mapping[str, pa.Table],
) -> Carried:
    """`facts` are those that have other rows, or that were not there.

    Raises `Damage`, `KeyError`.
    """
    memory = prepare(program, {**manifest, "only": list(only)}, tables)
    assert memory.last is not None
    manifest, tables = _rename_columns(memory, manifest, tables)
    before, now = read_meanings(manifest), find_meanings(memory)
    told = {name: read_told(memory, one, manifest, tables) for name, one in before.items()}
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
    reported = {one.id for one in before.values()}
    same = frozenset(
        name for name, one in now.items() if missing[one.id] == _ALWAYS and one.id in reported
    )
    memory.since = _find_since(memory, manifest, missing)
    for name in now.keys() - same:
        # What an operator goes on with that was a part of others: its results were not kept.
        id_ = now[name].id
        memory.since[id_] = max(memory.since.get(id_, _ALWAYS), memory.last - memory.window)
    misfits = frozenset(_compare_told(memory, before, now, told, same))
    return Carried(memory, same, misfits)


def _compare_told(
    memory: Memory,
    before: Mapping[str, Meaning],
    now: Mapping[str, Meaning],
    told: Mapping[str, pa.Table],
    same: Collection[str],
) -> Iterator[str]:
    """Let the memory know what was told under each name, unless that goes on as it is."""
    like = next(iter(memory.signatures.values()))
    for name, one in now.items():
        was = before.get(name)
        if was is None or not one.continues(was) or name not in same:
            memory.before[name] = memory.make_empty(name)
    for name, was in before.items():
        if name not in now:
            if told[name].num_rows:
                memory.before[name] = told[name]
                memory.ended[name] = was.make_signature(name, like)
        elif name in memory.before:
            if was.is_alike(now[name]):
                columns = memory.before[name].column_names
                memory.before[name] = told[name].rename_columns(columns)
            elif told[name].num_rows:
                yield name


def _rename_columns(
    memory: Memory, manifest: Mapping[str, Any], tables: Mapping[str, pa.Table]
) -> tuple[Mapping[str, Any], Mapping[str, pa.Table]]:
    """The arguments of inputs by their present names.

    Where one has moved to another place, nobody can know whether the name or the place is meant:
    then it is another input.
    """
    inputs, found = dict(manifest["inputs"]), dict(tables)
    for name, source in memory.graph.inputs.items():
        if name not in inputs:
            continue
        id_, variables, extras, arguments = inputs[name]
        new = source.signature.arguments
        if id_ != source.source.id or arguments == list(new):
            continue
        if any(one in new and new.index(one) != at for at, one in enumerate(arguments)):
            del inputs[name]
            continue
        names = dict(zip(arguments, new, strict=True))
        columns = [[names[one] for one in part] for part in (variables, extras)]
        inputs[name] = [id_, *columns, list(new)]
        chunk = found.get(f"chunk.{name}.0")
        if chunk is not None:
            renamed = [names.get(one, one) for one in chunk.column_names]
            found[f"chunk.{name}.0"] = chunk.rename_columns(renamed)
    return {**manifest, "inputs": inputs}, found


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
            since = [manifest["since"].get(one.producer, window) for one in operands]
            at = max(at, window, *since)
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


def _find_since(
    memory: Memory, manifest: Mapping[str, Any], missing: Mapping[str, int]
) -> dict[str, int]:
    """By id, from when on it is whole; what was so before is still true of what goes on."""
    found: dict[str, int] = {}
    for id_ in memory.graph.holders:
        if missing[id_] != _ALWAYS:
            found[id_] = missing[id_]
        elif id_ in manifest["since"]:
            found[id_] = manifest["since"][id_]
    return found
