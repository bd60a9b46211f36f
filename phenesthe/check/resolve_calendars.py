"""Calendar states, and their texts, each read where it is written."""

import json
from typing import cast

from phenesthe.check.calendars import Misread, list_zones, read_moment
from phenesthe.check.work import Draft, View, Work
from phenesthe.diagnostics.model import Edit, Label
from phenesthe.diagnostics.report import error, warning
from phenesthe.diagnostics.suggest import closest
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import Atom, Calendar, StrLiteral, Term, Variable, Wildcard, Word
from phenesthe.vocabulary import CALENDARS, CalendarName

_EXAMPLES: dict[CalendarName, str] = {
    "always": "always()",
    "daily": 'daily("22:00", "06:00")',
    "weekly": 'weekly("Sat 00:00", "Mon 00:00")',
    "yearly": 'yearly("03-01", "06-15")',
    "dates": 'dates("2026-03-01", "2026-06-15")',
}


def resolve_calendar(work: Work, draft: Draft, around: View, atom: Atom) -> Calendar:
    """An atom with the name of a calendar state, which nothing else has here."""
    name = cast(CalendarName, atom.name.text)
    reading = _Reading(work, draft, around, atom, name)
    return Calendar(span=atom.span, name=name, arguments=reading.read())


class _Reading:
    def __init__(
        self, work: Work, draft: Draft, around: View, atom: Atom, name: CalendarName
    ) -> None:
        self.work, self.draft, self.around, self.atom, self.name = work, draft, around, atom, name

    def read(self) -> tuple[str, ...]:
        texts: list[str] = []
        most = len(CALENDARS[self.name])
        if not (max(most - 1, 0) <= len(self.atom.arguments) <= most):
            self._report_count(most)
            return ()
        for at, term in enumerate(self.atom.arguments):
            text = self._read_text(term, is_zone=at == most - 1)
            if text is None:
                continue
            texts.append(text)
            if at == most - 1:
                self._check_zone(text, term.span)
            else:
                self._check_moment(text, term.span)
        if most and self._is_read(texts[:2]):
            self._check_order(texts)
        return tuple(texts)

    def _is_read(self, texts: list[str]) -> bool:
        try:
            return len([read_moment(self.name, text) for text in texts]) == 2
        except Misread:
            return False

    def _report_count(self, most: int) -> None:
        given = len(self.atom.arguments)
        takes = "no arguments" if not most else "two texts, and a time zone if it is not UTC"
        shown = "none is given" if not given else f"{given} {'is' if given == 1 else 'are'} given"
        self.work.report(
            error(
                "A002",
                f"`{self.name}` takes {takes}, but {shown}",
                self.atom.span,
                label=f"{given or 'none'} here",
                hint=f"write `{_EXAMPLES[self.name]}`",
            ),
            self.draft,
        )

    def _read_text(self, term: Term, *, is_zone: bool) -> str | None:
        related: tuple[Label, ...] = ()
        match term:
            case StrLiteral():
                return term.value
            case Word():
                symbol = self.around.find(term.name)
                if symbol is None or not symbol.is_parameter:
                    return term.name
                what, related = "a parameter", (Label(span=symbol.span, message="declared here"),)
            case Variable() | Wildcard():
                what = "a variable"
            case _:
                what = "a number"
        meant = None if what != "a number" else self._guess(term.span.text)
        zone = term.span.text if is_zone and term.span.text in list_zones() else None
        meant = meant or zone
        self.work.report(
            error(
                "D004",
                f"the arguments of `{self.name}` are texts, and `{term.span.text}` is {what}",
                term.span,
                label="not a text",
                related=related,
                hint=f"write `{json.dumps(meant)}`"
                if meant
                else f"write it out, between quotes: `{_EXAMPLES[self.name]}`",
                fix=(Edit(span=term.span, text=json.dumps(meant)),) if meant else None,
            ),
            self.draft,
        )
        return None

    def _guess(self, text: str) -> str | None:
        try:
            read_moment(self.name, text)
        except Misread as problem:
            return problem.meant
        return text

    def _check_moment(self, text: str, span: Span) -> None:
        try:
            read_moment(self.name, text)
        except Misread as problem:
            meant = None if problem.meant is None else json.dumps(problem.meant)
            self.work.report(
                error(
                    "D001",
                    problem.reason,
                    span,
                    label="cannot be read",
                    hint=f"write `{meant}`" if meant else problem.hint,
                    fix=(Edit(span=span, text=meant),) if meant else None,
                ),
                self.draft,
            )

    def _check_zone(self, text: str, span: Span) -> None:
        zones = list_zones()
        if text in zones:
            return
        folded = {zone.lower(): zone for zone in zones}
        meant = folded.get(text.lower().replace(" ", "_")) or closest(text, zones)
        if meant is None:
            # A city by itself.
            cities = {zone.rpartition("/")[2].lower(): zone for zone in sorted(zones)}
            meant = cities.get(text.lower().replace(" ", "_"))
        hint = 'zones are called as in the time zone database: `"Europe/Copenhagen"`, `"UTC"`'
        if not zones:
            hint = "this machine has no time zone database: install the package `tzdata`"
        self.work.report(
            error(
                "D002",
                f"there is no time zone `{text}`",
                span,
                label="not a time zone",
                hint=f'did you mean `"{meant}"`?' if meant else hint,
                fix=(Edit(span=span, text=json.dumps(meant)),) if meant else None,
            ),
            self.draft,
        )

    def _check_order(self, texts: list[str]) -> None:
        first, second = (read_moment(self.name, text) for text in texts[:2])
        one, other = self.atom.arguments[:2]
        if self.name == "dates" and second < first:
            self.work.report(
                error(
                    "D003",
                    f"`{texts[1]}` is before `{texts[0]}`",
                    other.span,
                    label="the last day",
                    related=(Label(span=one.span, message="the first day"),),
                    hint="write the earlier date first",
                    fix=(
                        Edit(span=one.span, text=other.span.text),
                        Edit(span=other.span, text=one.span.text),
                    ),
                ),
                self.draft,
            )
        elif self.name in ("daily", "weekly") and second == first:
            self.work.report(
                warning(
                    "W006",
                    f"`{self.name}` begins and ends at the same moment, so it holds nowhere",
                    one.span.to(other.span),
                    label="the same moment twice",
                    hint="write another moment; what always holds is `always()`",
                )
            )
