"""Where the rows of a stage go, so that each of its partitions has all it needs for its keys.

A partition owns the keys that are sent to it, and the results of other keys that it may come to
are dropped (`stage.share`). So rows may reach more partitions than they must, but never fewer.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from phenesthe.check.program import Checked, CheckedProgram
from phenesthe.plan.columns import bodies_of
from phenesthe.plan.drivers import find_drivers
from phenesthe.plan.stages import Positions, Stage, find_clocks
from phenesthe.syntax.tree import Atom, Variable
from phenesthe.syntax.tree.walk import walk

#: Names with the positions of a key, in an order.
Roots: TypeAlias = dict[tuple[str, Positions], None]


@dataclass(frozen=True, slots=True)
class Through:
    """The rows whose values at `positions` are whole keys; `parts` of such a key are known."""

    name: str
    positions: Positions
    parts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Route:
    """Rows of `name` go to the partition of the key that they have at `positions`.

    With `through` that is a part of the key only: they go to every partition that has a key with
    this part. Without positions all rows go to the only partition.
    """

    name: str
    positions: Positions
    through: Through | None = None


@dataclass(frozen=True, slots=True)
class Routes:
    """`whole` are facts that every partition needs all rows of; `owners` only say who owns a key.

    A key that only a fact has (`member(V) and not seen(V)`) must have an owner too.
    """

    rows: tuple[Route, ...]
    owners: tuple[Route, ...]
    whole: tuple[str, ...]


def cut_program(program: CheckedProgram, stage: Stage) -> CheckedProgram:
    """The definitions of a stage; what earlier stages found are inputs of it."""
    names = _add_clocks(program, stage)
    kept = tuple(d for d in program.definitions if d.signature.name in names)
    used = {name for definition in kept for name in definition.uses}
    earlier = tuple(
        definition.signature
        for definition in program.definitions
        if definition.signature.name in used - names
    )
    return replace(
        program,
        definitions=kept,
        inputs=(*(one for one in program.inputs if one.name in used), *earlier),
        facts=tuple(one for one in program.facts if one.name in used),
    )


def _add_clocks(program: CheckedProgram, stage: Stage) -> set[str]:
    """The definitions of a stage, and those they use that every stage evaluates for itself."""
    names, clocks = set(stage.keys), find_clocks(program)
    for definition in reversed(program.definitions):
        if definition.signature.name in names:
            names |= clocks.intersection(definition.uses)
    return names


def find_routes(program: CheckedProgram, stage: Stage) -> Routes:
    """`program` is that of the stage (`cut_program`)."""
    facts = {signature.name for signature in program.facts}
    if stage.is_global:
        rows = tuple(Route(signature.name, ()) for signature in program.inputs)
        return Routes(rows, (), tuple(sorted(facts)))
    roots = _find_roots(program, stage)
    found: dict[Route, None] = {}
    whole: dict[str, None] = {}
    clocks = {one.signature.name for one in program.definitions} - set(stage.keys)
    for definition in program.definitions:
        if definition.signature.name in clocks:
            continue
        key = _key_of(definition, stage)
        for atom in _atoms(definition):
            name = atom.name.text
            if name in roots or name in clocks:
                continue
            places = {part: at for at, part in reversed([*enumerate(_names(atom))])}
            parts = tuple(number for number, part in enumerate(key) if part in places)
            positions = tuple(places[key[number]] for number in parts)
            if len(parts) == len(key):
                found[Route(name, positions)] = None
            elif name in facts:
                whole[name] = None
            else:
                for root, at in roots[definition.signature.name]:
                    found[Route(name, positions, Through(root, at, parts))] = None
                    found[Route(root, at)] = None
    rows = tuple(route for route in found if route.name not in whole)
    owners = tuple(route for route in found if route.name in whole)
    return Routes(rows, owners, tuple(sorted(whole)))


def _key_of(definition: Checked, stage: Stage) -> tuple[str, ...]:
    signature = definition.signature
    return tuple(signature.arguments[at] for at in stage.keys[signature.name])


def _atoms(definition: Checked) -> Iterator[Atom]:
    for body in bodies_of(definition):
        yield from (node for node in walk(body) if isinstance(node, Atom))


def _names(atom: Atom) -> list[str | None]:
    return [one.name if isinstance(one, Variable) else None for one in atom.arguments]


def _find_roots(program: CheckedProgram, stage: Stage) -> dict[str, Roots]:
    """What comes from outside the stage and together has every key that a result can have.

    That is a driver; or, where all that is used has the whole key, all of it. What is defined in
    the stage has the same key, and rests on something itself, which is known by then.
    """
    found: dict[str, Roots] = {}
    for definition in program.definitions:
        if definition.signature.name not in stage.keys:
            continue
        key = _key_of(definition, stage)
        roots: Roots = {}
        for atom in _choose_atoms(definition, key):
            name, names = atom.name.text, _names(atom)
            positions = tuple(names.index(part) for part in key)
            roots |= found.get(name, {(name, positions): None})
        found[definition.signature.name] = roots
    return found


def _choose_atoms(definition: Checked, key: tuple[str, ...]) -> list[Atom]:
    head = definition.signature.arguments
    drivers = [
        atom
        for atom in find_drivers(definition)
        if tuple(name for name in head if name in _names(atom)) == key
    ]
    return drivers[:1] or [one for one in _atoms(definition) if set(key) <= {*_names(one)}]
