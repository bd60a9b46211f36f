"""`phenesthe test`, with the local engine."""

import argparse
from pathlib import Path

import pytest

from phenesthe.cli import test as command
from tests.unit.testing.samples import PROGRAM, event, expect, write

DROP = event("drop", 4, "alice", "wallet")
OPEN = expect("lying", "wallet", ts=4, te=None)
WRONG = expect("lying", "wallet", ts=5, te=None)


def call(*arguments: Path | str) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(list(map(str, arguments))))


def test_all_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"test": "a"}, DROP, OPEN, {"test": "b"}, {"expect": "lying", "none": True})
    assert call(tmp_path) == 0
    assert capsys.readouterr() == ("2 passed, 0 failed\n", "")


def test_the_current_folder_is_searched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"test": "a"}, DROP, OPEN)
    monkeypatch.chdir(tmp_path)
    assert call() == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"


def test_one_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, {"test": "a"}, DROP, OPEN, {"test": "later"}, DROP, WRONG)
    assert call(file) == 1
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0] == f"FAILED {file}:4: later"
    assert lines[-4:] == [
        'missing: {"expect": "lying", "args": ["wallet"], "ts": 5, "te": null}',
        'not expected: {"expect": "lying", "args": ["wallet"], "ts": 4, "te": null}',
        "",
        "1 passed, 1 failed",
    ]
    assert err == ""


def test_what_cannot_be_run_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, {"test": "a"}, event("dorp", 1), OPEN, {"test": "b"}, DROP, OPEN)
    assert call(file) == 1
    out, err = capsys.readouterr()
    assert out == "1 passed, 0 failed, 1 not run\n"
    assert err.splitlines() == [
        f"error: {file}:2: the program has no input `dorp`",
        "  help: did you mean `drop`?",
    ]


def test_a_file_with_no_test_in_it_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path)
    assert call(file) == 1
    assert f"{file}:1: there is no test in this file" in capsys.readouterr().err


def test_errors_of_the_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(
        tmp_path, {"test": "a"}, OPEN, {"test": "b"}, OPEN, program=PROGRAM + "state x(T) : y(T);"
    )
    assert call(tmp_path) == 1
    out, err = capsys.readouterr()
    assert out == "0 passed, 0 failed, 2 not run\n"
    assert err.count("error[") == 1


def test_modules_on_the_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "stuff.phe").write_text(PROGRAM, "utf-8")
    lost = "import stuff;\nevent lost(T) : start(lying(T));\n"
    expected = expect("lost", "wallet", t=4)
    file = write(tmp_path, {"test": "a"}, DROP, OPEN, expected, program=lost)
    assert call(file, "--path", tmp_path / "lib") == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"


def test_nothing_to_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(tmp_path) == 1
    assert capsys.readouterr().err == (
        "error: there is no test here; tests of `NAME.phe` are in `NAME.test.jsonl`\n"
    )
    assert call(tmp_path / "no.phe") == 1
    (tmp_path / "x.txt").touch()
    assert call(tmp_path / "x.txt") == 2
