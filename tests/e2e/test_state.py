"""`phenesthe run --state`: a replay that is cut in two is one replay."""

import json
import os
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from phenesthe.memory.store import find_state
from tests.e2e.test_cli import Ended, run
from tests.e2e.test_windows import PROGRAM, ROWS, WIDE, read, start
from tests.equivalence.late import WindowedCase
from tests.equivalence.windowed import make_case
from tests.reference.windowed import Operation, find_start, list_queries

EMITS = ("final", "changes", "snapshots")


@pytest.fixture(autouse=True)
def _disk_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody pulls a plug in these tests."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.phe").write_text(PROGRAM)
    write_rows(tmp_path / "in.jsonl", ROWS)
    return tmp_path


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def replay(folder: Path, *options: str, windows: tuple[str, ...] = WIDE) -> Ended:
    return start(folder, "run", "p.phe", "--quiet", "--engine", "local", *windows, *options)


def cut(rows: Sequence[Mapping[str, Any]], at: int) -> tuple[list[Any], list[Any]]:
    """What becomes known by a time, and the rest."""

    def find_known(row: Mapping[str, Any]) -> int:
        time = int(row["t"] if "t" in row else row["ts"])
        return max(time, int(row.get("arrival", time)))

    return (
        [row for row in rows if find_known(row) <= at],
        [row for row in rows if find_known(row) > at],
    )


def keep(folder: Path, *options: str) -> Ended:
    return replay(folder, "--state", "st", *options)


def replay_in_parts(folder: Path, times: Sequence[int], emit: str) -> list[Ended]:
    """The rows of `in.jsonl` in several runs, each but the last until its time."""
    rest: list[Any] = read((folder / "in.jsonl").read_text())
    ended = []
    for number, time in enumerate(times):
        part, rest = cut(rest, time)
        write_rows(folder / f"{number}.jsonl", part)
        options = ("--input", f"{number}.jsonl", "--until", str(time), "--emit", emit)
        ended.append(keep(folder, *options, "--allow-empty"))
    write_rows(folder / "rest.jsonl", rest)
    ended.append(keep(folder, "--input", "rest.jsonl", "--emit", emit))
    return ended


@pytest.mark.parametrize("emit", EMITS)
@pytest.mark.parametrize("times", [(4,), (8,), (12,), (16,), (4, 8, 12, 16)])
def test_parts_are_one_run(folder: Path, emit: str, times: tuple[int, ...]) -> None:
    whole = replay(folder, "--input", "in.jsonl", "--emit", emit)
    ended = replay_in_parts(folder, times, emit)
    assert [(one.code, one.err) for one in ended] == [(0, "")] * len(ended)
    found = ended[-1].out if emit == "final" else "".join(one.out for one in ended)
    assert found == whole.out
    assert len(read(found)) > 5


def test_the_real_command_goes_on(folder: Path) -> None:
    whole = replay(folder, "--input", "in.jsonl")
    rows = cut(ROWS, 12)
    for number, part in enumerate(rows):
        write_rows(folder / f"{number}.jsonl", part)
        until = ("--until", "12") if number == 0 else ()
        given = ("--quiet", "--allow-empty", "--input", f"{number}.jsonl", "--state", "st", *until)
        ended = run("run", "p.phe", "--engine", "local", *WIDE, *given, cwd=folder)
        assert (ended.code, ended.err) == (0, "")
    assert ended.out == whole.out
    shown = run("memory", "st", cwd=folder)
    assert (shown.code, shown.err) == (0, "")
    assert "last query   20" in shown.out


def write_operations(
    path: Path, facts: Mapping[str, Any], operations: Mapping[str, Sequence[Operation]]
) -> None:
    rows: list[dict[str, Any]] = []
    for name, found in operations.items():
        for one in found:
            names = ("t",) if len(one.row) == 2 else ("ts", "te")
            times = dict(zip(names, one.row[1:], strict=True))
            row = {"name": name, "args": list(one.row[0]), **times}
            row |= {} if one.arrival is None else {"arrival": one.arrival}
            rows.append(row | ({"op": "retract"} if one.retract else {}))
    rows += [{"fact": name, "args": list(args)} for name, found in facts.items() for args in found]
    write_rows(path, rows)


