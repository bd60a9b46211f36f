"""The characters of a drawing. All of one set differ, so that a legend can tell what was used."""

from typing import NamedTuple


class Marks(NamedTuple):
    event: str
    several_events: str
    state: str
    touching: str
    several_states: str
    begin: str
    during: str
    finish: str
    short: str
    open: str
    cut: str
    ruler: str
    tick: str
    more: str


UNICODE = Marks(
    event="|", several_events="‖",
    state="━", touching="╸", several_states="╋",
    begin="[", during="─", finish="]", short="◆",
    open="▶", cut="…", ruler="╌", tick="┬", more="…",
)  # fmt: skip
ASCII = Marks(
    event="|", several_events="!",
    state="=", touching=":", several_states="#",
    begin="[", during="-", finish="]", short="*",
    open=">", cut="~", ruler=".", tick="+", more="...",
)  # fmt: skip


def choose_marks(encoding: str | None) -> Marks:
    """The Unicode marks where the output can take them."""
    try:
        "".join(UNICODE).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


def explain_marks(used: set[str], marks: Marks, width: int) -> list[str]:
    """A legend of those marks that do not explain themselves."""
    legend = (
        (marks.several_events, "several events"),
        (marks.touching, "ends, the next begins"),
        (marks.several_states, "several states"),
        (marks.short, "shorter than a column"),
        (marks.open, "still open"),
        (marks.cut, "goes on outside"),
    )
    lines: list[str] = []
    for mark, text in legend:
        if mark in used:
            item = f"{mark} {text}"
            if lines and len(lines[-1]) + len(item) + 3 <= width:
                lines[-1] += "   " + item
            else:
                lines.append(item)
    return lines
