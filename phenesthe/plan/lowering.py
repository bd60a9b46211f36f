"""What is known of a program while its definitions are lowered one after the other."""

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from phenesthe.check.infer_types import value_type
from phenesthe.check.program import Checked, CheckedProgram
from phenesthe.graph.identity import make_id
from phenesthe.graph.operator import Phenomenon, Source
from phenesthe.plan.alternatives.trees import Trees
from phenesthe.plan.canonical import canonical
from phenesthe.plan.columns import bodies_of
from phenesthe.plan.lower_events import is_event
from phenesthe.syntax import tree
from phenesthe.syntax.tree.walk import walk

if TYPE_CHECKING:
    from phenesthe.graph.every import AnyOperator


class Lowering:
    """Its sources, operators and phenomena, as far as there are, and how often formulas occur."""

    def __init__(self, program: CheckedProgram, trees: Trees) -> None:
        self.trees, self.scopes = trees, trees.scopes
        self.unit = program.unit
        self.signatures = program.signatures
        self.parameters = program.values
        self.parameter_types = {one.name: value_type(one.type) for one in program.parameters}
        self.sources: dict[str, Source] = {}
        self.operators: dict[str, AnyOperator] = {}
        self.written: list[AnyOperator] = []
        self.phenomena: dict[str, Phenomenon] = {}
        self._counts = self._count(program.definitions)

    def _count(self, definitions: Iterable[Checked]) -> dict[Hashable, int]:
        """How often each formula over instants occurs."""
        self._keys: dict[int, Hashable] = {}
        counts: dict[Hashable, int] = {}
        for definition in definitions:
            for body in bodies_of(definition):
                for node in walk(body):
                    if is_event(node) and not self.scopes.is_condition(node):
                        key = self._keys[id(node)] = canonical(node)
                        counts[key] = counts.get(key, 0) + 1
        return counts

    def has_calendar(self, node: tree.Formula) -> bool:
        """Whether it, or a definition it mentions, is made of a calendar state.

        A context says which bindings there are, never when: its calendars start nothing here.
        """
        return any(
            (isinstance(part, tree.Calendar) and part.name != "always")
            or (
                isinstance(part, tree.Atom)
                and part.name.text not in self.trees.contexts
                and self.signatures[part.name.text].has_calendar
            )
            for part in walk(node)
        )

    def find_repeated(self, node: tree.Formula) -> str | None:
        """What a formula over instants that occurs more than once is known by."""
        key = self._keys.get(id(node))
        return None if key is None or self._counts[key] == 1 else make_id(key)

    def add_source(self, source: Source) -> None:
        self.sources[source.id] = source
        used = {*source.variables, *source.extras}
        self.phenomena[source.signature.name] = Phenomenon(
            source.id,
            tuple([name if name in used else None for name in source.signature.arguments]),
            source.kind,
        )

    def get(self, id_: str) -> "Source | AnyOperator":
        return self.sources[id_] if id_ in self.sources else self.operators[id_]
