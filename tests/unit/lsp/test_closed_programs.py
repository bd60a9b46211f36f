"""Files that are not open are read again when, and only when, something they need changed."""

import os
from pathlib import Path

import pytest
from lsprotocol import types

from phenesthe.ide.analysis import Analysis
from phenesthe.lsp.session import Session
from phenesthe.lsp.uris import make_uri

BASE = "input event ais(vessel: int);\nevent seen(V) : ais(V);\n"
USER = "import base;\nevent twice(V) : seen(V);\n"


class Counted:
    """A session that has a folder, and counts how often each file is analysed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.session = Session()
        self.session.set_folders((folder,))
        self.analysed: list[str] = []
        analyse = self.session._closed._analyse

        def count(file: Path) -> Analysis:
            self.analysed.append(file.name)
            return analyse(file)

        self.session._closed._analyse = count

    def save(self, name: str, text: str, time: int) -> None:
        file = self.folder / name
        file.write_text(text, encoding="utf-8")
        os.utime(file, (time, time))

    def list_again(self, *, fresh: bool = True) -> list[str]:
        """The names of the files that had to be analysed."""
        self.analysed.clear()
        self.session.list_programs(fresh=fresh)
        return sorted(self.analysed)

    def open(self, name: str, text: str) -> None:
        uri = make_uri(self.folder / name)
        self.session.open(types.TextDocumentItem(uri, "phenesthe", 1, text))

    def change(self, name: str, version: int, text: str) -> None:
        uri = make_uri(self.folder / name)
        identity = types.VersionedTextDocumentIdentifier(version, uri)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.session.change(types.DidChangeTextDocumentParams(identity, [whole]))


@pytest.fixture
def counted(tmp_path: Path) -> Counted:
    found = Counted(tmp_path)
    found.save("base.phe", BASE, 1)
    found.save("user.phe", USER, 1)
    found.save("other.phe", "// nothing\n", 1)
    assert found.list_again() == ["base.phe", "other.phe", "user.phe"]
    return found


def test_nothing_changed(counted: Counted) -> None:
    assert counted.list_again() == []


def test_a_file_on_the_disk_changed(counted: Counted) -> None:
    counted.save("base.phe", BASE, 2)
    assert counted.list_again() == ["base.phe", "user.phe"]
    assert counted.list_again() == []


def test_an_open_file_changed(counted: Counted) -> None:
    counted.open("base.phe", BASE)
    assert counted.list_again() == ["user.phe"]
    counted.change("base.phe", 2, BASE + "\n")
    assert counted.list_again(fresh=False) == []
    assert counted.list_again() == ["user.phe"]
    assert counted.list_again(fresh=False) == []


def test_a_missing_module_is_looked_for_every_time(counted: Counted) -> None:
    counted.save("lost.phe", "import nowhere;\n", 1)
    assert counted.list_again() == ["lost.phe"]
    assert counted.list_again() == ["lost.phe"]


def test_a_file_that_comes_may_be_meant_by_any_import(counted: Counted) -> None:
    counted.save("new.phe", "", 1)
    event = types.FileEvent(make_uri(counted.folder / "new.phe"), types.FileChangeType.Created)
    counted.session.notice_files([event])
    assert counted.list_again() == ["base.phe", "new.phe", "other.phe", "user.phe"]
