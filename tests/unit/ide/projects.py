"""Programs of several files as an editor has them, without a disk."""

from collections.abc import Mapping
from pathlib import Path

from phenesthe.check.modules import read_file
from phenesthe.ide.analysis import Analysis, analyse
from phenesthe.resources import LIBRARY

FOLDER = Path("/project")
MAIN = FOLDER / "main.phe"


def open_project(files: Mapping[str, str] | str, root: str = "main.phe") -> Analysis:
    """Files by their names; a text alone is `main.phe`. The library is there as well."""
    texts = {"main.phe": files} if isinstance(files, str) else files
    known = {FOLDER / name: text.encode() for name, text in texts.items()}

    def read(path: Path) -> bytes | None:
        return read_file(path) if path.is_relative_to(LIBRARY) else known.get(path)

    return analyse(FOLDER / root, known[FOLDER / root], read=read)


def find_offset(analysis: Analysis, words: str, file: str = "main.phe", *, after: str = "") -> int:
    """Where a text stands first in a file, or first behind another text."""
    module = analysis.find_module(FOLDER / file)
    assert module is not None
    text = module.parsed.source.text
    return text.index(words, text.index(after))
