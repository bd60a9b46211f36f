"""What is written is read back."""

import json
import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import phenesthe
from phenesthe.io import read_input, write_results
from phenesthe.io.columns import make_schema
from phenesthe.io.times import LIMIT
from tests.unit.io.samples import PROGRAM, list_rows, make_results

GOLDEN = Path(__file__).parents[4] / "shared" / "golden"
TIME = st.integers(1 - LIMIT, LIMIT - 3) | st.integers(-3, 3)
INT = st.integers(-(2**63), 2**63 - 1) | st.integers(-2, 2)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
ECHOES = st.lists(st.tuples(INT, st.floats(), TEXT, st.booleans(), TIME))
HELD = st.lists(
    st.tuples(INT, TEXT, TIME, st.none() | st.integers(1, 2)).map(
        lambda row: (*row[:3], None if row[3] is None else row[2] + row[3])
    ),
    unique_by=lambda row: row[:3],
)
INVERSE = {"echo": "ais", "held": "in_port"}


@given(echoes=ECHOES, held=HELD, iso=st.booleans())
def test_lines_written_are_sorted_and_read_back(
    tmp_path_factory: pytest.TempPathFactory,
    echoes: list[tuple[Any, ...]],
    held: list[tuple[Any, ...]],
    iso: bool,
) -> None:
    folder = tmp_path_factory.mktemp("round")
    results = make_results(echo=echoes, held=held)
    write_results(PROGRAM, results, folder / "out.jsonl", times="iso" if iso else "int")
    lines = [json.loads(line) for line in (folder / "out.jsonl").open(encoding="utf-8")]
    if not iso:
        # Which characters are escaped is not the point here: all of them, on both sides.
        text = (folder / "out.jsonl").read_text(encoding="utf-8")
        escaped = "".join(char if char.isascii() else json.dumps(char)[1:-1] for char in text)
        for one in lines:
            assert json.dumps(one).replace("\x7f", "\\u007f") + "\n" in escaped
        assert lines == sorted(lines, key=order_line)
    with (folder / "in.jsonl").open("w") as file:
        file.writelines(json.dumps(one | {"name": INVERSE[one["name"]]}) + "\n" for one in lines)
    loaded = read_input(PROGRAM, folder / "in.jsonl")
    assert not loaded.rejects
    for name, source in INVERSE.items():
        assert list(map(repr, sort_by_text(loaded.tables[source]))) == list(
            map(repr, sort_by_text(results[name]))
        )


@given(echoes=ECHOES, held=HELD)
def test_tables_written_are_read_back(
    tmp_path_factory: pytest.TempPathFactory,
    echoes: list[tuple[Any, ...]],
    held: list[tuple[Any, ...]],
) -> None:
    folder = tmp_path_factory.mktemp("round")
    results = make_results(echo=echoes, held=held)
    write_results(PROGRAM, results, folder / "out")
    for name, source in INVERSE.items():
        (folder / "out" / f"{name}.parquet").rename(folder / "out" / f"{source}.parquet")
    mapping = {"ais.vessel": "V", "ais.speed": "S", "ais.name": "N", "ais.ok": "O"}
    mapping |= {"in_port.vessel": "V", "in_port.port": "P"}
    loaded = read_input(PROGRAM, folder / "out", mapping=mapping)
    assert not loaded.rejects
    for name, source in INVERSE.items():
        assert sort_by_text(loaded.tables[source]) == sort_by_text(results[name])


def order_line(line: dict[str, Any]) -> tuple[Any, ...]:
    words = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
    args = list(line["args"])
    if line["name"] == "echo":
        real = words.get(args[1], args[1])
        args[1:2] = [math.isnan(real), 0 if math.isnan(real) else real]
    end = line.get("te")
    return line["name"], args, line.get("t", line.get("ts")), end is None, end or 0


def sort_by_text(table: Any) -> list[str]:
    return sorted(map(repr, zip(*(column.to_pylist() for column in table.columns), strict=True)))


@pytest.mark.skipif(
    not GOLDEN.is_dir(),
    reason="the results of the originals are not at hand: they are not ours to ship",
)
@pytest.mark.parametrize("size", ["m1k", "m10k"])
def test_the_golden_results_have_this_form(tmp_path: Path, size: str) -> None:
    program = phenesthe.compile(GOLDEN / "maritime.phe").checked
    expected = (GOLDEN / size / "expected.jsonl").read_text()
    rows: dict[str, list[dict[str, Any]]] = {}
    for line in expected.splitlines()[::-1]:
        one = json.loads(line)
        rows.setdefault(one["name"], []).append(one)
    results = {}
    for definition in program.definitions:
        name, schema = definition.signature.name, make_schema(definition.signature)
        found = [[*one["args"], *list(one.values())[3:]] for one in rows.get(name, [])]
        arrays = [
            pa.array([row[place] for row in found], field.type)
            for place, field in enumerate(schema)
        ]
        results[name] = pa.Table.from_arrays(arrays, schema=schema)
    write_results(program, results, tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_text() == expected
    loaded = read_input(program, GOLDEN / size)
    assert not loaded.rejects
    assert loaded.tables["ais"].num_rows == pq.read_metadata(GOLDEN / size / "ais.parquet").num_rows
    assert list_rows(loaded.facts["vessel_type"])
