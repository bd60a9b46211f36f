"""A first run for its own sake, after which Java need not load Spark's classes one by one."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq

from phenesthe.engines.spark.class_archive import find_archive, making_archive
from phenesthe.engines.spark.java import Java
from phenesthe.engines.spark.session import open_session
from phenesthe.io.judge import Allowed
from phenesthe.program import compile
from phenesthe.runs.request import Output, Places, Request
from phenesthe.runs.spark import SparkEngine
from phenesthe.runs.watch import Listener

#: Two stages, a fact, a pair, a filter at the scan: what loads the classes that most runs need.
_PROGRAM = """\
input event seen(vessel: int, speed: float);
input state near(vessel: int, other: int);
fact kind(vessel: int, name: str);
state slow(V) : seen(V, S) and S < 1 ~> seen(V, S) and S >= 1;
state together(V, W) :
    near(V, W) intersection slow(V) intersection slow(W) where kind(V, fishing);
"""


def make_class_archive(java: Java) -> Path | None:
    """The archive, unless Java would not write one."""
    with (
        making_archive(java) as making,
        open_session(is_small=True, making=making),
        TemporaryDirectory() as folder,
    ):
        _run_something(Path(folder))
    return find_archive(java)


def _run_something(folder: Path) -> None:
    """Tables of each kind are read, and all results written."""
    given = folder / "input"
    given.mkdir()
    seen = {"vessel": [1, 1, 2, 2], "speed": [0.0, 4.0, 0.5, 3.0], "t": [1, 60, 2, 50]}
    pq.write_table(pa.table(seen), given / "seen.parquet")
    (given / "near.csv").write_text("vessel,other,ts,te\n1,2,5,40\n")
    (given / "kind.jsonl").write_text('{"vessel": 1, "name": "fishing"}\n')
    program = folder / "program.phe"
    program.write_text(_PROGRAM)
    checked = compile(program).checked
    request = Request(
        program=checked,
        only=tuple(checked.reported),
        source=Places(str(given)),
        allowed=Allowed(),
        output=Output(str(folder / "found")),
    )
    SparkEngine().run(request, Listener())
