"""A whole program on one partition: definitions in their order, every sub-formula once."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

import numpy as np

from phenesthe.check.bound_negation import is_dense, is_guarded
from phenesthe.check.check_parameters import ticks
from phenesthe.check.program import Checked, CheckedDefinition, CheckedProgram, ValueType
from phenesthe.kernels.arrays import Array, Intervals
from phenesthe.kernels.states import coalesce
from phenesthe.plan.canonical import canonical, variable_order
from phenesthe.plan.columns import bodies_of
from phenesthe.stage.conditions import Conditions, Fact
from phenesthe.stage.dense import evaluate_dense, list_dense, project_dense
from phenesthe.stage.domains import Domains, Scalar
from phenesthe.stage.dynamics import evaluate_relation
from phenesthe.stage.events import (
    evaluate_and,
    evaluate_boundary,
    evaluate_in,
    evaluate_or,
    project,
)  # fmt: skip
from phenesthe.stage.rows import Dense, Names, Numbers, Rows, from_intervals
from phenesthe.stage.states import (
    evaluate_complement,
    evaluate_exclusive,
    evaluate_intersection,
    evaluate_lasting,
    evaluate_mode,
    evaluate_range,
    evaluate_repeat,
    evaluate_then,
    evaluate_union,
    evaluate_where,
    merge,
)  # fmt: skip
from phenesthe.syntax.tree import (
    And,
    Atom,
    Comparison,
    Complement,
    Duration,
    DurationLiteral,
    End,
    Exists,
    Formula,
    In,
    Intersection,
    IntLiteral,
    Lasting,
    MaximalRange,
    Not,
    Or,
    ParameterRef,
    Relation,
    Repeat,
    Start,
    Then,
    Union,
    Variable,
    Where,
    Wildcard,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression, walk

#: Told the name and the number of each definition, and how many there are.
Watcher = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class Base:
    """An input or a finished definition: a column per argument, sorted by them, then time.

    `codes` has None where an argument is not joined on, `extra` where it is not compared either.
    """

    kind: str
    codes: tuple[Array | None, ...]
    extra: tuple[Numbers | None, ...]
    ts: Array
    te: Array


@dataclass(slots=True)
class Partition:
    """What the definitions of a partition are evaluated on, and what is already known of them."""

    program: CheckedProgram
    domains: Domains
    facts: Mapping[str, Fact]
    first: int
    q: int
    bases: dict[str, Base]
    cache: dict[Hashable, Rows | Dense] = field(default_factory=dict)
    signatures: dict[str, tuple[ValueType, ...]] = field(init=False)
    parameters: dict[str, Scalar] = field(init=False)

    def __post_init__(self) -> None:
        program = self.program
        self.signatures = {one.name: one.types for one in (*program.inputs, *program.facts)}
        self.signatures |= {one.signature.name: one.signature.types for one in program.definitions}
        self.parameters = {one.name: one.value for one in program.parameters}

    def evaluate(self, on_definition: Watcher) -> None:
        """Add every definition to the bases."""
        definitions = self.program.definitions
        for at, definition in enumerate(definitions, 1):
            name = definition.signature.name
            on_definition(name, at, len(definitions))
            self.bases[name] = Evaluation(self, definition).run(definition)


class Evaluation:
    """The evaluation of one definition."""

    def __init__(self, partition: Partition, definition: Checked) -> None:
        self.partition = partition
        self.q = partition.q
        self.first = partition.first
        signatures, self.parameters = partition.signatures, partition.parameters
        types: dict[str, ValueType] = dict(
            zip(definition.signature.arguments, definition.signature.types, strict=True)
        )
        durations: dict[DurationLiteral, int] = {}
        for body in bodies_of(definition):
            for node in walk(body):
                if isinstance(node, Atom):
                    for argument, found in zip(
                        node.arguments, signatures[node.name.text], strict=True
                    ):
                        if isinstance(argument, Variable):
                            types[argument.name] = found
                elif isinstance(node, DurationLiteral):
                    durations[node] = int(ticks(node, partition.program.unit))
        self.conditions = Conditions(
            partition.domains, types, self.parameters, partition.facts, durations, signatures
        )
        self.keys = self.conditions.keys
        self.scopes = self.conditions.scopes

    # What formulas ask about each other

    def free(self, node: Expression) -> frozenset[str]:
        return self.scopes.free(node)

    def bound(self, node: Formula) -> frozenset[str]:
        return self.scopes.bound(node)

    def is_self_sufficient(self, node: Formula) -> bool:
        """Its own parts give all its variables a value: it can be evaluated by itself."""
        return self.free(node) <= self.bound(node)

    def is_dense(self, node: Formula) -> bool:
        return is_dense(node, self.scopes)

    def is_guarded(self, node: Formula) -> bool:
        return is_guarded(node, self.scopes)

    def order(self, node: Formula) -> Names:
        """The free variables by first occurrence: the order of the columns of its rows."""
        return self.ordered(node, self.free(node))

    def ordered(self, node: Formula, names: frozenset[str] | set[str]) -> Names:
        return tuple([name for name in variable_order(node) if name in names])

    def duration(self, node: Duration) -> int:
        match node:
            case IntLiteral():
                return node.value
            case DurationLiteral():
                return int(ticks(node, self.partition.program.unit))
            case ParameterRef():
                return int(self.parameters[node.name])
            case _:
                raise AssertionError("a checked duration is no word")

    # Evaluating

    def run(self, definition: Checked) -> Base:
        signature = definition.signature
        if isinstance(definition, CheckedDefinition):
            rows = self.rows(definition.body)
            columns = tuple([rows.column(name) for name in signature.arguments])
            rows = self.keys.sort(Rows(signature.arguments, columns, rows.ts, rows.te))
            return self._base(signature.kind or "", rows)
        names = signature.arguments[:-1]
        parts = evaluate_exclusive(self, definition.branches, names)
        domain = self.partition.domains[signature.types[-1]]
        labels = [
            np.full(len(part), domain.code(self.conditions.constant(branch.label)), dtype=np.int64)
            for part, branch in zip(parts, definition.branches, strict=True)
        ]
        columns = tuple([np.concatenate([part.column(name) for part in parts]) for name in names])
        value = signature.arguments[-1]
        ts = np.concatenate([part.ts for part in parts])
        te = np.concatenate([part.te for part in parts])
        rows = Rows((*names, value), (*columns, np.concatenate(labels)), ts, te)
        return self._base("state", self.keys.sort(rows))

    def _base(self, kind: str, rows: Rows) -> Base:
        return Base(kind, rows.columns, (None,) * len(rows.columns), rows.ts, rows.te)

    def rows(self, node: Formula) -> Rows:
        """A formula that is not dense."""
        result = self.formula(node)
        assert isinstance(result, Rows), "dense where rows are needed"
        return result

    def formula(self, node: Formula) -> Rows | Dense:
        """What the formula is true on, evaluated once however often and however named."""
        key = canonical(node)
        names = variable_order(node)
        cached = self.partition.cache.get(key)
        if cached is None:
            result = self._evaluate(node)
            if isinstance(result, Dense) and not self.is_dense(node):
                result = list_dense(result)
            numbered = {name: str(at) for at, name in enumerate(names)}
            self.partition.cache[key] = _rename(result, numbered)
            return result
        return _rename(cached, {str(at): name for at, name in enumerate(names)})

    def _evaluate(self, node: Formula) -> Rows | Dense:
        match node:
            case Atom():
                return self._atom(node)
            case And():
                return evaluate_and(self, node)
            case Or():
                return evaluate_or(self, node)
            case Not():
                return evaluate_dense(self, node)
            case In():
                return evaluate_in(self, node)
            case Start() | End():
                return evaluate_boundary(self, node)
            case MaximalRange():
                return evaluate_range(self, node)
            case Repeat():
                return evaluate_repeat(self, node)
            case Union():
                return evaluate_union(self, node)
            case Intersection():
                return evaluate_intersection(self, node)
            case Complement():
                return evaluate_complement(self, node)
            case Lasting():
                return evaluate_lasting(self, node)
            case Then():
                return evaluate_then(self, node)
            case Relation():
                return (
                    evaluate_relation(self, node)
                    if node.mode is None
                    else evaluate_mode(self, node)
                )
            case Where():
                if self._is_event(node.operand):
                    return evaluate_and(self, node)
                return evaluate_where(self, node)
            case Exists():
                return self._exists(node)
            case Comparison():
                raise AssertionError("a condition has no time")

    def _exists(self, node: Exists) -> Rows | Dense:
        result = self.formula(node.operand)
        names = self.order(node)
        if isinstance(result, Dense):
            return project_dense(self, result, names)
        if result.te is result.ts or self._is_dynamic(node.operand):
            return project(self, result, names)
        return merge(self, result, names)

    def find_kind(self, node: Formula) -> str:
        match node:
            case Atom():
                return self.kind_of(node.name.text)
            case Relation():
                return "dynamic" if node.mode is None else "state"
            case Where() | Lasting() | Exists():
                return self.find_kind(node.operand)
            case And() | Or() | Not() | In() | Start() | End():
                return "event"
            case _:
                return "state"

    def kind_of(self, name: str) -> str:
        return self.partition.bases[name].kind

    def _is_event(self, node: Formula) -> bool:
        return self.find_kind(node) == "event"

    def _is_dynamic(self, node: Formula) -> bool:
        return self.find_kind(node) == "dynamic"

    def _atom(self, atom: Atom) -> Rows:
        base = self.partition.bases[atom.name.text]
        keep, found = self._fit(atom, base)
        extra = {
            argument.name: values[keep] if keep is not None else values
            for argument, values in zip(atom.arguments, base.extra, strict=True)
            if isinstance(argument, Variable) and values is not None
        }
        names = tuple([name for name in self.order(atom) if name in found])
        columns = tuple([found[name] if keep is None else found[name][keep] for name in names])
        ts = base.ts if keep is None else base.ts[keep]
        if base.kind == "event":
            return self.keys.sort(Rows(names, columns, ts, ts, extra))
        te = base.te if keep is None else base.te[keep]
        rows = Rows(names, columns, ts, te)
        is_projection = any(isinstance(argument, Wildcard) for argument in atom.arguments)
        if base.kind == "state" and is_projection:
            bindings, key = self.keys.bind(names, rows)
            return from_intervals(bindings, coalesce(Intervals(key, ts, te)))
        return self.keys.sort(rows)

    def _fit(self, atom: Atom, base: Base) -> tuple[Array | None, dict[str, Array]]:
        """Row numbers that fit, or None for all; and the columns by variable."""
        mask, found = self.conditions.fit(atom, base.codes, len(base.ts))
        return (None if mask.all() else np.flatnonzero(mask)), found


def _rename(result: Rows | Dense, names: Mapping[str, str]) -> Rows | Dense:
    if isinstance(result, Dense):
        bindings = result.bindings
        renamed = type(bindings)(
            tuple([names[name] for name in bindings.variables]), bindings.columns, bindings.count
        )
        return Dense(renamed, result.event)
    return Rows(
        tuple([names[name] for name in result.variables]),
        result.columns,
        result.ts,
        result.te,
        {names[name]: values for name, values in result.extra.items()},
    )