def _make_replay(number: int) -> tuple[WindowedCase, int, list[int]]:
    """A case, where its replay begins, and the queries after which it can be cut in two."""
    case, _ = make_case(number)
    begin = find_start(case.operations, case.start)
    if begin is None:
        return case, 0, []
    queries = list_queries(case.operations, step=case.step, start=begin, until=case.until)[:-1]
    return case, begin, queries


def _has_parts(replay: tuple[WindowedCase, int, list[int]]) -> bool:
    return bool(replay[2])


@pytest.mark.parametrize("number", range(40, 58))
def test_two_halves_of_any_replay_are_one(tmp_path: Path, number: int) -> None:
    """Cut at one of its queries; late rows, retractions and too late ones on either side."""
    case, begin, queries = next(filter(_has_parts, map(_make_replay, count(number, 100))))
    (tmp_path / "p.phe").write_text(case.text)
    at = Random(number).choice(queries)
    halves = [
        {name: [one for one in found if (one.known > at) == late] for name, found in
         case.operations.items()}
        for late in (False, True)
    ]  # fmt: skip
    write_operations(tmp_path / "whole.jsonl", case.facts, case.operations)
    write_operations(tmp_path / "0.jsonl", case.facts, halves[0])
    write_operations(tmp_path / "1.jsonl", {}, halves[1])
    windows = ("--window", str(case.window), "--step", str(case.step))
    until = () if case.until is None else (f"--until={case.until}",)
    for emit in EMITS:
        given = ("--emit", emit, "--state", f"st-{emit}")
        whole = replay(
            tmp_path, "--input", "whole.jsonl", f"--start={begin}", "--emit", emit, *until,
            windows=windows,
        )  # fmt: skip
        first = replay(
            tmp_path, "--input", "0.jsonl", f"--start={begin}", *given, f"--until={at}",
            windows=windows,
        )  # fmt: skip
        second = replay(tmp_path, "--input", "1.jsonl", *given, *until, windows=windows)
        assert (whole.code, first.code, second.code) == (0, 0, 0), first.err + second.err
        found = second.out if emit == "final" else first.out + second.out
        assert found == whole.out


def test_without_until_queries_stay_where_they_were(folder: Path) -> None:
    write_rows(folder / "a.jsonl", ROWS[:3])
    write_rows(folder / "b.jsonl", ROWS[3:])
    assert keep(folder, "--input", "a.jsonl", "--stats", "a").code == 0
    ended = keep(folder, "--input", "b.jsonl", "--stats", "b")
    queries = [[line["query"] for line in read((folder / name).read_text())] for name in "ab"]
    # The first part is over at 6; then it goes on as it would have.
    assert queries == [[4, 6], [8, 12, 16, 20]]
    assert ended.out == replay(folder, "--input", "in.jsonl").out


@pytest.mark.parametrize("emit", EMITS)
def test_a_run_with_nothing_new_tells_nothing_new(folder: Path, emit: str) -> None:
    assert keep(folder, "--input", "in.jsonl", "--emit", emit).code == 0
    write_rows(folder / "none.jsonl", [])
    for _ in range(2):
        ended = keep(folder, "--input", "none.jsonl", "--emit", emit)
        whole = replay(folder, "--input", "in.jsonl") if emit == "final" else None
        assert (ended.code, ended.out, ended.err) == (0, whole.out if whole else "", "")
    later = keep(folder, "--input", "none.jsonl", "--emit", emit, "--until", "30")
    assert later.code == 0
    if emit == "snapshots":
        assert {line["query"] for line in read(later.out)} == {24, 28, 30}


