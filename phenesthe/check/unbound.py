"""What was probably meant by a variable of a comparison that nothing gives a value."""

from phenesthe.check.bare_words import NO_MISSING, NOTHING_MISSING
from phenesthe.check.mixed_kinds import Remedy
from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.model import Edit
from phenesthe.diagnostics.shorten import shorten
from phenesthe.diagnostics.suggest import MOST_QUESTIONS
from phenesthe.syntax.source import Span
from phenesthe.syntax.spelling import lower_name
from phenesthe.syntax.tree import (
    Aggregate,
    Atom,
    BoolLiteral,
    Comparison,
    DurationLiteral,
    StrLiteral,
    Value,
    Variable,
)  # fmt: skip
from phenesthe.syntax.tree.walk import walk

_TRUTH = {"True": "true", "TRUE": "true", "False": "false", "FALSE": "false"}
_MISSING = ("None", "NULL", "Null", "Nil", "NaN", "Undefined")
#: A single letter is no name for a threshold.
SHORTEST_PARAMETER = 3
_EXAMPLES = {"int": "7", "float": "5.0", "str": '"text"', "bool": "true", "duration": "10m"}


def explain_capital(name: str, place: Span) -> tuple[str, Remedy] | None:
    """A constant of another language that is a variable here: what is wrong, and the remedy."""
    if name in _TRUTH:
        lower = _TRUTH[name]
        return (
            f"`{name}` is not a value, but a variable, because it begins with a capital letter",
            Remedy(f"write `{lower}`", (Edit(span=place, text=lower),)),
        )
    if name in _MISSING:
        return f"`{name}` is not a value: {NOTHING_MISSING}", Remedy(NO_MISSING)
    return None


def explain_unbound(
    work: Work, draft: Draft, comparison: Comparison, name: str, place: Span
) -> tuple[str, Remedy]:
    """What is wrong, and the remedy."""
    capital = explain_capital(name, place)
    if capital is not None:
        return capital
    if _is_aggregated(draft, place) and any(name in _variables(atom) for atom in _atoms(draft)):
        return (
            f"`{name}` is no value of the rows that are aggregated",
            Remedy(
                "a condition inside an aggregate asks of its own rows alone: ask what is outside "
                f"beside it, as in `max(X of … over 1h) > {name}`"
            ),
        )
    remedy = _find_remedy(work, draft, comparison, name, place)
    return f"nothing gives `{name}` a value in this condition", remedy


def _is_aggregated(draft: Draft, place: Span) -> bool:
    return any(
        one.span.start <= place.start < one.span.end and one.span.source == place.source
        for one in draft.list_nodes(Aggregate)
    )


def _find_remedy(
    work: Work, draft: Draft, comparison: Comparison, name: str, place: Span
) -> Remedy:
    use = f"use `{name}` in a phenomenon or fact that is joined with `and`"
    # As for a misspelt name, all names are looked at, and not for ever.
    work.suggestions += 1
    if work.suggestions > MOST_QUESTIONS:
        return Remedy(use)
    if any(name in _variables(atom) for atom in _atoms(draft)):
        return Remedy(use)
    lower = lower_name(name)
    view = work.look_from(draft.symbol.file)
    symbol = view.find(lower)
    if (symbol is not None and symbol.is_parameter) or lower in view.lost:
        fix = (Edit(span=place, text=lower),)
        return Remedy(f"the parameter is written `{lower}`, in lower case", fix)
    computed = _computed(comparison, name)
    if computed is not None:
        return Remedy(
            "a comparison tests values and gives none: leave this one out, and name the value "
            "behind the formula, before what asks for it: "
            f"`… let {name} = {shorten(computed, 40)} where …`"
        )
    if len(name) < SHORTEST_PARAMETER:
        return Remedy(use)
    kind = _type_beside(work, draft, comparison, name)
    return Remedy(
        f"if it is a threshold, declare `param {lower}: {kind} = {_EXAMPLES[kind]};` "
        f"and write `{lower}`; otherwise {use}"
    )


def _atoms(draft: Draft) -> list[Atom]:
    return [node for body in draft.bodies for node in walk(body) if isinstance(node, Atom)]


def _variables(atom: Atom) -> set[str]:
    return {term.name for term in atom.arguments if isinstance(term, Variable)}


def _computed(comparison: Comparison, name: str) -> str | None:
    """What a variable is said to be equal to, as in an assignment."""
    if comparison.operator != "==":
        return None
    for side, other in (
        (comparison.left, comparison.right),
        (comparison.right, comparison.left),
    ):
        named = isinstance(side, Variable) and side.name == name
        plain = isinstance(other, Variable | StrLiteral | BoolLiteral)
        if named and not plain and name not in _names(other):
            return other.span.text
    return None


def _names(value: Value) -> set[str]:
    return {node.name for node in walk(value) if isinstance(node, Variable)}


def _type_beside(work: Work, draft: Draft, comparison: Comparison, name: str) -> str:
    """The type that a parameter needs which is compared with the rest."""
    nodes = [node for side in (comparison.left, comparison.right) for node in walk(side)]
    if any(isinstance(node, DurationLiteral) for node in nodes):
        return "duration"
    if any(isinstance(node, StrLiteral) for node in nodes):
        return "str"
    others = {node.name for node in nodes if isinstance(node, Variable) and node.name != name}
    for atom in _atoms(draft):
        symbol = work.symbols.get(atom.name.text)
        for at, term in enumerate(atom.arguments):
            if isinstance(term, Variable) and term.name in others and symbol is not None:
                return symbol.types[at] or "float"
    return "float"
