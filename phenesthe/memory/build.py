"""From the formulas of a program to the nodes that remember."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from phenesthe.check.program import (
    Checked,
    CheckedDefinition,
    CheckedExclusive,
    CheckedProgram,
    Signature,
)
from phenesthe.memory.build_relations import relate
from phenesthe.memory.deltas import DerivedInput
from phenesthe.memory.graph import Graph, Phenomenon, Use
from phenesthe.memory.inputs import EventInput, Input, IntervalInput
from phenesthe.memory.leaves import list_leaves
from phenesthe.memory.node import Edge, Node
from phenesthe.memory.pointwise import (
    Filter,
    Instant,
    LastingNode,
    Leaves,
    Place,
    Projection,
    Select,
)
from phenesthe.memory.ranges import Operand, Ranges
from phenesthe.memory.recall import Recall
from phenesthe.memory.repeats import RepeatNode
from phenesthe.memory.sequences import Before
from phenesthe.memory.sets import Coalesce, Intersect, Subtract
from phenesthe.memory.whole import Whole
from phenesthe.plan.columns import find_column_uses
from phenesthe.plan.scans import find_scans
from phenesthe.stage.evaluate import Partition
from phenesthe.stage.rows import Keys
from phenesthe.syntax.printer import print_formula
from phenesthe.syntax.tree import (
    Atom,
    Complement,
    Exists,
    Formula,
    Intersection,
    Lasting,
    MaximalRange,
    Relation,
    Repeat,
    Then,
    Union,
    Variable,
    Where,
    Wildcard,
)  # fmt: skip


def build(program: CheckedProgram, partition: Partition, derived: Collection[str]) -> Graph:
    uses = find_column_uses(program)
    scans = {scan.name: scan for scan in find_scans(program)}
    inputs: dict[str, Input] = {}
    for one in program.inputs:
        keys = Keys(partition.domains, dict(zip(one.arguments, one.types, strict=True)))
        if one.name in derived:
            inputs[one.name] = DerivedInput(one, partition.domains, keys=keys)
        elif one.kind == "event":
            inputs[one.name] = EventInput(
                one, uses.by_name[one.name], scans[one.name],
                domains=partition.domains, keys=keys,
            )  # fmt: skip
        else:
            inputs[one.name] = IntervalInput(one, domains=partition.domains, keys=keys)
    graph = Graph(
        inputs,
        [],
        {one.name: Phenomenon(inputs[one.name], one.arguments) for one in program.inputs},
        [],
    )
    kinds = {one.name: one.kind or "" for one in _list_signatures(program)}
    for definition in program.definitions:
        builder = Builder(graph, partition, definition, kinds)
        graph.recalls.append(builder.ev)
        graph.phenomena[definition.signature.name] = builder.define(definition)
    return graph


def _list_signatures(program: CheckedProgram) -> Iterable[Signature]:
    yield from program.inputs
    yield from (definition.signature for definition in program.definitions)


class Builder:
    """The nodes of one definition."""

    def __init__(
        self, graph: Graph, partition: Partition, definition: Checked, kinds: Mapping[str, str]
    ) -> None:
        self.graph, self.owner = graph, definition.signature.name
        self.ev = Recall(partition, definition, kinds)
        self.kinds = kinds
        self.known: dict[str, Use] = {}

    def define(self, definition: Checked) -> Phenomenon:
        if isinstance(definition, CheckedExclusive):
            node = self._exclusive(definition)
            return Phenomenon(node, definition.signature.arguments)
        assert isinstance(definition, CheckedDefinition)
        use = self.use(definition.body)
        columns = dict(zip(use.names, use.node.variables, strict=True))
        return Phenomenon(
            use.node, tuple([columns[name] for name in definition.signature.arguments])
        )

    # Nodes

    def use(self, formula: Formula) -> Use:
        """The node of a formula that is not dense; the same text is the same node."""
        if isinstance(formula, Atom):
            return self._atom(formula)
        text = print_formula(formula)
        if text not in self.known:
            node = self._make(formula)
            extras = tuple([(name, name) for name in node.extras])
            self.known[text] = Use(node, node.variables, extras)
        return self.known[text]

    def add(self, node: Node) -> Node:
        self.graph.nodes.append(node)
        return node

    def edge(self, formula: Formula) -> Edge:
        return self.use(formula).connect()

    def given(self, formula: Formula, kind: str, label: str | None = None) -> dict[str, Any]:
        """What every node of a formula is made with."""
        return {
            "owner": self.owner,
            "label": label or print_formula(formula),
            "ev": self.ev,
            "keys": self.ev.keys,
            "kind": kind,
            "variables": self.ev.order(formula),
        }

    def _make(self, formula: Formula) -> Node:
        kind = self.ev.find_kind(formula)
        given = self.given(formula, kind)
        match formula:
            case MaximalRange():
                return self._range(formula, given)
            case Repeat():
                return self.add(RepeatNode(formula, self.edge(formula.event), **given))
            case Union():
                return self.add(Coalesce(edges=[self.edge(p) for p in formula.operands], **given))
            case Intersection():
                return self.add(Intersect(edges=[self.edge(p) for p in formula.operands], **given))
            case Complement():
                sides = [self.edge(formula.left), self.edge(formula.right)]
                return self.add(Subtract(edges=sides, **given))
            case Lasting():
                return self.add(LastingNode(formula, self.edge(formula.operand), **given))
            case Then():
                return self._then(formula, given)
            case Relation():
                return relate(self, formula, given)
            case Where() if kind != "event":
                return self.add(Filter(formula, self.edge(formula.operand), **given))
            case Exists() if kind == "state":
                return self.add(Coalesce(edges=[self.edge(formula.operand)], **given))
            case Exists() if kind == "dynamic":
                return self.add(Projection(edges=[self.edge(formula.operand)], **given))
            case _:
                extras = self._find_extras(formula)
                given["variables"] = tuple([n for n in given["variables"] if n not in extras])
                return self.add(Instant(formula, self.leaves(formula), extras=extras, **given))

    def _find_extras(self, formula: Formula) -> list[str]:
        """Values that only conditions look at, and that leave the formula: a repetition's own."""
        found: dict[str, None] = {}
        free = self.ev.free(formula)
        for atom in list_leaves(self.ev.conditions.is_condition, formula)[0]:
            source = self.graph.phenomena[atom.name.text]
            for argument, column in zip(atom.arguments, source.arguments, strict=True):
                if (
                    isinstance(argument, Variable)
                    and column in source.node.extras
                    and argument.name in free
                ):
                    found[argument.name] = None
        return list(found)

    # Atoms

    def _atom(self, atom: Atom) -> Use:
        source = self.graph.phenomena[atom.name.text]
        variables = [one.name for one in atom.arguments if isinstance(one, Variable)]
        if len(set(variables)) == len(atom.arguments):
            return Use(source.node, *self._name_columns(atom))
        text = print_formula(atom)
        if text not in self.known:
            self.known[text] = self._select(atom)
        return self.known[text]

    def _select(self, atom: Atom) -> Use:
        kind = self.kinds[atom.name.text]
        given = self.given(atom, kind)
        place = self._place(atom)
        extras = self._find_extras(atom)
        given["variables"] = tuple([n for n in given["variables"] if n not in extras])
        is_union = kind == "state" and any(isinstance(one, Wildcard) for one in atom.arguments)
        if is_union:
            # Before they are put together the intervals of a binding may overlap.
            given["kind"] = "dynamic"
        node = self.add(Select(place, extras=extras, **given))
        if is_union:
            use = Use(node, node.variables)
            node = self.add(Coalesce(edges=[use.connect()], **{**given, "kind": "state"}))
        return Use(node, node.variables, tuple([(name, name) for name in extras]))

    def _name_columns(
        self, atom: Atom
    ) -> tuple[tuple[str | None, ...], tuple[tuple[str, str], ...]]:
        """The names of a phenomenon's columns in an atom: those joined on, those compared."""
        source = self.graph.phenomena[atom.name.text]
        named = {
            column: argument.name
            for column, argument in zip(source.arguments, atom.arguments, strict=True)
            if isinstance(argument, Variable)
        }
        names = tuple([named.get(column) for column in source.node.variables])
        extras = tuple([(name, named[name]) for name in source.node.extras if name in named])
        return names, extras

    def _place(self, atom: Atom) -> Place:
        source = self.graph.phenomena[atom.name.text]
        names, extras = self._name_columns(atom)
        return Place(atom, Edge(source.node, names, extras), source.arguments)

    # Formulas over instants

    def leaves(self, formula: Formula) -> Leaves:
        atoms, states = list_leaves(self.ev.conditions.is_condition, formula)
        return Leaves(
            [self._place(atom) for atom in atoms], [(state, self.edge(state)) for state in states]
        )

    def operand(self, formula: Formula) -> Operand:
        if self.ev.is_dense(formula):
            return Operand(formula, None, self.leaves(formula))
        return Operand(formula, self.edge(formula), None)

    # States

    def _range(self, formula: MaximalRange, given: dict[str, Any]) -> Node:
        return self.add(
            Ranges(
                [self.operand(formula.start)],
                [self.operand(formula.stop)],
                [None if formula.expires is None else self.ev.duration(formula.expires)],
                None,
                formula,
                **given,
            )
        )

    def _exclusive(self, definition: CheckedExclusive) -> Node:
        bodies = [branch.body for branch in definition.branches]
        return self.add(
            Ranges(
                [self.operand(body.start) for body in bodies],
                [self.operand(body.stop) for body in bodies],
                [None if b.expires is None else self.ev.duration(b.expires) for b in bodies],
                definition.branches,
                None,
                owner=self.owner,
                label="exclusive state",
                ev=self.ev,
                keys=self.ev.keys,
                kind="state",
                variables=definition.signature.arguments,
            )
        )

    def _then(self, formula: Then, given: dict[str, Any]) -> Node:
        if self.ev.is_dense(formula.left) or self.ev.is_dense(formula.right):
            return self.whole(formula, formula.left, formula.right, given)
        sides = (self.edge(formula.left), self.edge(formula.right))
        pairs = self.add(Before(*sides, None, **{**given, "kind": "dynamic"}))
        return self.add(Coalesce(edges=[Edge(pairs, pairs.variables)], **given))

    def whole(self, formula: Formula, left: Formula, right: Formula, given: dict[str, Any]) -> Node:
        return self.add(Whole(formula, [self.operand(left), self.operand(right)], **given))
