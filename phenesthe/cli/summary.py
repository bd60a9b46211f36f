"""What a run says at its end: rows used and set aside, results, seconds."""

import sys
from collections.abc import Iterable, Mapping

from phenesthe.runs.ran import Ran

#: Columns that a name may take.
_WIDEST = 40
#: Definitions without results that are named, and reasons why rows are set aside.
_MOST_NAMES, _MOST_REASONS = 8, 3
#: Seconds.
_WORTH_TELLING = 0.5


def show_summary(ran: Ran, seconds: float) -> None:
    """To stderr."""
    lines = [*_begin("used", _list_used(ran)), *_begin("found", _list_found(ran))]
    started = f", {ran.start:,.1f} of them to start Spark" if ran.start >= _WORTH_TELLING else ""
    for line in (*lines, f"done in {seconds:,.1f} s{started}"):
        print(line, file=sys.stderr)


def _begin(title: str, rows: Iterable[tuple[str, str]]) -> Iterable[str]:
    listed = list(rows)
    width = max((len(name) for name, text in listed if text), default=0)
    for number, (name, text) in enumerate(listed):
        head = title if not number else ""
        yield f"{head:7}{name:{width}}  {text}" if text else f"{head:7}{name}"


def _list_used(ran: Ran) -> Iterable[tuple[str, str]]:
    from phenesthe.io.judge import LATER

    for one in (*ran.program.inputs, *ran.program.facts):
        if one.name in ran.remembered and one.name not in ran.account.there:
            continue
        aside = ran.rejects.count_by_name(one.name)
        later = sum(count for reason, count in aside.items() if reason in LATER)
        used = _count(ran.account.fitted[one.name] - later, "row")
        yield _cut(one.name), ", ".join((used, *_describe(aside)))
    for text in _describe(ran.rejects.count_by_name(None)):
        yield "no input's", text


def _describe(aside: Mapping[str, int]) -> Iterable[str]:
    if aside:
        reasons = [f"{count:,} {reason}" for reason, count in aside.items()]
        more = ", …" if len(reasons) > _MOST_REASONS else ""
        listed = ", ".join(reasons[:_MOST_REASONS]) + more
        yield f"{sum(aside.values()):,} set aside ({listed})"


def _list_found(ran: Ran) -> Iterable[tuple[str, str]]:
    if ran.found is None:
        return
    width = max((len(f"{count:,}") for count in ran.found.values()), default=0)
    empty = []
    for name in sorted(ran.found):
        count = ran.found[name]
        if not count:
            empty.append(_cut(name))
        elif ran.row:
            yield _cut(name), _count(count, ran.row)
        else:
            yield _cut(name), f"{count:{width},}"
    if empty:
        more = len(empty) - _MOST_NAMES
        listed = ", ".join(empty[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
        yield f"nothing of {listed}", ""


def _count(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _cut(name: str) -> str:
    from phenesthe.diagnostics.render.cells import make_printable
    from phenesthe.diagnostics.shorten import shorten

    return make_printable(shorten(name, _WIDEST))
