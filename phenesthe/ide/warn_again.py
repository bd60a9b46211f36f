"""Warnings about memory, for the definitions that are as they were the ones of before.

That a definition asks for unbounded memory follows from its own formula and from which of the names
in it are facts. So each is looked at by itself, and again only when the check looked at it again.
"""

from collections.abc import Iterator, Mapping

from phenesthe.check.assemble import assemble_alone
from phenesthe.check.override_parameters import Constant
from phenesthe.check.work import Work
from phenesthe.diagnostics.model import Diagnostic
from phenesthe.plan.warn_memory import warn_memory
from phenesthe.syntax.move import move
from phenesthe.syntax.source import Source

#: By name: what the check left of the definition, and the warnings, placed in its text alone.
_Warnings = dict[str, tuple[object, tuple[Diagnostic, ...]]]


class MemoryWarnings:
    """Give it every state of the same program, and no other."""

    def __init__(self) -> None:
        self._known: _Warnings = {}

    def warn(
        self, work: Work, values: Mapping[str, Constant], left: Mapping[str, object]
    ) -> Iterator[Diagnostic]:
        """What `warn_memory` says of the whole program; `left` is what the check left."""
        kept: _Warnings = {}
        for name in _list_needed(work):
            span = work.drafts[name].declaration.span
            known = self._known.get(name)
            if known is None or known[0] is not left[name]:
                found = warn_memory(assemble_alone(work, values, name))
                alone = Source(span.source.path, span.text)
                known = (left[name], move(found, alone, -span.start))
            kept[name] = known
            yield from move(known[1], span.source, span.start)
        self._known = kept


def _list_needed(work: Work) -> list[str]:
    """The definitions that a run of the root needs: what it reports, and all that that uses."""
    needed = set(work.reported)
    for name, draft in reversed(work.drafts.items()):
        if name in needed:
            needed.update(draft.uses)
    return [name for name in work.drafts if name in needed]
