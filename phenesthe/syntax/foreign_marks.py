"""What to say about marks of other languages around declarations: comments, a final point."""

from collections.abc import Sequence

from phenesthe.diagnostics.model import Diagnostic, Edit
from phenesthe.diagnostics.report import error
from phenesthe.syntax.source import Span

PARTED_BY_COLON = "a definition's name and its formula are separated by `:`"


def foreign_comment(sign: str, places: Sequence[Span]) -> Diagnostic:
    """All comments of a file that begin with this sign, marked at the first."""
    every = "both" if len(places) == 2 else f"all {len(places)}"
    more = f"; the fix changes {every} of them" if len(places) > 1 else ""
    return error(
        "S003",
        f"comments begin with `//`, not with `{sign}`",
        places[0],
        label="not a comment here",
        hint=f"write `//` instead of `{sign}`{more}",
        fix=tuple(Edit(span=place, text="//") for place in places),
    )


def final_point(place: Span) -> Diagnostic:
    return error(
        "S006",
        "a declaration ends with `;`, not with `.`",
        place,
        label="`;` is expected here",
        hint="write `;` instead of `.`",
        fix=(Edit(span=place, text=";"),),
    )
