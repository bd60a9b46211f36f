"""Which files are meant."""

from pathlib import Path

import pytest

from phenesthe.resources import LIBRARY
from phenesthe.testing.find_tests import NotATest, find_tests, name_program


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b/b.test.jsonl", "b/b.phe", "a/c.d.test.jsonl", ".hidden/x.test.jsonl", "n.phe"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


def find(*paths: Path | str) -> list[Path]:
    return find_tests(map(str, paths))


def test_a_folder_is_searched_without_what_is_hidden(folder: Path) -> None:
    assert find(folder) == [folder / "a/c.d.test.jsonl", folder / "b/b.test.jsonl"]
    assert find(folder / ".hidden") == [folder / ".hidden/x.test.jsonl"]


def test_a_file_is_found_by_its_name_or_its_program_and_once(folder: Path) -> None:
    file = folder / "b/b.test.jsonl"
    assert find(file) == find(folder / "b/b.phe") == [file]
    assert find(file, folder / "b/../b/b.phe", folder / "b") == [file]


def test_a_library_module() -> None:
    assert find("maritime.core") == [LIBRARY / "maritime/core.test.jsonl"]


def test_what_is_not_there(folder: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"`.*n\.phe` has no tests; they belong in"):
        find(folder / "n.phe")
    for name in ("no.phe", "no.test.jsonl", "no"):
        with pytest.raises(FileNotFoundError, match="there is no file"):
            find(folder / name)
    (folder / "x.txt").touch()
    with pytest.raises(NotATest, match="is neither a folder"):
        find(folder / "x.txt")


def test_the_program_of_a_file() -> None:
    assert name_program(Path("x/c.d.test.jsonl")) == Path("x/c.d.phe")
