"""One partition's share of a stage: the results of the keys it owns."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.graph.program import Graph
from phenesthe.kernels.arrays import Array, Mask
from phenesthe.kernels.order import encode
from phenesthe.operators.domains import Domains
from phenesthe.operators.evaluate import Watcher
from phenesthe.operators.load import Partition
from phenesthe.plan.lower import lower
from phenesthe.plan.routes import Route, cut_program
from phenesthe.plan.stages import Positions, Stage
from phenesthe.vocabulary import ValueType

Types = tuple[ValueType, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """What all partitions of a stage have in common.

    `program` is that of the stage alone (`plan.routes.cut_program`), `derived` are those of its
    inputs that an earlier stage found, `keys` is empty for a stage of one partition.
    """

    program: CheckedProgram
    derived: frozenset[str]
    graph: Graph
    keys: Mapping[str, Positions]
    first: int
    q: int


def make_share(program: CheckedProgram, stage: Stage, first: int, q: int) -> Share:
    """`program` is the whole of which the stage is a part."""
    cut = cut_program(program, stage)
    inputs = {one.name for one in program.inputs}
    derived = frozenset(one.name for one in cut.inputs if one.name not in inputs)
    keys = {} if stage.is_global else stage.keys
    return Share(cut, derived, lower(cut, derived), keys, first, q)


def evaluate_share(
    share: Share,
    routed: Mapping[Route, pa.Table],
    whole: Mapping[str, pa.Table],
    wanted: Iterable[str],
    on_definition: Watcher = lambda _name, _at, _of: None,
) -> Iterator[tuple[str, pa.Table]]:
    """The wanted definitions of the stage, as far as this partition owns their keys.

    `routed` are the rows that came, by the way they came; `whole` are the facts all partitions
    have.
    """
    graph = share.graph
    by_name: dict[str, list[pa.Table]] = {}
    for route, table in routed.items():
        by_name.setdefault(route.name, []).append(table)
    tables = {name: pa.concat_tables(parts) for name, parts in by_name.items()} | dict(whole)
    facts = {one.name: tables.pop(one.name) for one in graph.facts if one.name in tables}
    partition = Partition(graph, tables, facts, share.first, share.q, is_scanned=True)
    partition.evaluate(on_definition)
    signatures = {name: one.signature for name, one in graph.sources.items()}
    signatures |= {one.name: one for one in graph.facts}
    owned = find_owned(routed, signatures, partition.world.domains) if share.keys else None
    for name in wanted:
        keep = None
        if owned is not None:
            positions = share.keys[name]
            types = tuple(graph.definitions[name].types[at] for at in positions)
            codes, ts, _ = partition.get_columns(name)
            keep = mark_owned([codes[at] for at in positions], owned.get(types, []), len(ts))
        yield name, partition.unload(name, keep)


def find_owned(
    routed: Mapping[Route, pa.Table], signatures: Mapping[str, Signature], domains: Domains
) -> dict[Types, list[list[Array]]]:
    """By their types, the columns of all keys that were sent here as a whole.

    A key may have come with rows that are not known yet at q, and then it has no code.
    """
    found: dict[Types, list[list[Array]]] = {}
    for route, table in routed.items():
        if route.through is not None:
            continue
        signature = signatures[route.name]
        types = tuple(signature.types[at] for at in route.positions)
        columns = [
            domains[signature.types[at]].look_up(table[signature.arguments[at]])
            for at in route.positions
        ]
        found.setdefault(types, []).append(columns)
    return found


def mark_owned(columns: list[Array], owned: list[list[Array]], count: int) -> Mask:
    """Which rows have a key that is among those owned."""
    if not owned:
        return np.zeros(count, dtype=bool)
    key = columns[0]
    known = np.concatenate([one[0] for one in owned])
    if len(columns) == 1:
        # Codes are dense: a table of them is quicker than a search. The last place is for -1.
        marked = np.zeros(max(key.max(initial=-1), known.max(initial=-1)) + 2, dtype=bool)
        marked[known] = True
        marked[-1] = False
        return marked[key]
    for at in range(1, len(columns)):
        more = np.concatenate([one[at] for one in owned])
        key, known = encode((key, columns[at]), (known, more))
    return np.isin(key, known)
