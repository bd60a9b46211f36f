"""Which columns of the inputs are needed, and what for.

`ais(V, S) and S <= 0.5` joins on V and only compares S.
"""

from collections import Counter
from typing import assert_never

from phenesthe.check.program import (
    Checked,
    CheckedDefinition,
    CheckedExclusive,
    CheckedMachine,
    CheckedProgram,
)  # fmt: skip
from phenesthe.check.scopes import Scopes
from phenesthe.frozen import dataclass
from phenesthe.graph.scan import Use
from phenesthe.syntax.tree import (
    And,
    Atom,
    Counting,
    Exists,
    Formula,
    Let,
    Repeat,
    Variable,
    Where,
    Wildcard,
)  # fmt: skip
from phenesthe.syntax.tree.walk import walk

_RANK: dict[Use, int] = {"unused": 0, "compared": 1, "joined": 2}


@dataclass(frozen=True, slots=True)
class ColumnUses:
    """By input or fact, the use of each argument in declaration order."""

    by_name: dict[str, tuple[Use, ...]]


def bodies_of(definition: Checked) -> tuple[Formula, ...]:
    """Its formulas, in the order in which they are written."""
    match definition:
        case CheckedDefinition(body=body):
            return (body,)
        case CheckedExclusive(branches=branches):
            return tuple(branch.body for branch in branches)
        case CheckedMachine():
            return definition.events
        case _:
            assert_never(definition)


def find_column_uses(program: CheckedProgram) -> ColumnUses:
    events = {signature.name for signature in program.inputs if signature.kind == "event"}
    uses: dict[str, list[Use]] = {
        signature.name: ["unused" if signature.name in events else "joined"]
        * len(signature.arguments)
        for signature in (*program.inputs, *program.facts)
    }
    types = {signature.name: signature.types for signature in program.inputs}
    facts = {signature.name for signature in program.facts}
    scopes = Scopes(lambda name: name in facts)
    for definition in program.definitions:
        for body in bodies_of(definition):
            compared = _compared_variables(body, scopes)
            for node in walk(body):
                if not isinstance(node, Atom) or node.name.text not in events:
                    continue
                for at, argument in enumerate(node.arguments):
                    found: Use = "joined"
                    if isinstance(argument, Wildcard):
                        found = "unused"
                    elif isinstance(argument, Variable) and argument.name in compared:
                        # Texts are compared by their codes, so they need them all the same.
                        numeric = types[node.name.text][at] in ("int", "float")
                        found = "compared" if numeric else "joined"
                    known = uses[node.name.text]
                    known[at] = max(known[at], found, key=_RANK.__getitem__)
    return ColumnUses({name: tuple(found) for name, found in uses.items()})


def _compared_variables(body: Formula, scopes: Scopes) -> set[str]:
    """Variables of one atom that are closed by the conjunction or repetition around it.

    What is computed or counted has values too, which the atom's are joined with.
    """
    given: Counter[str] = Counter()
    for node in walk(body):
        if isinstance(node, Atom):
            given.update([one.name for one in node.arguments if isinstance(one, Variable)])
        elif isinstance(node, Let):
            given.update(node.names)
        elif isinstance(node, Counting) and node.number is not None:
            given[node.number.name] += 1
    found: set[str] = set()
    for node in walk(body):
        if isinstance(node, Exists):
            reached = _direct_atoms(node.operand, scopes)
            found |= {name for name in node.variables if name in reached}
        elif isinstance(node, Repeat):
            reached = _direct_atoms(node.event, scopes)
            found |= {name for name in node.local if name in reached}
    return {name for name in found if given[name] == 1}


def _direct_atoms(node: Formula, scopes: Scopes) -> set[str]:
    """Variables of atoms with nothing but conjunctions, filters and scopes above them.

    What needs a variable of its surroundings may be asked binding by binding (`stage.dense`), and
    a binding has nothing but codes.
    """
    if not scopes.free(node) <= scopes.bound(node):
        return set()
    match node:
        case Atom():
            return {part.name for part in node.arguments if isinstance(part, Variable)}
        case And():
            return set().union(*[_direct_atoms(part, scopes) for part in node.operands])
        case Where() | Let() | Exists():
            return _direct_atoms(node.operand, scopes)
        case _:
            return set()
