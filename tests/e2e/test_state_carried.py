"""`phenesthe run --state --on-change carry`: results go by what a definition means."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import phenesthe
from phenesthe.results import Results
from tests.e2e.test_cli import Ended
from tests.e2e.test_windows import read, start

EMITS = ("final", "changes", "snapshots")
INPUT = "input event a(x: int);\n"
LIMIT, EXPIRES = "a(X) limit 8;\n", "a(X) expires 8;\n"
BEFORE = f"{INPUT}state r(X) : {LIMIT}state t(X) : {EXPIRES}"
#: By what becomes of the definitions: the program, and from when on each that begins anew is whole.
AFTER: dict[str, tuple[str, dict[str, int]]] = {
    "swap": (f"{INPUT}state t(X) : {LIMIT}state r(X) : {EXPIRES}", {}),
    "alias": (f"{INPUT}state r(X) : t(X);\nstate t(X) : {EXPIRES}", {}),
    "rename": (f"{INPUT}state rr(Y) : a(Y) limit 8;\nstate t(X) : {EXPIRES}", {}),
    "changed body": (f"{INPUT}state r(X) : a(X) limit 9;\nstate t(X) : {EXPIRES}", {"r": 20}),
    "gone": (f"{INPUT}state t(X) : {EXPIRES}", {}),
    "new beside it": (f"{BEFORE}state u(X) : t(X);\nstate v(X) : a(X) limit 7;\n", {"v": 20}),
}
FIRST, SECOND = (0, 4, 11, 18, 24, 30), (33, 37, 50)
WINDOW, LAST = 10, 30


@pytest.fixture(autouse=True)
def _disk_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody pulls a plug in these tests."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def write_rows(path: Path, times: Iterable[int], args: tuple[Any, ...] = (1,)) -> None:
    rows = [{"name": "a", "args": list(args), "t": time} for time in times]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_rows(tmp_path / "1.jsonl", FIRST)
    write_rows(tmp_path / "2.jsonl", SECOND)
    write_rows(tmp_path / "all.jsonl", (*FIRST, *SECOND))
    return tmp_path


def replay(folder: Path, text: str, *options: str) -> Ended:
    (folder / "p.phe").write_text(text)
    windows = ("--window", str(WINDOW), "--step", "5")
    return start(folder, "run", "p.phe", "--quiet", "--engine", "local", *windows, *options)


def keep(folder: Path, text: str, input_: str, *options: str, emit: str = "final") -> Ended:
    kept = ("--state", "st", "--on-change", "carry", "--emit", emit)
    ended = replay(folder, text, "--input", input_, *kept, *options)
    assert ended.code == 0, ended.err
    return ended


def carry(folder: Path, text: str, emit: str) -> tuple[list[Any], list[Any], str]:
    """What is told before and after, and what is said of it."""
    first = keep(folder, BEFORE, "1.jsonl", emit=emit)
    second = keep(folder, text, "2.jsonl", emit=emit)
    return read(first.out), read(second.out), second.err


def choose(rows: Iterable[dict[str, Any]], whole: dict[str, int]) -> list[dict[str, Any]]:
    """Those about which a definition that began anew can know."""
    return [row for row in rows if row["ts"] > whole.get(row["name"], -1)]


def apply(lines: Iterable[dict[str, Any]]) -> dict[int, list[tuple[Any, ...]]]:
    """By query, what changes told so far come to, as far as it touches the window."""
    held: dict[tuple[Any, ...], int | None] = {}
    found: dict[int, list[tuple[Any, ...]]] = {}
    for line in lines:
        key = line["name"], *line["args"], line["ts"]
        if line["change"] == "new":
            # What lies before the window was told for good; another result may replace it.
            assert key not in held or (held[key] or line["query"]) <= LAST - WINDOW, line
        if line["change"] == "revised":
            assert held[key] == line["was"], line
        if line["change"] == "withdrawn":
            assert held.pop(key) == line["te"], line
        else:
            held[key] = line["te"]
        found[line["query"]] = [(*key, te) for key, te in held.items()]
    return {query: list_touching(rows, query) for query, rows in found.items()}


def list_touching(rows: Iterable[tuple[Any, ...]], query: int) -> list[tuple[Any, ...]]:
    touching = [row for row in rows if row[-1] is None or row[-1] > query - WINDOW]
    return sorted(touching, key=str)


def group(lines: Iterable[dict[str, Any]]) -> dict[int, list[tuple[Any, ...]]]:
    found: dict[int, list[tuple[Any, ...]]] = {}
    for line in lines:
        row = line["name"], *line["args"], line["ts"], line["te"]
        found.setdefault(line["query"], []).append(row)
    return {query: sorted(rows, key=str) for query, rows in found.items()}


@pytest.mark.parametrize("sort", AFTER)
def test_final_is_the_batch_result(folder: Path, sort: str) -> None:
    text, whole = AFTER[sort]
    _, found, said = carry(folder, text, "final")
    (folder / "p.phe").write_text(text)
    options = ("--quiet", "--engine", "local", "--input", "all.jsonl")
    batch = read(start(folder, "run", "p.phe", *options).out)
    assert found == choose(batch, whole)
    warned = [line for line in said.splitlines() if "seen nothing" in line]
    assert warned == [
        f"warning: `{name}` begins anew: it has seen nothing at or before {after}"
        for name, after in whole.items()
    ]


@pytest.mark.parametrize("sort", AFTER)
def test_snapshots_are_those_of_one_run(folder: Path, sort: str) -> None:
    text, whole = AFTER[sort]
    _, found, _ = carry(folder, text, "snapshots")
    ended = replay(folder, text, "--input", "all.jsonl", "--emit", "snapshots")
    later = [line for line in read(ended.out) if line["query"] > LAST]
    assert found == choose(later, whole)


@pytest.mark.parametrize("sort", AFTER)
def test_changes_in_their_order_give_the_snapshots(folder: Path, sort: str) -> None:
    text, _ = AFTER[sort]
    before, after, _ = carry(folder, text, "changes")
    (folder / "st").rename(folder / "other")
    snapshots = group(one for part in carry(folder, text, "snapshots")[:2] for one in part)
    applied = apply([*before, *after])
    assert applied == {query: snapshots[query] for query in applied}
    assert min(line["query"] for line in after) == 34


def test_what_has_another_name_is_withdrawn_and_told_as_new(folder: Path) -> None:
    _, after, _ = carry(folder, AFTER["rename"][0], "changes")
    told = [(one["name"], one["ts"], one["te"], one["change"]) for one in after[:3]]
    assert told == [
        ("r", 24, None, "withdrawn"), ("rr", 24, 32, "new"), ("rr", 33, None, "new"),
    ]  # fmt: skip


def test_what_is_found_again_by_another_body_is_not_told_twice(folder: Path) -> None:
    _, after, _ = carry(folder, AFTER["changed body"][0], "changes")
    (told,) = [one for one in after if one["name"] == "r" and one["ts"] == 24]
    assert (told["change"], told["te"], told["was"]) == ("revised", 33, None)


@pytest.mark.parametrize("sort", AFTER)
def test_a_run_without_rows_takes_the_program_in(folder: Path, sort: str) -> None:
    text, whole = AFTER[sort]
    keep(folder, BEFORE, "1.jsonl")
    (folder / "none.jsonl").write_text("")
    keep(folder, text, "none.jsonl", "--allow-empty")
    found = read(keep(folder, text, "2.jsonl").out)
    assert found == choose(read(replay(folder, text, "--input", "all.jsonl").out), whole)


@pytest.mark.parametrize("emit", ["changes", "snapshots"])
def test_final_tells_all_after_a_run_that_told_something_else(folder: Path, emit: str) -> None:
    text, _ = AFTER["swap"]
    keep(folder, BEFORE, "1.jsonl")
    keep(folder, text, "2.jsonl", emit=emit)
    write_rows(folder / "3.jsonl", [60])
    write_rows(folder / "all.jsonl", (*FIRST, *SECOND, 60))
    found = keep(folder, text, "3.jsonl").out
    assert found == replay(folder, text, "--input", "all.jsonl").out


def test_what_began_anew_keeps_what_it_settles_when_another_changes(folder: Path) -> None:
    keep(folder, BEFORE, "1.jsonl")
    text, whole = AFTER["changed body"]
    keep(folder, text, "2.jsonl")
    write_rows(folder / "3.jsonl", [60, 75])
    write_rows(folder / "all.jsonl", (*FIRST, *SECOND, 60, 75))
    again = text.replace("r(X)", "q(X)").replace("expires 8", "expires 7")
    ended = keep(folder, again, "3.jsonl")
    assert [line for line in ended.err.splitlines() if "seen nothing" in line] == [
        "warning: `q` goes on: it has seen nothing at or before 20",
        "warning: `t` begins anew: it has seen nothing at or before 40",
    ]
    all_ = read(replay(folder, again, "--input", "all.jsonl").out)
    expected = choose(all_, {"q": whole["r"], "t": 40})
    # What was open when it began anew is seen from there on.
    assert [one for one in read(ended.out) if one["name"] == "q"] == [
        one for one in expected if one["name"] == "q"
    ]


def test_a_part_that_becomes_a_definition_says_what_it_does_not_tell(folder: Path) -> None:
    keep(folder, f"{INPUT}state r(X) : (a(X) limit 8) lasting >= 2;\n", "1.jsonl")
    text = f"{INPUT}state r(X) : {LIMIT}"
    ended = keep(folder, text, "2.jsonl")
    assert "`r` begins anew: it has seen nothing at or before 20" in ended.err
    all_ = read(replay(folder, text, "--input", "all.jsonl").out)
    assert read(ended.out) == choose(all_, {"r": 20})


def test_arguments_in_another_order_go_on_in_that(folder: Path) -> None:
    for name, times in (("1", FIRST), ("2", SECOND), ("all", (*FIRST, *SECOND))):
        write_rows(folder / f"{name}.jsonl", times, (1, 2))
    given = "input event a(x: int, y: int);\n"
    keep(folder, f"{given}state r(X, Y) : a(X, Y) limit 8;\n", "1.jsonl")
    text = f"{given}state r(Y, X) : a(X, Y) limit 8;\n"
    ended = keep(folder, text, "2.jsonl")
    assert "seen nothing" not in ended.err
    assert ended.out == replay(folder, text, "--input", "all.jsonl").out


def test_changes_of_arguments_in_another_order_are_told(folder: Path) -> None:
    for name, times in (("1", FIRST), ("2", SECOND)):
        write_rows(folder / f"{name}.jsonl", times, (1, 2))
    given = "input event a(x: int, y: int);\n"
    keep(folder, f"{given}state r(X, Y) : a(X, Y) expires 8;\n", "1.jsonl", emit="changes")
    text = f"{given}state r(Y, X) : a(X, Y) expires 8;\n"
    told = read(keep(folder, text, "2.jsonl", emit="changes").out)
    assert [(one["args"], one["ts"], one["change"]) for one in told[:2]] == [
        ([1, 2], 0, "withdrawn"), ([2, 1], 0, "new"),
    ]  # fmt: skip


@pytest.mark.parametrize("declared", ["a(y: int, x: int)", "a(z: int, w: int)"])
def test_arguments_of_an_input_that_moved_are_not_mistaken(folder: Path, declared: str) -> None:
    for name, times in (("1", FIRST), ("2", SECOND), ("all", (*FIRST, *SECOND))):
        write_rows(folder / f"{name}.jsonl", times, (1, 2))
    body = "state r(X) : a(X, _) limit 8;\n"
    keep(folder, f"input event a(x: int, y: int);\n{body}", "1.jsonl")
    text = f"input event {declared};\n{body}"
    ended = keep(folder, text, "2.jsonl")
    all_ = read(replay(folder, text, "--input", "all.jsonl").out)
    moved = "y: int, x" in declared
    assert ("`r` begins anew: it has seen nothing at or before 30" in ended.err) == moved
    assert read(ended.out) == choose(all_, {"r": 30} if moved else {})


def test_what_was_told_with_other_types_cannot_be_withdrawn(folder: Path) -> None:
    keep(folder, BEFORE, "1.jsonl", emit="changes")
    write_rows(folder / "2.jsonl", SECOND, (1.5,))
    text = BEFORE.replace("x: int", "x: float")
    options = ("--input", "2.jsonl", "--state", "st", "--on-change", "carry", "--emit")
    ended = replay(folder, text, *options, "changes")
    assert ended.code == 1
    assert "`r`, `t` had another kind or other types of arguments" in ended.err
    assert "give what is new another name, or start anew with --on-change restart" in ended.err
    assert "Traceback" not in ended.err
    assert replay(folder, text, *options, "snapshots").code == 0


def test_a_folder_of_tables_has_one_for_what_is_withdrawn(folder: Path) -> None:
    keep(folder, BEFORE, "1.jsonl", emit="changes")
    keep(folder, AFTER["rename"][0], "2.jsonl", "--output", "out", emit="changes")
    table = pq.read_table(folder / "out" / "r.parquet").to_pylist()
    assert [(one["X"], one["ts"], one["change"]) for one in table] == [(1, 24, "withdrawn")]
    assert sorted(one.name for one in (folder / "out").glob("*.parquet")) == [
        "r.parquet", "rr.parquet", "t.parquet",
    ]  # fmt: skip


def test_python_gets_what_is_withdrawn_too(folder: Path) -> None:
    given: dict[str, Any] = {
        "window": 10,
        "step": 5,
        "emit": "changes",
        "state": str(folder / "st"),
    }
    first, second = (
        {"a": pa.table({"x": [1] * len(times), "t": times})} for times in (FIRST, SECOND)
    )
    phenesthe.compile(text=BEFORE).run(first, **given)
    program = phenesthe.compile(text=AFTER["rename"][0])
    results = program.run(second, on_change="carry", **given)
    assert isinstance(results, Results)
    assert results["r"]["change"].to_pylist() == ["withdrawn"]
