"""What to say about a declaration that is written as in SQL, Flink, Esper, Python or Prolog.

Asked only when a declaration cannot be read, so that nothing that is right is ever found here. A
habit counts when the place where reading failed lies in what its pattern matches.
"""

import re
from collections.abc import Iterator

from phenesthe.diagnostics.model import Diagnostic, Edit
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.shorten import shorten
from phenesthe.syntax.foreign_calls import find_call
from phenesthe.syntax.foreign_computations import explain_elsewhere
from phenesthe.syntax.foreign_marks import final_point, foreign_comment
from phenesthe.syntax.foreign_names import FOREIGN_NAMES, find_foreign
from phenesthe.syntax.foreign_operators import HABITS, UPPER_CASE
from phenesthe.syntax.habit import Habit
from phenesthe.syntax.mistakes import misspelt
from phenesthe.syntax.own_names import find_event, suggest_instead
from phenesthe.syntax.pairs import suggest_pairs
from phenesthe.syntax.scan import Chunk
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.suggest_aggregates import explain_call
from phenesthe.syntax.tokens import BEGINNING, find_opening
from phenesthe.vocabulary import AGGREGATES

_CALL = re.compile(rf"\b(?P<name>{'|'.join(FOREIGN_NAMES)})\s*\(", re.IGNORECASE)
_STRING = re.compile(r"\"(?:\\.|[^\"\\\r\n])*\"|'[^'\r\n]*'")
_PARENTHESIS = re.compile(r"[()]")
_COMMENT = re.compile(r"(?P<sign>(?<!-)--(?=\s|[A-Za-z])|%)[^\r\n]*")
#: With a value on both sides `%` and `--` compute.
_COMPUTED = re.compile(
    r"(?<=[\w)])\s*(?:%|--)\s*(?:-?\d|\(|[A-Z_]\w*\s*(?:[-+*/%<>=!,;)]|(?:and|or|where|let)\b))"
)
#: Whatever it stands in, these have a meaning of their own elsewhere.
_SIGN = re.compile(r"&|\|\||!|['‘’“”„`]")
_OPERAND = re.compile(r"\w+(?:\([^()]*\))?\s*$")
_LONGEST_OPERAND = 200
#: An aggregate that is written as one up to its length of time.
_LOOKS_BACK = re.compile(r"\)\s*(?:over|past)\s*$")
_POINT = re.compile(r"(?<=[\w)])\.(?=\s)")


def explain_habit(source: Source, chunk: Chunk, failure: Span) -> Diagnostic | None:
    """What was probably meant, if it is a habit; `failure` is where reading stopped."""
    text = _STRING.sub(_mask, chunk.text)
    if not find_opening(text):
        return None  # how it begins says enough
    if failure.text == "->" and find_opening(text) != "machine":
        return _explain_arrow(chunk, failure)
    place = failure.start - chunk.start
    return (
        explain_elsewhere(source, chunk, place)
        or _explain_pattern(source, chunk, text, place)
        or _explain_call(source, chunk, text, place)
        or _explain_mark(source, chunk, text, place)
    )


def _explain_arrow(chunk: Chunk, arrow: Span) -> Diagnostic:
    """Esper's `->`; of what kind the definition is tells which operator is meant."""
    if chunk.text.startswith("dynamic"):
        message = "one thing after another is written `before`, not `->`"
        return misspelt(message, arrow, "before", suggest_pairs(chunk.text))
    if not chunk.text.startswith("event"):
        return misspelt("a state from one event to another is written `~>`, not `->`", arrow, "~>")
    return error(
        "S008",
        "`->` is not an operator",
        arrow,
        label="not an operator here",
        hint="a state from one event to another is written `~>`, a dynamic phenomenon of one thing "
        "after another `before`",
    )


def _mask(match: re.Match[str]) -> str:
    quote = match[0][0]
    return quote + "·" * (len(match[0]) - 2) + quote


def _explain_pattern(source: Source, chunk: Chunk, text: str, place: int) -> Diagnostic | None:
    for habit in HABITS:
        for match in habit.pattern.finditer(text):
            if match.start() <= place <= match.end():
                return _describe(source, chunk, habit, match)
    for match in UPPER_CASE.finditer(text):
        if match.start() <= place < match.end():
            return _lower_case(source, chunk, text, match)
    return None


