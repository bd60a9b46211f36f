"""The real command, started as people start it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

import phenesthe
from tests.rights import as_anybody
from tests.strategies.corpus import PROJECT

GOOD = """\
param limit: float = 0.5;
param pause: duration = 10m;
input event ais(vessel: int, speed: float);
event slow(V) : ais(V, S) and S <= limit;
state stopped(V) : slow(V) ~> ais(V, _) expires pause;
"""
BAD = "input event ais(vessel: int, speed: float);\nevent slow(V) : aiss(V, _);\n"
WARNED = "input event ais(vessel: int);\ninput event unused();\nevent e(V) : ais(V);\n"


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str


def run(
    *arguments: str | Path,
    cwd: Path,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> Ended:
    """Run the command in a folder. It must never show a traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "phenesthe", *map(str, arguments)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(PROJECT), **(environment or {})},
        check=False,
    )
    ended = Ended(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in ended.out + ended.err, ended.err
    return ended


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.phe").write_text(GOOD)
    (tmp_path / "bad.phe").write_text(BAD)
    (tmp_path / "warned.phe").write_text(WARNED)
    return tmp_path


def test_version(folder: Path) -> None:
    assert run("--version", cwd=folder) == Ended(0, f"phenesthe {phenesthe.__version__}\n", "")


@pytest.mark.parametrize("command", [(), ("check",), ("compile",), ("fmt",)])
def test_help(folder: Path, command: tuple[str, ...]) -> None:
    ended = run(*command, "--help", cwd=folder)
    assert ended.code == 0
    assert ended.out.startswith("usage: phenesthe")
    assert ended.err == ""


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("no_such_command",),
        ("check",),
        ("check", "good.phe", "--format", "yaml"),
        ("compile", "good.phe", "--param", "limit"),
        ("compile", "good.phe", "bad.phe"),
        ("fmt", "--no-such-option", "good.phe"),
    ],
)
def test_wrong_usage_ends_with_2(folder: Path, arguments: tuple[str, ...]) -> None:
    ended = run(*arguments, cwd=folder)
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err


def test_check_is_silent_about_what_is_right(folder: Path) -> None:
    assert run("check", "good.phe", cwd=folder) == Ended(0, "", "")


def test_check_shows_errors_on_stderr(folder: Path) -> None:
    ended = run("check", "bad.phe", cwd=folder)
    assert ended.code == 1
    assert ended.out == ""
    assert "error[N001]" in ended.err
    assert "--> bad.phe:2:17" in ended.err
    assert "did you mean `ais`?" in ended.err
    assert "\x1b" not in ended.err


def test_warnings_are_no_failure(folder: Path) -> None:
    ended = run("check", "warned.phe", cwd=folder)
    assert ended.code == 0
    assert "warning[W003]" in ended.err


def test_what_no_window_bounds_matters_only_with_windows(folder: Path) -> None:
    text = "input event e(x: int);\ninput event f(x: int);\ndynamic r(X) : e(X) before f(X);\n"
    (folder / "waits.phe").write_text(text)
    (folder / "in.jsonl").write_text('{"name": "e", "args": [1], "t": 1}\n')
    ended = run("check", "waits.phe", cwd=folder)
    assert ended.code == 0
    assert "warning[M001]" in ended.err
    assert "… before … within D" in ended.err
    command = ("run", "waits.phe", "--input", "in.jsonl", "--engine", "local", "--quiet")
    assert "M001" not in run(*command, cwd=folder).err
    compiled = run("compile", "waits.phe", cwd=folder)
    assert "M001" not in compiled.err
    assert "not bounded: `before` without `within`" in compiled.out


def test_check_takes_many_files(folder: Path) -> None:
    ended = run("check", "good.phe", "warned.phe", "bad.phe", "--format", "concise", cwd=folder)
    assert ended.code == 1
    assert ended.err.splitlines()[-1] == "1 error, 2 warnings"
    assert "bad.phe:2:17: error[N001]" in ended.err


