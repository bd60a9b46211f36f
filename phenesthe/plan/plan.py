"""The plan of a program, as `compile` shows it and engines follow it."""

from collections.abc import Hashable
from dataclasses import dataclass

from phenesthe.check.program import CheckedProgram
from phenesthe.operators.scan import Scan
from phenesthe.plan.canonical import canonical
from phenesthe.plan.columns import bodies_of
from phenesthe.plan.memory import MemoryPlan
from phenesthe.plan.memory_formulas import find_memory
from phenesthe.plan.scans import find_scans
from phenesthe.plan.stages import Stage, find_stages
from phenesthe.syntax.printer import print_formula
from phenesthe.syntax.tree import Atom, Comparison, Exists, Formula
from phenesthe.syntax.tree.walk import Expression, walk
from phenesthe.syntax.values import is_formula


@dataclass(frozen=True, slots=True)
class Shared:
    """A sub-formula that several places need and that is evaluated once."""

    formula: str
    users: tuple[str, ...]
    times: int


@dataclass(frozen=True, slots=True)
class Plan:
    scans: tuple[Scan, ...]
    shared: tuple[Shared, ...]
    stages: tuple[Stage, ...]
    memory: MemoryPlan


def make_plan(program: CheckedProgram) -> Plan:
    return Plan(
        find_scans(program), _find_shared(program), find_stages(program), find_memory(program)
    )


def _find_shared(program: CheckedProgram) -> tuple[Shared, ...]:
    facts = {signature.name for signature in program.facts}
    found: dict[Hashable, tuple[Formula, list[str]]] = {}
    for definition in program.definitions:
        for body in bodies_of(definition):
            for node in walk(body):
                if _is_worth_sharing(node, facts):
                    _, users = found.setdefault(canonical(node), (node, []))  # type: ignore[arg-type]
                    users.append(definition.signature.name)
    return tuple(
        Shared(print_formula(node), tuple(dict.fromkeys(users)), len(users))
        for node, users in found.values()
        if len(users) > 1
    )


def _is_worth_sharing(node: Expression, facts: set[str]) -> bool:
    if not is_formula(node) or isinstance(node, Comparison | Exists):
        return False
    return not (isinstance(node, Atom) and node.name.text in facts)