def test_a_state_may_begin_with_nothing(folder: Path) -> None:
    write_rows(folder / "none.jsonl", [])
    assert keep(folder, "--input", "none.jsonl").out == ""
    assert keep(folder, "--input", "none.jsonl").out == ""
    ended = keep(folder, "--input", "in.jsonl")
    assert ended.out == replay(folder, "--input", "in.jsonl").out


def test_late_rows_alone_are_taken_in_at_the_last_query(folder: Path) -> None:
    late = {"name": "stop", "args": ["d"], "t": 19, "arrival": 99}
    assert keep(folder, "--input", "in.jsonl", "--emit", "changes").code == 0
    write_rows(folder / "late.jsonl", [late])
    ended = keep(folder, "--input", "late.jsonl", "--emit", "changes")
    assert read(ended.out) == [
        {"name": "runs", "kind": "state", "args": ["d"], "ts": 3, "te": 19, "query": 20,
         "change": "revised", "was": None},
    ]  # fmt: skip


def test_an_end_that_was_given_before_is_reached_later(folder: Path) -> None:
    lit = {"name": "lit", "args": ["a"], "ts": 3, "te": 40}
    write_rows(folder / "in.jsonl", [ROWS[0], lit])
    write_rows(folder / "none.jsonl", [])
    for emit in ("changes", "final"):
        options = ("--state", emit, "--emit", emit)
        assert replay(folder, "--input", "in.jsonl", *options, "--until", "8").code == 0
        ended = replay(folder, "--input", "none.jsonl", *options, "--stats", "s", "--overwrite")
        last = read((folder / "s").read_text())[-1]["query"]
        assert (ended.code, last) == (0, 40)
    assert ended.out == replay(folder, "--input", "in.jsonl").out
    # Taken back, it is no last instant either.
    write_rows(folder / "back.jsonl", [{**lit, "op": "retract", "arrival": 9}])
    options = ("--state", "back", "--emit", "changes")
    assert replay(folder, "--input", "in.jsonl", *options, "--until", "8").code == 0
    told = ("--stats", "s", "--overwrite")
    assert replay(folder, "--input", "back.jsonl", *options, *told).code == 0
    assert [line["query"] for line in read((folder / "s").read_text())] == [8]


def test_rows_after_the_last_query_must_be_given_again(folder: Path) -> None:
    first = keep(folder, "--input", "in.jsonl", "--until", "12")
    assert "warning: 1 row lies after the last query, at 12, and must be given again" in first.err
    ended = keep(folder, "--input", "in.jsonl", "--rejects", "bad")
    assert ended.code == 0
    assert "after the last query" not in ended.err


def test_a_row_is_taken_back_by_a_later_run_whatever_is_used_of_it(tmp_path: Path) -> None:
    """`note` is not looked at, and still tells two rows apart."""
    (tmp_path / "p.phe").write_text(
        "input event go(x: str, note: str);\nevent went(X) : go(X, _);\n"
    )
    rows = [{"name": "go", "args": ["a", note], "t": 2} for note in ("one", "two")]
    write_rows(tmp_path / "a.jsonl", rows)
    assert len(read(keep(tmp_path, "--input", "a.jsonl").out)) == 1
    for number, left in ((0, 1), (1, 0)):
        write_rows(tmp_path / "b.jsonl", [{**rows[number], "op": "retract", "arrival": 3}])
        ended = keep(tmp_path, "--input", "b.jsonl")
        assert (len(read(ended.out)), ended.err) == (left, "")


FACTS = """\
input event go(x: str);
fact good(x: str);
event went(X) : go(X) and good(X);
"""


