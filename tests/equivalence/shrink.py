"""Make a failing case small: drop rows, definitions, operators and declarations while it fails."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, Protocol, TypeVar, cast

from phenesthe.diagnostics.model import ProgramError
from phenesthe.syntax.parser import parse
from phenesthe.syntax.printer import print_module
from phenesthe.syntax.source import Source
from phenesthe.syntax.tree import (
    After,
    And,
    Branch,
    Complement,
    Counting,
    Declaration,
    Definition,
    ExclusiveState,
    Formula,
    Intersection,
    Let,
    Machine,
    MaximalRange,
    Or,
    Relation,
    Repeat,
    Union,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression, children, with_children
from phenesthe.syntax.values import is_formula
from tests.equivalence.compare import Case, Difference, compare

Fails = Callable[[Case], Difference | None]


C = TypeVar("C")


class Failing(Protocol):
    @property
    def sort(self) -> str: ...


def shrink(case: Case, find: Fails = compare, most: int = 3000) -> Case:
    """The smallest case found that shows the same sort of difference."""
    return shrink_by(case, find, list_smaller, most)


def shrink_by(
    case: C,
    find: Callable[[C], Failing | None],
    list_smaller: Callable[[C], Iterable[C]],
    most: int,
) -> C:
    """The smallest case found that fails in the same way."""
    first = find(case)
    assert first is not None, "the case does not fail"
    left = most
    improved = True
    while improved and left > 0:
        improved = False
        for candidate in list_smaller(case):
            left -= 1
            if left <= 0:
                break
            try:
                found = find(candidate)
            except (ProgramError, ValueError):
                continue
            if found is not None and found.sort == first.sort:
                case, improved = candidate, True
                break
    return case


def list_smaller(case: Case) -> Iterator[Case]:
    """Cases a little smaller than this one, the greatest steps first."""
    declarations = parse(Source("program.phe", case.text)).declarations
    for at in range(len(declarations) - 1, -1, -1):
        rest = (*declarations[:at], *declarations[at + 1 :])
        yield replace_text(case, rest)
    yield from list_fewer_rows(case)
    for at, declaration in enumerate(declarations):
        for simpler in simplify_declaration(declaration):
            yield replace_text(case, (*declarations[:at], simpler, *declarations[at + 1 :]))


def replace_text(case: Case, declarations: tuple[Declaration, ...]) -> Case:
    return replace(case, text=print_module(declarations))


def list_fewer_rows(case: Case) -> Iterator[Case]:
    stream = case.stream
    for field in ("until", "start"):
        if getattr(stream, field) is not None:
            yield replace(case, stream=cast(Any, replace)(stream, **{field: None}))
    for field in ("inputs", "facts"):
        tables: dict[str, list[Any]] = getattr(stream, field)
        for name, rows in tables.items():
            for fewer in drop_parts(rows):
                kept = {**tables, name: fewer} if fewer else _without(tables, name)
                yield replace(case, stream=cast(Any, replace)(stream, **{field: kept}))


def _without(tables: dict[str, list[Any]], name: str) -> dict[str, list[Any]]:
    return {other: rows for other, rows in tables.items() if other != name}


def drop_parts(rows: list[Any]) -> Iterator[list[Any]]:
    size = len(rows)
    while size:
        for start in range(0, len(rows), size):
            yield rows[:start] + rows[start + size :]
        size //= 2


def simplify_declaration(declaration: Declaration) -> Iterator[Declaration]:
    match declaration:
        case Definition():
            for body in simplify(declaration.body):
                yield replace(declaration, body=body)
        case ExclusiveState(branches=branches):
            for at, branch in enumerate(branches):
                if len(branches) > 1:
                    yield replace(declaration, branches=(*branches[:at], *branches[at + 1 :]))
                for simpler in simplify(branch.body):
                    if isinstance(simpler, MaximalRange):
                        new = Branch(label=branch.label, body=simpler, span=branch.span)
                        yield replace(
                            declaration, branches=(*branches[:at], new, *branches[at + 1 :])
                        )
        case Machine():
            yield from simplify_machine(declaration)


def simplify_machine(machine: Machine) -> Iterator[Declaration]:
    transitions = machine.transitions
    for at, one in enumerate(transitions):
        before, behind = transitions[:at], transitions[at + 1 :]
        if len(transitions) > 1:
            yield replace(machine, transitions=(*before, *behind))
        if not isinstance(one.when, After):
            for simpler in simplify(one.when):
                yield replace(machine, transitions=(*before, replace(one, when=simpler), *behind))


def simplify(formula: Formula) -> Iterator[Formula]:
    """The formula with one operator less, anywhere in it."""
    parts = children(formula)
    yield from filter(is_formula, parts)
    match formula:
        case And(operands=operands) | Or(operands=operands):
            yield from _drop_operands(formula, operands)
        case Union(operands=operands) | Intersection(operands=operands):
            yield from _drop_operands(formula, operands)
        case MaximalRange():
            if formula.expires is not None and (formula.stop or formula.limit):
                yield replace(formula, expires=None)
            if formula.limit is not None and (formula.stop or formula.expires):
                yield replace(formula, limit=None)
            if formula.stop is not None and (formula.expires or formula.limit):
                yield replace(formula, stop=None)
        case Complement(name="without"):
            yield replace(formula, name="complement")
        case Counting():
            if len(formula.counted) > 1:
                yield from (replace(formula, counted=(one,)) for one in formula.counted)
        case Repeat(condition=condition) if condition is not None:
            yield replace(formula, condition=None)
        case Let(assignments=assignments) if len(assignments) > 1:
            for at in range(len(assignments)):
                yield replace(formula, assignments=(*assignments[:at], *assignments[at + 1 :]))
        case Relation():
            if formula.within is not None:
                yield replace(formula, within=None)
            if formula.apart is not None:
                yield replace(formula, apart=None)
    for at, part in enumerate(parts):
        if children(part):
            for simpler in simplify(cast(Formula, part)):
                yield cast(
                    Formula, with_children(formula, (*parts[:at], simpler, *parts[at + 1 :]))
                )


def _drop_operands(
    formula: And | Or | Union | Intersection, operands: tuple[Expression, ...]
) -> Iterator[Formula]:
    if len(operands) > 2:
        for at in range(len(operands)):
            fewer = cast(tuple[Formula, ...], (*operands[:at], *operands[at + 1 :]))
            yield replace(formula, operands=fewer)
