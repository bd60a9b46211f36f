"""Where a variable ends that is not in the head, read straight from the section "Variables".

"A variable that occurs neither in the head nor in a sibling operand is existential in the smallest
sub-formula that contains all its occurrences". What the checker made of that is forgotten first:
only names and where they stand in the tree are looked at.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from typing import TypeAlias, assert_never, cast

from phenesthe.check.program import (
    Checked,
    CheckedDefinition,
    CheckedExclusive,
    CheckedMachine,
)  # fmt: skip
from phenesthe.syntax.tree import (
    After,
    Atom,
    Branch,
    Comparison,
    Counting,
    Exists,
    Formula,
    Let,
    MaximalRange,
    Repeat,
    Variable,
)
from phenesthe.syntax.tree.walk import children, walk, with_children
from tests.reference.scopes import find_varying

#: The way down to a sub-formula: which operand, and which of its operands, and so on.
Path: TypeAlias = tuple[int, ...]


def close_definition(definition: Checked) -> Checked:
    """The definition with an `Exists` where each of its variables ends."""
    head = frozenset(definition.signature.arguments)
    match definition:
        case CheckedDefinition():
            return replace(definition, body=close(definition.body, head))
        case CheckedExclusive():
            branches = [
                Branch(label=one.label, body=close_branch(one.body, head), span=one.span)
                for one in definition.branches
            ]
            return replace(definition, branches=tuple(branches))
        case CheckedMachine():
            transitions = [
                one if isinstance(one.when, After) else replace(one, when=close(one.when, head))
                for one in definition.transitions
            ]
            return replace(definition, transitions=tuple(transitions))
        case _:
            assert_never(definition)


def close_branch(body: MaximalRange, head: frozenset[str]) -> MaximalRange:
    """What says how long its clock runs ends around the whole range."""
    closed = close(body, head | find_varying(body))
    if not isinstance(closed, MaximalRange):
        raise ValueError(f"a variable joins both sides of a value: {closed!r}")
    return closed


def close(formula: Formula, head: frozenset[str]) -> Formula:
    surface = open_scopes(formula)
    ends: dict[Path, set[str]] = defaultdict(set)
    for name, path in find_ends(surface, head).items():
        ends[path].add(name)
    return mark_ends(surface, (), ends)


def find_ends(surface: Formula, head: frozenset[str]) -> dict[str, Path]:
    """Every variable that is not in the head, with the way to the formula in which it ends."""
    places: dict[str, list[Path]] = defaultdict(list)
    for name, path in list_places(surface, ()):
        places[name].append(path)
    return {name: find_common(paths) for name, paths in places.items() if name not in head}


def find_common(paths: list[Path]) -> Path:
    """ "the smallest sub-formula that contains all": as far down as all ways are one."""
    steps = takewhile(lambda step: len(set(step)) == 1, zip(*paths, strict=False))
    return tuple(step[0] for step in steps)


def open_scopes(formula: Formula) -> Formula:
    """The formula as it was written."""
    if isinstance(formula, Exists):
        return open_scopes(formula.operand)
    if isinstance(formula, Atom | Comparison):
        return formula
    parts = tuple(open_scopes(part) for part in list_operands(formula))
    opened = replace_operands(formula, parts)
    return replace(opened, local=()) if isinstance(opened, Repeat) else opened


def list_places(formula: Formula, path: Path) -> Iterator[tuple[str, Path]]:
    """Every occurrence of a variable with the way to the atom or comparison it stands in.

    What is counted is local to the counting and ends there, whatever else has its name; the number
    stands where the counting does.
    """
    if isinstance(formula, Atom | Comparison):
        for part in walk(formula):
            if isinstance(part, Variable):
                yield part.name, path
        return
    yield from ((name, path) for name in find_varying(formula))
    if isinstance(formula, Let):
        for part in children(formula)[1:]:
            yield from ((one.name, path) for one in walk(part) if isinstance(one, Variable))
    if isinstance(formula, Counting):
        counted = {one.name for one in formula.counted}
        inside = (*path, len(formula.counted))
        yield from (one for one in list_places(formula.operand, inside) if one[0] not in counted)
        if formula.number is not None:
            yield formula.number.name, path
        return
    for at, part in enumerate(list_operands(formula)):
        yield from list_places(part, (*path, at))


def mark_ends(formula: Formula, path: Path, ends: dict[Path, set[str]]) -> Formula:
    marked = formula
    if not isinstance(formula, Atom | Comparison):
        parts = [
            mark_ends(part, (*path, at), ends) for at, part in enumerate(list_operands(formula))
        ]
        marked = replace_operands(formula, tuple(parts))
    names = tuple(sorted(ends.get(path, ())))
    if not names:
        return marked
    if isinstance(marked, Repeat):
        # "`prev(X)` is X (local to the repeat) at the previous occurrence"; but "the operator acts
        # per value" of its gap.
        fixed = find_varying(marked)
        marked = replace(marked, local=tuple([name for name in names if name not in fixed]))
        names = tuple([name for name in names if name in fixed])
        if not names:
            return marked
    return Exists(variables=names, operand=marked, span=formula.span, reach=formula.span)


def list_operands(formula: Formula) -> tuple[Formula, ...]:
    """Operands of what is neither an atom nor a comparison are formulas, but for the variables
    that a counting names; a `let` has one. A variable that is a duration is no operand."""
    if isinstance(formula, Let):
        return (formula.operand,)
    fields = ("duration", "apart", "within", "expires", "limit", "gap")
    durations = [getattr(formula, field, None) for field in fields]
    parts = [one for one in children(formula) if not any(one is other for other in durations)]
    return cast(tuple[Formula, ...], tuple(parts))


def replace_operands(formula: Formula, parts: tuple[Formula, ...]) -> Formula:
    if isinstance(formula, Let):
        return replace(formula, operand=parts[0])
    return cast(Formula, with_children(formula, parts))
