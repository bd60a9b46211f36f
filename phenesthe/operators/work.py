"""What an operator has at hand while it computes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from phenesthe.graph.formulas import (
    And,
    Boundary,
    Comparison,
    Constant,
    Exists,
    Formula,
    In,
    Known,
    Leaf,
    Not,
    Occurring,
    Or,
)  # fmt: skip
from phenesthe.graph.operator import Operator
from phenesthe.kernels.arrays import Array, Mask
from phenesthe.kernels.space import NoSpace
from phenesthe.operators.conditions import Conditions
from phenesthe.operators.dense import evaluate_dense, list_dense, project_dense
from phenesthe.operators.domains import Domains
from phenesthe.operators.events import (
    evaluate_and,
    evaluate_boundary,
    evaluate_in,
    evaluate_or,
    project,
)  # fmt: skip
from phenesthe.operators.rows import Dense, Rows
from phenesthe.operators.table import Fact
from phenesthe.operators.too_many import TooManyRows
from phenesthe.vocabulary import Names


@dataclass(slots=True)
class World:
    """What all operators of a partition share: values, facts, and the timeline up to q."""

    domains: Domains
    facts: dict[str, Fact]
    first: int
    q: int
    #: From query to query: what lies at or before it cannot change, and the first instant at which
    #: the timeline may yet begin.
    frontier: int = 0
    earliest: int = 0
    #: What leaves and repeated formulas are true on: in a batch run that stays the same.
    selected: dict[str, tuple[Names, Rows]] | None = None
    #: What operators have found out about the rows of an operand, by its producer and columns.
    prepared: dict[str, dict[tuple[int, ...], object]] | None = None


#: Of an operator, its work, and rows of its operands under their names there.
Compute: TypeAlias = "Callable[[Any, Work, Sequence[Rows]], Rows]"


class Work:
    """One operator's computation on some rows of its operands."""

    def __init__(self, world: World, operator: Operator, compute: Compute) -> None:
        self.world, self.operator, self._compute = world, operator, compute
        self.conditions = Conditions(world, operator.types, self.rows)
        self.keys = self.conditions.keys
        self.q, self.first = world.q, world.first
        self._operands: Sequence[Rows] = ()
        self._found: dict[int, Rows | Dense] = {}

    def run(self, operands: Sequence[Rows], first: int | None = None) -> Rows:
        """What the operator is true on, given rows of its operands."""
        self.begin(operands, first)
        try:
            found = self._compute(self.operator, self, operands)
        except NoSpace as problem:
            raise TooManyRows(self.operator.origin, problem) from problem
        names = self.operator.variables
        if found.variables == names:
            return found
        columns = tuple([found.column(name) for name in names])
        return self.keys.sort(Rows(names, columns, found.ts, found.te, found.extra))

    def begin(self, operands: Sequence[Rows], first: int | None = None) -> None:
        """The timeline begins at `first`, or with the world's."""
        self.q = self.world.q
        self.first = self.world.first if first is None else first
        self._operands = operands
        self._found = {}

    def give(self, node: Formula, found: Rows | Dense) -> None:
        """Say what a formula is true on."""
        self._found[id(node)] = found

    def rows(self, node: Formula) -> Rows:
        """A formula that is not dense."""
        result = self.formula(node)
        assert isinstance(result, Rows), "dense where rows are needed"
        return result

    def formula(self, node: Formula) -> Rows | Dense:
        """What the formula is true on, evaluated once."""
        found = self._found.get(id(node))
        if found is None:
            found = self._recall(node)
            if found is None:
                found = self._evaluate(node)
                if isinstance(found, Dense) and not node.scope.is_dense:
                    found = list_dense(found)
                self._remember(node, found)
            self._found[id(node)] = found
        return found

    def _recall(self, node: Formula) -> Rows | None:
        """What the same formula was true on elsewhere, under the names it has here."""
        known, scope = self.world.selected, node.scope
        if known is None or scope.repeated is None or scope.repeated not in known:
            return None
        names, found = known[scope.repeated]
        new = dict(zip(names, scope.free, strict=True))
        extra = {new[name]: values for name, values in found.extra.items()}
        variables = tuple([new[name] for name in found.variables])
        return Rows(variables, found.columns, found.ts, found.te, extra)

    def _remember(self, node: Formula, found: Rows | Dense) -> None:
        known, scope = self.world.selected, node.scope
        if known is not None and scope.repeated is not None and isinstance(found, Rows):
            known[scope.repeated] = (scope.free, found)

    def _evaluate(self, node: Formula) -> Rows | Dense:
        match node:
            case Leaf():
                return self._select(node)
            case And():
                return evaluate_and(self, node)
            case Or():
                return evaluate_or(self, node)
            case Not():
                return evaluate_dense(self, node)
            case In():
                return evaluate_in(self, node)
            case Boundary():
                return evaluate_boundary(self, node)
            case Exists():
                result = self.formula(node.operand)
                if isinstance(result, Dense):
                    return project_dense(self, result, node.scope.free)
                return project(self, result, node.scope.free)
            case Known() | Occurring() | Comparison():
                raise AssertionError("a condition has no time")

    def _select(self, leaf: Leaf) -> Rows:
        """The rows of an operand that pass its tests, without what is not asked for."""
        rows = self._operands[leaf.operand]
        if leaf.is_whole:
            return rows
        known = self.world.selected
        if known is not None and leaf.id in known:
            _, found = known[leaf.id]
            extra = dict(zip(rows.extra, found.extra.values(), strict=True))
            return Rows(leaf.names, found.columns, found.ts, found.te, extra)
        keep: Mask | None = None
        for name, wanted in leaf.tests:
            column = rows.column(name)
            passing: Mask = column == self._find_wanted(rows, wanted)
            keep = passing if keep is None else keep & passing
        if keep is not None:
            rows = rows.take(keep)
        columns = tuple([rows.column(name) for name in leaf.names])
        found = self.keys.sort(Rows(leaf.names, columns, rows.ts, rows.te, rows.extra))
        if known is not None:
            known[leaf.id] = (leaf.names, found)
        return found

    def _find_wanted(self, rows: Rows, wanted: Constant | str) -> Array | int:
        """The column that another must be equal to, or the code; -1 fits no row."""
        if isinstance(wanted, str):
            return rows.column(wanted)
        return self.world.domains[wanted.type].code(wanted.value)
