"""What a workspace keeps up to date, what it does again, and what it survives."""

from pathlib import Path

import pytest

from phenesthe.check.modules import MAX_FILES
from phenesthe.ide.analysis import Analysis
from phenesthe.ide.workspace import Workspace
from phenesthe.syntax.parser import MAX_FILE_BYTES
from tests.benchmarks.fleet import make_program

_INPUTS = "input event ping(vessel: int, speed: float);\n"
_MAIN = """\
import base;
event seen(V) : ping(V, _);
event quick(V) : ping(V, S) and S > 3;
state busy(V) : seen(V) ~> quick(V);
event rested(V) : end(busy(V));
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "base.phe").write_text(_INPUTS)
    (tmp_path / "main.phe").write_text(_MAIN)
    return tmp_path


def start(folder: Path) -> tuple[Workspace, Path]:
    workspace = Workspace()
    main = folder / "main.phe"
    workspace.open(main, _MAIN)
    assert workspace.analyse(main).diagnostics == ()
    return workspace, main


def list_codes(analysis: Analysis, file: Path) -> list[str]:
    return [diagnostic.code for diagnostic in analysis.list_diagnostics(file)]


def test_one_edit_is_one_definition(folder: Path) -> None:
    workspace, main = start(folder)
    assert workspace.last.parsed == 6
    assert len(workspace.last.checked) == 4
    workspace.change(main, _MAIN.replace("S > 3", "S > 4"))
    workspace.analyse(main)
    assert workspace.last.parsed == 1
    assert workspace.last.checked == {"quick"}


def test_a_moved_definition_is_not_checked_again(folder: Path) -> None:
    workspace, main = start(folder)
    text = "// a comment\n\n" + _MAIN.replace("event rested", "/* 🙂 */ event rested")
    workspace.change(main, text)
    analysis = workspace.analyse(main)
    assert workspace.last.parsed == 0
    assert not workspace.last.checked
    for draft in analysis.work.drafts.values():
        assert draft.symbol.span.text == draft.symbol.name
        assert all(body.span.source.text == text for body in draft.bodies)


def test_a_changed_signature_reaches_its_users(folder: Path) -> None:
    workspace, main = start(folder)
    workspace.change(main, _MAIN.replace("seen(V) : ping(V, _)", "seen(V) : ping(_, V)"))
    analysis = workspace.analyse(main)
    # `busy` joins an int with a float now; what it was to `rested` is not known any more.
    assert workspace.last.checked == {"seen", "busy", "rested"}
    assert list_codes(analysis, main) == ["T001"]


def test_a_change_that_users_cannot_see_stays_where_it_is(folder: Path) -> None:
    workspace, main = start(folder)
    workspace.change(main, _MAIN.replace("ping(V, _);", "ping(V, S) and S > 1;"))
    workspace.analyse(main)
    assert workspace.last.checked == {"seen"}


def test_an_import_that_changes_reaches_its_users(folder: Path) -> None:
    workspace, main = start(folder)
    base = folder / "base.phe"
    workspace.open(base, _INPUTS.replace("speed: float", "speed: str"))
    analysis = workspace.analyse(main)
    assert workspace.last.checked == {"seen", "quick"}
    assert list_codes(analysis, main) == ["T003"]
    workspace.change(base, "// first\n" + _INPUTS)
    assert workspace.analyse(main).diagnostics == ()
    workspace.close(base)
    assert workspace.analyse(main).diagnostics == ()


def test_nothing_is_done_when_nothing_changed(folder: Path) -> None:
    workspace, main = start(folder)
    assert workspace.analyse(main) is workspace.analyse(main)
    assert (workspace.last.parsed, workspace.last.checked) == (0, frozenset())


def test_dependents_are_found_through_other_files(folder: Path) -> None:
    workspace, main = start(folder)
    top, base, alone = folder / "top.phe", folder / "base.phe", folder / "alone.phe"
    workspace.open(top, "import main;\nevent other(V) : seen(V);\n")
    workspace.open(base, _INPUTS)
    workspace.open(alone, "input event tick();\nevent tock() : tick();\n")
    assert workspace.list_dependents(base) == [main, top]
    assert workspace.list_dependents(main) == [top]
    assert workspace.list_dependents(alone) == []


def test_a_missing_import_depends_on_the_file_that_would_be_it(folder: Path) -> None:
    workspace = Workspace()
    main, soon = folder / "uses.phe", folder / "soon.phe"
    workspace.open(main, "import soon;\nevent a(V) : later(V);\n")
    assert list_codes(workspace.analyse(main), main) == ["N003"]
    workspace.open(soon, "input event later(vessel: int);\n")
    assert workspace.list_dependents(soon) == [main]
    assert workspace.analyse(main).diagnostics == ()
    workspace.close(soon)
    assert list_codes(workspace.analyse(main), main) == ["N003"]


def test_the_disk_counts_for_what_is_not_open(folder: Path) -> None:
    workspace, main = start(folder)
    base = folder / "base.phe"
    base.write_text("")
    workspace.changed_on_disk(base)
    assert set(list_codes(workspace.analyse(main), main)) == {"N001"}
    base.unlink()
    workspace.changed_on_disk(base)
    assert list_codes(workspace.analyse(main), main) == ["N003"]
    (folder / "bass.phe").write_text(_INPUTS)
    workspace.changed_on_disk(folder / "bass.phe")
    (diagnostic,) = workspace.analyse(main).diagnostics
    assert diagnostic.hint == "did you mean `bass`?"


def test_two_spellings_are_one_file(folder: Path) -> None:
    workspace, main = start(folder)
    (folder / "linked.phe").symlink_to(folder / "base.phe")
    linked = folder / "linked.phe"
    workspace.open(linked, "input event ping(vessel: int);\n")
    analysis = workspace.analyse(main)
    assert set(list_codes(analysis, main)) == {"A001"}
    assert workspace.list_dependents(folder / "base.phe") == [main]
    assert workspace.find_open(folder / "." / "x" / ".." / "base.phe") == linked
    assert analysis.find_module(linked) is analysis.find_module(folder / "base.phe")
    workspace.open(folder / "base.phe", _INPUTS)
    workspace.close(linked)
    assert workspace.read(linked) == _INPUTS.encode(), "it is still open by its other name"


@pytest.mark.parametrize(
    ("text", "code"),
    [("x" * (MAX_FILE_BYTES + 1), "S002"), ("event a(V) : \ud800;", "S003"), ("\0", "S003")],
    ids=["too large", "half a character", "zero"],
)
def test_any_text_is_taken(text: str, code: str, folder: Path) -> None:
    workspace, main = start(folder)
    workspace.change(main, text)
    assert list_codes(workspace.analyse(main), main) == [code]
    workspace.change(main, _MAIN)
    assert workspace.analyse(main).diagnostics == ()


def test_any_file_is_taken(folder: Path) -> None:
    workspace, main = start(folder)
    base = folder / "base.phe"
    base.write_bytes(b"event \xff;")
    workspace.changed_on_disk(base)
    analysis = workspace.analyse(main)
    assert list_codes(analysis, base) == ["S001"]
    assert list_codes(analysis, main) == [], "any name may stand in a file that cannot be read"
    base.unlink()
    base.mkdir()
    workspace.changed_on_disk(base)
    assert list_codes(workspace.analyse(main), main) == ["N003"]


def test_a_file_that_is_gone_is_empty(folder: Path) -> None:
    workspace, main = start(folder)
    workspace.close(main)
    assert "seen" in workspace.analyse(main).work.drafts
    main.unlink()
    assert workspace.analyse(main).work.symbols == {}


def test_other_places_for_modules(folder: Path) -> None:
    workspace = Workspace()
    main = folder / "app" / "main.phe"
    workspace.open(main, _MAIN)
    assert "N003" in list_codes(workspace.analyse(main), main)
    workspace.path = (folder,)
    assert workspace.analyse(main).diagnostics == ()


def test_files_of_the_folders(tmp_path: Path) -> None:
    names = ["b.phe", "a/c.phe", "a/d.txt", ".venv/e.phe", "node_modules/f.phe", "a/build/g.phe"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "same.phe").symlink_to(tmp_path / "b.phe")
    workspace = Workspace(folders=(tmp_path, tmp_path / "a", tmp_path / "none"))
    assert workspace.list_files() == [tmp_path / "b.phe", tmp_path / "a" / "c.phe"]


def test_files_are_bounded(tmp_path: Path) -> None:
    for number in range(MAX_FILES + 5):
        (tmp_path / f"f{number}.phe").touch()
    assert len(Workspace(folders=(tmp_path,)).list_files()) == MAX_FILES


def test_warnings_about_memory_follow_the_definitions(folder: Path) -> None:
    workspace, main = start(folder)
    waits = "dynamic waits(V) : seen(V) before quick(V);\n"
    workspace.change(main, _MAIN + waits)
    (first,) = workspace.analyse(main).diagnostics
    workspace.change(main, "\n\n" + _MAIN + waits)
    (second,) = workspace.analyse(main).diagnostics
    assert first.code == second.code == "M001"
    assert (second.span.start, second.span.text) == (first.span.start + 2, "before")
    workspace.change(main, _MAIN + waits.replace(";", " within 5m;"))
    assert workspace.analyse(main).diagnostics == ()


def test_a_large_file_is_edited_in_one_place(tmp_path: Path) -> None:
    workspace = Workspace()
    file = tmp_path / "fleet.phe"
    text = make_program(200, "_w")
    workspace.open(file, text)
    workspace.analyse(file)
    assert len(workspace.last.checked) == 200
    workspace.change(file, text.replace("S1 >= 2.7", "S1 >= 3.1", 1))
    assert workspace.analyse(file).program is not None
    assert workspace.last.parsed == 1
    assert workspace.last.checked == {"underway_w_0"}
