"""What an earlier check of a program found out, for the definitions that are as they were.

A definition is checked again when its text changed, or something it sees of the names it depends
on (`PassGroup.see`). Everything else that was found out about it is put where it stands now.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from phenesthe.check.definition_passes import PassGroup, check_draft
from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.model import Diagnostic
from phenesthe.syntax.move import move
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tree import Formula
from phenesthe.vocabulary import CalendarName, ValueType


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What is known of a definition after a group of passes.

    Its places count from the beginning of the definition, in a source of nothing else: an outcome
    lives through many versions of a file and must not keep them all.
    """

    #: What the group before left, which this one went on from.
    after: object
    text: str
    file: Path
    seen: Hashable
    bodies: tuple[Formula, ...]
    uses: tuple[str, ...]
    parameters: tuple[str, ...]
    calendars: frozenset[CalendarName]
    types: tuple[ValueType | None, ...]
    broken: bool
    diagnostics: tuple[Diagnostic, ...]


class Earlier:
    """Give it to every check of the same program, and to no other."""

    def __init__(self) -> None:
        #: Names of the definitions that the last check had to look at.
        self.checked: set[str] = set()
        #: What the last group left of each definition: an object that stays the same as long as
        #: all that is known of the definition does.
        self.left: dict[str, object] = {}
        self._outcomes: dict[PassGroup, dict[str, _Outcome]] = {}

    def begin(self) -> None:
        self.checked = set()
        self.left = {}

    def check_each(self, work: Work, group: PassGroup) -> None:
        before = self._outcomes.get(group, {})
        kept: dict[str, _Outcome] = {}
        for name, draft in work.drafts.items():
            after = self.left.get(name)
            outcome = before.get(name)
            if (
                outcome is not None
                and outcome.after is after
                and _holds(outcome, work, draft, group)
            ):
                _apply(outcome, work, draft)
            else:
                self.checked.add(name)
                outcome = _find_out(work, draft, group, after)
            if outcome is not None:
                kept[name] = outcome
            self.left[name] = outcome or object()
        self._outcomes[group] = kept


def _holds(outcome: _Outcome, work: Work, draft: Draft, group: PassGroup) -> bool:
    return (
        outcome.text == draft.declaration.span.text
        and outcome.file == draft.symbol.file
        and outcome.seen == group.see(work, draft)
    )


def _apply(outcome: _Outcome, work: Work, draft: Draft) -> None:
    span = draft.declaration.span
    draft.bodies = partial(_place, outcome.bodies, span)
    draft.uses = outcome.uses
    draft.parameters = outcome.parameters
    draft.calendars = outcome.calendars
    draft.symbol.types = list(outcome.types)
    draft.broken = outcome.broken
    if outcome.diagnostics:
        work.diagnostics.extend(move(outcome.diagnostics, span.source, span.start))


def _place(bodies: tuple[Formula, ...], span: Span) -> list[Formula]:
    return list(move(bodies, span.source, span.start))


def _find_out(work: Work, draft: Draft, group: PassGroup, after: object) -> _Outcome | None:
    """Run the passes; None where what they say does not follow from the text and the names."""
    seen = group.see(work, draft)
    said = len(work.diagnostics)
    asked = work.suggestions
    check_draft(work, draft, group)
    span = draft.declaration.span
    diagnostics = tuple(work.diagnostics[said:])
    # A suggestion looks at all names there are, and a place elsewhere moves by itself.
    if work.suggestions != asked or not all(_stays_in(span, one) for one in diagnostics):
        return None
    alone = Source(span.source.path, span.text)
    bodies, diagnostics = move((tuple(draft.bodies), diagnostics), alone, -span.start)
    return _Outcome(
        after=after,
        text=alone.text,
        file=draft.symbol.file,
        seen=seen,
        bodies=bodies,
        uses=draft.uses,
        parameters=draft.parameters,
        calendars=draft.calendars,
        types=tuple(draft.symbol.types),
        broken=draft.broken,
        diagnostics=diagnostics,
    )


def _stays_in(span: Span, diagnostic: Diagnostic) -> bool:
    places = [diagnostic.span]
    places += [label.span for label in diagnostic.related]
    places += [edit.span for edit in diagnostic.fix or ()]
    return all(
        place.source is span.source and span.start <= place.start and place.end <= span.end
        for place in places
    )
