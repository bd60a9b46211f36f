"""The ways to show diagnostics. All work on the same objects and add nothing of their own."""

from collections.abc import Sequence

from phenesthe.diagnostics.model import Diagnostic
from phenesthe.diagnostics.render.concise import render_concise
from phenesthe.diagnostics.render.full import render_full

__all__ = ["FORMATS", "render"]

FORMATS = ("full", "concise", "json", "github")


def render(
    diagnostics: Sequence[Diagnostic],
    format: str,
    *,
    color: bool = False,
    width: int = 120,
) -> str:
    """Render in the order given; the text ends with a newline.

    No diagnostics give no text, in JSON an empty list. `color` concerns full and concise, `width`
    (terminal columns) full only. No control character of a source reaches the text.
    """
    match format:
        case "full":
            return render_full(diagnostics, color=color, width=width)
        case "concise":
            return render_concise(diagnostics, color=color)
        case "json":
            # These two are for programs; a command in a terminal starts without them.
            from phenesthe.diagnostics.render.as_json import render_json

            return render_json(diagnostics)
        case "github":
            from phenesthe.diagnostics.render.github import render_github

            return render_github(diagnostics)
        case _:
            raise ValueError(f"unknown format {format!r}: use one of {', '.join(FORMATS)}")
