"""What runs where: definitions whose joins share a partition key are one stage.

A definition can be evaluated partition by partition when some variable of its head occurs in every
phenomenon it uses: all rows that can meet have the same value of it. Definitions that find what
they use already partitioned that way join its stage; otherwise rows are exchanged in between.
"""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from itertools import islice

from phenesthe.check.program import Checked, CheckedProgram
from phenesthe.plan.columns import bodies_of
from phenesthe.plan.drivers import find_drivers, rests_on_rows
from phenesthe.syntax.tree import Atom, Counting, Let, MaximalRange, Variable
from phenesthe.syntax.tree.walk import walk

#: How many keys of a definition are compared. Any is right; only definitions with hundreds of
#: parts have more.
_MOST_KEYS = 100
#: Positions of a phenomenon's arguments by whose values its rows are partitioned.
Positions = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Rows of a phenomenon that a stage needs under another key than they have.

    `key` are the argument positions by which they are sent; none: all rows to one partition.
    """

    name: str
    source: int
    key: Positions


@dataclass(frozen=True, slots=True)
class Stage:
    """`keys[name]` are the argument positions by which that definition is partitioned.

    A stage without keys is evaluated in one partition, because nothing is shared by all it joins.
    """

    number: int
    definitions: tuple[str, ...]
    keys: dict[str, Positions]
    inputs: dict[str, tuple[Positions, ...]]
    exchanges: tuple[Exchange, ...]

    @property
    def is_global(self) -> bool:
        return all(not positions for positions in self.keys.values())


@dataclass(frozen=True, slots=True)
class _Use:
    """An atom of a definition and its variables, other than what every partition knows."""

    atom: Atom
    variables: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Place:
    depth: int
    is_global: bool
    positions: Positions


def find_stages(program: CheckedProgram) -> tuple[Stage, ...]:
    places: dict[str, _Place] = {}
    everywhere = {one.name for one in program.facts} | find_clocks(program)
    for definition in program.definitions:
        uses = _uses(definition, everywhere)
        places[definition.signature.name] = _place(definition, uses, places)
    groups: dict[tuple[int, bool], list[Checked]] = {}
    for definition in program.definitions:
        place = places[definition.signature.name]
        groups.setdefault((place.depth, place.is_global), []).append(definition)
    numbers = {group: at for at, group in enumerate(sorted(groups), 1)}
    inputs = {signature.name for signature in program.inputs}
    sent = {name: place for name, place in places.items() if name not in everywhere}
    return tuple(
        _stage(numbers, group, groups[group], places, inputs, sent) for group in sorted(groups)
    )


def find_clocks(program: CheckedProgram) -> frozenset[str]:
    """The definitions that time alone makes true: whoever uses them evaluates them too."""
    found: set[str] = set()
    for definition in program.definitions:
        if found.issuperset(definition.uses):
            found.add(definition.signature.name)
    return frozenset(found)


def _uses(definition: Checked, everywhere: Set[str]) -> list[_Use]:
    return [
        _Use(node, frozenset(one.name for one in node.arguments if isinstance(one, Variable)))
        for body in bodies_of(definition)
        for node in walk(body)
        if isinstance(node, Atom) and node.name.text not in everywhere
    ]


def _place(definition: Checked, uses: list[_Use], places: dict[str, _Place]) -> _Place:
    """The earliest stage this definition can be part of, and its key there."""
    head = definition.signature.arguments
    value = find_value(definition)
    # The values of an exclusive state end each other, so they stay together.
    at = {name: number for number, name in enumerate(head) if name != value}
    if not uses:
        # Facts own the keys, but none has what is computed or counted.
        made = _list_made(definition)
        at = {name: number for name, number in at.items() if name not in made}
    used = [places[use.atom.name.text] for use in uses if use.atom.name.text in places]
    earliest = max((place.depth for place in used), default=0)
    options: list[_Place] = []
    for key in islice(_candidate_keys(at, uses, definition, places), _MOST_KEYS):
        depth = max((_depth_for(use.atom, key, places) for use in uses), default=0)
        options.append(_Place(depth, False, tuple(at[name] for name in key)))
        if depth == earliest:
            break  # no other key does better
    if options:
        return min(options, key=lambda option: option.depth)
    depth = max((place.depth + (not place.is_global) for place in used), default=0)
    return _Place(depth, True, ())


def _list_made(definition: Checked) -> set[str]:
    return {
        name
        for body in bodies_of(definition)
        for node in walk(body)
        if isinstance(node, Let | Counting)
        for name in node.names
    }


def find_value(definition: Checked) -> str | None:
    """The variable of an exclusive state that takes any value."""
    bodies = list(bodies_of(definition))
    found = [body.value for body in bodies if isinstance(body, MaximalRange)]
    return found[0] if found else None


def _candidate_keys(
    at: dict[str, int], uses: list[_Use], definition: Checked, places: dict[str, _Place]
) -> Iterator[tuple[str, ...]]:
    """Variables every atom has, each alone, or together where they are the key of what is used.

    Together only if no result can have a key that no row has: nobody would own it.
    Then those of an atom that every result rests on, if all others share some of them: other rows
    are sent where it has their part of the key. Each key comes once. `at` is the head.
    """
    common = frozenset(at).intersection(*[use.variables for use in uses])
    keys: dict[tuple[str, ...], None] = {(name,): None for name in at if name in common}
    yield from keys
    for own in dict.fromkeys(
        _list_key(use.atom, places) for use in uses if use.atom.name.text in places
    ):
        key = tuple(name for name in own if name is not None and name in common)
        if (
            1 < len(own) == len(key)
            and key not in keys
            and all(rests_on_rows(body, set(key)) for body in bodies_of(definition))
        ):
            keys[key] = None
            yield key
    for driver in find_drivers(definition):
        names = {one.name for one in driver.arguments if isinstance(one, Variable)}
        key = tuple(sorted((name for name in names if name in at), key=at.__getitem__))
        if not key or key in keys:
            continue
        keys[key] = None
        if not common.isdisjoint(key) or not any(use.variables.isdisjoint(key) for use in uses):
            yield key


def _depth_for(atom: Atom, key: tuple[str, ...], places: dict[str, _Place]) -> int:
    place = places.get(atom.name.text)
    if place is None:
        return 0
    is_here = _list_key(atom, places) == key and not place.is_global
    return place.depth if is_here else place.depth + 1


def _list_key(atom: Atom, places: dict[str, _Place]) -> tuple[str | None, ...]:
    """The key that the rows of an atom have in their own stage, in the atom's variables.

    A constant or a wildcard there takes rows from the partitions of other keys.
    """
    own = [atom.arguments[at] for at in places[atom.name.text].positions]
    return tuple(one.name if isinstance(one, Variable) else None for one in own)


def _stage(
    numbers: dict[tuple[int, bool], int],
    group: tuple[int, bool],
    definitions: list[Checked],
    places: dict[str, _Place],
    inputs: set[str],
    sent: dict[str, _Place],
) -> Stage:
    names = [definition.signature.name for definition in definitions]
    keys = {name: places[name].positions for name in names}
    read: dict[str, dict[Positions, None]] = {}
    exchanges: dict[Exchange, None] = {}
    for definition in definitions:
        own = places[definition.signature.name]
        key = {definition.signature.arguments[at] for at in own.positions}
        for body in bodies_of(definition):
            for node in walk(body):
                if not isinstance(node, Atom):
                    continue
                name = node.name.text
                positions = tuple(
                    at
                    for at, argument in enumerate(node.arguments)
                    if isinstance(argument, Variable) and argument.name in key
                )
                if name in inputs:
                    read.setdefault(name, {})[positions] = None
                elif name in sent and name not in keys:
                    source = numbers[(places[name].depth, places[name].is_global)]
                    exchanges[Exchange(name, source, positions)] = None
    return Stage(
        numbers[group],
        tuple(names),
        keys,
        {name: tuple(found) for name, found in sorted(read.items())},
        tuple(exchanges),
    )
