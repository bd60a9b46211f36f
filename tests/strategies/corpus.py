"""The programs of the project itself, to start from: conformance, library and examples."""

from functools import cache
from pathlib import Path

from phenesthe.resources import LANGUAGE, LIBRARY

PROJECT = Path(__file__).parents[2]


@cache
def corpus() -> dict[Path, bytes]:
    """Every `.phe` file by its path."""
    places = (LANGUAGE / "conformance", LIBRARY, PROJECT / "examples")
    files = sorted(file for place in places for file in place.rglob("*.phe"))
    return {file: file.read_bytes() for file in files}


def read_corpus(path: Path) -> bytes | None:
    """A reader for `check` that never touches the disk."""
    return corpus().get(path)
