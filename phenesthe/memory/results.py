"""Whose results are whose, also when a program changes.

The results of a definition belong to what it means: to its operator, whose columns they have in
their order. What it is called, and in which order its arguments stand, is how they are shown.
"""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, replace
from typing import Any, get_args

import pyarrow as pa

from phenesthe.arrow import to_bools, to_ints, wrap
from phenesthe.check.program import Signature
from phenesthe.kernels.arrays import OPEN
from phenesthe.memory.shape import check_codes, is_count, is_text, list_of, take_column
from phenesthe.memory.working_memory import Memory
from phenesthe.vocabulary import Kind, ValueType


@dataclass(frozen=True, slots=True)
class Meaning:
    """The operator of a definition, the places of its arguments there, and how they are shown."""

    id: str
    places: tuple[int, ...]
    kind: Kind
    arguments: tuple[str, ...]
    types: tuple[ValueType, ...]

    @property
    def times(self) -> tuple[str, ...]:
        return ("t",) if self.kind == "event" else ("ts", "te")

    def is_alike(self, other: "Meaning") -> bool:
        """Whether the results of both have the same columns, whatever these are called."""
        return (self.kind, self.types) == (other.kind, other.types)

    def continues(self, other: "Meaning") -> bool:
        """Whether it is the same, and shown in the same way."""
        return (self.id, self.places) == (other.id, other.places) and self.is_alike(other)

    def make_signature(self, name: str, like: Signature) -> Signature:
        """Of a definition that is no more; what does not show is as of another one."""
        return replace(
            like, name=name, kind=self.kind, arguments=self.arguments, types=self.types, doc=None
        )

    def lay_down(self, shown: pa.Table) -> pa.Table:
        """Results as the operator has them, by the places of the columns."""
        table = shown.select([*self.arguments, *self.times])
        return table.rename_columns([*map(str, self.places), *self.times])

    def take_up(self, laid: pa.Table) -> pa.Table:
        """The other way round; who laid them down may have had another order."""
        table = laid.select([*map(str, self.places), *self.times])
        return table.rename_columns([*self.arguments, *self.times])


def find_meanings(memory: Memory) -> dict[str, Meaning]:
    """Of the definitions that are reported."""
    return {name: _find_meaning(memory, memory.signatures[name]) for name in memory.names}


def _find_meaning(memory: Memory, signature: Signature) -> Meaning:
    phenomenon = memory.plan.phenomena[signature.name]
    columns = memory.graph.holders[phenomenon.id].variables
    places = tuple([columns.index(one or "") for one in phenomenon.arguments])
    assert signature.kind is not None
    return Meaning(phenomenon.id, places, signature.kind, signature.arguments, signature.types)


def describe_meanings(memory: Memory) -> dict[str, list[Any]]:
    """As plain values."""
    return {
        name: [list(one) if isinstance(one, tuple) else one for one in astuple(meaning)]
        for name, meaning in find_meanings(memory).items()
    }


def is_meaning(value: Any) -> bool:
    """Whether a plain value is what is written of one."""
    if not (isinstance(value, list | tuple) and len(value) == 5):
        return False
    id_, places, kind, arguments, types = value
    return (
        is_text(id_)
        and list_of(is_count)(places)
        and kind in get_args(Kind)
        and list_of(is_text)(arguments)
        and list_of(lambda one: one in get_args(ValueType))(types)
        and len(arguments) == len(types)
        and sorted(places) == list(range(len(types)))
    )


def read_meanings(manifest: Mapping[str, Any]) -> dict[str, Meaning]:
    """Of the definitions that were reported."""
    return {
        name: Meaning(id_, tuple(places), kind, tuple(arguments), tuple(types))
        for name, (id_, places, kind, arguments, types) in manifest["definitions"].items()
    }


def read_told(
    memory: Memory, was: Meaning, manifest: Mapping[str, Any], tables: Mapping[str, pa.Table]
) -> pa.Table:
    """What was known of a definition at the last query and could change, or touches its window.

    The memory has the values of what was written, and no others yet. Raises `Damage`, `KeyError`.
    """
    assert memory.last is not None
    inputs = {one[0]: f"input.{name}" for name, one in manifest["inputs"].items()}
    table = tables[inputs.get(was.id, f"node.{was.id}")]
    ts = te = to_ints(take_column(table, "*ts", pa.int64()))
    if was.kind != "event" and "*te" in table.column_names:
        te = to_ints(take_column(table, "*te", pa.int64(), nulls=True), null=OPEN)
    at = to_bools(take_column(table, "*live", pa.bool_())) | (te > memory.last - memory.window)
    domains = [memory.world.domains[one] for one in was.types]
    codes = [to_ints(take_column(table, str(place), pa.int64()))[at] for place in was.places]
    check_codes(codes, [len(domain.values) for domain in domains])
    shown = {
        name: domain.decode(column)
        for name, domain, column in zip(was.arguments, domains, codes, strict=True)
    }
    return pa.table(shown | _show_times(was, ts[at], te[at]))


def _show_times(was: Meaning, ts: Any, te: Any) -> dict[str, pa.Array]:
    if was.kind == "event":
        return {"t": wrap(ts)}
    return {"ts": wrap(ts), "te": wrap(te, te == OPEN)}
