"""Where and how something was written, for all that is told to people about it."""

from collections.abc import Mapping
from dataclasses import field

from phenesthe.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Written:
    """`place` is a span of the front end; nothing here looks into it."""

    text: str
    place: object = None


@dataclass(frozen=True, slots=True)
class Origin:
    """A formula: in which definition it is written, how, and where there.

    `word` is that of its operator, as written: an inverse is lowered to its opposite, and `then`
    to several operators. `mode` is what is written after `as`, `durations` what is written after
    `within` and the like.
    """

    definition: str
    #: Becomes a text when somebody asks: most are never read.
    formula: object = field(compare=False)
    place: object = None
    word: str = ""
    mode: str | None = None
    durations: Mapping[str, Written] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return str(self.formula)
