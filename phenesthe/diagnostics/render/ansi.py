"""Colours for the terminal, by hand: a library for them would cost more start-up than the check."""

from enum import Enum

from phenesthe.diagnostics.model import Severity


class Style(Enum):
    """What a piece of text is; the value is its ANSI attribute list."""

    ERROR = "1;31"
    WARNING = "1;33"
    RELATED = "1;36"
    NOTE = "1;32"
    FRAME = "1;34"
    TITLE = "1"


SEVERITY_STYLES = {Severity.ERROR: Style.ERROR, Severity.WARNING: Style.WARNING}


class Painter:
    """Adds colour or leaves the text alone, so that renderers need not ask which."""

    def __init__(self, *, color: bool) -> None:
        self._color = color

    def paint(self, text: str, style: Style) -> str:
        return f"\x1b[{style.value}m{text}\x1b[0m" if self._color and text else text
