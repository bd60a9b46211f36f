"""From a checked program to its operators: once, for all engines.

Names become operands, durations become ticks, parameters become constants. What means the same is
one operator, however often it is written and whatever its variables are called there.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, assert_never

from phenesthe.check.check_parameters import ticks
from phenesthe.check.program import (
    Checked,
    CheckedDefinition,
    CheckedExclusive,
    CheckedMachine,
    CheckedProgram,
)
from phenesthe.graph.extended import EVERY_VALUE
from phenesthe.graph.formulas import Meaning
from phenesthe.graph.identity import find_id
from phenesthe.graph.lengths import Length, Varying
from phenesthe.graph.operator import Operand, Phenomenon, make_source
from phenesthe.graph.origin import Origin
from phenesthe.graph.program import Graph
from phenesthe.plan.alternatives import complete_alternatives
from phenesthe.plan.canonical import variable_order
from phenesthe.plan.columns import bodies_of, find_column_uses
from phenesthe.plan.lower_events import Events, is_event
from phenesthe.plan.lower_filters import lower_filter, lower_lasting, lower_let
from phenesthe.plan.lower_machines import lower_machine
from phenesthe.plan.lower_relations import lower_relation, lower_then
from phenesthe.plan.lower_states import (
    lower_calendar,
    lower_counting,
    lower_exclusive,
    lower_range,
    lower_repeat,
    lower_sets,
)
from phenesthe.plan.lowering import Lowering
from phenesthe.plan.origins import find_origin
from phenesthe.plan.scans import find_scans
from phenesthe.plan.value_types import list_computed
from phenesthe.plan.varying import rests_on_fact
from phenesthe.plan.written_constants import list_written_constants
from phenesthe.syntax import tree
from phenesthe.syntax.tree.walk import walk
from phenesthe.vocabulary import Kind, Names, ValueType

if TYPE_CHECKING:
    from phenesthe.graph.every import AnyOperator

Made = TypeVar("Made", bound="AnyOperator")


def lower(
    program: CheckedProgram, derived: Collection[str] = (), *, remembers: bool = False
) -> Graph:
    """`derived` are inputs that an earlier stage found.

    Who remembers them is told of each row that comes and goes, and so needs all of it.
    """
    found = find_column_uses(program)
    uses, scans = found.by_name, {scan.name: scan for scan in find_scans(program, found)}
    completed = complete_alternatives(program)
    program = completed.program
    lowering = Lowering(program, completed.trees)
    for one in program.inputs:
        is_derived = one.name in derived
        used = uses[one.name]
        if is_derived and remembers:
            used = tuple(["joined" for _ in used])
        lowering.add_source(make_source(one, used, scans[one.name], is_derived=is_derived))
    for definition in program.definitions:
        name = definition.signature.name
        lowering.phenomena[name] = Lowered(lowering, definition).lower(definition)
    return Graph(
        {one.signature.name: one for one in lowering.sources.values()},
        lowering.operators,
        tuple(lowering.written),
        lowering.phenomena,
        program.defined,
        program.facts,
        list_written_constants(program),
    )


class Lowered:
    """The operators of one definition."""

    def __init__(self, program: Lowering, definition: Checked) -> None:
        self.program, self.scopes = program, program.scopes
        self.name = definition.signature.name
        self.types = self._find_types(definition)
        self._orders: dict[int, Names] = {}
        #: Of each formula, by the identity of its node: what is told about it is told once.
        self._origins: dict[int, Origin] = {}

    def _find_types(self, definition: Checked) -> dict[str, ValueType]:
        signature = definition.signature
        found: dict[str, ValueType] = dict(zip(signature.arguments, signature.types, strict=True))
        for body in bodies_of(definition):
            for node in walk(body):
                if isinstance(node, tree.Atom) and node.name.text in self.program.signatures:
                    types = self.program.signatures[node.name.text].types
                    for argument, declared in zip(node.arguments, types, strict=True):
                        if isinstance(argument, tree.Variable):
                            found[argument.name] = declared
                elif isinstance(node, tree.Counting) and node.number is not None:
                    found[node.number.name] = "int"
        for body in bodies_of(definition):
            found = list_computed(body, found, self.program.parameter_types)
        return found

    def lower(self, definition: Checked) -> Phenomenon:
        arguments = definition.signature.arguments
        match definition:
            case CheckedDefinition(body=body):
                operand = self.use(body)
            case CheckedExclusive():
                operand = lower_exclusive(self, definition)
            case CheckedMachine():
                operand = lower_machine(self, definition)
            case _:
                assert_never(definition)
        producer = self.program.get(operand.producer)
        columns = {
            name: column
            for name, column in zip(operand.names, producer.variables, strict=True)
            if name
        }
        return Phenomenon(
            operand.producer, tuple([columns[one] for one in arguments]), producer.kind
        )

    # What all operators are made with

    def order(self, node: tree.Formula) -> Names:
        """The free variables by first occurrence: the order of the columns of its rows."""
        known = self._orders.get(id(node))
        if known is None:
            free = self.scopes.free(node)
            known = tuple([name for name in variable_order(node) if name in free])
            self._orders[id(node)] = known
        return known

    def given(self, node: tree.Formula, kind: Kind, operands: Iterable[Operand]) -> dict[str, Any]:
        return {
            "id": "",
            "kind": kind,
            "variables": self.order(node),
            "types": self.pick_types(node),
            "origin": self.find_origin(node),
            "operands": tuple(operands),
        }

    def find_origin(self, node: tree.Formula) -> Origin:
        trees = self.program.trees
        is_extended = id(node) in trees.extended
        is_own = is_extended or id(node) in trees.provided
        key = node if is_own else trees.find_written(node)
        if id(key) not in self._origins:
            origin = find_origin(self.name, trees.find_written(node))
            if is_extended:
                origin = replace(origin, word=EVERY_VALUE)
            elif is_own:
                origin = replace(origin, word="where")
            self._origins[id(key)] = origin
        return self._origins[id(key)]

    def pick_types(self, *nodes: tree.Formula) -> Mapping[str, ValueType]:
        names = [name for node in nodes for name in variable_order(node)]
        return {name: self.types[name] for name in names}

    def add(self, operator: Made) -> Operand:
        """The operator, or the one that is the same already, under the names it has here."""
        found = replace(operator, id=find_id(operator, frozenset(operator.types)))
        known = self.program.operators.setdefault(found.id, found)
        self.program.written.append(found)
        extras = tuple(zip(known.extras, operator.extras, strict=True))
        meaning = Meaning(known.id, (*operator.variables, *operator.extras))
        return Operand(known.id, operator.variables, extras, meaning, operator.origin)

    def find_kind(self, node: tree.Formula) -> Kind:
        match node:
            case tree.Atom():
                return self.program.phenomena[node.name.text].kind
            case tree.Relation():
                return "dynamic" if node.mode is None else "state"
            case tree.Where() | tree.Let() | tree.Lasting() | tree.Exists():
                return self.find_kind(node.operand)
            case _:
                return "event" if is_event(node) else "state"

    def count(self, node: tree.Duration) -> int:
        """A duration in ticks."""
        match node:
            case tree.IntLiteral():
                return node.value
            case tree.DurationLiteral():
                return int(ticks(node, self.program.unit))
            case tree.ParameterRef():
                return int(self.program.parameters[node.name])
            case _:
                raise AssertionError("a checked duration is no word")

    def measure(self, node: tree.Duration, *sides: tree.Formula) -> Length:
        """A duration; of one that varies, `sides` are the operands that may have it."""
        if not isinstance(node, tree.Variable):
            return self.count(node)
        is_settled = any(rests_on_fact(side, node.name, self.scopes) for side in sides)
        return Varying(node.name, is_settled)

    def measure_given(self, node: tree.Duration | None, *sides: tree.Formula) -> Length | None:
        return None if node is None else self.measure(node, *sides)

    # Formulas

    def use(self, node: tree.Formula) -> Operand:
        """A formula that is not dense."""
        match node:
            case tree.Atom():
                return Events(self).use_atom(node)
            case tree.Calendar():
                return lower_calendar(self, node)
            case tree.MaximalRange():
                return lower_range(self, node)
            case tree.Repeat():
                return lower_repeat(self, node)
            case tree.Union() | tree.Intersection() | tree.Complement():
                return lower_sets(self, node)
            case tree.Lasting():
                return lower_lasting(self, node)
            case tree.Counting():
                return lower_counting(self, node)
            case tree.Then():
                return lower_then(self, node)
            case tree.Relation():
                return lower_relation(self, node)
            case tree.Where() | tree.Exists():
                return lower_filter(self, node)
            case tree.Let():
                return lower_let(self, node)
            case tree.And() | tree.Or() | tree.Not() | tree.In() | tree.Start() | tree.End():
                return Events(self).use_event(node)
            case tree.Comparison():
                raise AssertionError("a condition has no time")
