"""Programs without a disk, with a `|` where the cursor is."""

from collections.abc import Mapping
from pathlib import Path

from phenesthe.check.modules import read_file
from phenesthe.ide.analysis import Analysis, analyse
from phenesthe.resources import LIBRARY
from phenesthe.syntax.source import Span

MAIN = Path("/project/main.phe")
INPUTS = """\
input event ais(vessel: int, speed: float);
input event alarm();
input state in_port(vessel: int, port: str);
input dynamic convoy(leader: int, follower: int);
fact vessel_type(vessel: int, type: str);
param limit: float = 0.5;
param pause: duration = 10m;
"""


def analyse_text(text: str, files: Mapping[str, str] | None = None) -> Analysis:
    """`main.phe` with other files, named relative to its folder, and the library."""
    known = {MAIN.parent / name: other.encode() for name, other in (files or {}).items()}

    def read(path: Path) -> bytes | None:
        return read_file(path) if path.is_relative_to(LIBRARY) else known.get(path)

    return analyse(MAIN, text.encode(), read=read)


def analyse_marked(text: str, files: Mapping[str, str] | None = None) -> tuple[Analysis, int]:
    """The program without its `|`, and where that was."""
    before, mark, after = text.partition("|")
    assert mark
    return analyse_text(before + after, files), len(before)


def cover(analysis: Analysis) -> Span:
    """All of `main.phe`."""
    source = analysis.modules.files[0].parsed.source
    return Span(source, 0, len(source.text))
