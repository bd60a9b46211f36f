"""Lines read in parts are what the local engine reads at once; workers without Spark."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phenesthe import io
from phenesthe.engines.spark.reading.columns import Whole
from phenesthe.engines.spark.reading.lines import Csv, Everything, Objects, is_plain
from phenesthe.engines.spark.reading.worker_tasks import Judge
from phenesthe.files.csv_form import look_at_csv
from phenesthe.io.names import name_columns
from phenesthe.io.time_format import Clock
from tests.spark.pretend import Work, read_lines, read_whole
from tests.unit.io.samples import make_program

PROGRAM = make_program(
    text="""
unit second;
input event e(i: int, f: float, s: str, b: bool);
input state w(i: int, s: str);
fact k(i: int, s: str);
fact h();
event out(I) : e(I, _, _, _);
state held(I) : w(I, _);
"""
)
CUTS = st.lists(st.integers(0, 12), max_size=4)
SIZES = st.integers(1, 5)

PLAIN = [
    b"1", b" 2 ", b"x", b"", b'""', b'"3"', b'"a""b"', b'"a,b"', b"nan", b"1e3", b"true", b"\xff",
    b"TRUE", b"1970-01-01T00:00:07", b"7", b"4611686018427387904", b"9223372036854775808",
]  # fmt: skip
ODD = [b'"', b'a"b', b'"a\nb"', b'"a', b"\r"]
GOOD = st.sampled_from([b"1,0.5,a,true,7,", b'2,nan,"",false,-9,x', b"", b"2,1,,true,7,x"])


def draw_records(fields: list[bytes]) -> st.SearchStrategy[list[bytes]]:
    some = st.lists(st.sampled_from(fields), min_size=4, max_size=7).map(b",".join)
    return st.lists(GOOD | some, max_size=10)


ENDS = st.sampled_from([b"\n", b"\r\n"])


def read_here(path: Path) -> tuple[dict[str, Counter[str]], Counter[str]]:
    """What the local engine finds, without closing or retracting rows."""
    loaded = io.read_input(PROGRAM, path)
    tables = {**loaded.tables, **loaded.facts}
    rejects = map(json.loads, loaded.rejects.read_lines())
    return (
        {name: Counter(repr(row) for row in table.to_pylist()) for name, table in tables.items()},
        Counter(json.dumps(one, sort_keys=True) for one in rejects),
    )


def make_judge(name: str) -> Judge:
    signature = next(one for one in (*PROGRAM.inputs, *PROGRAM.facts) if one.name == name)
    return Judge(signature=signature, clock=Clock(PROGRAM.unit), names=name_columns(signature))


def check(work: Work, path: Path) -> None:
    rows, rejects = read_here(path)
    assert {name: +found for name, found in work.rows.items()} == rows
    assert work.rejects == rejects
    assert work.mark.rejects == rejects.total()


@settings(max_examples=100, deadline=None)
@given(
    records=draw_records(PLAIN) | draw_records(PLAIN + ODD),
    end=ENDS,
    last=st.sampled_from([b"", b"\n"]),
    mark=st.sampled_from([b"", b"\xef\xbb\xbf"]),
    cuts=CUTS,
    size=SIZES,
)
def test_csv_in_parts(
    tmp_path_factory: pytest.TempPathFactory,
    records: list[bytes],
    end: bytes,
    last: bytes,
    mark: bytes,
    cuts: list[int],
    size: int,
) -> None:
    header = b"i,f,s,b,t,x"
    data = mark + end.join([header, *records]) + last
    path = tmp_path_factory.mktemp("csv") / "e.csv"
    path.write_bytes(data)
    judge = make_judge("e")
    form = look_at_csv(path, lambda _: 1)
    assert is_plain(form.line, ",")
    way = Csv(label=str(path), judge=judge, form=form)
    work = read_lines(PROGRAM, way, data, cuts, size)
    whole = Whole(judge=judge, suffix=".csv", labels={})
    if work.mark.is_odd:
        work = read_whole(PROGRAM, whole, path)
    check(work, path.parent)


VALUES: Any = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.just([1])
)
OBJECTS = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["e", "w", "none"]) | VALUES,
        "fact": st.sampled_from(["k", "h"]) | VALUES,
        "args": st.sampled_from([[1, 0.5, "a", True], [1, "a"], []]) | VALUES,
        "i": st.integers(0, 9) | VALUES,
        "s": st.text(max_size=2) | VALUES,
        "t": st.integers(0, 9) | VALUES,
        "ts": st.integers(0, 9) | VALUES,
        "te": st.integers(10, 19) | VALUES,
        "arrival": VALUES,
    },
)
LINES = st.one_of(
    OBJECTS.map(lambda one: json.dumps(one).encode()),
    st.sampled_from([b"", b"  ", b"{", b"[1]", b'{"name": "\xff"}', b'{"i": 1}\r{"i": 2}', b"\r"]),
)


@settings(max_examples=100, deadline=None)
@given(lines=st.lists(LINES, max_size=10), end=ENDS, cuts=CUTS, size=SIZES)
def test_lines_of_everything_in_parts(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[bytes],
    end: bytes,
    cuts: list[int],
    size: int,
) -> None:
    path = tmp_path_factory.mktemp("lines") / "in.jsonl"
    path.write_bytes(end.join(lines))
    way = Everything(label=str(path), program=PROGRAM, only_facts=False)
    check(read_lines(PROGRAM, way, path.read_bytes(), cuts, size), path)


@settings(max_examples=100, deadline=None)
@given(lines=st.lists(LINES, max_size=10), cuts=CUTS, size=SIZES)
def test_objects_in_parts(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], cuts: list[int], size: int
) -> None:
    path = tmp_path_factory.mktemp("table") / "k.jsonl"
    path.write_bytes(b"\n".join(lines))
    way = Objects(label=str(path), judge=make_judge("k"))
    check(read_lines(PROGRAM, way, path.read_bytes(), cuts, size), path.parent)
