"""What a formula needs, binds and leaves free, and its kind."""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeAlias, assert_never

from phenesthe.check.program import CheckedProgram
from phenesthe.syntax.tree import (
    Aggregate,
    And,
    Arithmetic,
    Atom,
    Calendar,
    Call,
    Comparison,
    Complement,
    Counting,
    Duration,
    End,
    Exists,
    Formula,
    In,
    Intersection,
    Lasting,
    Let,
    MaximalRange,
    Negate,
    Not,
    Or,
    Previous,
    Relation,
    Repeat,
    Start,
    Then,
    Union,
    Value,
    Variable,
    Where,
)
from phenesthe.syntax.tree.walk import walk
from tests.reference.values import name_previous

Names: TypeAlias = frozenset[str]
FormulaKind: TypeAlias = Literal["event", "state", "dynamic", "condition"]
Kinds: TypeAlias = Mapping[str, FormulaKind]


def list_kinds(program: CheckedProgram) -> Kinds:
    """The kind of every name; a fact is a condition."""
    signatures = (
        *program.inputs, *program.facts, *(one.signature for one in program.definitions),
    )  # fmt: skip
    return {one.name: one.kind or "condition" for one in signatures}


def find_kind(formula: Formula, kinds: Kinds) -> FormulaKind:
    match formula:
        case Atom(name=name):
            return kinds[name.text]
        case Comparison():
            return "condition"
        case And(operands=operands):
            found = {find_kind(operand, kinds) for operand in operands}
            return "event" if "event" in found else "condition"
        case Or(operands=operands):
            return find_kind(operands[0], kinds)
        case Not(operand=operand) | Lasting(operand=operand):
            return find_kind(operand, kinds)
        case Where(operand=operand) | Let(operand=operand) | Exists(operand=operand):
            return find_kind(operand, kinds)
        case In() | Start() | End():
            return "event"
        case MaximalRange() | Repeat() | Union() | Intersection() | Complement() | Then():
            return "state"
        case Calendar() | Counting():
            return "state"
        case Relation(mode=mode):
            return "dynamic" if mode is None else "state"
        case _:
            assert_never(formula)


def is_positive(formula: Formula, kinds: Kinds) -> bool:
    """ "a positive event": true only where an event of the input, or a border of a state, is."""
    match formula:
        case Not():
            return False
        case And(operands=operands):
            return any(is_positive(operand, kinds) for operand in operands)
        case Or(operands=operands):
            return all(is_positive(operand, kinds) for operand in operands)
        case In(event=operand) | Where(operand=operand) | Let(operand=operand):
            return is_positive(operand, kinds)
        case Exists(operand=operand):
            return is_positive(operand, kinds)
        case _:
            return find_kind(formula, kinds) == "event"


def find_free(formula: Formula) -> Names:
    """The variables that the formula's bindings bind."""
    match formula:
        case Atom(arguments=arguments):
            return frozenset(one.name for one in arguments if isinstance(one, Variable))
        case Calendar():
            return frozenset()
        case Comparison(left=left, right=right):
            return find_free_in_value(left) | find_free_in_value(right)
        case And(operands=operands) | Or(operands=operands):
            return unite(map(find_free, operands))
        case Union(operands=operands) | Intersection(operands=operands):
            return unite(map(find_free, operands))
        case Not(operand=operand) | Start(operand=operand) | End(operand=operand):
            return find_free(operand)
        case Lasting(operand=operand):
            return find_free(operand) | find_varying(formula)
        case In(event=left, state=right):
            return find_free(left) | find_free(right)
        case MaximalRange(start=start, stop=stop):
            sides = [start] if stop is None else [start, stop]
            return unite(map(find_free, sides)) | find_varying(formula)
        case Counting(counted=counted, operand=operand, number=number):
            # "a state of the variables of σ but X"; "also binds K"
            inside = find_free(operand) - {one.name for one in counted}
            return inside if number is None else inside | {number.name}
        case Complement(left=left, right=right) | Then(left=left, right=right):
            return find_free(left) | find_free(right)
        case Relation(left=left, right=right):
            return find_free(left) | find_free(right) | find_varying(formula)
        case Where(operand=left, condition=right):
            return find_free(left) | find_free(right)
        case Repeat(event=event, condition=condition, local=local):
            inside = find_free(event)
            if condition is not None:
                inside |= find_free(condition)
            inside = inside - set(local) - {name_previous(name) for name in inside}
            return inside | find_varying(formula)
        case Let(operand=operand, assignments=assignments):
            values = unite(find_free_in_value(one.value) for one in assignments)
            return find_free(operand) | values | {one.variable.name for one in assignments}
        case Exists(variables=variables, operand=operand):
            return find_free(operand) - set(variables)
        case _:
            assert_never(formula)