def test_facts_are_those_of_the_state(tmp_path: Path) -> None:
    (tmp_path / "p.phe").write_text(FACTS)
    for name, time in (("a", 1), ("b", 5)):
        (tmp_path / name).mkdir()
        write_rows(tmp_path / name / "go.jsonl", [{"x": "a", "t": time}, {"x": "z", "t": time}])
    write_rows(tmp_path / "a" / "good.jsonl", [{"x": "a"}])
    assert len(read(keep(tmp_path, "--input", "a").out)) == 1
    ended = keep(tmp_path, "--input", "b")
    assert (len(read(ended.out)), ended.err) == (2, "")
    write_rows(tmp_path / "b" / "good.jsonl", [{"x": "a"}, {"x": "z"}])
    refused = keep(tmp_path, "--input", "b")
    assert refused.code == 1
    assert "the rows of the fact `good` are others" in refused.err


def test_definitions_may_change_places(folder: Path) -> None:
    text = PROGRAM + "state rests(X) : stop(X) ~> go(X);\n"
    (folder / "p.phe").write_text(text)
    whole = replay(folder, "--input", "in.jsonl")
    for number, part in enumerate(cut(ROWS, 12)):
        write_rows(folder / f"{number}.jsonl", part)
    assert keep(folder, "--input", "0.jsonl", "--until", "12").code == 0
    lines = ["// moved", *reversed(text.splitlines()), "param spare: int = 1;"]
    (folder / "p.phe").write_text("\n".join(lines))
    ended = keep(folder, "--input", "1.jsonl")
    assert (ended.code, ended.out) == (0, whole.out)
    assert '"rests"' in whole.out


def test_final_results_are_kept_while_changes_are_told(folder: Path) -> None:
    """A state that was begun with final results can always give them."""
    whole = replay(folder, "--input", "in.jsonl", windows=("--window", "4"))
    emits = iter(("final", "changes", "snapshots", "final"))
    rest: list[Any] = list(ROWS)
    for number, time in enumerate((4, 8, 16, 20)):
        part, rest = cut(rest, time)
        write_rows(folder / f"{number}.jsonl", part)
        options = ("--input", f"{number}.jsonl", "--emit", next(emits), "--until", str(time))
        ended = replay(folder, "--state", "st", *options, windows=("--window", "4"))
        assert ended.code == 0
    assert ended.out == whole.out
    assert find_state(folder / "st").settled


@pytest.mark.parametrize("problem", [KeyboardInterrupt, OSError(28, "No space left")])
def test_a_run_that_does_not_end_well_leaves_the_old_state(
    folder: Path, monkeypatch: pytest.MonkeyPatch, problem: Any
) -> None:
    whole = [replay(folder, "--input", "in.jsonl", "--emit", emit).out for emit in EMITS]
    part, rest = cut(ROWS, 12)
    write_rows(folder / "a.jsonl", part)
    write_rows(folder / "b.jsonl", rest)
    assert keep(folder, "--input", "a.jsonl", "--until", "12").code == 0

    def fail(*_: object, **__: object) -> None:
        raise problem

    for target in ("phenesthe.runs.play.report_rejects", "phenesthe.io.write_results"):
        with monkeypatch.context() as patch:
            patch.setattr(target, fail)
            assert keep(folder, "--input", "b.jsonl").code in (1, 130)
        assert find_state(folder / "st").generation == 1
    with monkeypatch.context() as patch:
        # Between the output and the state: the next run tells the same once more.
        patch.setattr("phenesthe.memory.store.Store.replace", fail)
        ended = keep(folder, "--input", "b.jsonl")
        assert ended.code in (1, 130)
    assert keep(folder, "--input", "b.jsonl").out == ended.out == whole[0]


def test_what_is_too_late_in_the_second_run_is_set_aside(folder: Path) -> None:
    assert keep(folder, "--input", "in.jsonl").code == 0
    write_rows(folder / "b.jsonl", [
        {"name": "go", "args": ["x"], "t": 5, "arrival": 21},
        {"name": "go", "args": ["y"], "t": 22},
    ])  # fmt: skip
    ended = keep(folder, "--input", "b.jsonl", "--rejects", "bad.jsonl")
    assert "1 row was set aside (1 too late)" in ended.err
    (bad,) = read((folder / "bad.jsonl").read_text())
    assert (bad["line"], bad["reason"]) == (1, "too late")
