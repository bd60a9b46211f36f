"""Where a timeline begins and ends: of a memory, of a replay, of a state that goes on."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import phenesthe
from tests.e2e.test_windows import start
from tests.unit.io.samples import list_rows

TEXT = """\
input event e(x: int);
fact k(x: int);
state idle(X) : k(X) and not e(X) ~> e(X);
"""
PROGRAM = phenesthe.compile(text=TEXT)
K = pa.table({"x": [1]})


def rows(*found: tuple[int, int]) -> Any:
    return {"e": pa.table({"x": [x for x, _ in found], "t": [t for _, t in found]})}


def show(memory: Any) -> list[tuple[Any, ...]]:
    return list_rows(memory.snapshot()["idle"])


def run_batch(*found: tuple[int, int], until: int) -> list[tuple[Any, ...]]:
    return list_rows(PROGRAM.run({**rows(*found), "k": K}, until=until)["idle"])


# A memory without a start: the least time accepted so far


def test_a_late_row_moves_the_first_instant_of_a_memory() -> None:
    memory = PROGRAM.memory(window=100, facts={"k": K})
    memory.advance(10, rows((2, 8)))
    assert show(memory) == [(1, 8, None)]
    changes = memory.advance(12, rows((2, 5)))
    assert list_rows(changes["idle"]) == [
        (1, 5, None, "new", None),
        (1, 8, None, "withdrawn", None),
    ]
    assert show(memory) == run_batch((2, 8), (2, 5), until=12) == [(1, 5, None)]
    memory.advance(14, rows((2, 7)))
    assert show(memory) == [(1, 5, None)]


def test_a_memory_that_had_no_row_begins_with_a_late_one() -> None:
    memory = PROGRAM.memory(window=100, facts={"k": K})
    memory.advance(10)
    assert show(memory) == []
    memory.advance(12, rows((1, 7)))
    assert show(memory) == run_batch((1, 7), until=12) == [(1, 8, None)]


def test_a_row_that_is_too_late_moves_nothing() -> None:
    memory = PROGRAM.memory(window=5, facts={"k": K})
    memory.advance(10, rows((2, 8)))
    assert memory.advance(14, rows((2, 3))).too_late == 1
    assert show(memory) == [(1, 8, None)]
    fresh = PROGRAM.memory(window=5, facts={"k": K})
    assert fresh.advance(10, rows((2, 2), (2, 8))).too_late == 1
    assert show(fresh) == [(1, 8, None)]


def test_a_row_that_is_taken_back_was_accepted() -> None:
    memory = PROGRAM.memory(window=100, facts={"k": K})
    memory.advance(10, rows((2, 8), (2, 5)))
    memory.advance(12, retracted=rows((2, 5)))
    assert show(memory) == [(1, 5, None)]


def test_a_given_start_stays() -> None:
    memory = PROGRAM.memory(window=100, facts={"k": K}, start=6)
    memory.advance(10, rows((2, 8)))
    assert memory.advance(12, rows((2, 5))).too_late == 1
    memory.advance(13, rows((2, 7)))
    assert show(memory) == [(1, 6, None)]


def test_an_interval_moves_it_too() -> None:
    text = "input state w(x: int, t: int);\nfact k(x: int);\n"
    text += "state idle(X) : k(X) and not start(w(X, _)) ~> start(w(X, _));\n"
    program = phenesthe.compile(text=text)
    memory = program.memory(window=100, facts={"k": K})

    def given(ts: int) -> Any:
        return {"w": pa.table({"x": [2], "t": [-999], "ts": [ts], "te": [ts + 2]})}

    memory.advance(10, given(8))
    memory.advance(12, given(5))
    assert show(memory) == [(1, 5, None)]


@pytest.mark.parametrize(
    "definition",
    [
        "state idle(X) : k(X) and not e(X) ~> e(X) expires 3;",
        "state idle(X) : (k(X) and not e(X)) then e(2);",
        "dynamic idle(X) : (k(X) and not e(X)) before e(2);",
        "state idle(X) : e(X) ~> (k(X) and not e(X));",
        "event idle(X) : e(2) and k(X) and not e(X);",
        "state far(X) : k(X) and not e(X) ~> e(X);\nstate idle(X) : far(X) lasting >= 4;",
    ],
)
def test_everything_that_looks_at_the_timeline_is_computed_again(definition: str) -> None:
    program = phenesthe.compile(text=TEXT[: TEXT.index("state")] + definition)
    memory = program.memory(window=100, facts={"k": K}, only=["idle"])
    given = ((2, 8), (2, 6), (1, 7), (2, 3), (2, 11), (1, 12))
    for at, row in enumerate(given):
        q = 10 + at
        memory.advance(q, rows(row))
        known = [(x, t) for x, t in given[: at + 1] if t <= q]
        batch = program.run({**rows(*known), "k": K}, until=q, only=["idle"])
        assert show(memory) == list_rows(batch["idle"])


# A replay: too-late rows count for where its queries and its timeline begin and end


def write(folder: Path, *lines: dict[str, Any]) -> None:
    (folder / "p.phe").write_text(TEXT)
    (folder / "in.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def play(folder: Path, *options: str) -> list[dict[str, Any]]:
    ended = start(
        folder, "run", "p.phe", "--engine", "local", "--input", "in.jsonl", "--overwrite",
        "--output", "out.jsonl", *options,
    )  # fmt: skip
    assert ended.code == 0, ended.err
    return [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]


FACT = {"fact": "k", "args": [1]}
ROWS = [{"name": "e", "args": [9], "t": t} for t in (100, 103)]
LATE = {"name": "e", "args": [9], "t": 0, "arrival": 103}
WINDOWS = ("--window", "5", "--step", "5")


def test_a_row_that_is_too_late_begins_the_timeline_of_a_replay(tmp_path: Path) -> None:
    write(tmp_path, FACT, *ROWS)
    (found,) = play(tmp_path, *WINDOWS)
    assert (found["ts"], found["te"]) == (100, None)
    write(tmp_path, FACT, *ROWS, LATE)
    (found,) = play(tmp_path, *WINDOWS, "--stats", "stats.jsonl", "--rejects", "rejects.jsonl")
    assert (found["ts"], found["te"]) == (0, None)
    stats = [json.loads(line) for line in (tmp_path / "stats.jsonl").read_text().splitlines()]
    assert [one["query"] for one in stats] == [*range(4, 103, 5), 103]
    assert sum(one["too_late"] for one in stats) == 1


def test_a_row_that_is_too_late_ends_the_queries_of_a_replay(tmp_path: Path) -> None:
    """Its end counts, and it holds nowhere."""
    (tmp_path / "p.phe").write_text("input state w(x: int);\nstate s(X) : w(X);\n")
    lines = [
        {"name": "w", "args": [1], "ts": 50, "te": 52},
        {"name": "w", "args": [2], "ts": 20, "te": 90, "arrival": 80},
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = play(tmp_path, *WINDOWS, "--stats", "stats.jsonl")
    assert [one["args"] for one in found] == [[1]]
    stats = [json.loads(line) for line in (tmp_path / "stats.jsonl").read_text().splitlines()]
    assert (stats[0]["query"], stats[-1]["query"]) == (24, 90)
    assert sum(one["too_late"] for one in stats) == 1


def test_where_everything_is_taken_back_there_is_no_timeline(tmp_path: Path) -> None:
    taken = [{**ROWS[0], "arrival": 101}, {**ROWS[0], "arrival": 104, "op": "retract"}]
    write(tmp_path, FACT, *taken)
    assert play(tmp_path, "--until", "110") == []
    assert play(tmp_path, *WINDOWS, "--until", "110") == []


# A state that goes on


def test_a_state_that_goes_on_begins_where_one_run_would(tmp_path: Path) -> None:
    """What the first run had before is taken back, and the second run brings a row from there."""
    first = [
        {"name": "e", "args": [2], "t": 0},
        {"name": "e", "args": [2], "t": 0, "op": "retract"},
    ]
    first.append({"name": "e", "args": [2], "t": 8})
    second = [{"name": "e", "args": [2], "t": 5, "arrival": 12}]
    windows = ("--window", "20", "--step", "1")
    write(tmp_path, FACT, *first, *second)
    whole = play(tmp_path, *windows, "--until", "12")
    assert [(one["ts"], one["te"]) for one in whole] == [(5, None)]
    write(tmp_path, FACT, *first)
    (found,) = play(tmp_path, *windows, "--state", "st")
    assert (found["ts"], found["te"]) == (8, None)
    write(tmp_path, *second)
    assert play(tmp_path, *windows, "--state", "st", "--until", "12") == whole


def test_a_state_whose_rows_were_all_taken_back_begins_with_the_next(tmp_path: Path) -> None:
    taken = [{**ROWS[0], "t": 3}, {**ROWS[0], "t": 3, "op": "retract"}]
    write(tmp_path, FACT, *taken)
    assert play(tmp_path, *WINDOWS, "--state", "st", "--until", "10") == []
    write(tmp_path, {**ROWS[0], "t": 8, "arrival": 11})
    (found,) = play(tmp_path, *WINDOWS, "--state", "st", "--until", "12")
    assert (found["ts"], found["te"]) == (8, None)
