"""One damaged file, and the commands that read it."""

import gzip
import os
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

from tests.damage.damages import DAMAGES, reseal
from tests.damage.judge import Wrong, judge_end, judge_rows
from tests.damage.scenes import SCENES, Scene, make_sound, read_sound, restore
from tests.unit.strange.command import run_here


@dataclass(slots=True)
class Tally:
    """Of each kind of file: how its commands ended, and of how many all rows were counted."""

    ends: Counter[tuple[str, int]] = field(default_factory=Counter)
    files: Counter[str] = field(default_factory=Counter)
    judged: Counter[str] = field(default_factory=Counter)

    def merge(self, other: "Tally") -> None:
        self.ends.update(other.ends)
        self.files.update(other.files)
        self.judged.update(other.judged)

    def list_lines(self) -> Iterator[str]:
        yield f"{'':24}{'files':>8}{'exit 0':>8}{'exit 1':>8}{'exit 2':>8}{'counted':>9}"
        for scene in SCENES:
            ends = "".join(f"{self.ends[scene.name, code]:>8,}" for code in (0, 1, 2))
            name = scene.name
            yield f"{name:24}{self.files[name]:>8,}{ends}{self.judged[name]:>9,}"


def draw_case(number: int, sound: dict[str, bytes]) -> tuple[Scene, str, bytes]:
    """What is read, what was done to it, and the damaged file."""
    draw = Random(number)
    scene = draw.choice(SCENES)
    if draw.random() < 0.05:
        other = draw.choice(sorted(sound))
        return scene, f"is `{other}`", sound[other]
    data, done = sound[scene.file], []
    is_packed = scene.file.endswith(".gz") and draw.random() < 0.7
    is_sealed = scene.file.startswith("state/") and draw.random() < 0.7
    if is_packed:
        data = gzip.decompress(data)
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        name = draw.choice(sorted(DAMAGES))
        data = DAMAGES[name](data, draw)
        done.append(name)
    if is_packed:
        data = gzip.compress(data, 1, mtime=0)
    if is_sealed:
        data = reseal(data)
    return scene, ", ".join(done), data


def examine(number: int, tally: Tally) -> str | None:
    """What was wrong with a case, or None."""
    folder = prepare()
    scene, what, data = draw_case(number, read_sound(folder))
    path = folder / scene.file
    path.write_bytes(data)
    tally.files[scene.name] += 1
    arguments: list[str | Path] = []
    try:
        for arguments in scene.commands(folder):
            done = run_here(*arguments)
            tally.ends[scene.name, done.code] += 1
            judge_end(done, arguments, folder)
            tally.judged[scene.name] += judge_rows(path, data, folder)
    except Wrong as problem:
        return f"{scene.name} ({what}), {_name(arguments)}: {problem}"
    except BaseException as problem:
        if isinstance(problem, KeyboardInterrupt):
            raise
        return f"{scene.name} ({what}), {_name(arguments)}:\n{traceback.format_exc()}"
    finally:
        restore(folder)
    return None


def _name(arguments: list[str | Path]) -> str:
    return f"`phenesthe {' '.join(map(str, arguments))}`"


@cache
def prepare() -> Path:
    """The folder of this process. Nobody pulls a plug here, so nothing has to reach the disk."""
    os.fsync = lambda _: None  # type: ignore[assignment]
    # It lives as long as the process.
    keeper = tempfile.TemporaryDirectory(prefix="damage-")
    _KEPT.append(keeper)
    folder = Path(keeper.name) / "files"
    make_sound(folder)
    read_sound(folder)
    return folder


_KEPT: list[tempfile.TemporaryDirectory[str]] = []
