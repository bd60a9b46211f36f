"""What is read of an input: the columns that are used, the rows that can matter."""

from typing import Literal, TypeAlias

from phenesthe.frozen import dataclass
from phenesthe.vocabulary import ComparisonOperator, Scalar

#: A column nobody mentions is not read. One that is only compared stays as it is; one that is
#: joined on or reported gets codes.
Use: TypeAlias = Literal["unused", "compared", "joined"]


@dataclass(frozen=True, slots=True)
class Test:
    """`column operator value`."""

    column: str
    operator: ComparisonOperator
    value: Scalar


@dataclass(frozen=True, slots=True)
class Scan:
    """A row is needed if it passes all tests of some alternative; without alternatives, always."""

    name: str
    columns: tuple[tuple[str, Use], ...]
    alternatives: tuple[tuple[Test, ...], ...]