def test_check_as_json_goes_to_stdout(folder: Path) -> None:
    ended = run("check", "bad.phe", "--format", "json", cwd=folder)
    assert ended.code == 1
    assert ended.err == ""
    problem = next(d for d in json.loads(ended.out) if d["code"] == "N001")
    assert list(problem) == [
        "code", "severity", "message", "file", "range", "related", "hint", "fix",
    ]  # fmt: skip
    assert problem["file"] == "bad.phe"
    assert problem["range"] == {
        "start": {"line": 2, "column": 17},
        "end": {"line": 2, "column": 21},
    }
    assert problem["fix"][0]["text"] == "ais"
    assert json.loads(run("check", "good.phe", "--format", "json", cwd=folder).out) == []


def test_check_for_github_goes_to_stdout(folder: Path) -> None:
    ended = run("check", "bad.phe", "--format", "github", cwd=folder)
    assert ended.code == 1
    assert ended.out.startswith("::")
    assert "file=bad.phe,line=2" in ended.out


def test_a_missing_file_is_told_and_the_others_are_checked(folder: Path) -> None:
    ended = run("check", "missing.phe", "bad.phe", cwd=folder)
    assert ended.code == 1
    assert "error: there is no file `missing.phe`" in ended.err
    assert "error[N001]" in ended.err


@pytest.mark.parametrize("command", ["check", "compile", "fmt"])
@pytest.mark.parametrize("name", ["missing.phe", ".", "x" * 5000])
def test_what_is_no_file_ends_with_1(folder: Path, command: str, name: str) -> None:
    ended = run(command, name, cwd=folder)
    assert ended.code == 1
    assert ended.out == ""
    assert ended.err.startswith("error: ")
    assert len(ended.err.splitlines()) == 1


def test_a_name_that_is_not_utf8_is_shown_somehow(folder: Path) -> None:
    name = os.fsdecode(b"caf\xe9.phe")
    (folder / name).write_text(GOOD)
    assert run("check", name, cwd=folder).code == 0
    for format_ in ("text", "json", "dot"):
        assert run("compile", name, "--format", format_, cwd=folder).code == 0
    (folder / name).write_text(BAD)
    for format_ in ("full", "concise", "json", "github"):
        assert run("check", name, "--format", format_, cwd=folder).code == 1


def test_a_library_module_is_named_without_a_path(folder: Path) -> None:
    assert run("check", "maritime.core", cwd=folder).code == 0
    ended = run("compile", "maritime.core", cwd=folder)
    assert ended.code == 0
    assert "moored" in ended.out


def test_a_file_beside_comes_before_the_library(folder: Path) -> None:
    (folder / "maritime.core").write_text(BAD)
    assert run("check", "maritime.core", cwd=folder).code == 1


def test_modules_are_looked_for_on_the_path(folder: Path) -> None:
    (folder / "lib").mkdir()
    (folder / "lib" / "ships.phe").write_text(GOOD)
    (folder / "main.phe").write_text("import ships;\nevent e(V) : slow(V);\n")
    ended = run("check", "main.phe", cwd=folder)
    assert ended.code == 1
    assert "error[N003]" in ended.err
    assert run("check", "main.phe", "--path", "lib", cwd=folder).code == 0
    assert run("compile", "main.phe", "--path", "lib", cwd=folder).code == 0
    assert run("check", "main.phe", "--path", "missing", "--path", "lib", cwd=folder).code == 0


def test_a_module_that_may_not_be_read_is_told(folder: Path) -> None:
    (folder / "secret.phe").write_text(GOOD)
    (folder / "secret.phe").chmod(0)
    (folder / "main.phe").write_text("import secret;\n")
    with as_anybody():
        assert "error[N005]" in run("check", "main.phe", cwd=folder).err
        assert run("check", "secret.phe", cwd=folder).code == 1


