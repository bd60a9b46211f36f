"""Rows that all lie before the start or after the end, and numbers that no 64 bits hold: told."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import phenesthe
from phenesthe.engines.spark.session import Session
from phenesthe.io import DataError
from tests.e2e.test_windows import start

PROGRAM = """\
param k: int = 1;
param lim: duration = 5s;
param f: float = 1.0;
input event a(x: int, y: float);
event b(X) : a(X, Y) where X >= k and Y < f;
event unused(X) : a(X, _);
state s(X) : b(X) ~> a(X, 2.0) limit lim;
"""
ROWS = "x,y,t\n1,0.5,1\n2,0.5,2\n3,0.5,3\n"
AFTER = "all rows lie after --until 0, so none of them is used: the first instant is 1, the last 3"
LATE = "all 3 rows are too late: what lies at or before --start 20 is not used"

Run = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def go(*options: str, rows: str = ROWS, engine: str = "local", name: str = "a.csv") -> Any:
        (tmp_path / "p.phe").write_text(PROGRAM)
        (tmp_path / "d").mkdir(exist_ok=True)
        (tmp_path / "d" / name).write_text(rows)
        return start(tmp_path, "run", "p.phe", "--input", "d", "--engine", engine, *options)

    return go


@pytest.mark.parametrize("windows", [(), ("--window", "5")])
def test_rows_after_the_end_are_told(run: Run, windows: tuple[str, ...]) -> None:
    ended = run("--until", "0", *windows)
    assert (ended.code, ended.out) == (0, "")
    assert AFTER in ended.err
    assert "help: give a later --until" in ended.err
    assert AFTER not in run("--until", "1", *windows).err


def test_a_start_after_the_last_instant_is_told(run: Run) -> None:
    ended = run("--start", "20")
    assert ended.code == 0
    assert "--start 20 lies after the last instant, 3, so there is no timeline" in ended.err
    assert "help: give an earlier --start" in ended.err
    assert "no timeline" not in run("--start", "3").err
    assert "--start 3 lies after --until, 2" in run("--start", "3", "--until", "2").err


def test_a_replay_after_all_rows_is_an_error(run: Run) -> None:
    ended = run("--start", "20", "--window", "5", "--output", "out.jsonl")
    assert (ended.code, ended.out) == (1, "")
    assert LATE in ended.err
    assert "the last instant is 3" in ended.err
    assert "give an earlier --start" in ended.err
    assert "--allow-empty a" in ended.err
    assert run("--start", "20", "--window", "5", "--allow-empty").code == 0
    assert run("--start", "2", "--window", "5").code == 0
    # Other rows may follow where a state is kept.
    ended = run("--start", "20", "--window", "5", "--state", "st")
    assert ended.code == 0
    assert "3 too late" in ended.err


def test_the_same_in_python(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(ROWS)
    program = phenesthe.compile(text=PROGRAM)
    inputs = {"a": tmp_path / "a.csv"}
    with pytest.raises(DataError, match="at or before start=20 is not used"):
        program.run(inputs, window=5, start=20)
    assert any("after until=0" in one for one in program.run(inputs, until=0).warnings)


@pytest.mark.parametrize(
    ("given", "messages"),
    [
        ("k=99999999999999999999", ("is too large", str(2**63 - 1))),
        ("k=-99999999999999999999", ("is too small", str(-(2**63)))),
        ("lim=99999999999999999d", ("is too large", f"seconds from {-(2**63)} to {2**63 - 1}")),
        ("f=1e400", ("is too large", "1.8e308")),
    ],
)
def test_a_parameter_that_does_not_fit_is_too_large(
    run: Run, given: str, messages: tuple[str, ...]
) -> None:
    ended = run("--param", given)
    assert ended.code == 1
    assert all(one in ended.err for one in messages), ended.err
    assert "is not a" not in ended.err


def test_a_window_that_does_not_fit_is_too_large(run: Run) -> None:
    ended = run("--window", "99999999999999999d")
    assert ended.code == 2
    assert "--window must be less than 2^62 ticks" in ended.err


def test_infinities_are_still_numbers(run: Run) -> None:
    assert run("--param", "f=inf").code == 0
    ended = run(rows="x,y,t\n1,-inf,1\n2,-Infinity,2\n")
    assert "set aside" not in ended.err
    assert ended.out.count('"b"') == 2


TOO_LARGE = {
    "int": ("a.csv", "x,y,t\n1,0.5,1\n9223372036854775808,0.5,2\n", f"to {2**63 - 1} (1 row)"),
    "float": ("a.csv", "x,y,t\n1,0.5,1\n2,-1e400,2\n", "to 1.8e308 (1 row)"),
    "long float": ("a.csv", f"x,y,t\n1,0.5,1\n2,-1{'0' * 400},2\n", "to 1.8e308 (1 row)"),
    "lines": (
        "a.jsonl",
        '{"x": 1, "y": 0.5, "t": 1}\n{"x": 2, "y": -1e400, "t": 2}\n',
        "to 1.8e308 (1 row)",
    ),
}


def check_too_large(run: Run, case: str, engine: str) -> None:
    name, rows, message = TOO_LARGE[case]
    ended = run(rows=rows, name=name, engine=engine)
    assert ended.code == 0
    assert ended.out.count('"b"') == 1
    assert "1 row was set aside (1 wrong type)" in ended.err
    assert "is too " in ended.err
    assert message in ended.err
    assert "declare" not in ended.err


@pytest.mark.parametrize("case", TOO_LARGE)
def test_a_value_that_does_not_fit_is_set_aside_as_too_large(run: Run, case: str) -> None:
    check_too_large(run, case, "local")


def test_the_same_on_spark(run: Run, session: Session) -> None:
    assert session.spark is not None
    check_too_large(run, "float", "spark")
    assert AFTER in run("--until", "0", engine="spark").err
    ended = run("--start", "20", "--window", "5", engine="spark")
    assert ended.code == 1
    assert LATE in ended.err


def test_quiet_errors_come_without_warnings(tmp_path: Path) -> None:
    text = "param k: int = 1;\ninput event a(x: int);\nevent b(X) : a(X) where X > 1 and X < 1;\n"
    (tmp_path / "p.phe").write_text(text)
    (tmp_path / "a.csv").write_text("x,t\n1,1\n")
    given = ("run", "p.phe", "--input", "a.csv", "--engine", "local", "--param", "k=x")
    loud, quiet = start(tmp_path, *given), start(tmp_path, *given, "--quiet")
    assert loud.code == quiet.code == 1
    assert "warning" in loud.err
    assert "warning" not in quiet.err
    assert "not a whole number" in quiet.err
