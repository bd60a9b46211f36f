"""An operator: what a formula means, once its names, types and durations are settled.

Here is what can be known before a run, and without NumPy: what `check`, `compile` and editors need.
How each is computed and remembered is in the file of the same name in `operators`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from phenesthe.check.program import Signature
from phenesthe.frozen import dataclass
from phenesthe.graph.formulas import Meaning
from phenesthe.graph.identity import make_id
from phenesthe.graph.lengths import Length, name_varying
from phenesthe.graph.origin import Origin
from phenesthe.graph.remembering import Bounds
from phenesthe.graph.scan import Scan, Use
from phenesthe.vocabulary import Kind, Names, ValueType


@dataclass(frozen=True, slots=True)
class Operand:
    """An input or another operator, by its id, as the one that uses it sees it.

    `names` are those of its columns there; None: a column not used. `extras` are the values that
    only conditions look at, each with its name there. `origin` is how it is written there, and
    `meaning` what that means: which columns there are depends on what else is asked of an input.
    """

    producer: str
    names: tuple[str | None, ...]
    extras: tuple[tuple[str, str], ...]
    meaning: Meaning
    origin: Origin


def knows(operand: Operand, *lengths: Length | None) -> bool:
    """Whether each row of it has the lengths, as far as they vary."""
    return set(name_varying(*lengths)) <= set(operand.names)


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

    @property
    def contexts(self) -> Mapping[int, Names]:
        """The operands of which only the bindings of some variables are looked at, by number."""
        return {}

    @property
    def is_whole(self) -> bool:
        """Whether it is computed of all rows at every query, and nothing is ever done with."""
        return False

    @abstractmethod
    def bound(self, lates: Sequence[int]) -> Bounds:
        """What it remembers and how late it may change, if its operands may change so late."""


@dataclass(frozen=True, slots=True)
class Phenomenon:
    """An input or a definition: its operator, and of each argument the column that has it.

    None: nobody looks at that argument.
    """

    id: str
    arguments: tuple[str | None, ...]
    kind: Kind
