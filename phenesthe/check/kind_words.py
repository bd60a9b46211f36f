"""Words for what formulas are, and what to do with one of the wrong kind."""

from phenesthe.check.work import FormulaKind
from phenesthe.diagnostics.shorten import shorten
from phenesthe.syntax.tree import Formula, Not, Relation
from phenesthe.vocabulary import BORDERS, TAKE_AWAY

CONDITION: tuple[FormulaKind, ...] = ("condition",)


def inside(node: Formula) -> Formula:
    """What a negation is about."""
    return node.operand if isinstance(node, Not) else node


def with_article(kind: str) -> str:
    return {"event": "an event", "dynamic": "a dynamic phenomenon"}.get(kind, f"a {kind}")


_PLURALS = {
    "event": "events", "state": "states", "dynamic": "dynamic phenomena", "condition": "conditions",
}  # fmt: skip
CONVERSIONS = {
    "event": "take its `start(…)` or `end(…)`",
    "state": "make a state of it",
    "dynamic": "relate it with another phenomenon",
}


#: What is used for states where the operator for events was written, and the other way round.
_FOR_STATES = {
    "`and` joins": "join states with `intersection`",
    "`or` joins": "join states with `union`",
    "`not` negates": TAKE_AWAY,
    "the left of `in` takes": "relate two states with `during`",
    "the left of `not in` takes": TAKE_AWAY,
}
_INSTEAD_OF_DIFFERENCE = (
    f"make a state of it, `… ~> …`; an event outside of a state is written `not in`; {BORDERS}"
)
_FOR_EVENTS = {
    "`start` takes": "an event is an instant and needs no `start`; or make a state of it, `… ~> …`",
    "`end` takes": "an event is an instant and needs no `end`; or make a state of it, `… ~> …`",
    "the right of `in` takes": "join events at the same instant with `and`",
    "the right of `not in` takes": "join it with `and not`",
    "`union` joins": "join events with `or`; or make a state of it, `… ~> …`",
    "`intersection` joins": "join events with `and`; or make a state of it, `… ~> …`",
    "`complement` joins": _INSTEAD_OF_DIFFERENCE,
    "`without` joins": _INSTEAD_OF_DIFFERENCE,
    "`lasting` takes": "an event has no duration; a relation is filtered in parentheses: "
    "`(A before B) lasting …`",
}


def plural(wanted: tuple[FormulaKind, ...]) -> str:
    *others, last = [_PLURALS[kind] for kind in wanted]
    return f"{', '.join(others)} or {last}" if others else last


def text_of(node: Formula) -> str:
    return shorten(node.span.text, 60)


def remedy_for(
    node: Formula,
    kind: FormulaKind,
    wanted: tuple[FormulaKind, ...],
    operator: str,
    sides: tuple[FormulaKind | None, ...],
) -> str:
    shown = text_of(node)
    if wanted == CONDITION:
        joined = "`and`" if kind == "event" else "`intersection`"
        return f"a condition compares values or asks a fact; join {_PLURALS[kind]} with {joined}"
    if kind == "state" and "event" in wanted:
        instead = f"; or {_FOR_STATES[operator]}" if operator in _FOR_STATES else ""
        return f"write `start({shown})` or `end({shown})`{instead}"
    if kind == "event" and "state" in wanted:
        if "dynamic" in wanted and operator not in _FOR_EVENTS:
            return (
                "events can be before or after anything, start or finish an interval, or be "
                "contained in one; or make a state of it, `… ~> …`"
            )
        return _FOR_EVENTS.get(operator, "make a state of it: from this event to another, `… ~> …`")
    if kind == "dynamic" and "state" in wanted:
        if isinstance(node, Relation):
            # What explains a mistake is loaded when there is one, and it needs these words itself.
            from phenesthe.check.mixed_kinds import relation_as_state

            return relation_as_state(node, sides)
        return "use a state; a relation with `as` is one: `A during B as source`"
    if kind == "dynamic":
        return "dynamic phenomena stand in relations only: `… before …`"
    return "join it with an event (`and`), or filter with `where`"
