"""A JSON line about each query of a run."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from phenesthe.runs.ran import Read
from phenesthe.runs.request import Request

if TYPE_CHECKING:
    from phenesthe.io.putting import Putting

#: Takes what is told of one query.
Tell: TypeAlias = Callable[[Mapping[str, Any]], None]


def describe_query(
    query: int,
    *,
    inputs: int,
    late: int = 0,
    too_late: int = 0,
    rejected: int = 0,
    rows: Mapping[str, int] | None = None,
    incomplete: int = 0,
    seconds: float,
) -> dict[str, Any]:
    """`rows` are those of the working memory, by definition or input."""
    remembered = {name: count for name, count in sorted((rows or {}).items()) if count}
    return {
        "query": query,
        "inputs": inputs,
        "late": late,
        "too_late": too_late,
        "rejected": rejected,
        "memory": {"rows": sum(remembered.values()), "by_definition": remembered},
        "incomplete": incomplete,
        "seconds": round(seconds, 6),
    }


def write_only_query(request: Request, found: Read, inputs: int, seconds: float) -> None:
    """The line of a run without windows, if there was an instant to ask about."""
    with writing_stats(request) as tell:
        query = found.last if request.until is None else request.until
        if query is not None:
            rejected = len(found.rejects)
            tell(describe_query(query, inputs=inputs, rejected=rejected, seconds=seconds))


@contextmanager
def writing_stats(request: Request, putting: "Putting | None" = None) -> Iterator[Tell]:
    """A context in which queries are told; the file is there when the block ends well."""
    path = request.stats
    if path is None:
        yield lambda _: None
        return
    from phenesthe.io.putting import AT_ONCE

    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with (putting or AT_ONCE).file(Path(path), overwrite=request.overwrite) as file:
        yield lambda line: _write_line(file, line)


def _write_line(file: Any, line: Mapping[str, Any]) -> None:
    file.write(json.dumps(line).encode() + b"\n")
