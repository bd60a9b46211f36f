"""What is cut off: a folder, a command in it, what it writes, and the command of the next day."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.ais_samples import write_areas, write_samples

PROGRAM = """\
input event go(x: str);
input event stop(x: str);
input state lit(x: str);
event starts_up(X) : go(X);
state runs(X) : go(X) ~> stop(X);
dynamic runs_lit(X) : runs(X) contains lit(X);
"""
ROWS: list[dict[str, Any]] = [
    {"name": "go", "args": ["a"], "t": 1},
    {"name": "go", "args": ["b"], "t": 2},
    {"name": "lit", "args": ["a"], "ts": 3, "te": 6},
    {"name": "go", "args": ["unfit"]},
    {"name": "stop", "args": ["b"], "t": 9},
    {"name": "go", "args": ["d"], "t": 2, "arrival": 11},
    {"name": "go", "args": ["c"], "t": 12},
    {"name": "go", "args": ["c"], "t": 12, "arrival": 18, "op": "retract"},
    {"name": "stop", "args": ["a"], "t": 20},
    {"name": "go", "args": ["late"], "t": 1, "arrival": 19},
]
NEXT: list[dict[str, Any]] = [
    {"name": "stop", "args": ["d"], "t": 23},
    {"name": "stop", "args": ["late"], "t": 19, "arrival": 24},
    {"name": "go", "args": ["e"], "t": 25},
    {"name": "lit", "args": ["d"], "ts": 14, "te": 15, "arrival": 22},
]
OUTPUTS = ("o.jsonl", "o.csv", "o.parquet", "o/")
EMITS = ("final", "changes", "snapshots")
UGLY = "input event go(x:str);\nevent   e(X):go(X) ;\n"


@dataclass(frozen=True)
class Scene:
    name: str
    prepare: Callable[[Path], None]
    #: Commands made before, without being cut off.
    before: Sequence[Sequence[str]]
    command: Sequence[str]
    #: Files and folders that the command writes.
    targets: tuple[str, ...]
    #: Shows what the command has left in a state.
    after: Sequence[str] | None = None
    #: What exists is refused, also when it is the command's own from before.
    may_exist: bool = False


def list_scenes() -> Iterator[Scene]:
    for output in (*OUTPUTS, ""):
        yield _make_batch(output)
        for emit in EMITS:
            yield _make_replay(output, emit)
            for sort in ("first", "resumed"):
                yield _make_kept(output, emit, sort)
    yield _make_overwritten("o.jsonl")
    yield _make_overwritten("o/")
    yield Scene(
        "fmt", lambda folder: _write(folder, {"p.phe": UGLY}), (), ("fmt", "p.phe"), ("p.phe",)
    )
    local = ("--engine", "local", "--quiet")
    given = ("ais", "prepare", "us.csv", "--areas", "areas.geojson", "--output", "out", *local)
    yield Scene("prepare", _write_reports, (), given, ("out",), may_exist=True)
    old = (*given, "--gap", "10m")
    yield Scene("prepare again", _write_reports, (old,), (*given, "--overwrite"), ("out",))


def _make_batch(output: str) -> Scene:
    """Without windows, where nothing was before."""
    command = ("run", "p.phe", "--engine", "local", "--input", "in.jsonl", *_MORE, *_to(output))
    name = f"run {output or 'stdout'}"
    return Scene(name, _write_rows, (), command, (*_BESIDES, *_name(output)), may_exist=True)


def _make_replay(output: str, emit: str) -> Scene:
    command = (*_WINDOWS, "--input", "in.jsonl", "--emit", emit, *_MORE, *_to(output))
    name = f"replay {output or 'stdout'} {emit}"
    return Scene(name, _write_rows, (), command, (*_BESIDES, *_name(output)), may_exist=True)


def _make_kept(output: str, emit: str, sort: str) -> Scene:
    """With a state: its first run, where nothing was before, or a later one, as every night."""
    given = (*_WINDOWS, "--emit", emit, "--state", "st")
    after = (*given, "--input", "next.jsonl")
    if sort == "first":
        command = (*given, "--input", "in.jsonl", *_MORE, *_to(output))
        before: tuple[tuple[str, ...], ...] = ()
    else:
        nightly = (*given, *_MORE, *_to(output), "--overwrite")
        before = ((*nightly, "--input", "a.jsonl", "--until", "8"),)
        command = (*nightly, "--input", "b.jsonl")
    return Scene(
        f"state {output or 'stdout'} {emit} {sort}",
        _write_rows, before, command, (*_BESIDES, *_name(output)), after,
    )  # fmt: skip


def _make_overwritten(output: str) -> Scene:
    given = ("run", "p.phe", "--engine", "local", *_MORE, *_to(output), "--overwrite")
    before = (*given, "--input", "a.jsonl")
    command = (*given, "--input", "in.jsonl")
    targets = (*_BESIDES, *_name(output))
    return Scene(f"run again {output}", _write_rows, (before,), command, targets)


_WINDOWS = ("run", "p.phe", "--engine", "local", "--window", "10", "--step", "4", "--start", "0")
_BESIDES = ("bad.jsonl", "stats.jsonl")
_MORE = ("--rejects", "bad.jsonl", "--stats", "stats.jsonl")


def _to(output: str) -> tuple[str, ...]:
    return ("--output", output) if output else ()


def _name(output: str) -> tuple[str, ...]:
    return (output.rstrip("/"),) if output else ()


def _write_rows(folder: Path) -> None:
    def becomes_known(row: Mapping[str, Any]) -> int:
        return int(max(row.get("t", row.get("ts", 0)), row.get("arrival", 0)))

    files = {
        "in.jsonl": ROWS,
        "a.jsonl": [row for row in ROWS if becomes_known(row) <= 8],
        "b.jsonl": [row for row in ROWS if becomes_known(row) > 8],
        "next.jsonl": NEXT,
    }
    texts = {name: "".join(json.dumps(row) + "\n" for row in rows) for name, rows in files.items()}
    _write(folder, {"p.phe": PROGRAM, **texts})


def _write_reports(folder: Path) -> None:
    write_samples(folder)
    write_areas(folder)


def _write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text)
