"""Which of the programs have durations that only say how long something is."""

from phenesthe.check.program import CheckedProgram
from phenesthe.plan.columns import bodies_of
from phenesthe.syntax.clauses import list_varying, name_varying
from phenesthe.syntax.tree import Atom, Counting, Let
from phenesthe.syntax.tree.walk import walk
from tests.equivalence.vocabulary import TIMED


def tells_lengths(program: CheckedProgram) -> bool:
    """Whether every duration that varies is one of those that rows have as such."""
    return all(
        atom.name.text in TIMED and variable not in atom.arguments[:-1]
        for definition in program.definitions
        for body in bodies_of(definition)
        for node in walk(body)
        for _, variable in list_varying(node)
        for atom in walk(body)
        if isinstance(atom, Atom) and variable in atom.arguments
    ) and not any(
        isinstance(part, Let | Counting) and not name_varying(node).isdisjoint(part.names)
        for definition in program.definitions
        for body in bodies_of(definition)
        for node in walk(body)
        for part in walk(body)
    )
