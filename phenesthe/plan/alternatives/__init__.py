"""Alternatives that lack a variable which their context binds: each gets it before lowering."""

from dataclasses import replace
from typing import NamedTuple

from phenesthe.check.program import Checked, CheckedProgram
from phenesthe.plan.alternatives.trees import Trees
from phenesthe.plan.columns import bodies_of
from phenesthe.syntax.clauses import name_varying
from phenesthe.syntax.tree.walk import walk


class Completed(NamedTuple):
    """The program with definitions that say what each alternative holds for."""

    program: CheckedProgram
    trees: Trees


def complete_alternatives(program: CheckedProgram) -> Completed:
    trees = Trees(program.signatures)
    provided = [_provide(trees, one) for one in program.definitions]
    definitions = tuple([_complete(trees, one) for one in provided])
    if trees.contexts:
        from phenesthe.plan.alternatives.complete import complete_contexts

        complete_contexts(trees)
    return Completed(replace(program, definitions=definitions), trees)


def has_lacking(program: CheckedProgram, definition: Checked) -> bool:
    """Whether some alternative of the definition lacks a variable."""
    return _has_lacking(Trees(program.signatures), definition)


def _has_lacking(trees: Trees, definition: Checked) -> bool:
    return any(trees.has_lacking(body) for body in bodies_of(definition))


def _provide(trees: Trees, definition: Checked) -> Checked:
    """With operands that have the variables of their durations."""
    parts = (part for body in bodies_of(definition) for part in walk(body))
    if not any(map(name_varying, parts)):
        return definition
    # Most programs have no such duration.
    from phenesthe.plan.alternatives.complete import provide_definition

    return provide_definition(trees, definition)


def _complete(trees: Trees, definition: Checked) -> Checked:
    if not _has_lacking(trees, definition):
        return definition
    # Most programs have no such alternative.
    from phenesthe.plan.alternatives.complete import complete_definition

    return complete_definition(trees, definition)
