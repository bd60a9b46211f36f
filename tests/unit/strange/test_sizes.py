"""Files that are far too large are refused, not read. On the disk they take no room."""

from pathlib import Path
from typing import Any

import pytest

import phenesthe.files.long_lines
from phenesthe.testing import run_tests
from tests.unit.strange.command import run_here

PROGRAM = "input event e(x: int);\nevent a(X) : e(X);\n"
HUGE = 8 * 2**30


def make_huge(path: Path) -> Path:
    with path.open("wb") as file:
        file.truncate(HUGE)
    return path


@pytest.mark.parametrize("command", ["check", "compile", "fmt", "run"])
def test_a_program(command: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    more = ("--input", tmp_path / "in", "--engine", "local") if command == "run" else ()
    done = run_here(command, make_huge(tmp_path / "p.phe"), *more)
    assert done.code == 1
    assert "this file has more than the 2,097,152 bytes that are read at most" in done.err


def test_a_module(tmp_path: Path) -> None:
    make_huge(tmp_path / "m.phe")
    (tmp_path / "p.phe").write_text("import m;\n")
    done = run_here("check", tmp_path / "p.phe")
    assert done.code == 1
    assert "this file has more than the 2,097,152 bytes that are read at most" in done.err


@pytest.mark.parametrize("command", ["check", "compile", "fmt", "run"])
def test_a_device_as_program(command: str, tmp_path: Path) -> None:
    more = ("--input", tmp_path, "--engine", "local") if command == "run" else ()
    done = run_here(command, "/dev/zero", *more)
    assert done.code == 1
    assert "`/dev/zero` is a device, not a file" in done.err


def test_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("it was read")

    monkeypatch.setattr(run_tests, "read_bounded_lines", refuse)
    (tmp_path / "p.phe").write_text(PROGRAM)
    make_huge(tmp_path / "p.test.jsonl")
    done = run_here("test", tmp_path)
    assert done.code == 1
    assert "this file cannot be read: it has 8,589,934,592 bytes; at most 67,108,864 are read" in (
        done.err
    )


def test_results_stop_at_the_first_line_that_is_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("the rest was read")

    monkeypatch.setattr(phenesthe.files.long_lines, "_pass_over", refuse)
    done = run_here("show", make_huge(tmp_path / "r.jsonl"))
    assert done.code == 1
    assert "r.jsonl:1: this line is longer than 16 MiB" in done.err