def test_compile_formats(folder: Path) -> None:
    text = run("compile", "good.phe", cwd=folder)
    assert text.code == 0
    assert "state stopped(V: int)" in text.out
    assert run("compile", "good.phe", "--format", "text", cwd=folder) == text
    described = json.loads(run("compile", "good.phe", "--format", "json", cwd=folder).out)
    assert described["reported"] == ["slow", "stopped"]
    assert run("compile", "good.phe", "--format", "dot", cwd=folder).out.startswith("digraph")


def test_compile_shows_errors_and_prints_nothing(folder: Path) -> None:
    ended = run("compile", "bad.phe", "--format", "json", cwd=folder)
    assert ended.code == 1
    assert ended.out == ""
    assert "error[N001]" in ended.err


def test_compile_shows_warnings_beside_the_result(folder: Path) -> None:
    ended = run("compile", "warned.phe", "--format", "json", cwd=folder)
    assert ended.code == 0
    assert json.loads(ended.out)["reported"] == ["e"]
    assert "warning[W003]" in ended.err


def test_parameters_are_overridden(folder: Path) -> None:
    ended = run(
        "compile", "good.phe", "--param", "limit=2", "--param", "pause=2h", "--format", "json",
        cwd=folder,
    )  # fmt: skip
    values = {p["name"]: p["value"] for p in json.loads(ended.out)["parameters"]}
    assert values == {"limit": 2.0, "pause": 7200}


@pytest.mark.parametrize("given", ["limit=fast", "limti=2", "pause=0", "=3", "limit="])
def test_a_wrong_parameter_is_an_error(folder: Path, given: str) -> None:
    ended = run("compile", "good.phe", "--param", given, cwd=folder)
    assert ended.code == 1
    assert ended.out == ""
    assert "error[P004]" in ended.err


def test_any_bytes_are_an_answer_not_a_crash(folder: Path) -> None:
    odd = (b"\xff\xfe", b"\0" * 100, b"\xef\xbb\xbf\xff", b"(" * 10_000)
    names = [f"odd{number}.phe" for number in range(len(odd))]
    for name, data in zip(names, odd, strict=True):
        (folder / name).write_bytes(data)
    for command in (("check", *names), ("compile", names[0]), ("fmt", *names)):
        ended = run(*command, cwd=folder)
        assert ended.code == 1
        assert ended.err.count("error[S") == len(command) - 1
    assert [(folder / name).read_bytes() for name in names] == list(odd)


def test_an_empty_file_is_a_program(folder: Path) -> None:
    (folder / "empty.phe").write_bytes(b"")
    for command in ("check", "compile", "fmt"):
        assert run(command, "empty.phe", cwd=folder).code == 0


def test_a_terminal_without_unicode_is_no_reason_to_fail(folder: Path) -> None:
    environment = {"PYTHONIOENCODING": "ascii"}
    text = 'input event e(v: str);\nevent d() : e("⊔é🚢");\nevent x() : y();\n'
    (folder / "signs.phe").write_text(text, encoding="utf-8")
    for format_ in ("full", "json"):
        ended = run("check", "signs.phe", "--format", format_, cwd=folder, environment=environment)
        assert ended.code == 1
    (folder / "signs.phe").write_text(text.replace("event x() : y();\n", ""), encoding="utf-8")
    for format_ in ("text", "json"):
        ended = run(
            "compile", "signs.phe", "--format", format_, cwd=folder, environment=environment
        )
        assert ended.code == 0


def test_a_reader_that_goes_away_is_no_error(folder: Path) -> None:
    (folder / "many.phe").write_text("".join(f"event e{n}() : f{n}();\n" for n in range(3000)))
    command = f"{sys.executable} -m phenesthe check many.phe --format json | head -c 10"
    done = subprocess.run(
        ["bash", "-c", f"{command}; exit ${{PIPESTATUS[0]}}"],
        cwd=folder,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        timeout=60,
        check=False,
    )
    assert done.stderr == b""
    assert done.returncode in (0, 1)
