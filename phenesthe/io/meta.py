"""What results do not tell of themselves: the unit of their times, when they were asked for, and of
which program they are. Beside a text file it is a file of its own, in Parquet a part of the schema.

Two files cannot take the place of two others in one step. What stands beside a file therefore names
it by its content: whoever reads it takes it for nothing when the file is another.
"""

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from phenesthe.frozen import dataclass
from phenesthe.io.kinds import find_told
from phenesthe.io.putting import Putting, is_nowhere
from phenesthe.vocabulary import UNITS, Unit

#: In the description of a Parquet file, and where Spark writes it, in that of a column.
META = "phenesthe"
_LONGEST = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    unit: Unit
    #: The time of the last query; None if there was none.
    query: int | None
    #: Whether the input had dates for times.
    dates: bool
    #: A short name of the program, the same for the same definitions.
    program: str

    def to_json(self) -> str:
        return json.dumps(asdict(self))


def name_meta(results: Path) -> Path:
    return results.with_name(results.name + ".meta.json")


def find_digest(file: IO[bytes]) -> str:
    """Of what was written to a file that is still open."""
    file.flush()
    with open(file.name, "rb") as written:
        return hashlib.file_digest(written, "sha256").hexdigest()


def write_meta(meta: Meta, results: Path, digest: str, putting: Putting) -> None:
    """Beside a file of results with that digest. What is there and is none of ours stays."""
    place = name_meta(results)
    if is_nowhere(results) or (place.exists() and _load(place) is None):
        return
    with putting.file(place) as file:
        file.write(json.dumps({**asdict(meta), "sha256": digest}).encode() + b"\n")


def read_meta_beside(results: Path) -> Meta | None:
    """None if there is none, or it is of another file."""
    place = name_meta(results)
    content = _load(place) if place.is_file() else None
    if content is None:
        return None
    with results.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != content["sha256"]:
            return None
    return _make(content)


def find_meta(schema: Any) -> Meta | None:
    """That of a Parquet table, if it has one."""
    text = find_told(schema, META)
    try:
        return None if text is None else _make(json.loads(text))
    except (ValueError, RecursionError):
        return None


def _load(place: Path) -> dict[str, Any] | None:
    try:
        with place.open("rb") as file:
            content = json.loads(file.read(_LONGEST))
    except (OSError, ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) and "sha256" in content else None


def _make(content: object) -> Meta | None:
    match content:
        case {
            "unit": str(unit),
            "query": int() | None as query,
            "dates": bool(dates),
            "program": str(program),
        }:
            chosen = next((one for one in UNITS if one == unit), None)
            if chosen is not None:
                return Meta(unit=chosen, query=query, dates=dates, program=program)
    return None
