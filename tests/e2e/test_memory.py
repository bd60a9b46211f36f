"""`phenesthe memory`: what a state remembers, and why."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.test_cli import Ended
from tests.e2e.test_state import _disk_is_quick, replay, write_rows
from tests.e2e.test_windows import start

__all__ = ["_disk_is_quick"]

PROGRAM = """\
input event go(x: str, speed: float);
input event stop(x: str);
input state lit(x: str);
event fast(X) : go(X, S) and S > 5;
state runs(X) : fast(X) ~> stop(X);
dynamic ends(X) : end(runs(X)) before start(lit(X));
"""
ROWS: list[dict[str, Any]] = [
    {"name": "go", "args": ["a", 9.0], "t": 1},
    {"name": "go", "args": ["b", 9.0], "t": 2},
    {"name": "stop", "args": ["b"], "t": 4},
    {"name": "go", "args": ["c\u001b[31m", 9.0], "t": 29},
    {"name": "go", "args": ["c\u001b[31m", 9.0], "t": 30},
]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    (tmp_path / "p.phe").write_text(PROGRAM)
    write_rows(tmp_path / "in.jsonl", ROWS)
    windows = ("--window", "10", "--step", "10")
    given = ("--input", "in.jsonl", "--state", "st", "--emit", "changes")
    assert replay(tmp_path, *given, windows=windows).code == 0
    # The program is in the state.
    (tmp_path / "p.phe").unlink()
    return tmp_path


def remember(folder: Path, *options: str) -> Ended:
    return start(folder, "memory", "st", *options)


TEXT = """\
inputs
  go: 2 rows
    2: it lies inside the window

fast: 2 rows
  exists S: (go(X, S) and S > 5)
    (X)            t   why
    ("c\\u001b[31m")  29  it may still change
    ("c\\u001b[31m")  30  it may still change

runs: 2 rows
  fast(X) ~> stop(X)
    (X)            ts, te    why
    (a)            1, open   it holds on: its end is not known yet
    ("c\\u001b[31m")  29, open  it holds on: its end is not known yet

ends: 1 row
  end(runs(X))
    (X)  t  why
    (b)  4  `end(runs(X)) before start(lit(X))` in `ends` needs it: nothing has followed it yet, \
or what follows it holds on
"""


def test_everything_is_told_with_its_reason(state: Path) -> None:
    ended = remember(state)
    assert (ended.code, ended.err) == (0, "")
    heading, _, rest = ended.out.partition("\n\n")
    assert [line.split(None, 1)[0] for line in heading.splitlines()] == [
        "definitions", "window", "last", "remembered", "on",
    ]  # fmt: skip
    assert "ends, fast, runs (program " in heading
    assert "10 ticks, a query every 10" in heading
    assert "last query   30" in heading
    assert "7 rows, 2 of them open" in heading
    assert words(rest) == words(TEXT)
    assert "\u001b" not in ended.out


def words(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def list_names(ended: Ended) -> list[str]:
    assert (ended.code, ended.err) == (0, "")
    return [one["name"] for one in json.loads(ended.out)["remembered"]]


def test_json_tells_the_same(state: Path) -> None:
    content = json.loads(remember(state, "--format", "json").out)
    size = sum(one.stat().st_size for one in (state / "st").rglob("*") if one.is_file())
    assert 0 < content.pop("bytes") < size
    assert len(content.pop("fingerprint")) == 12
    remembered = {(one["name"], one["formula"]): one for one in content.pop("remembered")}
    assert content == {
        "definitions": ["ends", "fast", "runs"],
        "window": 10, "step": 10, "start": 0, "last": 30, "rows": 7, "open": 2,
    }  # fmt: skip
    assert remembered["go", "input"] == {
        "name": "go", "input": True, "formula": "input", "kind": "event", "variables": ["x"],
        "count": 2, "why": {"it lies inside the window": 2}, "rows": [],
    }  # fmt: skip
    runs = remembered["runs", "fast(X) ~> stop(X)"]
    assert runs["rows"] == [
        {"args": [name], "ts": ts, "te": None, "why": ["it holds on: its end is not known yet"]}
        for name, ts in (("a", 1), ("c\u001b[31m", 29))
    ]


def test_only_some_names_and_bindings(state: Path) -> None:
    json_ = ("--format", "json")
    assert list_names(remember(state, *json_, "--only", "runs", "go")) == ["go", "runs"]
    assert list_names(remember(state, *json_, "--args", "b")) == ["ends"]
    assert list_names(remember(state, *json_, "--args", "_")) == ["go", "fast", "runs", "ends"]
    assert list_names(remember(state, *json_, "--args", "_,1")) == ["go"]
    shown = remember(state, "--args", "a").out
    assert "runs: 1 row\n" in shown
    assert "(a)" in shown
    assert "c\\u" not in shown


def test_some_rows_of_each(state: Path) -> None:
    shown = remember(state, "--rows", "1").out
    assert "go: 2 rows\n  input\n" in shown
    assert shown.count("  and 1 more\n") == 3
    assert "inputs" not in shown
    none = remember(state, "--rows", "0", "--only", "runs").out
    assert none.endswith("runs: 2 rows\n  and 2 more\n")
    rows = json.loads(remember(state, "--rows", "1", "--format", "json").out)["remembered"]
    assert [len(one["rows"]) for one in rows] == [1, 1, 1, 1]
    assert [one["count"] for one in rows] == [2, 2, 2, 1]


def test_what_is_not_there_is_told(state: Path) -> None:
    unknown = remember(state, "--only", "run")
    assert unknown.code == 1
    assert "the state has no definition or input `run`" in unknown.err
    assert "did you mean `runs`?" in unknown.err
    assert remember(state, "--rows", "-1").code == 2
    for place, message in ((".", "is not the folder of a state"), ("no", "there is no folder")):
        ended = start(state, "memory", place)
        assert (ended.code, ended.out) == (1, "")
        assert message in ended.err
