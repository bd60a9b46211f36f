"""A program as a graph of operators."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from phenesthe.check.program import Signature
from phenesthe.frozen import dataclass
from phenesthe.graph.operator import Phenomenon, Source
from phenesthe.vocabulary import Scalar, ValueType

if TYPE_CHECKING:
    # A graph of a few operators needs only these.
    from phenesthe.graph.every import AnyOperator


@dataclass(frozen=True, slots=True)
class Graph:
    """A program: its inputs by name, its operators by id, operands before what uses them.

    `written` are the same operators as often as they are written, each with the names and the
    origin it has there; those with one origin are one formula. `phenomena` are inputs and
    definitions in their order. `constants` are texts, which are compared by their codes, and
    labels, which are reported: both need a code.
    """

    sources: Mapping[str, Source]
    operators: "Mapping[str, AnyOperator]"
    written: "tuple[AnyOperator, ...]"
    phenomena: Mapping[str, Phenomenon]
    definitions: Mapping[str, Signature]
    facts: tuple[Signature, ...]
    constants: Mapping[ValueType, tuple[Scalar, ...]]
