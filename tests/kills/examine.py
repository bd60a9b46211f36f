"""Whether a command that was cut off, and then made again, ends as if it had not been."""

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias
from zlib import crc32

from tests.kills.fork import Ended, run
from tests.kills.hook import Way
from tests.kills.scenes import Scene

#: What is in a file or, by name, in a folder; None where there is none.
Content: TypeAlias = bytes | dict[str, bytes] | None


@dataclass
class Outcome:
    scene: str
    #: Times that the command was cut off.
    cuts: int = 0
    #: Calls that change the disk, of which each was a place to be cut off at.
    calls: int = 0
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Found:
    """What a command has told and written."""

    out: bytes
    targets: dict[str, Content]
    #: Names in the folder, and in the folder of the state.
    names: list[str]
    after: bytes | None


def examine(scene: Scene, place: Path, ways: Sequence[Way] = ("kill",), every: int = 1) -> Outcome:
    """Cut it off at every call, or at some: each `every`th, others for each way and scene."""
    shutil.rmtree(place, ignore_errors=True)
    base, work = place / "base", place / "work"
    work.mkdir(parents=True)
    scene.prepare(work)
    for command in scene.before:
        ended = run(work, command)
        assert ended.code == 0, ended.err
    shutil.copytree(work, base)
    old = _read(work, scene)
    first = run(work, scene.command)
    assert first.code == 0, first.err
    expected = _look(work, scene, first)
    new = _read(work, scene) if scene.after is None else expected.targets
    outcome = Outcome(scene.name, calls=first.calls)
    for number, way in enumerate(ways):
        begin = 1 + (crc32(scene.name.encode()) + number) % every
        for at in range(begin, first.calls + 1, every):
            shutil.rmtree(work)
            shutil.copytree(base, work)
            cut = run(work, scene.command, at, way)
            outcome.cuts += 1
            label = f"{scene.name}, {way} at {at} of {first.calls}"
            outcome.problems += [
                f"{label}: {text}" for text in _compare(work, scene, cut, old, new, expected)
            ]
    shutil.rmtree(place)
    return outcome


def _compare(
    work: Path,
    scene: Scene,
    cut: Ended,
    old: dict[str, Content],
    new: dict[str, Content],
    expected: _Found,
) -> Iterator[str]:
    if "Traceback" in cut.err:
        yield f"it tells a traceback, {cut.err.strip().splitlines()[-1]}"
    if cut.code not in (-9, -15, 130):
        yield f"it ends with {cut.code}: {cut.err.strip()}"
    for name, content in _read(work, scene).items():
        if content != old[name] and content != new[name]:
            yield f"`{name}` is neither the old one nor the new one ({_describe(content)})"
    again = run(work, scene.command)
    if again.code == 1 and scene.may_exist and "exists; use --overwrite" in again.err:
        # It was there before the cut, or a file beside it. A user says so, and gets what everybody
        # gets.
        for name, content in _read(work, scene).items():
            if content is not None and content != expected.targets[name]:
                yield f"`{name}` exists, but not as it should be"
        again = run(work, (*scene.command, "--overwrite"))
    if again.code != 0:
        yield f"made again, it ends with {again.code}: {again.err.strip()}"
        return
    found = _look(work, scene, again)
    if found.out != expected.out:
        yield f"made again, it tells {found.out[:80]!r}, not {expected.out[:80]!r}"
    for name, content in found.targets.items():
        if content != expected.targets[name]:
            wanted = _describe(expected.targets[name])
            yield f"made again, `{name}` is {_describe(content)}, not {wanted}"
    if found.names != expected.names:
        strange = sorted(set(found.names) ^ set(expected.names))
        yield f"made again, there are others: {strange}"
    if found.after != expected.after:
        yield "the state is another one"


def _look(work: Path, scene: Scene, ended: Ended) -> _Found:
    targets = _read(work, scene)
    names = sorted(one.name for one in work.iterdir())
    state = work / "st"
    if state.is_dir():
        names += sorted(f"st/{one.name}" for one in state.iterdir())
    after = None
    if scene.after is not None:
        later = run(work, scene.after)
        after = later.out if later.code == 0 else later.err.encode()
    return _Found(ended.out, targets, names, after)


def _read(work: Path, scene: Scene) -> dict[str, Content]:
    return {name: _read_one(work / name) for name in scene.targets}


def _read_one(path: Path) -> Content:
    if path.is_dir():
        return {
            str(one.relative_to(path)): one.read_bytes()
            for one in sorted(path.rglob("*"))
            if one.is_file()
        }
    if not path.is_file():
        return None
    data = path.read_bytes()
    return _drop_seconds(data) if path.name == "stats.jsonl" else data


def _drop_seconds(data: bytes) -> bytes:
    """Statistics without what no two runs have in common."""
    lines = [json.loads(line) for line in data.splitlines()]
    return json.dumps([{**line, "seconds": 0} for line in lines]).encode()


def _describe(content: Content) -> str:
    match content:
        case None:
            return "absent"
        case bytes():
            return f"{len(content)} bytes"
        case _:
            return f"{len(content)} files of {sum(map(len, content.values()))} bytes"
