"""One formula evaluated on some of the rows of its operands."""

from collections.abc import Mapping

from phenesthe.check.program import Checked
from phenesthe.stage.dense import list_dense
from phenesthe.stage.evaluate import Base, Evaluation, Partition
from phenesthe.stage.rows import Dense, Names, Rows
from phenesthe.syntax.tree import Formula


class Recall(Evaluation):
    """The evaluation of a definition's formulas one by one, whose operands are given."""

    def __init__(self, partition: Partition, definition: Checked, kinds: Mapping[str, str]) -> None:
        super().__init__(partition, definition)
        self.kinds = kinds
        self._given: dict[int, Rows | Dense] = {}
        self._orders: dict[tuple[int, frozenset[str]], Names] = {}

    def prepare(self, given: Mapping[int, Rows | Dense], bases: Mapping[str, Base]) -> None:
        """What the next evaluations find: formulas by their identity, phenomena by their name."""
        self.q, self.first = self.partition.q, self.partition.first
        self._given = dict(given)
        self.partition.bases = dict(bases)

    def give(self, node: Formula, rows: Rows | Dense) -> None:
        self._given[id(node)] = rows

    def formula(self, node: Formula) -> Rows | Dense:
        found = self._given.get(id(node))
        if found is None:
            found = self._evaluate(node)
            if isinstance(found, Dense) and not self.is_dense(node):
                found = list_dense(found)
            self._given[id(node)] = found
        return found

    def ordered(self, node: Formula, names: frozenset[str] | set[str]) -> Names:
        key = (id(node), frozenset(names))
        if key not in self._orders:
            self._orders[key] = super().ordered(node, names)
        return self._orders[key]

    def kind_of(self, name: str) -> str:
        return self.kinds[name]
