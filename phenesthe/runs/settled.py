"""Results that cannot change any more, kept from run to run."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

    from phenesthe.memory import Advance
    from phenesthe.memory.results import Meaning


class Settled:
    """Results that cannot change any more: those of this run, and those of earlier ones."""

    def __init__(
        self,
        meanings: "Mapping[str, Meaning]",
        earlier: "Mapping[str, pa.Table]",
        *,
        is_all: bool = False,
    ) -> None:
        """`earlier` by what the definitions mean, as the store has it."""
        from phenesthe.io.pile import Pile

        self.earlier = earlier
        #: Whether `earlier` is not what the state has, and so must be kept with the rest.
        self.is_all = is_all
        self._meanings = meanings
        self._piles = {name: Pile() for name in meanings}

    def add(self, advance: "Advance") -> None:
        for name, table in advance.settled.items():
            self._piles[name].add(table)

    def list_all(self, name: str) -> "list[pa.Table]":
        meaning = self._meanings[name]
        earlier = self.earlier.get(meaning.id)
        return [
            *(() if earlier is None else (meaning.take_up(earlier),)),
            *self._piles[name].tables,
        ]

    def join_kept(self) -> "dict[str, pa.Table]":
        """Those that the state does not have, as it keeps them: once for all of one meaning."""
        import pyarrow as pa

        found = {}
        for name, meaning in self._meanings.items():
            tables = self.list_all(name) if self.is_all else self._piles[name].tables
            if tables and meaning.id not in found:
                found[meaning.id] = meaning.lay_down(pa.concat_tables(tables))
        return found
