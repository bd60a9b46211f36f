"""What is said above definitions."""

from pathlib import Path

from phenesthe.ide.lenses import list_lenses
from phenesthe.ide.workspace import Workspace
from tests.unit.ide.projects import FOLDER, MAIN, open_project
from tests.unit.test_imports import HEAVY, loaded_after

SHIPS = """\
input event ais(vessel: int);
event slow(V) : ais(V);
event broken(V) : slow(V) and (;
state stopped(V) : slow(V) ⤳ ais(V);
"""
FILES = {
    "ships.phe": SHIPS,
    "main.phe": "import ships;\nevent a(V) : slow(V) or broken(V);\nevent b(V) : slow(V);\n",
    "alone.phe": "event slow(V) : slow(V);\n",
}


def test_references_are_counted_in_the_workspace() -> None:
    analyses = [open_project(FILES, name) for name in FILES]
    lenses = list_lenses(analyses, FOLDER / "ships.phe")
    assert [(one.span.first.line, one.name, one.title) for one in lenses] == [
        (2, "slow", "4 references"),
        (3, "broken", "1 reference"),
        (4, "stopped", "0 references"),
    ]
    assert all(one.span.text == one.name and one.command == "references" for one in lenses)


def test_a_file_of_no_program_has_no_lenses() -> None:
    assert list_lenses([], MAIN) == []


def test_data_beside_the_file_can_be_previewed(tmp_path: Path) -> None:
    file = tmp_path / "ships.phe"
    workspace = Workspace()
    workspace.open(file, SHIPS)
    (tmp_path / "ships.sample.jsonl").write_text("")
    lenses = list_lenses([workspace.analyse(file)], file)
    assert [(one.name, one.title, one.data) for one in lenses if one.command == "preview"] == [
        ("slow", "preview sample", tmp_path / "ships.sample.jsonl"),
        ("stopped", "preview sample", tmp_path / "ships.sample.jsonl"),
    ]
    (tmp_path / "ships.test.jsonl").write_text("")
    titles = [one.title for one in list_lenses([workspace.analyse(file)], file)]
    assert titles[:3] == ["2 references", "preview tests", "preview sample"]


def test_lenses_load_nothing_heavy() -> None:
    modules = ("lenses", "preview", "rename", "navigate", "symbols", "folding", "edits")
    names = ", ".join(f"phenesthe.ide.{module}" for module in modules)
    assert loaded_after(f"import {names}").isdisjoint(HEAVY)
