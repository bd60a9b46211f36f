"""What to say about clauses and calls that compute over several rows as in another language.

Asked before all other habits, whose words these have in them: `GROUP BY`, `for`, a point.
"""

import re

from phenesthe.diagnostics.model import Diagnostic, Edit
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.shorten import MAX_REMEDY, shorten
from phenesthe.syntax.aggregate_rows import is_beside_event
from phenesthe.syntax.declared import find_mentions
from phenesthe.syntax.foreign_calls import ForeignCall, find_call, find_calls
from phenesthe.syntax.scan import Chunk
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.suggest_aggregates import (
    explain_call,
    rewrite_calls,
    suggest_aggregate,
    write_aggregate,
)

_HAVING = re.compile(
    r"(?P<group>\bGROUP\s+BY\s[^;()]*?)?(?P<at>\bHAVING\b)\s*(?P<condition>(?:(?!\b(?:GROUP|ORDER)\s+BY\b|\bLIMIT\s+\d)[^;])*)",
    re.IGNORECASE,
)
#: A value for each of several rows, in the parentheses of a call.
_FOR_EACH = re.compile(r"\bcase\s+when\b|\bfor\b|^[\s\w.]*\bfrom\b|^\s*\w+\.\w+\s*$", re.IGNORECASE)
_NO_FUNCTION = re.compile(r"[^(),]*\b(?:of|over|past)\b[^(),]*")


def explain_elsewhere(source: Source, chunk: Chunk, place: int) -> Diagnostic | None:
    """`place` is where reading stopped."""
    for match in _HAVING.finditer(chunk.text):
        if match.start() <= place <= match.end():
            return _explain_having(source, chunk, match)
    call = find_call(chunk.text, place)
    if call is None or not _is_foreign(call):
        return None
    if call.behind and not call.is_elsewhere:
        return _explain_behind(source, chunk, call)
    written = shorten(chunk.text[call.start : call.end], 40)
    return error(
        "S022",
        f"`{written}` is not written like this: {explain_call(call)}",
        Span(source, chunk.start + call.start, chunk.start + call.end),
        label="not written like this here",
        hint=suggest_aggregate(call, chunk.text, source.text),
    )


def _explain_behind(source: Source, chunk: Chunk, call: ForeignCall) -> Diagnostic:
    """`count(…) over 1h`; if what is counted is written out, it is certain what is meant."""
    behind = call.behind.strip()
    end = chunk.start + call.end
    is_certain = any(True for _ in find_mentions(call.inside))
    written, _ = write_aggregate(call, chunk.text, source.text)
    return error(
        "S022",
        f"`{behind}` stands inside the parentheses of what it is about",
        Span(source, end - len(behind), end),
        label="not here",
        hint=suggest_aggregate(call, chunk.text, source.text),
        fix=(Edit(span=Span(source, chunk.start + call.start, end), text=written),)
        if is_certain
        else None,
    )


def _is_foreign(call: ForeignCall) -> bool:
    """Whether no call looks like it that could be read but for a mistake inside."""
    if call.name.lower() == "prev":
        # In Flink and Esper how many rows before is said, too.
        return "," in call.inside or not call.name.islower()
    if call.name.lower() in ("min", "max"):
        # Functions of one row as well.
        is_capital = not call.name.islower() and "," not in call.inside
        if is_capital or _NO_FUNCTION.fullmatch(call.inside):
            return True
    return bool(call.is_elsewhere or call.behind or _FOR_EACH.search(call.inside))


def _explain_having(source: Source, chunk: Chunk, having: "re.Match[str]") -> Diagnostic:
    start, end = having.span("condition")
    condition = rewrite_calls(start, end, chunk.text, source.text).strip()
    before = chunk.text[: having.start()]
    is_event = is_beside_event(before, chunk.text, source.text)
    word = "and" if is_event or re.search(r"\bwhere\b", before) else "where"
    written = f"{word} {condition}"
    has_aggregates = any(True for _ in find_calls(chunk.text, start, end))
    own = ", with your own length of time" if has_aggregates and is_event else ""
    group = " ".join((having["group"] or "").split())
    out = f"leave `{shorten(group, 40)}` out, and " if group else ""
    place = Span(source, chunk.start + having.start("at"), chunk.start + having.end("at"))
    return error(
        "S022",
        f"`{place.text}` is not part of the language: what is asked of several rows is a condition "
        "like others",
        place,
        label="not written like this here",
        hint=f"{out}write `{shorten(written, MAX_REMEDY)}`{own}",
        fix=None if has_aggregates or not condition or group else (Edit(span=place, text=word),),
    )
