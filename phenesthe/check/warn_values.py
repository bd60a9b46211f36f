"""Warnings about values that a state never has, of those that say which they have.

A machine and an exclusive state list their values, so that what is asked about another one is true
nowhere: `status(M, "vote")` where there is `voting`.
"""

import re
from collections.abc import Iterator
from typing import TypeGuard

from phenesthe.check.machines import list_values
from phenesthe.check.work import Draft, Symbol, Work
from phenesthe.diagnostics.model import Edit
from phenesthe.diagnostics.report import warning
from phenesthe.diagnostics.shorten import list_names
from phenesthe.diagnostics.suggest import MOST_QUESTIONS, closest
from phenesthe.syntax.source import Span
from phenesthe.syntax.tokens import RESERVED
from phenesthe.syntax.tree import (
    Atom,
    BoolLiteral,
    Comparison,
    DurationLiteral,
    ExclusiveState,
    IntLiteral,
    Machine,
    StrLiteral,
    Variable,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression
from phenesthe.vocabulary import Scalar

_WORD = re.compile(r"[a-z]\w*")
#: So many letters in common are no accident where there are a few values to choose from.
_BEGINNING = 3
_Constant = StrLiteral | IntLiteral | BoolLiteral


def list_own_values(symbol: Symbol) -> tuple[Scalar, ...]:
    """The values that a state lists; none of one that does not."""
    match symbol.declaration:
        case Machine() as machine:
            return tuple(dict.fromkeys(one.value for one in list_values(machine)))
        case ExclusiveState() as state:
            labels = [branch.label for branch in state.branches]
            constants = [one.value for one in labels if not isinstance(one, DurationLiteral)]
            return tuple(constants) if len(constants) == len(labels) else ()
        case _:
            return ()


def warn_values(work: Work, draft: Draft) -> None:
    if draft.broken:
        return
    known = {name: list_own_values(work.symbols[name]) for name in draft.uses}
    if not any(known.values()):
        return
    #: By variable, the states whose value it is; None where something else may say what it is.
    held: dict[str, list[str] | None] = {}
    for atom in draft.list_nodes(Atom):
        name = atom.name.text
        at = len(atom.arguments) - 1 if known[name] else None
        for number, argument in enumerate(atom.arguments):
            if isinstance(argument, Variable):
                states = held.setdefault(argument.name, [])
                if number != at or states is None:
                    held[argument.name] = None
                else:
                    states.append(name)
            elif number == at and _is_constant(argument):
                _check(work, argument, [name], known)
    for variable, constant in _list_compared(draft):
        _check(work, constant, held.get(variable.name) or [], known)


def _list_compared(draft: Draft) -> Iterator[tuple[Variable, _Constant]]:
    for comparison in draft.list_nodes(Comparison):
        if comparison.operator not in ("==", "!="):
            continue
        for one, other in (
            (comparison.left, comparison.right),
            (comparison.right, comparison.left),
        ):
            if isinstance(one, Variable) and _is_constant(other):
                yield one, other


def _is_constant(node: Expression) -> TypeGuard[_Constant]:
    return isinstance(node, _Constant)


def _check(
    work: Work, constant: _Constant, states: list[str], known: dict[str, tuple[Scalar, ...]]
) -> None:
    """`states` are all that could have the value."""
    values = [value for name in dict.fromkeys(states) for value in known[name]]
    if not values or any(type(value) is not type(constant.value) for value in values):
        return  # of another type, which is said elsewhere
    if constant.value not in values:
        _warn(work, constant, states[0], values)


def _warn(work: Work, constant: _Constant, name: str, values: list[Scalar]) -> None:
    written, texts = _show(constant.value), [_show(value) for value in values]
    has = f"`{name}` has {list_names(texts)}"
    suggestion = None
    if isinstance(constant, StrLiteral) and len(texts) <= MOST_QUESTIONS:
        suggestion = closest(written, texts) or _find_alike(written, texts)
    work.report(
        warning(
            "W012",
            f"`{name}` never has the value `{written}`",
            constant.span,
            label="none of its values",
            hint=has if suggestion is None else f"did you mean `{suggestion}`? {has}",
            fix=None if suggestion is None else (_replace(constant.span, suggestion),),
        )
    )


def _show(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _find_alike(written: str, texts: list[str]) -> str | None:
    """The only one that begins like it: `voting` for `vote`."""
    alike = [one for one in texts if one[:_BEGINNING] == written[:_BEGINNING]]
    return alike[0] if len(alike) == 1 and len(written) >= _BEGINNING else None


def _replace(place: Span, value: str) -> Edit:
    """In quotes, unless it is a word and what it replaces is one."""
    is_word = _WORD.fullmatch(value) is not None and value not in RESERVED
    is_quoted = place.text.startswith('"') or not is_word
    return Edit(span=place, text=f'"{value}"' if is_quoted else value)
