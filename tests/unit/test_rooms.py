"""Who may import whom: the table in ARCHITECTURE.md, against what the files import."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import phenesthe
from tests.strategies.corpus import PROJECT

PACKAGE = Path(phenesthe.__file__).parent
#: Behind the graph nobody reads the surface tree.
BEHIND = ("operators", "memory", "engines", "kernels", "io", "report", "ais")


def list_imports(room: str) -> Iterator[tuple[str, str]]:
    """Each file of a room, and each other room that it imports from."""
    place = PACKAGE / room
    for file in sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
                if node.module == "phenesthe":
                    names = [f"phenesthe.{one.name}" for one in node.names]
            elif isinstance(node, ast.Import):
                names = [one.name for one in node.names]
            for name in names:
                parts = name.split(".")
                if parts[0] == "phenesthe" and len(parts) > 1 and parts[1] != room:
                    yield str(file.relative_to(PACKAGE)), parts[1]


def read_table() -> dict[str, str]:
    """By room, what the last column says."""
    text = (PROJECT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and cells[0].startswith("`phenesthe/"):
            for name in re.findall(r"`(?:phenesthe/)?(\w+)[/.`]", cells[0]):
                found.setdefault(name, "")
                found[name] += cells[3]
    return found


@pytest.mark.parametrize("room", BEHIND)
def test_behind_the_graph_nobody_reads_the_surface_tree(room: str) -> None:
    assert [file for file, other in list_imports(room) if other == "syntax"] == []


@pytest.mark.parametrize("room", ["graph", "kernels", "vocabulary", "frozen", "disk"])
def test_what_others_stand_on_stands_on_little(room: str) -> None:
    allowed = {
        "graph": {"check", "frozen", "vocabulary"},
        "kernels": set(),
        "vocabulary": set(),
        "frozen": set(),
        "disk": set(),
    }
    assert {other for _, other in list_imports(room)} <= allowed[room]


def test_the_table_has_every_room() -> None:
    rooms = {
        one.stem for one in PACKAGE.iterdir() if one.is_dir() and (one / "__init__.py").exists()
    }
    assert rooms <= set(read_table())


#: Small modules that everybody may use.
COMMON = {"vocabulary", "frozen", "arrow", "options", "interrupts", "resources", "__version__"}


@pytest.mark.parametrize("room", sorted(read_table()))
def test_a_room_imports_what_the_table_says(room: str) -> None:
    said = read_table()[room]
    if "everything" in said or not ((PACKAGE / room).is_dir() or (PACKAGE / f"{room}.py").exists()):
        return
    allowed = COMMON | set(re.findall(r"`(\w+)", said))
    strange = {(file, other) for file, other in list_imports(room) if other not in allowed}
    assert strange == set()


#: Rooms that say in a table what each of their files holds.
LISTED = sorted(
    one.parent
    for one in PACKAGE.rglob("__init__.py")
    if "| module | holds |" in one.read_text("utf-8")
)


@pytest.mark.parametrize("room", LISTED, ids=lambda one: one.name)
def test_a_rooms_list_of_files_is_whole(room: Path) -> None:
    listed: set[str] = set()
    for line in (room / "__init__.py").read_text(encoding="utf-8").splitlines():
        cells = line.split("|")
        if len(cells) == 4:
            listed.update(re.findall(r"`(\w+)`", cells[1]))
    assert listed == {one.stem for one in room.glob("*.py")} - {"__init__"}


#: Pages for whoever changes the code.
PAGES = [
    PROJECT / "ARCHITECTURE.md",
    PROJECT / "CONTRIBUTING.md",
    *sorted((PROJECT / "docs" / "decisions").glob("*.md")),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda one: one.stem)
def test_files_that_a_page_names_are_there(page: Path) -> None:
    """Some are named by their room and file, some by the file alone after one of the same room."""
    text = page.read_text(encoding="utf-8")
    rooms = {one.name for one in PACKAGE.iterdir() if one.is_dir()}
    named = {
        one.removeprefix("phenesthe/")
        for one, _ in re.findall(r"`([a-z_]+(?:/[a-z_]+)+)(\.py)?`", text)
    }
    within = {one for one in named if one.split("/")[0] in rooms}
    missing = {
        one for one in within if not ((PACKAGE / f"{one}.py").exists() or (PACKAGE / one).is_dir())
    }
    alone = set(re.findall(r"`([a-z_]+\.py)`", text))
    missing |= {one for one in alone if not any(PACKAGE.rglob(one))}
    assert missing == set()
