"""`phenesthe run --window` on Spark says and writes what the local engine does."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from phenesthe.engines.spark.session import Session
from tests.e2e.test_state import cut
from tests.e2e.test_windows import FORMS, PROGRAM, ROWS, WIDE, read, start, write_rows

#: A row that does not fit, one too late, one that takes back nothing, one before the start.
MORE: list[dict[str, Any]] = [
    *ROWS,
    {"name": "go", "args": [1], "t": 5},
    {"name": "stop", "args": ["a"], "t": 2, "arrival": 19},
    {"name": "lit", "args": ["b"], "ts": 13, "te": 15, "arrival": 16, "op": "retract"},
    {"name": "stop", "args": ["z"], "t": -3},
]


@pytest.fixture
def folder(tmp_path: Path, session: Session) -> Path:
    """With a session open, which the command takes."""
    assert session.spark is not None
    (tmp_path / "p.phe").write_text(PROGRAM)
    write_rows(tmp_path, MORE)
    return tmp_path


def replay(folder: Path, engine: str, *options: str) -> tuple[int, str, str]:
    given = ("--quiet", "--input", "in.jsonl", "--engine", engine)
    ended = start(folder, "run", "p.phe", *given, *options)
    return ended.code, ended.out, ended.err


@pytest.mark.parametrize("emit", ["final", "changes", "snapshots"])
def test_all_is_the_same(folder: Path, emit: str) -> None:
    told = []
    for engine in ("local", "spark"):
        kept = ("--stats", f"{engine}.stats", "--rejects", f"{engine}.rejects")
        told.append(replay(folder, engine, *WIDE, "--start", "0", "--emit", emit, *kept))
    assert told[0] == told[1]
    code, out, err = told[0]
    assert code == 0
    assert len(read(out)) > 6
    assert "4 rows were set aside" in err
    rejects = [(folder / f"{engine}.rejects").read_text() for engine in ("local", "spark")]
    assert rejects[0] == rejects[1]
    stats = [read((folder / f"{engine}.stats").read_text()) for engine in ("local", "spark")]
    assert any(line["memory"]["rows"] and line["seconds"] > 0 for line in stats[1])
    for line in (*stats[0], *stats[1]):
        # What several stages and partitions remember is counted by each of them.
        for differing in ("memory", "incomplete", "seconds"):
            del line[differing]
    assert stats[0] == stats[1]
    assert sum(line["late"] for line in stats[0]) > 2
    assert sum(line["too_late"] for line in stats[0]) == 2
    assert sum(line["rejected"] for line in stats[0]) == 2


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_are_written(folder: Path, form: str) -> None:
    for emit in ("final", "changes"):
        for engine in ("local", "spark"):
            ended = replay(
                folder, engine, *WIDE, "--emit", emit, "--output", f"{engine}-{emit}-{form}"
            )
            assert ended[:2] == (0, "")
        local, spark = (folder / f"{engine}-{emit}-{form}" for engine in ("local", "spark"))
        files = sorted(path.relative_to(local) for path in local.rglob("*")) or [Path()]
        assert len(files) == (3 if form.endswith("/") else 1)
        for file in files:
            if form.endswith((".jsonl", ".csv")):
                assert (spark / file).read_bytes() == (local / file).read_bytes()
            else:
                assert pq.read_table(spark / file).equals(pq.read_table(local / file))


def test_a_folder_at_an_address(folder: Path) -> None:
    target = (folder / "there").as_uri()
    ended = replay(folder, "spark", *WIDE, "--output", target, "--stats", "s.jsonl")
    assert ended[:2] == (0, "")
    lines = read(replay(folder, "local", *WIDE)[1])
    for name in ("runs", "starts_up", "runs_lit"):
        found = pq.read_table(folder / "there" / f"{name}.parquet").num_rows
        assert found == sum(line["name"] == name for line in lines) > 0
    assert len(read((folder / "s.jsonl").read_text())) > 3


def test_without_rows_nothing_is_asked(folder: Path) -> None:
    (folder / "in.jsonl").write_text("")
    for emit in ("final", "snapshots"):
        ended = replay(
            folder, "spark", *WIDE, "--emit", emit, "--stats", "s.jsonl", "--overwrite",
            "--allow-empty",
        )  # fmt: skip
        assert ended == (0, "", "")
        assert (folder / "s.jsonl").read_text() == ""
    assert replay(folder, "spark", *WIDE, "--output", (folder / "none").as_uri())[0] == 0
    assert pq.read_table(folder / "none" / "runs.parquet").num_rows == 0


def test_the_first_bad_row_is_an_error_where_that_is_asked_for(folder: Path) -> None:
    write_rows(folder, [*ROWS, {"name": "stop", "args": ["a"], "t": 2, "arrival": 19}])
    told = [replay(folder, engine, *WIDE, "--strict") for engine in ("local", "spark")]
    assert told[0] == told[1]
    assert told[0][0] == 1
    assert "too late" in told[0][2]


@pytest.mark.parametrize("emit", ["final", "changes", "snapshots"])
@pytest.mark.parametrize("engines", [("spark", "spark"), ("local", "spark"), ("spark", "local")])
def test_a_state_goes_on_whichever_engine_reads(
    folder: Path, emit: str, engines: tuple[str, str]
) -> None:
    options = (*WIDE, "--start", "0", "--emit", emit)
    whole = replay(folder, "local", *options, "--rejects", "whole.rejects")
    found = []
    for engine, rows, until in zip(engines, cut(MORE, 12), (("--until", "12"), ()), strict=True):
        write_rows(folder, rows)
        kept = ("--state", "st", "--rejects", "part.rejects", "--overwrite")
        found.append(replay(folder, engine, *options, *kept, *until))
    assert [code for code, _, _ in found] == [0, 0]
    out = found[1][1] if emit == "final" else found[0][1] + found[1][1]
    assert out == whole[1]
    assert len(read(out)) > 6
    assert "2 rows were set aside" in found[1][2]
    assert "too late" in (folder / "part.rejects").read_text()


@pytest.mark.parametrize("engines", [("spark", "local"), ("local", "spark")])
def test_a_run_is_the_same_whichever_engine_makes_it_again(
    folder: Path, engines: tuple[str, str]
) -> None:
    write_rows(folder, [*ROWS, *MORE[-3:]])
    options = (*WIDE, "--emit", "changes", "--state", "st", "--output", "o.jsonl", "--overwrite")
    told = [replay(folder, engine, *options) for engine in engines]
    assert [code for code, _, _ in told] == [0, 0]
    assert "this run was made before" in told[1][2]
    assert len(read((folder / "o.jsonl").read_text())) > 5


def test_final_results_of_a_state_go_to_an_address(folder: Path) -> None:
    target = (folder / "there").as_uri()
    ended = replay(folder, "spark", *WIDE, "--state", "st", "--output", target)
    assert ended[:2] == (0, "")
    lines = read(replay(folder, "local", *WIDE)[1])
    for name in ("runs", "starts_up", "runs_lit"):
        found = pq.read_table(folder / "there" / f"{name}.parquet").num_rows
        assert found == sum(line["name"] == name for line in lines) > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--state", "s", "--partitions", "2"), "one memory"),
        (("--emit", "changes", "--output", "hdfs://h/f"), "is written on this machine"),
    ],
)
def test_what_spark_does_not_do_ends_with_2(
    folder: Path, options: tuple[str, ...], message: str
) -> None:
    code, out, err = replay(folder, "spark", *WIDE, *options)
    assert (code, out) == (2, "")
    assert message in err
