"""What may come next in a formula, read off the words before it."""

from dataclasses import dataclass

from phenesthe.ide.calls import CALLED, Call, list_open
from phenesthe.ide.expect_counting import Wanted, cut_counted, find_counting
from phenesthe.ide.outlines import DeclaredKind, Outlines
from phenesthe.ide.places import expects_duration, is_built_in
from phenesthe.ide.words import spell
from phenesthe.syntax.clauses import BEFORE_DURATION, is_operator, list_clauses_after
from phenesthe.syntax.tokens import (
    COMPARISONS,
    COUNTING,
    FUNCTIONS,
    MODES,
    RELATIONS,
    Token,
    TokenKind,
)
from phenesthe.vocabulary import AGGREGATES

Kinds = frozenset[DeclaredKind]
_NOTHING: Kinds = frozenset()
_CONDITION: Kinds = frozenset(("fact",))
_STATE: Kinds = frozenset(("state",))
# A range begins with an event and a conjunction with a fact, so these may begin a state too.
_EVENT: Kinds = frozenset(("event", "fact"))
_BEGINS_STATE: Kinds = frozenset(("event", "state", "fact"))
_ANY: Kinds = frozenset(("event", "state", "dynamic", "fact"))
_BEGINS: dict[str, Kinds] = {
    "event": _EVENT, "exclusive": _EVENT, "machine": _EVENT,
    "state": _BEGINS_STATE, "dynamic": _ANY,
}  # fmt: skip
_SETS = ("union", "intersection", "complement", "without")
_AFTER: dict[str, Kinds] = {
    **dict.fromkeys(("and", "or", "not", "~>", "repeat"), _EVENT),
    **dict.fromkeys((*_SETS, "then"), _BEGINS_STATE),
    **dict.fromkeys(("in", "not in", "of"), _STATE),
    **dict.fromkeys(RELATIONS, _ANY),
    "where": _CONDITION,
}
_ARITHMETIC = ("+", "-", "*", "/", "%")
_CONNECTIVES = ("and", "or", "in", "not in")
#: What may follow an operand of each kind.
_FOLLOWS: dict[str | None, tuple[str, ...]] = {
    "event": (
        *_CONNECTIVES, "~>", "then", "where", "let", "before", "after", "starts", "finishes",
        "during",
    ),
    "state": (*_SETS, "lasting", "then", "where", "let", *RELATIONS),
    "dynamic": ("lasting", "where", "let", *RELATIONS),
    "fact": ("and", "or"),
    None: (*COMPARISONS, *_ARITHMETIC),
}  # fmt: skip
#: What a formula of each kind is made of outside parentheses; the others take everything.
_EVENT_PARTS = (*_CONNECTIVES, "where", "let", *COMPARISONS, *_ARITHMETIC)
_PARTS = {
    "event": _EVENT_PARTS,
    "machine": _EVENT_PARTS,
    "exclusive": (*_CONNECTIVES, "~>", *list_clauses_after("~>"), *COMPARISONS, *_ARITHMETIC),
}
#: Looser than the condition of a `repeat`, or the end of it all.
_ENDS_CONDITION = frozenset((*_SETS, "lasting", "then", "let", *RELATIONS, ";"))
_LOOSE = frozenset((*_SETS, "then", "~>", *RELATIONS))
_OPERATORS = frozenset(
    (
        *_AFTER, *COMPARISONS, *_ARITHMETIC, "as", *BEFORE_DURATION, "lasting", "while", "gap",
        "=", "let",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Expected:
    """Words of the language, phenomena by their kind, values, an argument, a duration, or how many.

    Values are parameters too; of what is counted only variables may stand there. A duration that is
    `varying` may be one.
    """

    words: tuple[str, ...] = ()
    kinds: Kinds = _NOTHING
    values: bool = False
    argument: Call | None = None
    duration: bool = False
    varying: bool = False
    number: bool = False
    wanted: Wanted | None = None


def expect(opening: str, body: tuple[Token, ...], outlines: Outlines) -> Expected:
    """After the words of a formula in a declaration that begins with `opening`."""
    opened = list_open(body)
    inner = opened[-1] if opened else None
    level = body[inner.first + 1 :] if inner is not None else body
    if inner is not None and inner.name is not None and inner.name.text not in ("start", "end"):
        if inner.name.text not in CALLED:
            return Expected(argument=inner)
        level = tuple(inner.arguments[-1])
    last = spell(level[-1]) if level else ""
    if expects_duration(level):
        # The clock of a machine is the same for all.
        return Expected(duration=True, varying=opening != "machine" or last != "after")
    counting = _expect_counting(level)
    if counting is not None:
        return counting
    match last:
        case "as":
            return Expected(words=MODES)
        case "let":
            return Expected()  # a new variable
        case "while":
            return Expected(words=("gap",))
        case "lasting" | "gap":
            return Expected(words=COMPARISONS)
    if inner is not None and inner.name is not None and inner.name.text in AGGREGATES:
        found = _expect_rows(inner.name.text, level)
        if found is not None:
            return found
    is_called = inner is not None and inner.name is not None and inner.name.text in FUNCTIONS
    if is_called or last in COMPARISONS or last in _ARITHMETIC or last == "=":
        is_repeated = _is_in_condition(body, opened, "while")
        computed = tuple(dict.fromkeys((*FUNCTIONS, *AGGREGATES)))
        return Expected(words=(*computed, *(("prev",) if is_repeated else ())), values=True)
    if last == "not" and len(level) > 1 and spell(level[-2]) not in _OPERATORS:
        return Expected(words=("in",))
    if opening == "machine" and inner is None and body[:1] and body[0].text == "after":
        return Expected()
    if level and (last not in _OPERATORS or level[-1].kind is TokenKind.NUMBER):
        words = _list_following(level, outlines)
        allowed = _PARTS.get(opening) if inner is None else None
        return Expected(words=tuple(w for w in words if allowed is None or w in allowed))
    return _expect_operand(opening, body, opened)


def _expect_rows(name: str, level: tuple[Token, ...]) -> Expected | None:
    """In the parentheses of an aggregate; None where what follows is that of any other formula."""
    kinds: Kinds = frozenset(("state",)) if name == "total" else frozenset(("event",))
    if level and spell(level[-1]) == "of":
        return Expected(kinds=kinds, words=() if name == "total" else ("start", "end"))
    if not level and name in ("count", "total"):
        return Expected(kinds=kinds, words=() if name == "total" else ("start", "end"))
    if not level and name not in FUNCTIONS:
        return Expected()  # a variable of its own
    if level[1:] == () and level and level[0].kind is TokenKind.VARIABLE:
        return Expected(words=("of",))
    return None


def _expect_counting(level: tuple[Token, ...]) -> Expected | None:
    """None where what follows is that of any other formula."""
    found = find_counting(level)
    if found is None:
        return None
    word, words = found
    if word == "at least" and not words:
        return Expected(number=True)
    rest = cut_counted(word, words)
    if rest is None:
        return Expected(wanted="counted")
    if not rest:
        return Expected(words=("of",))
    if spell(rest[-1]) == "as" and word == "count":
        return Expected(wanted="number")
    texts = [spell(rest[at]) for at in _list_outside(rest)]
    if word == "count" and len(rest) > 1 and "as" not in texts:
        return Expected(words=("as",))
    return None


def _expect_operand(opening: str, body: tuple[Token, ...], opened: list[Call]) -> Expected:
    if _is_in_condition(body, opened, "where") or _is_in_condition(body, opened, "while"):
        computed = tuple(dict.fromkeys((*FUNCTIONS, *AGGREGATES)))
        return Expected(words=("not", *computed), kinds=_CONDITION, values=True)
    kinds = _find_kinds(opening, body, opened)
    words: tuple[str, ...] = ("start", "end") if "event" in kinds else ()
    words += ("after",) if opening == "machine" and not body else ()
    words += ("repeat", *COUNTING) if {"state", "event"} <= kinds else ()
    if "fact" in kinds:
        computed = tuple(dict.fromkeys((*FUNCTIONS, *AGGREGATES)))
        return Expected(words=("not", *words, *computed), kinds=kinds, values=True)
    return Expected(words=words, kinds=kinds)


def _find_kinds(opening: str, body: tuple[Token, ...], opened: list[Call]) -> Kinds:
    """From the operator before; at the beginning of a group, from what stands before the group."""
    end = len(body)
    for call in reversed(opened):
        if call.first + 1 < end:
            break
        if call.name is not None:
            return _BEGINS_STATE
        end = call.first
    last = spell(body[end - 1]) if end > 0 else ""
    return _AFTER.get(last, _BEGINS.get(opening, _ANY) if end == 0 else _ANY)


def _is_in_condition(body: tuple[Token, ...], opened: list[Call], word: str) -> bool:
    """Whether a `where` or the `while` of a `repeat` stands before, in the parentheses around."""
    depths = {call.first for call in opened}
    inside = 0
    found = False
    for at, token in enumerate(body):
        if token.text == "(" and at not in depths:
            inside += 1
        elif token.text == ")" and inside:
            inside -= 1
        elif not inside:
            found = spell(token) == word or (found and spell(token) not in _ENDS_CONDITION)
    return found


def _list_following(level: tuple[Token, ...], outlines: Outlines) -> tuple[str, ...]:
    """What may follow the last operand, and what may follow all of this level."""
    outside = [(at, spell(level[at])) for at in _list_outside(level)]
    ends = [at for at, word in outside if word in _OPERATORS]
    operators = [word for _, word in outside if word in _OPERATORS]
    if "repeat" in operators and "while" not in operators:
        return (*_CONNECTIVES, "while")
    clauses = [word for word in operators if word in ("where", "let")]
    if clauses[-1:] == ["let"]:
        return (*_ARITHMETIC, "where", "let") if "=" in operators else ()
    kinds = [_find_kind(level[ends[-1] + 1 :] if ends else level, outlines)]
    computes = bool(ends) and operators[-1] in (*COMPARISONS, *_ARITHMETIC)
    if operators[-1:] == ["as"] and level[-1].kind is TokenKind.VARIABLE:
        # What is counted, with its number.
        kinds = ["state"]
    elif expects_duration(level[:-1]):
        related = [word for word in operators if word in RELATIONS]
        if related and spell(level[-2]) in list_clauses_after(related[-1]):
            return _end_relation(related[-1], operators)
        kinds = [_find_kind(level, outlines)]
    elif "where" in operators or "while" in operators:
        kinds = [None, "fact"] if kinds[0] is None else ["fact"]
    elif kinds[0] is not None or computes:
        kinds.append(_find_kind(level, outlines))
    words = dict.fromkeys(word for kind in kinds for word in _FOLLOWS[kind])
    if operators[-2:-1] == ["gap"]:
        words["and"] = None
    if clauses:
        words |= dict.fromkeys(("where", "let"))
    return tuple(_suit(words, operators))


def _end_relation(relation: str, operators: list[str]) -> tuple[str, ...]:
    """After a duration that belongs to a relation, and ends it."""
    clauses = [word for word in list_clauses_after(relation) if word not in operators]
    has_mode = "from" in list_clauses_after(relation) and "from" not in operators
    return (*clauses, *(("as",) if has_mode else ()), "where")


def _suit(words: dict[str, None], operators: list[str]) -> dict[str, None]:
    """Without what would need parentheses, and with what belongs to an operator before."""
    loose = [word for word in operators if word in _LOOSE]
    related = [word for word in loose if word in RELATIONS]
    if loose and loose[-1] == "~>":
        words.pop("~>", None)
    clauses = list_clauses_after("~>")
    if "~>" in words or (not loose and any(word in operators for word in clauses)):
        # The right side of a range may be left out where it has one of these.
        words |= {word: None for word in clauses if word not in operators}
    if related:
        words = {word: None for word in words if word not in RELATIONS or word == related[-1]}
        if "as" not in operators:
            words["as"] = None
    if loose:
        after = list_clauses_after(loose[-1])
        words |= {word: None for word in after if word not in operators}
    return words


def _list_outside(tokens: tuple[Token, ...]) -> list[int]:
    """Which of the tokens stand outside parentheses."""
    found: list[int] = []
    depth = 0
    for at, token in enumerate(tokens):
        if token.text == "(":
            depth += 1
        elif token.text == ")":
            depth -= 1
        elif depth <= 0:
            found.append(at)
    return found


def _has_clause(flat: list[Token]) -> bool:
    """Whether there is a range that has no right side, but a duration, or something is counted."""
    clauses = [*list_clauses_after("~>"), "of"]
    return any(one.text in clauses and is_operator(flat, at) for at, one in enumerate(flat))


def _find_kind(tokens: tuple[Token, ...], outlines: Outlines) -> DeclaredKind | None:
    """What words make together; None for a value."""
    if len(tokens) > 1 and tokens[0].text == "(" and tokens[-1].text == ")":
        tokens = tokens[1:-1]
    # In parentheses inside parentheses the first name that is known has to do.
    flat = [tokens[at] for at in _list_outside(tokens)] or list(tokens)
    operators = {spell(token) for token in flat}
    if operators & set(RELATIONS):
        return "state" if "as" in operators else "dynamic"
    if operators & {*_SETS, "~>", "then", "while"} or _has_clause(flat):
        return "state"
    if operators & {"in", "not in", "start", "end"}:
        return "event"
    kinds = [outlines[token.text].kind for token in flat if token.text in outlines]
    if any(is_built_in(token.text, outlines) for token in flat):
        return "state"
    known = [kind for kind in kinds if kind not in ("fact", "param")]
    if known:
        return known[0]
    return "fact" if "fact" in kinds or operators & set(COMPARISONS) else None
