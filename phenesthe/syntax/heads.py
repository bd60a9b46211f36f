"""Which heads a formula can have: the variables that it gives a value."""

import re
from collections.abc import Iterator

from phenesthe.diagnostics.shorten import shorten
from phenesthe.syntax.declared import (
    Mention,
    find_declared,
    find_mentions,
    is_variable,
    name_column,
)  # fmt: skip

#: What stands behind these words gives no variable a value.
_ONLY_LEFT = re.compile(r"~>|[⤳↣↦∉]|\b(?:complement|without|not\s+in)\b")
_ALTERNATIVES = re.compile(r"\b(?:or|union)\b|[∨⊔]")
_NEGATED = re.compile(r"(?:\bnot|¬)\s*$")
_LONGEST = 60


def suggest_heads(name: str, formula: str, file: str) -> str:
    """What to write for a definition whose head has no parentheses."""
    left = _ONLY_LEFT.split(formula, maxsplit=1)[0]
    offers: list[str] = []
    first = next(_list_positive(left), None)
    variables = _find_variables(left)
    if first is not None and first.arguments[0] == "_":
        offers.append(_name_first(name, first, file, variables))
    if variables:
        one = "one" if offers else "a definition"
        offers.append(f"`{name}({variables[0]})` for {one} about each {variables[0]}")
    if len(variables) > 1:
        both = " and ".join(variables[:2])
        offers.append(f"`{name}({', '.join(variables[:2])})` for one about each {both}")
    if not offers:
        return f"write `{name}()`, for a definition without variables"
    return f"write {', '.join(offers)}, `{name}()` for one without"


def _name_first(name: str, mention: Mention, file: str, taken: list[str]) -> str:
    """An argument that is `_` and that the definition may be about."""
    arguments = find_declared(file).get(mention.name, ())
    column = arguments[0] if arguments else "v"
    variable = name_column(column, taken)
    named = Mention(mention.name, (variable, *mention.arguments[1:]), mention.start)
    return (
        f"`{name}({variable})` and `{shorten(str(named), _LONGEST)}` for a definition about each "
        f"{column if arguments else variable}"
    )


def _list_positive(formula: str) -> Iterator[Mention]:
    for mention in find_mentions(formula):
        if not _NEGATED.search(formula[max(mention.start - 20, 0) : mention.start]):
            yield mention


def _find_variables(formula: str) -> list[str]:
    """Those that have a value in every alternative, in their order."""
    sets = [
        dict.fromkeys(
            argument
            for mention in _list_positive(part)
            for argument in mention.arguments
            if is_variable(argument)
        )
        for part in _ALTERNATIVES.split(formula)
    ]
    return [one for one in sets[0] if all(one in other for other in sets)]
