"""Links that lead back to themselves, and folders that hold themselves."""

from pathlib import Path

import pytest

from tests.ais_samples import write_samples
from tests.unit.strange.command import run_here

PROGRAM = "input event e(x: int);\nfact f(x: int);\nevent a(X) : e(X) and not f(X);\n"
LOCAL = ("--engine", "local")
WINDOWS = ("--window", "5", "--step", "5")
LOOP = "a link that leads back to itself"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "p.phe").write_text(PROGRAM)
    return tmp_path / "p.phe"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "e.csv").write_text("x,t\n1,2\n")
    (folder / "f.csv").write_text("x\n2\n")
    return folder


def make_loop(path: Path) -> Path:
    path.symlink_to(path.name)
    return path


@pytest.mark.parametrize("command", ["check", "compile", "fmt", "test", "run"])
def test_a_program(command: str, tmp_path: Path, folder: Path) -> None:
    loop = make_loop(tmp_path / "loop.phe")
    more = ("--input", folder, *LOCAL) if command == "run" else ()
    done = run_here(command, loop, *more)
    assert done.code == 1
    assert f"loop.phe` is {LOOP}" in done.err


def test_a_module(tmp_path: Path) -> None:
    make_loop(tmp_path / "loop.phe")
    (tmp_path / "p.phe").write_text("import loop;\n")
    done = run_here("check", tmp_path / "p.phe")
    assert done.code == 1
    assert f"the module `loop` cannot be read: it is {LOOP}" in done.err


@pytest.mark.parametrize("name", ["loop", "loop.jsonl", "loop/below"])
@pytest.mark.parametrize("option", ["--input", "--facts"])
def test_an_input(name: str, option: str, program: Path, folder: Path, tmp_path: Path) -> None:
    make_loop(tmp_path / name.split("/")[0])
    given = ("--input", folder) if option == "--facts" else ()
    done = run_here("run", program, *given, option, tmp_path / name, *LOCAL)
    assert done.code == 1
    assert f"{name}`: it is {LOOP}" in done.err


@pytest.mark.parametrize("name", ["e.csv", "e.jsonl", "e.parquet", "e"])
def test_a_table(name: str, program: Path, folder: Path) -> None:
    (folder / "e.csv").unlink()
    make_loop(folder / name)
    done = run_here("run", program, "--input", folder, *LOCAL)
    assert done.code == 1
    assert f"{name}`: it is {LOOP}" in done.err


def test_a_table_in_a_folder_that_holds_itself(program: Path, folder: Path) -> None:
    (folder / "e.csv").unlink()
    (folder / "e").mkdir()
    (folder / "e" / "again").symlink_to("..")
    make_loop(folder / "e" / "part.parquet")
    done = run_here("run", program, "--input", folder, *LOCAL)
    assert done.code == 1
    assert f"part.parquet`: it is {LOOP}" in done.err


@pytest.mark.parametrize("name", ["loop", "loop.jsonl", "loop.csv", "loop.parquet"])
@pytest.mark.parametrize("more", [(), ("--overwrite",)])
def test_an_output(
    name: str, more: tuple[str, ...], program: Path, folder: Path, tmp_path: Path
) -> None:
    loop = make_loop(tmp_path / name)
    done = run_here("run", program, "--input", folder, "--output", loop, *more, *LOCAL)
    assert done.code == 1
    assert f"{name}`: it is {LOOP}" in done.err
    assert loop.is_symlink()
    shown = run_here("show", loop)
    assert shown.code == 1
    assert LOOP in shown.err


@pytest.mark.parametrize("option", ["--output", "--rejects", "--stats", "--state"])
@pytest.mark.parametrize("name", ["loop", "loop/below"])
def test_what_else_is_written(
    option: str, name: str, program: Path, folder: Path, tmp_path: Path
) -> None:
    loop = make_loop(tmp_path / "loop")
    place = tmp_path / name
    done = run_here("run", program, "--input", folder, *WINDOWS, option, place, *LOCAL)
    assert done.code == 1
    assert f"{name}`: it is {LOOP}" in done.err
    assert loop.is_symlink()


@pytest.mark.parametrize("name", ["state", "lock"])
def test_inside_a_state(name: str, program: Path, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    loop = make_loop(tmp_path / "s" / name)
    done = run_here("run", program, "--input", folder, *WINDOWS, "--state", tmp_path / "s", *LOCAL)
    assert done.code == 1
    assert f"cannot use the state `{tmp_path / 's'}`: `{name}` is {LOOP}" in done.err
    assert loop.is_symlink()
    shown = run_here("memory", tmp_path / "s")
    assert shown.code == 1
    assert LOOP in shown.err


def test_a_state_to_show(tmp_path: Path) -> None:
    done = run_here("memory", make_loop(tmp_path / "loop"))
    assert done.code == 1
    assert LOOP in done.err


@pytest.mark.parametrize("which", ["reports", "areas", "output"])
def test_ais(which: str, tmp_path: Path) -> None:
    loop = make_loop(tmp_path / "loop.csv")
    reports = loop if which == "reports" else write_samples(tmp_path)[0]
    output = loop if which == "output" else tmp_path / "out"
    areas = ("--areas", loop) if which == "areas" else ()
    done = run_here("ais", "prepare", reports, *areas, "--output", output, *LOCAL)
    assert done.code == 1
    assert f"loop.csv`: it is {LOOP}" in done.err


def test_tests(program: Path, tmp_path: Path) -> None:
    make_loop(tmp_path / "p.test.jsonl")
    (tmp_path / "again").symlink_to(".")
    for place in (tmp_path, program, tmp_path / "p.test.jsonl"):
        done = run_here("test", place)
        assert done.code == 1
        assert LOOP in done.err
