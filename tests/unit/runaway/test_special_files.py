"""What only stands where a file should is named, and nobody waits for it."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ais_samples import write_areas, write_samples
from tests.strategies.corpus import PROJECT
from tests.unit.strange.command import run_here

PROGRAM = "input event e(x: int);\nfact f(x: int);\nevent a(X) : e(X) and f(X);\n"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "p.phe"
    file.write_text(PROGRAM)
    return file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "e.csv").write_text("x,t\n1,2\n")
    (folder / "f.csv").write_text("x\n1\n")
    return folder


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_a_pipe_among_the_tables(suffix: str, program: Path, folder: Path) -> None:
    (folder / "e.csv").unlink()
    os.mkfifo(folder / f"e{suffix}")
    done = run_here("run", program, "--input", folder, "--engine", "local")
    assert done.code == 1
    assert f"e{suffix}`: it is a pipe, not a file" in done.err


def test_a_pipe_among_the_files_of_a_table(program: Path, folder: Path) -> None:
    (folder / "e.csv").unlink()
    (folder / "e").mkdir()
    os.mkfifo(folder / "e" / "part.parquet")
    done = run_here("run", program, "--input", folder, "--engine", "local")
    assert done.code == 1
    assert "part.parquet`: it is a pipe, not a file" in done.err


def test_a_pipe_of_no_table_is_left_alone(program: Path, folder: Path) -> None:
    os.mkfifo(folder / "other.csv")
    done = run_here("run", program, "--input", folder, "--engine", "local")
    assert done.code == 0
    assert "(no matching input or fact): `other.csv`" in done.err


@pytest.mark.parametrize("option", ["--input", "--facts"])
def test_a_pipe_as_input(option: str, program: Path, folder: Path) -> None:
    pipe = folder.parent / "pipe.jsonl"
    os.mkfifo(pipe)
    place = pipe if option == "--input" else folder
    given: list[str | Path] = ["--input", place]
    if option == "--facts":
        given += ["--facts", pipe]
    done = run_here("run", program, *given, "--engine", "local")
    assert done.code == 1
    assert "pipe.jsonl`: it is a pipe, not a file" in done.err


@pytest.mark.parametrize("command", ["check", "compile", "fmt"])
def test_a_pipe_as_program(command: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.phe")
    done = run_here(command, tmp_path / "p.phe")
    assert done.code == 1
    assert "p.phe` is a pipe, not a file" in done.err


@pytest.mark.usefixtures("program")
def test_a_pipe_among_the_tests(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.test.jsonl")
    done = run_here("test", tmp_path)
    assert done.code == 1
    assert "p.test.jsonl:1: this file cannot be read: it is a pipe, not a file" in done.err


def test_a_pipe_as_results(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "r.jsonl")
    done = run_here("show", tmp_path / "r.jsonl")
    assert done.code == 1
    assert "it is a pipe, not a file" in done.err


@pytest.mark.parametrize("which", ["reports", "areas"])
def test_a_pipe_for_ais(which: str, tmp_path: Path) -> None:
    files: list[str | Path] = [*write_samples(tmp_path)[:1]]
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    more: list[str | Path] = ["--areas", pipe] if which == "areas" else []
    given = files if which == "areas" else [pipe]
    done = run_here(
        "ais", "prepare", *given, *more, "--output", tmp_path / "out", "--engine", "local"
    )
    assert done.code == 1
    assert "pipe.csv`: it is a pipe, not a file" in done.err


def test_sockets_and_devices_are_none_either(program: Path, folder: Path) -> None:
    (folder / "e.csv").unlink()
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(folder / "e.csv"))
        done = run_here("run", program, "--input", folder, "--engine", "local")
    assert done.code == 1
    assert "it is a socket, not a file" in done.err
    (folder / "e.csv").unlink()
    (folder / "e.csv").symlink_to("/dev/zero")
    done = run_here("run", program, "--input", folder, "--engine", "local")
    assert done.code == 1
    assert "it is a device, not a file" in done.err


def test_what_a_shell_makes_of_a_command_is_read(tmp_path: Path) -> None:
    """`--areas <(…)` is a pipe that somebody writes to."""
    areas = write_areas(tmp_path)
    reports = write_samples(tmp_path)[0]
    command = [
        sys.executable,
        "-m",
        "phenesthe",
        "ais",
        "prepare",
        str(reports),
        "--engine",
        "local",
    ]
    script = f'"$@" --areas <(cat {areas}) --output {tmp_path / "out"}'
    done = subprocess.run(
        ["bash", "-c", script, "bash", *command],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
