"""An operator: what a formula means, once its names, types and durations are settled.

`compute` is what it is true on, given the rows of its operands. A batch run calls it once with all
of them; the working memory calls it with those that its `Node` selects. There is no other way to
a kernel.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from phenesthe.check.program import Signature
from phenesthe.operators.identity import make_id
from phenesthe.operators.origin import Origin
from phenesthe.operators.remembering import Bounds
from phenesthe.operators.rows import Names, Rows
from phenesthe.operators.scan import Scan, Use
from phenesthe.vocabulary import Kind, Scalar, ValueType

if TYPE_CHECKING:
    from phenesthe.operators.node import Node
    from phenesthe.operators.work import Work


@dataclass(frozen=True, slots=True)
class Operand:
    """An input or another operator, by its id, as the one that uses it sees it.

    `names` are those of its columns there; None: a column not used. `extras` are the values that
    only conditions look at, each with its name there. `origin` is how it is written there.
    """

    producer: str
    names: tuple[str | None, ...]
    origin: Origin
    extras: tuple[tuple[str, str], ...] = ()

    def name(self, rows: Rows) -> Rows:
        """The rows of the operator under the names they have here."""
        chosen = [
            (name, column) for name, column in zip(self.names, rows.columns, strict=True) if name
        ]
        return Rows(
            tuple([name for name, _ in chosen]),
            tuple([column for _, column in chosen]),
            rows.ts,
            rows.te,
            {new: rows.extra[old] for old, new in self.extras},
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Producer:
    """What has rows: an input or an operator.

    `id` is made of its meaning: the same for the same operator on the same operands, whatever its
    variables are called. `variables` are its columns, `extras` those of its values that only
    conditions look at, `types` those of all variables inside it.
    """

    id: str
    kind: Kind
    variables: Names
    types: Mapping[str, ValueType]
    origin: Origin
    extras: Names = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Source(Producer):
    """An input, as far as it is used; `uses` are those of its arguments in their order.

    What is `derived` was found by an earlier stage.
    """

    signature: Signature
    uses: tuple[Use, ...]
    scan: Scan
    is_derived: bool = False


def make_source(
    signature: Signature, uses: tuple[Use, ...], scan: Scan, *, is_derived: bool = False
) -> Source:
    named = list(zip(signature.arguments, uses, strict=True))
    return Source(
        id=make_id("input", signature.name, signature.kind, signature.types),
        kind=signature.kind or "event",
        variables=tuple([name for name, use in named if use == "joined"]),
        extras=tuple([name for name, use in named if use == "compared"]),
        types=dict(zip(signature.arguments, signature.types, strict=True)),
        origin=Origin(signature.name, "input"),
        signature=signature,
        uses=uses,
        scan=scan,
        is_derived=is_derived,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Operator(Producer, ABC):
    #: What it is called where people read about it.
    word: ClassVar[str]
    operands: tuple[Operand, ...] = ()

    @abstractmethod
    def compute(self, work: "Work", given: Sequence[Rows]) -> Rows:
        """What it is true on; `given` are rows of the operands under their names here."""

    @abstractmethod
    def bound(self, lates: Sequence[int]) -> Bounds:
        """What it remembers and how late it may change, if its operands may change so late."""

    @abstractmethod
    def get_node(self) -> "type[Node[Any]]":
        """What remembers it between queries."""


@dataclass(frozen=True, slots=True)
class Phenomenon:
    """An input or a definition: its operator, and of each argument the column that has it.

    None: nobody looks at that argument.
    """

    id: str
    arguments: tuple[str | None, ...]
    kind: Kind


@dataclass(frozen=True, slots=True)
class Graph:
    """A program: its inputs by name, its operators by id, operands before what uses them.

    `written` are the same operators as often as they are written, each with the names and the
    origin it has there; those with one origin are one formula. `phenomena` are inputs and
    definitions in their order. `constants` are texts, which are compared by their codes, and
    labels, which are reported: both need a code.
    """

    sources: Mapping[str, Source]
    operators: Mapping[str, Operator]
    written: tuple[Operator, ...]
    phenomena: Mapping[str, Phenomenon]
    definitions: Mapping[str, Signature]
    facts: tuple[Signature, ...]
    constants: Mapping[ValueType, tuple[Scalar, ...]]
