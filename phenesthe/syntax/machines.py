"""`machine NAME(…, Value) initially V { from -> to : event; … }`: read, and what can be amiss."""

import re
from collections.abc import Callable

from phenesthe.diagnostics.model import Diagnostic, Edit
from phenesthe.diagnostics.report import error
from phenesthe.syntax.cursor import Cursor
from phenesthe.syntax.formulas import FormulaParser
from phenesthe.syntax.problem import SyntaxProblem
from phenesthe.syntax.scan import Chunk
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.spelling import lower_name
from phenesthe.syntax.tree import After, Formula, Head, Literal_, Machine, StrLiteral, Transition

#: What opens a parser for the tokens up to the next `;`.
OpenFormula = Callable[[Cursor], FormulaParser]
_HEAD = re.compile(r"machine\s+\w+\s*\([^()]*\)\s*")
_FIRST_VALUE = re.compile(r"\{\s*(?P<value>[a-z]\w*|\"[^\"]*\")\s*->")
_KIND = re.compile(r"(?P<kind>(?:exclusive\s+)?state|exclusive)\s+machine\s+\w+\s*\(")
#: What others write for `->`.
_ARROW = re.compile(r"~>|=+\s*>|-+\s*>|to\b")
#: What follows a transition that lacks its `;`.
_NEXT = re.compile(r"(?P<value>[a-z_]\w*|\"[^\"]*\")\s*->\s*(?:[a-z_]\w*|\"[^\"]*\")\s*$")


def read_machine(
    cursor: Cursor,
    span: Span,
    doc: str | None,
    *,
    read_head: Callable[[Cursor], Head],
    read_label: Callable[[Cursor], Literal_],
    open_formula: OpenFormula,
) -> Machine:
    cursor.take()
    head = read_head(cursor)
    cursor.take()
    initially = _as_text(read_label(cursor))
    cursor.take()
    transitions: list[Transition] = []
    while cursor.token.text != "}":
        start = cursor.token.start
        source = _read_place(cursor, read_label)
        cursor.take()
        target = _read_place(cursor, read_label)
        cursor.take()
        when = _read_when(cursor, open_formula)
        transitions.append(
            Transition(span=cursor.since(start), source=source, target=target, when=when)
        )
    if all(isinstance(one.when, After) for one in transitions):
        raise SyntaxProblem(
            error(
                "S024",
                "nothing begins this machine: before its first transition no clock runs",
                head.span,
                label="no transition of it waits for an event",
                hint=f"write a transition that does: `{initially.span.text} -> on : begins(V);`",
            )
        )
    return Machine(
        span=span, head=head, initially=initially, transitions=tuple(transitions), doc=doc
    )


def _read_place(cursor: Cursor, read_label: Callable[[Cursor], Literal_]) -> StrLiteral | None:
    if cursor.token.text == "_":
        cursor.take()
        return None
    return _as_text(read_label(cursor))


def _as_text(label: Literal_) -> StrLiteral:
    if isinstance(label, StrLiteral):
        return label
    written = label.span.text
    raise SyntaxProblem(
        error(
            "S024",
            f"a value of a machine is a text, not `{written}`",
            label.span,
            label="not a text",
            hint=f'write it as a text, `"{written}"`, or give it a name',
            fix=(Edit(span=label.span, text=f'"{written}"'),),
        )
    )


def _read_when(cursor: Cursor, open_formula: OpenFormula) -> Formula | After:
    """`after` begins no formula: it stands between two."""
    word = cursor.token
    parser = open_formula(cursor)
    if word.text != "after":
        return parser.body()
    parser.cursor.take()
    duration = parser.duration("after", fixed="S016")
    if parser.cursor.word:
        raise SyntaxProblem(
            error(
                "S024",
                "a transition waits for an event or for a length of time, not for both",
                parser.cursor.here(),
                label="`;` is expected here",
                hint="write another transition for what else leads there: whichever comes first "
                "fires",
            )
        )
    return After(span=cursor.span(word).to(duration.span), duration=duration)


def explain_machine(
    source: Source, chunk: Chunk, found: Span, expected: tuple[str, ...]
) -> Diagnostic | None:
    """What is wrong with a machine that has not the shape of one, where that is known."""
    if "`initially`" in expected:
        return _explain_initially(source, chunk, found)
    if {"a value", "a value or `_`"} & {*expected} and found.text[:1].isupper():
        lower = lower_name(found.text)
        return error(
            "S024",
            f"`{found.text}` is a variable, not a value of the machine",
            found,
            label="a value is expected here",
            hint=f"write `{lower}`, in lower case: values are texts, and `_` stands for any",
            fix=(Edit(span=found, text=lower),),
        )
    if "`->`" in expected and (arrow := _ARROW.match(chunk.text, found.start - chunk.start)):
        sign = Span(source, found.start, chunk.start + arrow.end())
        return error(
            "S024",
            f"one value leads to another by `->`, not by `{arrow[0]}`",
            sign,
            label="`->` is expected here",
            hint="write `->`",
            fix=(Edit(span=sign, text="->"),),
        )
    if found.text == "," and {"`->`", "`:`"} & {*expected}:
        return error(
            "S024",
            "a transition leads from one value to one value",
            found,
            label="a second value",
            hint="write a transition for each of them; `_` on the left stands for any value",
        )
    before = _NEXT.search(chunk.text[: found.start - chunk.start])
    if found.text == ":" and before is not None and "`;`" in expected:
        place = chunk.start + len(chunk.text[: before.start()].rstrip())
        return error(
            "S006",
            f"missing `;` before `{before['value']}`",
            Span(source, place - 1, place),
            label="`;` is expected after this",
            hint="every transition ends with `;`",
            fix=(Edit(span=Span(source, place, place), text=";"),),
        )
    return None


def explain_kind_of_machine(source: Source, chunk: Chunk) -> Diagnostic | None:
    """`state machine door(…)`: it is a state without saying so."""
    kind = _KIND.match(chunk.text)
    if kind is None:
        return None
    span = Span(source, chunk.start, chunk.start + kind.end("kind"))
    end = chunk.start + chunk.text.index("machine")
    return error(
        "S024",
        f"a machine is declared without `{kind['kind']}`",
        span,
        label="leave this out",
        hint="a machine is a state of its own sort: it begins with `machine`",
        fix=(Edit(span=Span(source, span.start, end), text=""),),
    )


def _explain_initially(source: Source, chunk: Chunk, found: Span) -> Diagnostic:
    """There is no value to begin with that would go without saying."""
    head = _HEAD.match(chunk.text)
    value = _FIRST_VALUE.search(chunk.text)
    written = f"initially {value['value'] if value else 'idle'}"
    end = chunk.start + len(head[0].rstrip()) if head else found.start
    return error(
        "S024",
        "what value the machine has before its first transition is missing",
        found,
        label="`initially` is expected here",
        hint=f"write it after the head: `{written}`",
        fix=(Edit(span=Span(source, end, end), text=f" {written}"),)
        if head and value and found.text == "{"
        else None,
    )
