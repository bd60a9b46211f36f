"""What every node of the tree has: a place in the text that plays no part in equality."""

from dataclasses import field

from phenesthe.frozen import dataclass
from phenesthe.syntax.source import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Name(Node):
    """An identifier where it is written."""

    text: str
