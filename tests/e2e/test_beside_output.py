"""The rows set aside and the statistics lie beside the output, and are replaced only as it is."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from phenesthe.cli.main import main
from tests.e2e.test_cli import Ended
from tests.e2e.test_windows import start

OLD = "of an earlier run\n"
BAD = "x,t\n1,1\nz,3\n"
GOOD = "x,t\n1,1\n2,3\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.phe").write_text("input event a(x: int);\nevent e(X) : a(X);\n")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_text(BAD)
    return tmp_path


def run(folder: Path, *options: str) -> Ended:
    given = ("--input", "in", "--engine", "local", "--quiet")
    return start(folder, "run", "p.phe", *given, *options)


WINDOWS = ((), ("--window", "5"))


@pytest.mark.parametrize("windows", WINDOWS)
@pytest.mark.parametrize("option", ["--rejects", "--stats"])
def test_what_exists_is_refused_before_the_work(
    folder: Path, option: str, windows: tuple[str, ...]
) -> None:
    (folder / "beside.jsonl").write_text(OLD)
    (folder / "in" / "a.csv").write_text("not even looked at")
    ended = run(folder, option, "beside.jsonl", "--output", "out.jsonl", *windows)
    assert ended.code == 1
    assert ended.err == (
        "error: `beside.jsonl` exists; use --overwrite\n  help: or write to another place\n"
    )
    assert (folder / "beside.jsonl").read_text() == OLD
    assert not (folder / "out.jsonl").exists()


@pytest.mark.parametrize("windows", WINDOWS)
@pytest.mark.parametrize("option", ["--rejects", "--stats"])
def test_it_is_replaced_where_that_is_said(
    folder: Path, option: str, windows: tuple[str, ...]
) -> None:
    (folder / "beside.jsonl").write_text(OLD)
    assert run(folder, option, "beside.jsonl", "--overwrite", *windows).code == 0
    assert OLD not in (folder / "beside.jsonl").read_text()
    assert (folder / "beside.jsonl").read_text().startswith("{")


def test_a_link_to_nothing_exists_too(folder: Path) -> None:
    (folder / "link.jsonl").symlink_to(folder / "nothing")
    assert "`link.jsonl` exists; use --overwrite" in run(folder, "--rejects", "link.jsonl").err


def test_the_null_device_needs_no_leave(folder: Path) -> None:
    for _ in range(2):
        assert run(folder, "--rejects", os.devnull, "--stats", os.devnull).code == 0


@pytest.mark.parametrize("windows", WINDOWS)
def test_rows_that_an_earlier_run_set_aside_are_none_of_this_one(
    folder: Path, windows: tuple[str, ...]
) -> None:
    given = ("--rejects", "bad.jsonl", "--overwrite", *windows)
    assert run(folder, *given).code == 0
    assert "wrong type" in (folder / "bad.jsonl").read_text()
    (folder / "in" / "a.csv").write_text(GOOD)
    assert run(folder, *given).code == 0
    assert (folder / "bad.jsonl").read_text() == ""


def test_without_rows_to_set_aside_there_is_no_file(folder: Path) -> None:
    (folder / "in" / "a.csv").write_text(GOOD)
    assert run(folder, "--rejects", "bad.jsonl").code == 0
    assert not (folder / "bad.jsonl").exists()


def test_with_a_state_a_run_that_is_made_again_finds_its_own(folder: Path) -> None:
    kept = ("--window", "5", "--state", "st", "--emit", "changes")
    given = (*kept, "--rejects", "bad.jsonl", "--stats", "s.jsonl")
    assert run(folder, *given).code == 0
    assert run(folder, *given).code == 0
    told = (folder / "s.jsonl").read_text()
    (folder / "in" / "a.csv").write_text("x,t\n5,9\n")
    refused = run(folder, *given)
    assert (refused.code, "exists; use --overwrite" in refused.err) == (1, True)
    assert (folder / "s.jsonl").read_text() == told
    assert run(folder, *given, "--overwrite").code == 0
    assert (folder / "s.jsonl").read_text() != told


def test_a_state_refuses_the_files_of_others_before_the_work(folder: Path) -> None:
    (folder / "s.jsonl").write_text(OLD)
    (folder / "in" / "a.csv").write_text("not even looked at")
    refused = run(folder, "--window", "5", "--state", "st", "--stats", "s.jsonl")
    assert refused.err.startswith("error: `s.jsonl` exists; use --overwrite")
    assert (folder / "s.jsonl").read_text() == OLD


def test_what_is_wrong_with_the_input_is_told_first(folder: Path) -> None:
    kept = ("--window", "5", "--state", "st", "--rejects", "bad.jsonl")
    assert run(folder, *kept).code == 0
    old = (folder / "bad.jsonl").read_text()
    (folder / "in" / "a.csv").write_text("x,t\nz,9\ny,9\n")
    ended = start(folder, "run", "p.phe", "--input", "in", "--engine", "local", *kept)
    assert ended.code == 1
    assert "`bad.jsonl` exists; use --overwrite" in ended.err
    assert ended.err.splitlines()[-2].startswith("error: ")
    assert (folder / "bad.jsonl").read_text() == old


def test_a_watch_replaces_what_it_wrote_itself(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also of a run that found nothing to use."""
    codes: list[int] = []

    def watch(_: object, again: Callable[[], int], **_other: object) -> int:
        for rows in ("x,t\nz,1\n", GOOD, BAD):
            Path("in", "a.csv").write_text(rows)
            codes.append(again())
        return 0

    monkeypatch.chdir(folder)
    monkeypatch.setattr("phenesthe.cli.watch.watch", watch)
    given = ["run", "p.phe", "--input", "in", "--engine", "local", "--watch"]
    assert main([*given, "--rejects", "bad.jsonl"]) == 0
    assert codes == [1, 0, 0]
    Path("bad.jsonl").write_text(OLD)
    codes.clear()
    main([*given, "--rejects", "bad.jsonl"])
    assert codes == [1, 1, 1]
    assert Path("bad.jsonl").read_text() == OLD
    assert "exists; use --overwrite" in capsys.readouterr().err
