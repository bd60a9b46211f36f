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
    Aggregate,
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
from phenesthe.syntax.tree.walk import Expression, children, walk, with_children
from tests.reference.aggregates import find_row_variables, list_outside, name_wildcards
from tests.reference.scopes import Kinds, find_varying

#: The way down to a sub-formula: which operand, and which of its operands, and so on.
Path: TypeAlias = tuple[int, ...]


def close_definition(definition: Checked, kinds: Kinds) -> Checked:
    """The definition with an `Exists` where each of its variables ends."""
    head = frozenset(definition.signature.arguments)
    match definition:
        case CheckedDefinition():
            return replace(definition, body=close(definition.body, head, kinds))
        case CheckedExclusive():
            branches = [
                Branch(label=one.label, body=close_branch(one.body, head, kinds), span=one.span)
                for one in definition.branches
            ]
            return replace(definition, branches=tuple(branches))
        case CheckedMachine():
            transitions = [
                one
                if isinstance(one.when, After)
                else replace(one, when=close(one.when, head, kinds))
                for one in definition.transitions
            ]
            return replace(definition, transitions=tuple(transitions))
        case _:
            assert_never(definition)


def close_branch(body: MaximalRange, head: frozenset[str], kinds: Kinds) -> MaximalRange:
    """What says how long its clock runs ends around the whole range."""
    closed = close(body, head | find_varying(body), kinds)
    if not isinstance(closed, MaximalRange):
        raise ValueError(f"a variable joins both sides of a value: {closed!r}")
    return closed


def close(formula: Formula, head: frozenset[str], kinds: Kinds) -> Formula:
    surface = open_scopes(formula)
    outside = head.union(list_outside(surface))
    surface = cast(Formula, close_aggregates(surface, outside, kinds))
    ends: dict[Path, set[str]] = defaultdict(set)
    for name, path in find_ends(surface, head).items():
        ends[path].add(name)
    return mark_ends(surface, (), ends)


def close_aggregates(node: Expression, outside: frozenset[str], kinds: Kinds) -> Expression:
    """ "Variables that φ shares with F join": it has no others that are outside, which is an error.

    What tells the rows of φ apart, or is asked for, does not end in φ; all else does.
    """
    if not isinstance(node, Aggregate):
        if isinstance(node, Counting):
            # What is counted is outside of the aggregates inside.
            outside = outside.union(list_outside(node.operand))
        parts = tuple(close_aggregates(part, outside, kinds) for part in children(node))
        return with_children(node, parts)
    operand = open_scopes(node.operand)
    if node.function != "total":
        operand = name_wildcards(operand, kinds)
    asked = {one.name for one in node.of}
    inside = {part.name for part in walk(operand) if isinstance(part, Variable)}
    rows = set() if node.function == "total" else find_row_variables(operand, kinds)
    kept = frozenset((inside & outside) | rows | asked)
    local = tuple(sorted((inside | asked) - outside))
    return replace(node, operand=close(operand, kept, kinds), local=local)


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
        yield from ((name, path) for name in list_names(formula))
        return
    yield from ((name, path) for name in find_varying(formula))
    if isinstance(formula, Let):
        for part in children(formula)[1:]:
            yield from ((name, path) for name in list_names(part))
    if isinstance(formula, Counting):
        counted = {one.name for one in formula.counted}
        inside = (*path, len(formula.counted))
        yield from (one for one in list_places(formula.operand, inside) if one[0] not in counted)
        if formula.number is not None:
            yield formula.number.name, path
        return
    for at, part in enumerate(list_operands(formula)):
        yield from list_places(part, (*path, at))


def list_names(node: Expression) -> Iterator[str]:
    """The variables of an atom, a condition or a value, without those that only rows have."""
    if isinstance(node, Variable):
        yield node.name
    elif isinstance(node, Aggregate):
        inside = {part.name for part in walk(node.operand) if isinstance(part, Variable)}
        yield from inside - set(node.local)
    else:
        for part in children(node):
            yield from list_names(part)


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
