"""`phenesthe fmt`, started as people start it."""

import errno
import os
import stat
from pathlib import Path

import pytest

from phenesthe.cli.main import main
from tests.e2e.test_cli import run
from tests.rights import as_anybody

UGLY = "input   event a( v:int );\nstate s(V):a(V)~>a(V) ;// end"
TIDY = "input event a(v: int);\nstate s(V) : a(V) ~> a(V);  // end\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ugly.phe").write_text(UGLY)
    (tmp_path / "bad.phe").write_text("event e( : ;")
    return tmp_path


def test_a_file_is_laid_out_in_its_place(folder: Path) -> None:
    ended = run("fmt", "ugly.phe", cwd=folder)
    assert (ended.code, ended.out, ended.err) == (0, "", "reformatted ugly.phe\n")
    assert (folder / "ugly.phe").read_text() == TIDY
    again = run("fmt", "ugly.phe", cwd=folder)
    assert (again.code, again.out, again.err) == (0, "", "")
    assert (folder / "ugly.phe").read_text() == TIDY


def test_operators_in_unicode(folder: Path) -> None:
    assert run("fmt", "--unicode", "ugly.phe", cwd=folder).code == 0
    assert "a(V) ⤳ a(V)" in (folder / "ugly.phe").read_text(encoding="utf-8")
    assert run("fmt", "--check", "--unicode", "ugly.phe", cwd=folder).code == 0
    assert run("fmt", "--check", "ugly.phe", cwd=folder).code == 1


def test_check_changes_nothing(folder: Path) -> None:
    ended = run("fmt", "--check", "ugly.phe", cwd=folder)
    assert (ended.code, ended.out) == (1, "")
    assert "would reformat ugly.phe" in ended.err
    assert (folder / "ugly.phe").read_text() == UGLY


def test_standard_input_goes_to_standard_output(folder: Path) -> None:
    ended = run("fmt", "-", cwd=folder, stdin=UGLY.encode())
    assert ended.code == 0
    assert ended.err == ""
    assert ended.out == TIDY
    assert run("fmt", "--check", "-", cwd=folder, stdin=TIDY.encode()).code == 0
    assert run("fmt", "--check", "-", cwd=folder, stdin=UGLY.encode()).code == 1


def test_errors_on_standard_input_are_named_so(folder: Path) -> None:
    ended = run("fmt", "-", cwd=folder, stdin=b"event e( : ;")
    assert ended.code == 1
    assert ended.out == ""
    assert "<stdin>:1:" in ended.err


def test_a_file_with_errors_is_left_alone_and_the_others_are_not(folder: Path) -> None:
    ended = run("fmt", "bad.phe", "ugly.phe", cwd=folder)
    assert ended.code == 1
    assert "error[S" in ended.err
    assert (folder / "bad.phe").read_text() == "event e( : ;"
    assert "reformatted ugly.phe" in ended.err


def test_one_missing_file_does_not_stop_the_others(folder: Path) -> None:
    ended = run("fmt", "missing.phe", "ugly.phe", cwd=folder)
    assert ended.code == 1
    assert (folder / "ugly.phe").read_text() != UGLY


def test_permissions_and_links_are_kept(folder: Path) -> None:
    (folder / "ugly.phe").chmod(0o640)
    (folder / "link.phe").symlink_to("ugly.phe")
    assert run("fmt", "link.phe", cwd=folder).code == 0
    assert (folder / "link.phe").is_symlink()
    assert stat.S_IMODE((folder / "ugly.phe").stat().st_mode) == 0o640
    assert (folder / "ugly.phe").read_text() != UGLY
    assert sorted(os.listdir(folder)) == ["bad.phe", "link.phe", "ugly.phe"]


def test_a_failed_write_leaves_the_file_and_nothing_else(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(_: str, target: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(target))

    monkeypatch.setattr(os, "replace", refuse)
    assert main(["fmt", str(folder / "ugly.phe")]) == 1
    assert capsys.readouterr().err == f"error: {folder / 'ugly.phe'}: No space left on device\n"
    assert (folder / "ugly.phe").read_text() == UGLY
    assert sorted(os.listdir(folder)) == ["bad.phe", "ugly.phe"]


def test_a_file_that_cannot_be_written_is_told(folder: Path) -> None:
    folder.chmod(0o500)
    try:
        with as_anybody():
            ended = run("fmt", "ugly.phe", cwd=folder)
    finally:
        folder.chmod(0o700)
    assert ended.code == 1
    assert ended.err.startswith("error: ")
    assert (folder / "ugly.phe").read_text() == UGLY
