"""A run is one value, which the command line and Python build alike."""

import argparse
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path
from typing import Any

import pytest

import phenesthe
from phenesthe.cli.main import build_parser
from phenesthe.cli.request import make_request
from phenesthe.options import naming_flags
from phenesthe.runs.ask import ask
from phenesthe.runs.engine import engine_of, open_engine
from phenesthe.runs.local import LocalEngine
from phenesthe.runs.options import UsageError
from phenesthe.runs.request import Output, Places, Request, State, Windows
from tests.unit.test_imports import PACKAGE, imports_in, imports_of

TEXT = """\
input event ais(vessel: int, speed: float);
fact kind(vessel: int);
event slow(V) : ais(V, S) and S < 0.5;
event fast(V) : ais(V, S) and S > 5.0;
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ais.csv").write_text("vessel,SOG,t\n")
    (tmp_path / "p.phe").write_text(TEXT)
    return "p.phe"


def parse(file: str, *options: str) -> argparse.Namespace:
    return build_parser().parse_args(["run", file, "--input", "in", *options])


def build(file: str, *options: str) -> Request:
    with naming_flags():
        return make_request(parse(file, *options), phenesthe.compile(file))


def list_options(request: Request) -> dict[str, Any]:
    """What is asked, apart from the program, where rows come from and where results go."""
    others = ("program", "source", "output")
    return {
        one.name: getattr(request, one.name) for one in fields(Request) if one.name not in others
    }


def test_the_command_line_builds_it(file: str) -> None:
    request = build(
        file, "--only", "slow", "--until", "100", "--start", "1", "--window", "1m", "--step", "20s",
        "--emit", "changes", "--state", "kept", "--on-change", "carry", "--output", "out.csv",
        "--overwrite", "--times", "iso", "--map", "ais.speed=SOG", "--strict", "--rejects", "bad",
        "--stats", "stats", "--time-format", "%Y-%m-%d", "--allow-empty", "kind",
    )  # fmt: skip
    assert request.only == ("slow",)
    assert request.source == Places("in", None)
    assert request.output == Output("out.csv", overwrite=True, times="iso")
    assert (request.start, request.until) == (1, 100)
    assert request.windows == Windows(60, 20, "changes")
    assert request.state == State("kept", "carry")
    assert request.mapping == {"ais.speed": "SOG"}
    assert (request.strict, request.time_format) == (True, "%Y-%m-%d")
    assert (request.rejects, request.stats) == ("bad", "stats")
    assert request.allowed.has("kind")
    assert not request.allowed.has("ais")
    assert request.list_written() == ("out.csv", "bad", "stats")


def test_python_builds_the_same(file: str) -> None:
    typed = build(
        file, "--only", "fast", "--until", "1970-01-01T00:01:40", "--start", "1", "--window", "1m",
        "--emit", "snapshots", "--state", "kept", "--map", "ais.speed=SOG", "--strict",
        "--time-format", "%Y-%m-%d", "--allow-empty",
    )  # fmt: skip
    given = ask(
        phenesthe.compile(file).checked, {},
        only=["fast"], until="1970-01-01T00:01:40", start=1, window="1m", emit="snapshots",
        state=Path("kept"), mapping={"ais.speed": "SOG"}, strict=True,
        time_format="%Y-%m-%d", allow=True,
    )  # fmt: skip
    assert list_options(given) == list_options(typed)
    assert given.output is None
    assert given.windows == Windows(60, 60, "snapshots")


def test_what_is_not_said_is_the_same_too(file: str) -> None:
    typed, given = build(file), ask(phenesthe.compile(file).checked, {})
    assert list_options(replace(given, mapping={})) == list_options(typed)
    assert typed.windows is None
    assert typed.output == Output(None)


def test_it_cannot_be_changed(file: str) -> None:
    with pytest.raises(FrozenInstanceError):
        build(file).until = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("given", "flags", "arguments"),
    [
        ({"step": "1m"}, "--step works only with --window", "step works only with window"),
        ({"emit": "changes"}, "--emit works only with --window", "emit works only with window"),
        ({"state": "kept"}, "--state works only with --window", "state works only with window"),
        ({"window": "x"}, "--window takes a duration", "window takes a duration"),
        (
            {"window": "0s"},
            "--window must be at least 1 second",
            "window must be at least 1 second",
        ),
        (
            {"window": "1m", "step": "2m"},
            "--step 2m is longer than --window 1m",
            "step=2m is longer than window=1m",
        ),
        (
            {"window": "1m", "on_change": "carry"},
            "--on-change is for a run with a state",
            "on_change is for a run with a state",
        ),
        (
            {"window": "1m", "start": "5", "until": "5"},
            "--until is not after --start",
            "until is not after start",
        ),
        ({"until": "soon"}, "--until takes a time, not `soon`", "until takes a time, not `soon`"),
        (
            {"window": "1m", "state": "hdfs://there/kept"},
            "--state takes a folder of this machine",
            "state takes a folder of this machine",
        ),
    ],
)
def test_what_cannot_be_meant_is_named_as_it_was_given(
    file: str, given: dict[str, str], flags: str, arguments: str
) -> None:
    typed = [part for name, one in given.items() for part in (f"--{name.replace('_', '-')}", one)]
    with pytest.raises(UsageError) as refused:
        build(file, *typed)
    assert refused.value.message.startswith(flags)
    program = phenesthe.compile(file)
    with pytest.raises(phenesthe.DataError) as problem:
        program.run({}, **given)  # type: ignore[arg-type]
    assert problem.value.message.startswith(arguments)
    assert problem.value.hint
    assert "--" not in str(problem.value)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"emit": "all"}, "emit cannot be `all`"),
        ({"on_change": "go"}, "on_change cannot be `go`"),
        ({"until": 1.5}, "until takes a time, not `1.5`"),
        ({"window": True}, "window takes a duration in whole seconds, not `True`"),
        ({"window": 9, "state": "kept", "partitions": 2}, "partitions is for a run without state"),
    ],
)
def test_what_only_python_can_give(given: dict[str, Any], said: str) -> None:
    with pytest.raises(phenesthe.DataError, match=said):
        phenesthe.compile(text=TEXT).run({}, **given)


def test_a_state_is_no_folder_of_the_input(tmp_path: Path) -> None:
    table = tmp_path / "kept" / "ais.csv"
    with pytest.raises(phenesthe.DataError, match="holds the table of `ais`"):
        phenesthe.compile(text=TEXT).run({"ais": table}, window=5, state=tmp_path / "kept")


def test_an_engine_is_chosen_by_its_name_or_by_the_tables() -> None:
    assert isinstance(open_engine("local"), LocalEngine)
    assert isinstance(engine_of({"ais": "ais.csv"}), LocalEngine)


def test_only_the_command_line_knows_how_options_are_typed() -> None:
    """What is behind a request sees neither `argparse` nor the terminal."""
    for file, modules in imports_in(".").items():
        if file.startswith("cli/") or file == "__main__.py":
            continue
        assert "argparse" not in modules, file
        assert not [one for one in modules if one.startswith("phenesthe.cli")], file
    assert "phenesthe.runs.engine" in set(imports_of(PACKAGE / "cli" / "run.py"))
