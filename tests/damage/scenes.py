"""Sound files of every kind that is read, and the commands that read them."""

import gzip
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tests.ais_samples import write_areas, write_samples
from tests.unit.strange.command import run_here

PROGRAM = """
input event e(x: int, y: str);
fact f(x: int);
event a(X, Y) : e(X, Y);
state s(X) : e(X, "u") and not f(X) ~> e(X, "v");
dynamic d(X) : s(X) before s(X) within 20;
"""
TEST = """{"test": "one", "until": 9}
{"name": "e", "args": [1, "u"], "t": 2}
{"name": "e", "args": [1, "v"], "t": 5}
{"expect": "s", "args": [1], "ts": 2, "te": 5}
{"test": "two"}
{"name": "e", "args": [2, "w"], "t": 2}
{"expect": "s", "none": true}
"""
Arguments = list[str | Path]
#: The commands to make, given the folder of the case.
Commands = Callable[[Path], list[Arguments]]


@dataclass(frozen=True, slots=True)
class Scene:
    name: str
    #: What is damaged, in the folder that `make_sound` makes.
    file: str
    commands: Commands


def make_sound(folder: Path) -> None:
    """All files, in a folder that is not there yet."""
    folder.mkdir()
    rows = [(at % 5, "uvw"[at % 3], at) for at in range(1, 40)]
    (folder / "p.phe").write_text(PROGRAM)
    (folder / "p.test.jsonl").write_text(TEST)
    objects = [f'{{"x": {x}, "y": "{y}", "t": {t}}}' for x, y, t in rows]
    lines = [f'{{"name": "e", "args": [{x}, "{y}"], "t": {t}}}' for x, y, t in rows]
    for name in ("csv", "jsonl", "parquet", "later"):
        (folder / name).mkdir()
        (folder / name / "f.csv").write_text("x\n4\n")
    (folder / "csv" / "e.csv").write_text(_write_csv(rows))
    (folder / "later" / "e.csv").write_text(_write_csv([(x, y, t + 40) for x, y, t in rows]))
    (folder / "jsonl" / "e.jsonl").write_text("\n".join(objects) + "\n")
    (folder / "in.jsonl").write_text("\n".join([*lines, '{"fact": "f", "args": [4]}']) + "\n")
    x, y, t = (list(column) for column in zip(*rows, strict=True))
    pq.write_table(pa.table({"x": x, "y": y, "t": t}), folder / "parquet" / "e.parquet")
    for name in ("r.jsonl", "r.csv", "r.parquet", "r"):
        assert run_here(*_run(folder, "csv"), "--output", folder / name).code == 0
    assert run_here(*_replay(folder, "csv")).code == 0
    files = write_samples(folder)
    write_areas(folder)
    for one in (files[2], files[3]):
        (folder / f"{one.name}.gz").write_bytes(gzip.compress(one.read_bytes(), 1))


def _write_csv(rows: list[tuple[int, str, int]]) -> str:
    return "x,y,t\n" + "".join(f"{x},{y},{t}\n" for x, y, t in rows)


def _run(folder: Path, place: str) -> Arguments:
    given: Arguments = ["run", folder / "p.phe", "--input", folder / place]
    return [*given, "--engine", "local", "--quiet"]


def _replay(folder: Path, place: str) -> Arguments:
    return [*_run(folder, place), "--window", "10", "--step", "5", "--state", folder / "state"]


def _run_to_file(place: str) -> Commands:
    def list_commands(folder: Path) -> list[Arguments]:
        ends: Arguments = ["--output", folder / "out.jsonl", "--rejects", folder / "rejects.jsonl"]
        return [[*_run(folder, place), *ends]]

    return list_commands


def _try_program(folder: Path) -> list[Arguments]:
    file = folder / "p.phe"
    commands: list[Arguments] = [[one, file] for one in ("check", "compile", "test", "fmt")]
    return [["check", "--format", "json", file], *commands, *_run_to_file("csv")(folder)]


def _go_on(folder: Path) -> list[Arguments]:
    return [["memory", folder / "state"], _replay(folder, "later")]


def _show(name: str) -> Commands:
    return lambda folder: [["show", folder / name, "--width", "80"]]


def _prepare(file: str) -> Commands:
    def list_commands(folder: Path) -> list[Arguments]:
        areas: Arguments = ["--areas", folder / "areas.geojson", folder / "points.csv"]
        ends: Arguments = ["--output", folder / "out", "--engine", "local", "--quiet"]
        return [["ais", "prepare", folder / file, *areas, *ends]]

    return list_commands


SCENES = (
    Scene("table, CSV", "csv/e.csv", _run_to_file("csv")),
    Scene("table, JSON lines", "jsonl/e.jsonl", _run_to_file("jsonl")),
    Scene("table, Parquet", "parquet/e.parquet", _run_to_file("parquet")),
    Scene("lines of everything", "in.jsonl", _run_to_file("in.jsonl")),
    Scene("facts, CSV", "csv/f.csv", _run_to_file("csv")),
    Scene("program", "p.phe", _try_program),
    Scene("tests", "p.test.jsonl", lambda folder: [["test", folder / "p.phe"]]),
    Scene("state", "state/state", _go_on),
    Scene("settled results", "state/settled-1", _go_on),
    Scene("results, JSON lines", "r.jsonl", _show("r.jsonl")),
    Scene("results, CSV", "r.csv", _show("r.csv")),
    Scene("results, Parquet", "r.parquet", _show("r.parquet")),
    Scene("results, a folder", "r/a.parquet", _show("r")),
    Scene("areas, GeoJSON", "areas.geojson", _prepare("brest.csv")),
    Scene("areas, CSV", "points.csv", _prepare("brest.csv")),
    Scene("reports, CSV", "danish.csv", _prepare("danish.csv")),
    Scene("reports, CSV, packed", "brest.csv.gz", _prepare("brest.csv.gz")),
    Scene("reports, log", "log.nmea", _prepare("log.nmea")),
    Scene("reports, log, packed", "log.nmea.gz", _prepare("log.nmea.gz")),
    Scene("reports, Parquet", "plain.parquet", _prepare("plain.parquet")),
)


@cache
def read_sound(folder: Path) -> dict[str, bytes]:
    """Every file as it was made, by its path in the folder."""
    files = (one for one in folder.rglob("*") if one.is_file())
    return {str(one.relative_to(folder)): one.read_bytes() for one in files}


def restore(folder: Path) -> None:
    """The folder as it was made: what commands wrote is gone, what was damaged sound again."""
    sound = read_sound(folder)
    for one in [*folder.iterdir(), *(folder / "state").iterdir()]:
        name = str(one.relative_to(folder))
        if one.is_dir() and not any(file.startswith(f"{name}/") for file in sound):
            shutil.rmtree(one)
        elif one.is_file() and name not in sound:
            one.unlink()
    for name, content in sound.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