def _describe(source: Source, chunk: Chunk, habit: Habit, match: re.Match[str]) -> Diagnostic:
    def written(group: str | int) -> str:
        """What the source has there: strings are masked in what is matched."""
        start, end = match.span(group)
        return "" if start < 0 else chunk.text[start:end]

    group = "at" if "at" in match.re.groupindex else 0
    start, end = match.span(group)
    span = Span(source, chunk.start + start, chunk.start + end)
    groups = {name: written(name) for name in match.re.groupindex}
    groups |= {"declaration": chunk.text, "file": source.text}
    write = habit.write(groups) if callable(habit.write) else habit.write
    fix = None
    if write is not None:
        first, last = match.span("fix" if "fix" in match.re.groupindex else group)
        # The text of a chunk may end with a `;` that the file lacks.
        place = Span(source, chunk.start + first, min(chunk.start + last, chunk.end))
        fix = (Edit(span=place, text=write),)
    remedy = habit.hint(groups) if callable(habit.hint) else habit.hint
    return error(
        "S022",
        habit.message.format(at=shorten(span.text, 40)),
        span,
        label="not written like this here",
        hint=remedy.replace("{write}", write or "").replace("{event}", find_event(chunk.text)),
        fix=fix,
    )


def _lower_case(source: Source, chunk: Chunk, text: str, found: re.Match[str]) -> Diagnostic:
    """Operators in capitals; the fix changes all of them in the declaration."""
    span = Span(source, chunk.start + found.start(), chunk.start + found.end())
    lower = found[0].lower()
    return error(
        "S022",
        f"`{found[0]}` is not an operator: the words of the language are lower case",
        span,
        label="a variable, because it begins with an upper-case letter",
        hint=f"write `{lower}`",
        fix=tuple(
            Edit(
                span=Span(source, chunk.start + match.start(), chunk.start + match.end()),
                text=match[0].lower(),
            )
            for match in UPPER_CASE.finditer(text)
        ),
    )


def _explain_call(source: Source, chunk: Chunk, text: str, place: int) -> Diagnostic | None:
    for match in _CALL.finditer(text):
        name = match["name"]
        foreign = find_foreign(name)
        if (
            foreign is None
            or not match.start() <= place
            or _closes_before(text, match.end(), place)
            or (name in AGGREGATES and _LOOKS_BACK.search(text, match.end(), place))
            or (name in AGGREGATES and _SIGN.match(text, place))
        ):
            continue
        if re.search(rf"\b(?:{'|'.join(BEGINNING)})\s+{name}\s*\(", source.text):
            continue  # the program has a phenomenon of its own with this name
        call = find_call(chunk.text, match.start()) if name in AGGREGATES else None
        return error(
            "S022",
            f"`{name}` is not part of the language: {foreign.lacks}"
            if call is None
            else f"`{name}` is not written like this: {explain_call(call)}",
            Span(source, chunk.start + match.start(), chunk.start + match.end("name")),
            label="not a function here",
            hint=suggest_instead(foreign, name, chunk.text, source.text, match.start()),
        )
    return None


def _closes_before(text: str, start: int, place: int) -> bool:
    """Whether the parentheses that were opened before `start` are closed before a place."""
    depth = 1
    for match in _PARENTHESIS.finditer(text, start, max(start, place)):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return True
    return False


def _explain_mark(source: Source, chunk: Chunk, text: str, place: int) -> Diagnostic | None:
    for match in _COMMENT.finditer(text):
        if _COMPUTED.match(text, _end_of_operand(text, match.start())):
            continue
        # A comment may be the reason for what is wrong right before it.
        if _start_of_operand(text, match.start()) <= place <= match.end():
            spans = list(_signs(source, chunk, text, match["sign"]))
            return foreign_comment(match["sign"], spans)
    for match in _POINT.finditer(text):
        if match.start() == place:
            start = chunk.start + match.start()
            return final_point(Span(source, start, start + 1))
    return None


def _start_of_operand(text: str, end: int) -> int:
    begin = max(text.rfind("\n", 0, end) + 1, end - _LONGEST_OPERAND)
    operand = _OPERAND.search(text, begin, end)
    return operand.start() if operand else end


def _end_of_operand(text: str, end: int) -> int:
    while end and text[end - 1] in " \t":
        end -= 1
    return end


def _signs(source: Source, chunk: Chunk, text: str, sign: str) -> Iterator[Span]:
    for match in _COMMENT.finditer(text):
        if match["sign"] == sign:
            start = chunk.start + match.start()
            yield Span(source, start, start + len(sign))
