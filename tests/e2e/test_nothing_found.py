"""A run that would find nothing for want of rows says why, in the same words on both engines."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import phenesthe
from phenesthe.engines.spark.session import Session
from tests.e2e.test_windows import start

PROGRAM = """\
input event ais(vessel: int, speed: float);
input event go(vessel: int);
fact kind(vessel: int, type: str);
event slow(V) : ais(V, S) and S < 1.0;
event went(V) : go(V) where kind(V, "tug");
"""
AIS = "vessel,speed,t\n1,0.5,1\n2,7.0,2\n"
BAD = "vessel,speed,t\none,0.5,1\ntwo,7.0,2\n3,fast,3\n"
GO = "vessel,t\n1,3\n"
KIND = "vessel,type\n1,tug\n"
ALL = {"ais.csv": AIS, "go.csv": GO, "kind.csv": KIND}
WINDOWS = (), ("--window", "10"), ("--window", "10", "--state", "memory")

Run = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """The command over some files, on the local engine."""

    def go(files: Mapping[str, str], *options: str, engine: str = "local") -> Any:
        (tmp_path / "p.phe").write_text(PROGRAM)
        (tmp_path / "in").mkdir(exist_ok=True)
        for name, text in files.items():
            (tmp_path / "in" / name).write_text(text)
        place = "in/in.jsonl" if "in.jsonl" in files else "in"
        given = ("--input", place, "--engine", engine, *options)
        return start(tmp_path, "run", "p.phe", *given)

    return go


def write_lines(*lines: dict[str, Any]) -> dict[str, str]:
    return {"in.jsonl": "".join(json.dumps(one) + "\n" for one in lines)}


@pytest.mark.parametrize("windows", WINDOWS)
def test_a_table_without_a_usable_row_is_an_error(run: Run, windows: tuple[str, ...]) -> None:
    ended = run(ALL | {"ais.csv": BAD}, *windows)
    assert (ended.code, ended.out) == (1, "")
    assert "error: none of the 3 rows of input `ais` could be used: wrong type in `vessel`" in (
        ended.err
    )
    assert 'line 2: {"vessel": "one", "speed": "0.5", "t": "1"}' in ended.err
    assert "--allow-empty ais" in ended.err


def test_the_rows_of_a_refused_input_are_still_kept(run: Run, tmp_path: Path) -> None:
    assert run(ALL | {"ais.csv": BAD}, "--rejects", "rejects.jsonl").code == 1
    assert len((tmp_path / "rejects.jsonl").read_text().splitlines()) == 3


def test_a_missing_column_is_told_with_the_nearest(run: Run) -> None:
    ended = run(ALL | {"ais.csv": AIS.replace("speed", "spede")})
    assert ended.code == 1
    assert "missing column `speed`" in ended.err
    assert "did you mean `spede`?" in ended.err


def test_a_fact_without_a_usable_row_is_an_error(run: Run) -> None:
    ended = run(ALL | {"kind.csv": "vessel,type\nx,tug\n"})
    assert ended.code == 1
    assert "the only row of fact `kind` could not be used: wrong type in `vessel`" in ended.err


def test_all_unusable_tables_are_told_at_once(run: Run) -> None:
    ended = run(ALL | {"ais.csv": BAD, "go.csv": "vessel,t\nx,y\n"})
    assert ended.code == 1
    assert "input `ais`" in ended.err
    assert "input `go`" in ended.err
    assert "--allow-empty ais go" in ended.err


@pytest.mark.parametrize("windows", WINDOWS)
def test_one_usable_row_is_enough(run: Run, windows: tuple[str, ...]) -> None:
    ended = run(ALL | {"ais.csv": BAD + "4,0.1,4\n"}, *windows)
    assert ended.code == 0
    assert "3 rows were set aside" in ended.err


@pytest.mark.parametrize("windows", WINDOWS)
def test_a_table_that_is_there_and_empty_is_none_of_our_business(
    run: Run, windows: tuple[str, ...]
) -> None:
    ended = run(ALL | {"ais.csv": "vessel,speed,t\n"}, *windows)
    assert ended.code == 0
    assert "warning" not in ended.err


def test_rows_that_take_each_other_back_were_used(run: Run) -> None:
    rows = "vessel,speed,t,op\n1,0.5,1,insert\n1,0.5,1,retract\nx,1,1,insert\n"
    assert run(ALL | {"ais.csv": rows}).code == 0


@pytest.mark.parametrize("windows", WINDOWS)
def test_no_table_at_all_is_an_error(run: Run, windows: tuple[str, ...]) -> None:
    ended = run({"kind.csv": KIND}, *windows)
    assert (ended.code, ended.out) == (1, "")
    assert "error: no input has a table in `in`: there is none for `ais`, `go`" in ended.err
    assert "--allow-empty" in ended.err


@pytest.mark.parametrize("windows", WINDOWS)
def test_a_table_of_another_name_is_an_error(run: Run, windows: tuple[str, ...]) -> None:
    ended = run({"Ais.csv": AIS, "go.csv": GO, "kind.csv": KIND}, *windows)
    assert ended.code == 1
    assert "there is no table for input `ais`, while `in` holds `Ais.csv`" in ended.err
    assert "is `Ais.csv` the table of `ais`?" in ended.err


@pytest.mark.parametrize(
    ("file", "guess"),
    [("aiss.csv", True), ("ais_2022_11_01.csv", True), ("my ais.csv", True), ("x.csv", False)],
)
def test_the_nearest_table_is_suggested(run: Run, file: str, guess: bool) -> None:
    ended = run({file: AIS, "go.csv": GO, "kind.csv": KIND})
    assert ended.code == 1
    assert (f"is `{file}` the table of `ais`?" in ended.err) == guess
    assert f"`{file}`" in ended.err


def test_a_fact_of_nearly_that_name_is_an_error_and_another_is_not(
    run: Run, tmp_path: Path
) -> None:
    files = {"ais.csv": AIS, "go.csv": GO}
    ended = run(files | {"kinds.csv": KIND})
    assert ended.code == 1
    assert "is `kinds.csv` the table of `kind`?" in ended.err
    (tmp_path / "in" / "kinds.csv").rename(tmp_path / "in" / "notes.csv")
    ended = run(files)
    assert ended.code == 0
    assert "no table for fact `kind` in `in`: it is taken to be empty" in ended.err


def test_tests_and_hidden_files_are_no_tables_of_another_name(run: Run) -> None:
    files = {"ais.csv": AIS, "kind.csv": KIND, "p.test.jsonl": "", ".old.csv": "", "_x.csv": ""}
    ended = run(files)
    assert ended.code == 0
    assert "no table for input `go` in `in`: it is taken to be empty" in ended.err


def test_any_other_missing_table_is_a_warning(run: Run) -> None:
    ended = run({"ais.csv": AIS})
    assert ended.code == 0
    assert json.loads(ended.out)["name"] == "slow"
    for name in ("input `go`", "fact `kind`"):
        assert f"warning: no table for {name} in `in`: it is taken to be empty" in ended.err


def test_what_a_run_does_not_need_may_be_missing_or_wrong(run: Run) -> None:
    ended = run({"ais.csv": AIS, "go.csv": "vessel,t\n1,soon\n", "x.csv": ""}, "--only", "slow")
    assert ended.code == 0
    assert "`kind`" not in ended.err
    ended = run({}, "--only", "went", "slow")
    assert ended.code == 1


def test_a_name_without_lines_is_a_warning(run: Run) -> None:
    ended = run(write_lines({"name": "ais", "args": [1, 0.1], "t": 1}))
    assert ended.code == 0
    assert "warning: no line of input `go` among the lines of `in/in.jsonl`" in ended.err
    assert run({"in.jsonl": ""}).code == 0


def test_lines_that_are_of_no_input_are_an_error(run: Run) -> None:
    lines = [{"name": "aiss", "args": [1, 0.1], "t": at} for at in (1, 2)]
    ended = run(write_lines(*lines, {"fact": "kind", "args": [1, "tug"]}))
    assert ended.code == 1
    assert "no line of `in/in.jsonl` is of an input, and 2 lines could not be used" in ended.err
    assert "unknown name in `name`" in ended.err
    assert "did you mean `ais`?" in ended.err


def test_emptiness_can_be_meant(run: Run) -> None:
    files = ALL | {"ais.csv": BAD}
    assert run(files, "--allow-empty").code == 0
    assert run(files, "--allow-empty", "ais").code == 0
    ended = run(files, "--allow-empty", "go")
    assert ended.code == 1
    assert run({}, "--allow-empty", "goo").code == 1


def test_what_is_allowed_is_not_warned_of(run: Run) -> None:
    ended = run({"x.csv": ""}, "--allow-empty", "ais", "go", "kind", "--until", "5")
    assert ended.code == 0
    assert "no table" not in ended.err
    ended = run({}, "--allow-empty", "agio")
    assert ended.code == 1
    assert "no input or fact `agio`" in ended.err


def test_an_empty_day_of_a_nightly_run_is_no_failure(run: Run) -> None:
    windows = ("--window", "10", "--state", "memory", "--quiet")
    assert run(ALL, *windows).code == 0
    ended = run({"ais.csv": "vessel,speed,t\n", "go.csv": "vessel,t\n"}, *windows)
    assert (ended.code, ended.err) == (0, "")
    # Facts are remembered, and need not be there.
    ended = run({"ais.csv": "vessel,speed,t\n5,0.2,40\n"}, *windows)
    assert (ended.code, ended.err) == (0, "")


def test_rows_that_are_all_too_late_are_an_error_unless_that_is_meant(run: Run) -> None:
    given = ("--window", "10", "--start", "100", "--until", "120")
    ended = run(ALL, *given)
    assert (ended.code, ended.out) == (1, "")
    assert "all 3 rows are too late" in ended.err
    ended = run(ALL, *given, "--allow-empty")
    assert ended.code == 0
    assert "3 rows were set aside (3 too late)" in ended.err


def test_in_python_it_is_an_exception_of_ours() -> None:
    program = phenesthe.compile(text=PROGRAM)
    bad = {"vessel": ["x"], "speed": [1.0], "t": [1]}
    good = {"vessel": [1], "speed": [0.1], "t": [1]}
    with pytest.raises(phenesthe.DataError, match="the only row of input `ais` could not be used"):
        program.run({"ais": bad})
    with pytest.raises(phenesthe.DataError, match="no input has a table") as caught:
        program.run({})
    assert "--" not in str(caught.value)
    assert "allow_empty=" in str(caught.value)
    assert program.run({"ais": bad}, allow_empty=["ais"])["slow"].num_rows == 0
    assert program.run({}, allow_empty=True)["slow"].num_rows == 0
    result = program.run({"ais": good})
    assert result["slow"].num_rows == 1
    assert result.warnings == (
        "no table for input `go`: it is taken to be empty",
        "no table for fact `kind`: it is taken to be empty",
    )
    assert program.run({"ais": good}, only=["slow"]).warnings == ()
    with pytest.raises(phenesthe.DataError, match="no input or fact `agio`"):
        program.run({"ais": good}, allow_empty=["agio"])


CASES: dict[str, tuple[Mapping[str, str], tuple[str, ...]]] = {
    "unusable": (ALL | {"ais.csv": BAD}, ()),
    "none": ({"kind.csv": KIND}, ()),
    "stranger": ({"Ais.csv": AIS, "go.csv": GO, "kind.csv": KIND}, ()),
    "missing": ({"ais.csv": AIS}, ()),
    "fact": (ALL | {"kind.csv": "vessel,type\nx,tug\n"}, ()),
    "meant": (ALL | {"ais.csv": BAD}, ("--allow-empty", "ais")),
    "lines": (write_lines({"name": "aiss", "args": [1, 0.1], "t": 1}), ()),
    "no line": (write_lines({"name": "ais", "args": [1, 0.1], "t": 1}), ()),
}


@pytest.mark.parametrize(
    ("case", "windows"),
    [*((case, ()) for case in CASES), *(("unusable", one) for one in WINDOWS[1:])],
)
def test_spark_says_the_same(
    run: Run, session: Session, case: str, windows: tuple[str, ...]
) -> None:
    assert session.spark is not None
    files, options = CASES[case]
    told = []
    for engine in ("local", "spark"):
        kept = [f"{one}-{engine}" if one == "memory" else one for one in windows]
        ended = run(files, "--quiet", *options, *kept, engine=engine)
        told.append((ended.code, ended.out, ended.err))
    assert told[0] == told[1]


def test_spark_in_python_says_it_when_something_is_asked_for(session: Session) -> None:
    spark = session.spark
    program = phenesthe.compile(text=PROGRAM)
    bad = spark.createDataFrame([("x", 1.0, 1)], "vessel string, speed double, t bigint")
    with pytest.raises(phenesthe.DataError, match="the only row of input `ais` could not be used"):
        program.run({"ais": bad})["slow"].collect()
    allowed = program.run({"ais": bad}, allow_empty=["ais", "go", "kind"])
    assert allowed["slow"].collect() == []
    (warning,) = allowed.warnings
    assert warning.startswith("input `ais`, column `vessel`: `x` is not a whole number (1 row)\n")
    assert "correct it in table ais, row 1, or declare `vessel: str`" in warning
