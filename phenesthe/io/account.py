"""What was found of each input and fact: counted while it is read, judged before it is used."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from phenesthe.check.program import Signature


@dataclass(slots=True)
class Account:
    """Every engine fills it in the same way, so that all say the same of the same places."""

    #: By name, the rows that fit, before any takes another back.
    fitted: Counter[str] = field(default_factory=Counter)
    #: The names of which there is a table or a line, whether its rows fit or not.
    there: set[str] = field(default_factory=set)
    #: By name, the folders in which there is no table of it.
    missing: dict[str, list[str]] = field(default_factory=dict)
    #: Files of lines with everything, and whether only facts are taken from them.
    lines: list[tuple[str, bool]] = field(default_factory=list)
    #: Tables of no declared name: the folder, and the name of the file.
    strangers: list[tuple[str, str]] = field(default_factory=list)
    #: Whether times were given as dates.
    dated: bool = False

    def find_absent(self, signatures: Iterable[Signature]) -> Iterator[tuple[Signature, str]]:
        """Those of which there is nothing, and where it was looked for, in words."""
        for one in signatures:
            if one.name in self.there:
                continue
            places = [f"in `{folder}`" for folder in self.missing.get(one.name, ())]
            places += [
                f"among the lines of `{file}`"
                for file, only_facts in self.lines
                if one.kind is None or not only_facts
            ]
            yield one, " or ".join(places)
