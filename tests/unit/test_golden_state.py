"""A state that was written long ago is read as it was meant then.

`tests/data/state/state.gz` is a state of two memories, the second fed by the first, with every kind
of operator; `expected.json` is what they tell when they go on. Both are made by

    python -m tests.unit.test_golden_state

which is to be run when `FORMAT` in `phenesthe/memory/dump.py` becomes another, or when a definition
with a new operator is added to the programs below, and only then: if these tests fail of themselves
and `FORMAT` is the same, states that people keep are read differently, or not at all. An operator
whose id is made of something else is such a case, and needs another `FORMAT`. Read the difference
in `expected.json` before it is committed: what old definitions tell stays as it is.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import numpy as np
import pyarrow as pa
import pytest

import phenesthe
from phenesthe.check.program import CheckedProgram
from phenesthe.graph.every import AnyOperator
from phenesthe.io.columns import list_times, make_schema
from phenesthe.io.errors import DataError
from phenesthe.memory import Advance, Memory, Operations
from phenesthe.memory.deltas import Delta, DerivedInput
from phenesthe.memory.dump import FORMAT
from phenesthe.memory.folder import FORMAT as FOLDER_FORMAT
from phenesthe.memory.inputs import EventInput, IntervalInput
from phenesthe.memory.pack import pack_file, unpack_file
from phenesthe.memory.store import Part, find_state, open_store
from tests.strategies.corpus import PROJECT

HERE = PROJECT / "tests" / "data" / "state"

FIRST = """
input event a(x: int, y: float, z: str);
input event b(x: int);
input state s(x: int, z: str);
input dynamic d(x: int, w: bool);
fact good(x: int);
event chosen(X) : a(X, Y, "red") and Y > 2.0 and good(X);
state works(X) : a(X, _, "red") ~> b(X);
state waits(X) : b(X) ~> a(X, _, "blue") expires 20;
state again(X) : repeat a(X, Y, _) while gap <= 10 and Y > prev(Y);
state either(X) : s(X, "p") union s(X, "q");
state both(X) : s(X, "p") intersection s(X, "q");
state rest(X) : s(X, "p") complement s(X, "q");
state long(X) : s(X, "p") lasting > 5;
state known(X, D) : s(X, "p") let D = duration();
state many(Z) : at least 2 X of s(X, Z);
state number(Z, K) : count X of s(X, Z) as K;
state other(X) : s(X, Z) where Z != "p";
dynamic passes(X) : d(X, W) where W == true;
dynamic nearly(X) : s(X, "p") meets s(X, "q") within 3;
dynamic soon(X) : b(X) before d(X, _) within 12;
state followed(X) : s(X, "p") before s(X, "q") as source;
state preceded(X) : s(X, "p") before s(X, "q") as target;
dynamic over(X) : s(X, "p") overlaps s(X, "q");
state overs(X) : s(X, "p") overlaps s(X, "q") as source;
state wide(X) : ((s(X, "p") union s(0, "q")) lasting > 3) intersection s(X, _);
machine mood(X, V) initially calm {
    calm -> cross : b(X);
    cross -> calm : after 12;
    cross -> cross : a(X, _, "blue");
    _ -> _ : a(X, _, "red");
}
dynamic silent(X) : (good(X) and not b(X)) before d(X, _);
state open() : daily("00:00:15", "00:01:20");
state met(X, N, M) : s(X, "q") let N = count(a(X, _, _)), M = sum(Y of a(X, Y, _));
state reds(X, N) : s(X, "q") let N = max(Z of a(X, _, Z)) where count(Z of a(X, _, Z)) > 0;
state shared(X, N) : s(X, "q") let N = total(s(X, "p"));
event before_it(X, N) : b(X) let N = count(a(X, _, _) over 25);
"""
SECOND = """
input state works(x: int);
input dynamic soon(x: int);
input state rest(x: int);
input event b(x: int);
state idle(X) : works(X) lasting > 8;
event calls(X) : b(X) in works(X);
dynamic late(X) : works(X) before soon(X);
state free(X) : rest(X) union works(X);
"""
#: The definitions of the first that are inputs of the second.
FED = ("works", "soon", "rest")
WINDOW, STEP, SAVED, QUERIES = 30, 10, 5, 10


def make_operations(program: CheckedProgram, number: int) -> dict[str, Operations]:
    """Rows of a query, without chance: new ones, some that come late, some that go again."""
    q = (number + 1) * STEP
    rows: dict[str, list[tuple[Any, ...]]] = {"a": [], "b": [], "s": [], "d": []}
    gone: dict[str, list[tuple[Any, ...]]] = {"a": [], "b": [], "s": [], "d": []}
    for at in range(q - STEP + 1, q + 1):
        x = at * 7 % 5
        if at % 2:
            rows["a"].append((x, at % 7 / 2, ("red", "blue", "red")[at % 3], at))
        if at % 5 == 1:
            rows["b"].append((x, at - at % 3 * 4))
        # Something is seen to hold before its end is known; one end is never told.
        y, turn = at // 12 % 2, at // 12
        if at % 12 == 3:
            rows["s"].append((y, "p", at - 2, at + 4 + turn % 3))
        if at % 12 == 6:
            rows["s"].append((y, "q", at, None))
        if at % 12 == 11 and turn != 3:
            rows["s"].append((y, "q", at - 5, at - 1))
        if at % 4 == 2:
            rows["d"].append((x, at % 8 == 2, at - 3, at + at % 5))
    for at in (q - 7, q - 17):
        if at > 0 and at % 2:
            gone["a"].append((at * 7 % 5, at % 7 / 2, ("red", "blue", "red")[at % 3], at))
    found = {}
    for one in program.inputs:
        if one.name in rows:
            both = [*rows[one.name], *gone[one.name]]
            names = (*one.arguments, *list_times(one))
            columns = dict(zip(names, zip(*both, strict=True), strict=True)) if both else {}
            schema = make_schema(one)
            table = pa.table(
                {name: pa.array(columns.get(name, ()), schema.field(name).type) for name in names}
            )
            found[one.name] = Operations(table, np.arange(len(both)) >= len(rows[one.name]))
    return found


def compile_both() -> list[CheckedProgram]:
    return [phenesthe.compile(text=text).checked for text in (FIRST, SECOND)]


def begin() -> list[Memory]:
    first, second = compile_both()
    facts = {"good": pa.table({"x": pa.array([0, 2, 3], pa.int64())})}
    return [
        Memory(first, facts, window=WINDOW, first=0),
        Memory(second, {}, window=WINDOW, first=0, derived=FED),
    ]


def play(memories: list[Memory], numbers: range) -> Iterator[dict[str, Any]]:
    """What is told query by query, as plain values."""
    first, second = memories
    for number in numbers:
        q = (number + 1) * STEP
        told = first.advance(q, make_operations(first.program, number))
        deltas = {name: rename(first.delta(name)) for name in FED}
        fed = second.advance(q, make_operations(second.program, number), deltas)
        yield {"query": q, "first": show(told), "second": show(fed)}


def rename(delta: Delta) -> Delta:
    """What the first calls X is x to the second."""

    def lower(table: pa.Table) -> pa.Table:
        return table.rename_columns([name.lower() for name in table.column_names])

    come, gone = lower(delta.pending_added), lower(delta.pending_removed)
    return Delta(lower(delta.added), lower(delta.removed), come, gone, delta.lag)


def show(advance: Advance) -> dict[str, Any]:
    found: dict[str, Any] = {
        what: {name: table.to_pylist() for name, table in tables.items() if table.num_rows}
        for what, tables in (
            ("added", advance.added), ("removed", advance.removed), ("settled", advance.settled),
        )
    }  # fmt: skip
    refused = {name: one.rows.tolist() for name, one in advance.refused.items()}
    return {**found, "refused": refused, "rows": advance.rows, "late": advance.late}


def read_golden(folder: Path) -> list[Memory]:
    (folder / "state").write_bytes(gzip.decompress((HERE / "state.gz").read_bytes()))
    parts = find_state(folder).parts
    return [
        Memory.load(program, part.manifest, part.tables)
        for program, part in zip(compile_both(), parts, strict=True)
    ]


def write() -> None:
    """See above."""
    memories = begin()
    list(play(memories, range(SAVED)))
    HERE.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, open_store(Path(folder)) as store:
        store.replace({}, [Part(*one.dump()) for one in memories], {})
        data = (Path(folder) / "state").read_bytes()
    (HERE / "state.gz").write_bytes(gzip.compress(data, mtime=0))
    lines = [json.dumps(one) for one in play(memories, range(SAVED, QUERIES))]
    (HERE / "expected.json").write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def test_it_goes_on_as_it_would_have_gone_on_then(tmp_path: Path) -> None:
    expected = json.loads((HERE / "expected.json").read_text(encoding="utf-8"))
    assert list(play(read_golden(tmp_path), range(SAVED, QUERIES))) == expected


def test_one_that_was_never_written_tells_the_same() -> None:
    expected = json.loads((HERE / "expected.json").read_text(encoding="utf-8"))
    assert list(play(begin(), range(QUERIES)))[SAVED:] == expected


def test_it_is_written_again_as_it_was(tmp_path: Path) -> None:
    memories = read_golden(tmp_path)
    for memory, part in zip(memories, find_state(tmp_path).parts, strict=True):
        manifest, tables = memory.dump()
        assert manifest == part.manifest
        assert set(tables) == set(part.tables)
        assert [name for name, one in tables.items() if not one.equals(part.tables[name])] == []


def test_it_has_something_of_everything(tmp_path: Path) -> None:
    memories = read_golden(tmp_path)
    nodes = [one for memory in memories for one in memory.graph.operators.values()]
    kinds = {type(one.operator) for one in nodes if len(one.rows)}
    assert set(get_args(AnyOperator)) - kinds == set()
    inputs = [one for memory in memories for one in memory.graph.inputs.values()]
    assert all(one.chunks for one in inputs if isinstance(one, EventInput))
    assert all(len(one.raw) for one in inputs if isinstance(one, IntervalInput))
    derived = [one for one in inputs if isinstance(one, DerivedInput)]
    assert all(len(one.rows) for one in derived)
    assert any(one.pending.num_rows for one in derived)
    assert any(one.lag for one in derived)
    assert set(memories[0].told) == set(FED)
    assert any(one.num_rows for one in memories[0].told.values())
    assert memories[0].world.facts["good"].count == 3


def test_all_that_is_told_later_is_there_to_be_compared() -> None:
    expected = json.loads((HERE / "expected.json").read_text(encoding="utf-8"))
    told = {name for one in expected for part in ("first", "second") for name in one[part]["added"]}
    names = {one.signature.name for program in compile_both() for one in program.definitions}
    assert told == names


def test_one_of_an_older_format_is_refused_with_the_remedy(tmp_path: Path) -> None:
    data = gzip.decompress((HERE / "state.gz").read_bytes())
    content, tables = unpack_file(data, "state")
    older = FOLDER_FORMAT.replace(str(FORMAT), str(FORMAT - 1))
    packed = pack_file("state", older, content, tables)
    (tmp_path / "state").write_bytes(b"".join(map(bytes, (packed.line, *packed.pieces))))
    with pytest.raises(DataError) as problem:
        find_state(tmp_path)
    text = str(problem.value)
    assert f"another version of Phenesthe (format {older}; this one has {FOLDER_FORMAT})" in text
    assert "run it with that version, or start anew with another state folder" in text


if __name__ == "__main__":
    write()
