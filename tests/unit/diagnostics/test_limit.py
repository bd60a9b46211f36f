"""A file with a thousand mistakes has a hundred messages, and one that counts the others."""

import json
from pathlib import Path

import pytest

from phenesthe.cli.main import main
from phenesthe.diagnostics.limit import MOST_SHOWN, limit
from phenesthe.diagnostics.model import Severity
from phenesthe.diagnostics.report import error, warning
from phenesthe.syntax.source import Source, Span

INPUT = "input event e(x: int, y: int);\nevent used(X) : e(X, 1) or e(X, 2);\n"


def write(folder: Path, name: str, *lines: str) -> str:
    file = folder / name
    file.write_text(INPUT + "\n".join(lines))
    return str(file)


def unknown(count: int) -> list[str]:
    return [f"event a{at}(X) : unknown{at}(X);" for at in range(count)]


def unused(count: int) -> list[str]:
    return [f"event b{at}(X) : e(X, Y);" for at in range(count)]


def check_json(capsys: pytest.CaptureFixture[str], *files: str) -> tuple[int, list[dict[str, str]]]:
    code = main(["check", "--format", "json", *files])
    return code, json.loads(capsys.readouterr().out)


def test_a_hundred_are_shown_and_the_others_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = check_json(capsys, write(tmp_path, "p.phe", *unknown(250)))
    assert code == 1
    assert [one["code"] for one in found] == ["N001"] * MOST_SHOWN + ["S018"]
    assert found[-1]["message"] == "150 more errors of this file are not shown"
    assert found[-1]["severity"] == "error"


def test_as_many_as_are_shown_are_all_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, found = check_json(capsys, write(tmp_path, "p.phe", *unknown(MOST_SHOWN)))
    assert [one["code"] for one in found] == ["N001"] * MOST_SHOWN


@pytest.mark.parametrize("format", ["full", "concise", "github"])
def test_people_and_machines_see_the_same(
    format: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, "p.phe", *unknown(250))
    assert main(["check", "--format", format, file]) == 1
    told = "".join(capsys.readouterr())
    assert told.count("is not defined") == MOST_SHOWN
    assert "150 more errors of this file are not shown" in told


@pytest.mark.parametrize("command", ["compile", "run"])
def test_other_commands_have_the_limit_too(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, "p.phe", *unknown(250))
    more = ["--input", str(tmp_path), "--engine", "local"] if command == "run" else []
    assert main([command, file, *more]) == 1
    assert "150 more errors of this file are not shown" in capsys.readouterr().err


def test_errors_go_before_warnings_and_the_exit_code_is_theirs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = check_json(capsys, write(tmp_path, "p.phe", *unused(150), *unknown(2)))
    assert code == 1
    assert [one["code"] for one in found].count("N001") == 2
    assert found[-1]["message"] == "52 more warnings of this file are not shown"
    assert found[-1]["severity"] == "warning"


def test_warnings_alone_are_no_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = check_json(capsys, write(tmp_path, "p.phe", *unused(150)))
    assert code == 0
    assert len(found) == MOST_SHOWN + 1


def test_every_file_has_a_hundred(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [write(tmp_path, f"{name}.phe", *unknown(101)) for name in ("p", "q")]
    _, found = check_json(capsys, *files)
    assert len(found) == 2 * (MOST_SHOWN + 1)
    assert [one["message"] for one in found].count("1 more error of this file is not shown") == 2


def test_both_are_counted() -> None:
    source = Source("p.phe", "x" * 1000)
    found = [error("N001", "wrong", Span(source, at, at + 1)) for at in range(101)]
    found += [warning("W001", "odd", Span(source, at, at + 1)) for at in range(200, 203)]
    last = limit(found)[-1]
    assert last.message == "1 more error and 3 more warnings of this file are not shown"
    assert last.severity is Severity.ERROR
