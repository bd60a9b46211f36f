"""What once took time or memory out of all proportion: programs and files of any size."""

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

_MIB = 2**20


@dataclass(frozen=True, slots=True)
class Case:
    """`write` makes what a size needs in a folder, and says what to call `phenesthe` with there."""

    name: str
    text: str
    sizes: tuple[int, ...]
    figure: Literal["seconds", "MiB"]
    write: Callable[[Path, int], tuple[str, ...]]


def write_doubling(folder: Path, size: int) -> tuple[str, ...]:
    lines = ["input event e(x: int);", "input event f(x: int);"]
    lines.append("dynamic s0(X) : e(X) before f(X);")
    lines += [
        f"dynamic s{at}(X) : s{at - 1}(X) contains s{at - 1}(X);" for at in range(1, size + 1)
    ]
    (folder / "p.phe").write_text("\n".join(lines))
    rows = [{"name": "ef"[at // 3 % 2], "args": [at % 3], "t": at} for at in range(200)]
    (folder / "in.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return (
        "run", "p.phe", "--engine", "local", "--input", "in.jsonl", "--window", "20", "--step",
        "10", "--output", "out.jsonl", "--overwrite", "--quiet",
    )  # fmt: skip


def write_unknown(folder: Path, size: int) -> tuple[str, ...]:
    """As many names that nobody defined, each like all of those that somebody did."""
    middle = "_".join(["vessel_that_waits"] * 5)
    lines = ["input event e(x: int);"]
    lines += [f"event {middle}_{at}(X) : {middle}_unknown_{at}(X);" for at in range(size)]
    (folder / "p.phe").write_text("\n".join(lines))
    return "check", "p.phe"


def write_terms(folder: Path, size: int) -> tuple[str, ...]:
    text = f"input event e(x: int);\nevent s(X) : {' and '.join(['e(X)'] * size)};\n"
    (folder / "p.phe").write_text(text)
    return "compile", "p.phe"


def write_modules(folder: Path, size: int) -> tuple[str, ...]:
    """Each imports all the others."""
    names = [f"m{at}" for at in range(size)]
    for name in names:
        imports = "".join(f"import {other};\n" for other in names if other != name)
        text = f"{imports}input event in_{name}(x: int);\nevent of_{name}(X) : in_{name}(X);\n"
        (folder / f"{name}.phe").write_text(text)
    return "check", "m0.phe"


def _write_long_line(folder: Path, name: str) -> tuple[str, ...]:
    (folder / "p.phe").write_text("input event e(x: int);\nevent s(X) : e(X);\n")
    return (
        "run", "p.phe", "--engine", "local", "--input", name, "--output", "out.jsonl",
        "--overwrite", "--quiet",
    )  # fmt: skip


def write_line(folder: Path, size: int) -> tuple[str, ...]:
    with (folder / "in.jsonl").open("wb") as file:
        # A file with a hole: zeros that nobody has to write.
        file.truncate(size * _MIB)
    return _write_long_line(folder, "in.jsonl")


def write_packed_line(folder: Path, size: int) -> tuple[str, ...]:
    zeros = bytes(_MIB)
    with gzip.open(folder / "in.jsonl.gz", "wb", compresslevel=1) as file:
        for _ in range(size):
            file.write(zeros)
    return _write_long_line(folder, "in.jsonl.gz")


CASES = (
    Case(
        "windows", "a definition doubled n times, 200 events in windows", (5, 10, 20, 40),
        "seconds", write_doubling,
    ),
    Case(
        "names", "`check` of n unknown names beside n long ones", (100, 250, 500, 1000),
        "seconds", write_unknown,
    ),
    Case(
        "terms",
        "`compile` of n terms joined by `and`",
        (500, 1000, 2000, 4000),
        "seconds",
        write_terms,
    ),
    Case(
        "modules", "`check` of n modules that import each other", (75, 150, 300, 600),
        "seconds", write_modules,
    ),
    Case("line", "a line of n MiB without an end", (50, 100, 200, 400), "MiB", write_line),
    Case("gz", "the same in a packed file", (50, 100, 200, 400), "MiB", write_packed_line),
)  # fmt: skip
