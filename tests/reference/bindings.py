"""Bindings of variables: "All operators act per binding of the remaining variables"."""

from collections.abc import Collection, Mapping
from typing import TypeAlias

from phenesthe.syntax.tree import Term, Variable, Wildcard
from tests.reference.values import Scalar, Values, as_float, as_number, is_undefined

#: Variables and their values, sorted by name, so that equal bindings are equal tuples.
Binding: TypeAlias = tuple[tuple[str, Scalar], ...]
Arguments: TypeAlias = tuple[Scalar, ...]


def bind(values: Mapping[str, Scalar]) -> Binding:
    return tuple(sorted(values.items(), key=lambda item: item[0]))


def merge(*bindings: Binding) -> Binding:
    """ "shared variables join": the callers see to it that shared variables agree."""
    return bind({name: value for binding in bindings for name, value in binding})


def restrict(binding: Binding, names: Collection[str]) -> Binding:
    return tuple(item for item in binding if item[0] in names)


def drop(binding: Binding, names: Collection[str]) -> Binding:
    return tuple(item for item in binding if item[0] not in names)


def agree(one: Binding, other: Binding) -> bool:
    """Whether they have the same value of every variable that both have."""
    known = dict(other)
    pairs = [(known[name], value) for name, value in one if name in known]
    return all(a == b or (is_undefined(a) and is_undefined(b)) for a, b in pairs)


def match_arguments(
    terms: tuple[Term, ...], arguments: Arguments, known: Binding, values: Values
) -> Binding | None:
    """The variables of an atom bound to a row of its relation, or None when the row does not fit.

    A wildcard fits anything and binds nothing. A whole number stands for the float it is nearest to
    where a float is wanted.
    """
    expected = dict(known)
    found: dict[str, Scalar] = {}
    for term, argument in zip(terms, arguments, strict=True):
        match term:
            case Wildcard():
                continue
            case Variable(name=name):
                wanted = expected.setdefault(name, argument)
                found[name] = wanted
            case _:
                wanted = values.evaluate(term, known)
                if isinstance(argument, float):
                    wanted = as_float(as_number(wanted))
        if wanted != argument and not (is_undefined(wanted) and is_undefined(argument)):
            return None
    return bind(found)