def find_varying(formula: Formula) -> Names:
    """ "The D of `lasting`, `within`, `from`, `expires`, `limit` and `gap` may be a variable"."""
    durations: tuple[Duration | None, ...]
    match formula:
        case Lasting(duration=duration):
            durations = (duration,)
        case Relation(apart=apart, within=within):
            durations = (apart, within)
        case MaximalRange(expires=expires, limit=limit):
            durations = (expires, limit)
        case Repeat(gap=gap):
            durations = (gap,)
        case _:
            durations = ()
    return frozenset(one.name for one in durations if isinstance(one, Variable))


def asks_time(formula: Formula) -> bool:
    """Whether a condition is about the instant of its event."""
    return any(
        isinstance(one, Aggregate) or (isinstance(one, Call) and one.function == "time")
        for one in walk(formula)
    )


def find_free_in_value(value: Value) -> Names:
    match value:
        case Variable(name=name):
            return frozenset({name})
        case Previous(variable=variable):
            return frozenset({name_previous(variable.name)})
        case Negate(operand=operand):
            return find_free_in_value(operand)
        case Arithmetic(left=left, right=right):
            return find_free_in_value(left) | find_free_in_value(right)
        case Call(arguments=arguments):
            return unite(map(find_free_in_value, arguments))
        case Aggregate(operand=operand, local=local):
            return find_free(operand) - set(local)
        case _:
            return frozenset()


def find_bound(formula: Formula, kinds: Kinds) -> Names:
    """The variables the formula can bind itself; it needs all others bound by its surroundings.

    "every variable of a `not`, of the right of `not in` and of a condition is either bound by a
    positive part of the same conjunction or local to it". "An operand of `or` or `union` may lack a
    variable that its context binds": it is taken for every value there is, and so binds it.
    """
    match formula:
        case Comparison() | Not():
            return frozenset()
        case And(operands=operands):
            return unite(find_bound(operand, kinds) for operand in operands)
        case Or(operands=operands):
            widens = find_kind(formula, kinds) == "event"
            first, *others = [
                find_bound(one, kinds) | (find_lacking(formula, one) if widens else frozenset())
                for one in operands
            ]
            return first.intersection(*others)
        case Where(operand=operand, condition=condition):
            return find_bound(operand, kinds) | find_bound(condition, kinds)
        case Exists(variables=variables, operand=operand):
            return find_bound(operand, kinds) - set(variables)
        case In(event=event, state=state, negated=negated):
            inside = frozenset() if negated else find_free(state)
            return find_bound(event, kinds) | inside
        case _:
            return find_free(formula)


def find_lacking(formula: Or | Union, operand: Formula) -> Names:
    """The variables that others of the alternatives have."""
    return find_free(formula) - find_free(operand)


def arrange(
    operands: Iterable[Formula], bound: Names, kinds: Kinds, rank: Callable[[Formula], int]
) -> list[Formula | str]:
    """An order of a conjunction in which each operand finds bound what it needs.

    Where all wait for each other there comes a variable, of which every value is to be tried.
    """
    pending: list[Formula] = list(operands)
    ordered: list[Formula | str] = []
    while pending:
        ready = [one for one in pending if find_free(one) - find_bound(one, kinds) <= bound]
        if not ready:
            given = unite(find_bound(one, kinds) for one in pending) - bound
            waited = unite(find_free(one) - find_bound(one, kinds) for one in pending)
            if not given & waited:
                raise ValueError(f"unsafe conjunction: {pending}")
            ordered.append(min(given & waited))
            bound |= {min(given & waited)}
            continue
        chosen = min(ready, key=rank)
        pending = [one for one in pending if one is not chosen]
        ordered.append(chosen)
        bound |= find_free(chosen)
    return ordered


def unite(names: Iterable[Names]) -> Names:
    return frozenset().union(*names)
