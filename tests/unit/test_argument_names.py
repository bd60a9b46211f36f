"""An argument may be called as any column of ours is, and is an argument all the same."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import phenesthe
from tests import column_names
from tests.column_names import COLUMN_NAMES, FORMS, TABLES
from tests.e2e.test_windows import start
from tests.unit.io.samples import list_rows

PLAIN, NAMED = (
    phenesthe.compile(text=column_names.write_program(plain=one)) for one in (True, False)
)


def run(folder: Path, form: str, output: str, *options: str, plain: bool) -> Any:
    """What is written, told without the names of the arguments."""
    place = folder / ("plain" if plain else "named")
    place.mkdir()
    (place / "p.phe").write_text(column_names.write_program(plain=plain))
    given = column_names.write_rows(place / "in", form, plain=plain)
    ended = start(
        place, "run", "p.phe", "--engine", "local", "--input", str(given), "--output", output,
        "--quiet", *options,
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert "set aside" not in ended.err
    written = place / output
    if written.is_dir():
        return {
            one.name: list_rows(pq.read_table(one)) for one in sorted(written.glob("*.parquet"))
        }
    if written.suffix == ".parquet":
        return list_rows(pq.read_table(written))
    return written.read_text()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--window", "8", "--step", "3"),
        ("--window", "8", "--step", "3", "--emit", "changes"),
        ("--window", "8", "--step", "3", "--emit", "snapshots"),
        ("--window", "8", "--step", "3", "--state", "st"),
    ],
    ids=" ".join,
)
def test_every_name_in_every_form(tmp_path: Path, form: str, options: tuple[str, ...]) -> None:
    plain, named = (run(tmp_path, form, "o.jsonl", *options, plain=one) for one in (True, False))
    assert named == plain
    assert len(named.splitlines()) > 15


@pytest.mark.parametrize("output", ["o.csv", "o.parquet", "o/"])
@pytest.mark.parametrize("options", [(), ("--window", "8", "--step", "3", "--emit", "changes")])
def test_every_name_in_every_output(tmp_path: Path, output: str, options: tuple[str, ...]) -> None:
    plain, named = (run(tmp_path, "csv", output, *options, plain=one) for one in (True, False))
    assert named == plain
    shown = [start(tmp_path / one, "show", output).out for one in ("plain", "named")]
    assert shown[0] == shown[1]


def test_every_name_in_a_memory() -> None:
    found = []
    for program, plain in ((PLAIN, True), (NAMED, False)):
        tables = column_names.make_tables(plain=plain)
        memory = program.memory(window=30, facts={"f": tables.pop("f")})
        told: list[Any] = []
        for query in (12, 19, 21, 30):
            late = {"s": tables["s"].slice(0, 1)} if query == 21 else {}
            changes = memory.advance(query, tables if query == 12 else late)
            told += [changes.late, changes.too_late, *(list_rows(changes[one]) for one in changes)]
        retracted = {"e": tables["e"].slice(0, 1), "s": tables["s"].slice(1, 1)}
        changes = memory.advance(31, retracted=retracted)
        told += [list_rows(changes[one]) for one in changes]
        assert not changes.rejects
        found.append(told)
    assert found[0] == found[1]
    assert found[0][0] == 0


def test_an_interval_with_an_argument_t_ends_no_timeline(tmp_path: Path) -> None:
    text = "input state w(v: int, t: int);\ninput event tick(x: int);\n"
    text += "state s(V) : w(V, _) lasting >= 50;\n"
    (tmp_path / "p.phe").write_text(text)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "w.csv").write_text("v,t,ts,te\n1,100000,10,\n")
    (tmp_path / "in" / "tick.csv").write_text("x,t\n1,20\n")
    for windows in ((), ("--window", "5", "--step", "5")):
        ended = start(tmp_path, "run", "p.phe", "--engine", "local", "--input", "in", *windows)
        assert (ended.code, ended.out) == (0, "")


@pytest.mark.parametrize("name", ["arrival", "op"])
def test_in_one_file_an_argument_hides_no_operation(tmp_path: Path, name: str) -> None:
    """There arguments stand apart: `op` and `arrival` beside them are ours."""
    (tmp_path / "p.phe").write_text(f"input event e({name}: str);\nevent d(X) : e(X);\n")
    lines = [
        {"name": "e", "args": ["retract"], "t": 1},
        {"name": "e", "args": ["y"], "t": 2, "arrival": 5},
        {"name": "e", "args": ["retract"], "t": 1, "op": "retract", "arrival": 7},
        {"name": "e", "args": ["z"], "t": 9},
        {"name": "e", "args": ["late"], "t": 1, "arrival": 9},
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))

    def find(*options: str) -> list[tuple[Any, ...]]:
        ended = start(
            tmp_path, "run", "p.phe", "--engine", "local", "--input", "in.jsonl", *options
        )
        assert ended.code == 0
        found = [json.loads(line) for line in ended.out.splitlines()]
        return [(*row["args"], row.get("query"), row.get("change")) for row in found]

    assert find() == [(one, None, None) for one in ("late", "y", "z")]
    windows = ("--window", "8", "--step", "2", "--emit", "changes", "--rejects", "r.jsonl")
    assert find(*windows) == [
        ("retract", 2, "new"), ("y", 6, "new"), ("retract", 8, "withdrawn"), ("z", 9, "new"),
    ]  # fmt: skip
    (reject,) = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert (reject["line"], reject["reason"], reject["row"][name]) == (5, "too late", "late")


@pytest.mark.parametrize("name", ["arrival", "op"])
def test_in_a_table_such_a_column_is_the_argument(name: str) -> None:
    program = phenesthe.compile(text=f"input event e({name}: str);\nevent d(X) : e(X);\n")
    rows = {"e": pa.table({name: ["retract", "insert"], "t": [1, 2]})}
    assert list_rows(program.run(rows)["d"]) == [("insert", 2), ("retract", 1)]


def test_every_name_in_tests_of_definitions(tmp_path: Path) -> None:
    (tmp_path / "p.phe").write_text(column_names.write_program(plain=False))
    lines: list[Any] = [{"test": "names", "until": 30}]
    for table in TABLES:
        lines += column_names.list_lines(table, column_names.make_rows(table, plain=False))
    for table in ("e", "s", "d"):
        rows = column_names.list_lines(table, column_names.make_rows(table, plain=False))
        lines += [{"expect": f"{table}_out", **row} | {"name": None} for row in rows]
    for line in lines:
        if "expect" in line:
            del line["name"]
    (tmp_path / "p.test.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    ended = start(tmp_path, "test", "p.test.jsonl")
    assert ended.code == 0, ended.out + ended.err


def test_all_of_them_are_names() -> None:
    assert len(set(COLUMN_NAMES)) == len(COLUMN_NAMES)
    for one in NAMED.checked.inputs:
        assert len(one.arguments) >= len(COLUMN_NAMES) - 2
