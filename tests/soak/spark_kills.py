"""Commands on Spark, killed at random moments and made again."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pyarrow import dataset

from tests.kills.scenes import Scene, list_scenes
from tests.strategies.corpus import PROJECT

#: Which of those that are made in process are made here too.
_SCENES = ("run again o/", "state o.jsonl changes resumed", "state o/ final resumed",
           "prepare again")  # fmt: skip
_PATIENCE = 600.0


@dataclass(frozen=True)
class _Prepared:
    scene: Scene
    base: Path
    work: Path
    #: By name, what is there before and after.
    old: Mapping[str, Any]
    new: Mapping[str, Any]
    names: Sequence[str]
    seconds: float


def run_spark_kills(cases: int, seed: int, failures: Path) -> bool:
    """Whether nothing was lost."""
    chance = random.Random(seed)
    lost = 0
    with TemporaryDirectory(prefix="spark-kills-") as folder:
        place = Path(folder).resolve()
        scenes = [one for one in list_scenes() if one.name in _SCENES][: max(1, cases)]
        prepared = [_prepare(scene, place / str(at)) for at, scene in enumerate(scenes)]
        for number in range(cases):
            one = prepared[number % len(prepared)]
            moment, whole = chance.random() * one.seconds, chance.random() < 0.5
            found = list(_examine(one, place / "tmp", moment, whole))
            lost += bool(found)
            victim = "with its JVM" if whole else "alone"
            print(f"{number + 1:>4} of {cases}: {one.scene.name}, killed {victim} after "
                  f"{moment:.1f} of {one.seconds:.1f} s: {'; '.join(found) or 'nothing lost'}",
                  flush=True)  # fmt: skip
    print(f"{cases} kills on Spark, {lost} times something was lost", flush=True)
    if lost:
        failures.mkdir(parents=True, exist_ok=True)
        (failures / "soak_spark_kills.txt").write_text(f"--seed {seed}\n")
    return not lost


def _prepare(scene: Scene, place: Path) -> _Prepared:
    """Made once without being killed."""
    base, work, temporary = place / "base", place / "work", place / "tmp"
    work.mkdir(parents=True)
    scene.prepare(work)
    for command in scene.before:
        _finish(_start(work, temporary, command))
    shutil.copytree(work, base)
    old = _read(work, scene)
    began = time.monotonic()
    _finish(_start(work, temporary, scene.command))
    seconds = time.monotonic() - began
    return _Prepared(scene, base, work, old, _read(work, scene), _list_names(work), seconds)


def _examine(one: _Prepared, temporary: Path, moment: float, whole: bool) -> Iterator[str]:
    shutil.rmtree(one.work)
    shutil.copytree(one.base, one.work)
    process = _start(one.work, temporary, one.scene.command)
    try:
        process.wait(moment)
    except subprocess.TimeoutExpired:
        if whole:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.communicate()
    for name, content in _read(one.work, one.scene).items():
        if content not in (one.old[name], one.new[name]):
            yield f"`{name}` is neither the old one nor the new one"
    _await_end(process.pid)
    again = _start(one.work, temporary, one.scene.command)
    _, err = again.communicate(timeout=_PATIENCE)
    if again.returncode:
        yield f"made again, it ends with {again.returncode}: {err.strip()}"
    for name, content in _read(one.work, one.scene).items():
        if content != one.new[name]:
            yield f"made again, `{name}` is another"
    if _list_names(one.work) != one.names:
        yield f"made again, there are others: {_list_names(one.work)}"
    if left := [path.name for path in temporary.iterdir()]:
        yield f"made again, there are temporary folders: {left}"


def _start(folder: Path, temporary: Path, command: Sequence[str]) -> "subprocess.Popen[str]":
    temporary.mkdir(exist_ok=True)
    on_spark = [word for word in command if word not in ("--engine", "local")]
    return subprocess.Popen(
        [sys.executable, "-m", "phenesthe", *on_spark, "--master", "local[2]", "--quiet"],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "TMPDIR": str(temporary)},
        start_new_session=True,
    )


def _finish(process: "subprocess.Popen[str]") -> None:
    _, err = process.communicate(timeout=_PATIENCE)
    assert process.returncode == 0, err


def _await_end(group: int) -> None:
    """Until the JVM of a process that was killed has seen it, and has gone too."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.2)


def _read(work: Path, scene: Scene) -> dict[str, Any]:
    return {name: _read_one(work / name) for name in scene.targets}


def _read_one(path: Path) -> Any:
    """What is in a file or folder, whatever the files of a table are called."""
    if path.is_dir():
        return {one.name: _read_one(one) for one in sorted(path.iterdir())} if not path.suffix \
            else _read_table(path)  # fmt: skip
    if not path.is_file():
        return None
    if path.suffix == ".parquet":
        return _read_table(path)
    if path.name == "stats.jsonl":
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        return [{**line, "seconds": 0} for line in lines]
    return path.read_bytes()


def _read_table(path: Path) -> list[str]:
    return sorted(map(str, dataset.dataset(path).to_table().to_pylist()))


def _list_names(work: Path) -> list[str]:
    state = work / "st"
    inside = [f"st/{one.name}" for one in state.iterdir()] if state.is_dir() else []
    return sorted([*(one.name for one in work.iterdir()), *inside])
