"""The programs of the pages that people read first can be read, run, and find what is said."""

import json
import re
from pathlib import Path

import pytest

from phenesthe.cli.main import main
from phenesthe.syntax.parser import parse
from phenesthe.syntax.source import Source
from tests.conformance.programs import ROOT

DOCS = ROOT / "docs"
_BLOCK = re.compile(r"^```(phe)?\n(.*?)^```", re.MULTILINE | re.DOTALL)


def read_blocks(page: Path, language: str = "phe") -> list[str]:
    found = _BLOCK.findall(page.read_text("utf-8"))
    return [text for named, text in found if named == language]


def put_together(page: Path) -> str:
    """All declarations of a page; where one is changed further down, as it is there."""
    declarations: dict[str, str] = {}
    for block in read_blocks(page):
        parsed = parse(Source(page.name, block))
        assert parsed.diagnostics == ()
        for one in parsed.declarations:
            text = one.span.text
            head = re.search(r"(\w+)\s*[(:]", text)
            declarations[head[1] if head else text] = text
    return "\n".join(declarations.values()) + "\n"


def find(folder: Path, program: str, rows: str) -> set[tuple[object, ...]]:
    """What `phenesthe run` finds, warned of nothing that is an error."""
    (folder / "p.phe").write_text(program, "utf-8")
    (folder / "in.jsonl").write_text(rows, "utf-8")
    output = folder / "out.jsonl"
    command = ["run", str(folder / "p.phe"), "--input", str(folder / "in.jsonl")]
    assert main([*command, "--engine", "local", "--quiet", "--output", str(output)]) == 0
    found = map(json.loads, output.read_text("utf-8").splitlines())
    return {
        (row["name"], *row["args"], *[row[one] for one in ("t", "ts", "te") if one in row])
        for row in found
    }


def find_rows(page: Path) -> str:
    (rows,) = [block for block in read_blocks(page, "") if block.startswith('{"name"')]
    return rows


@pytest.mark.parametrize(
    ("page", "least"),
    [(ROOT / "language" / "reference.md", 20), (DOCS / "tutorial.md", 9),
     (DOCS / "what-time-is-it.md", 4)],
    ids=lambda value: getattr(value, "name", None),
)  # fmt: skip
def test_every_program_can_be_read(page: Path, least: int) -> None:
    blocks = read_blocks(page)
    assert len(blocks) >= least
    for block in blocks:
        assert parse(Source(page.name, block)).diagnostics == (), block


def test_the_tutorial_finds_what_it_says(tmp_path: Path) -> None:
    page = DOCS / "tutorial.md"
    program = put_together(page)
    # One line says what is reported, and the alarm of its own chapter has rows of its own.
    assert "report left_open, warmed_by_door;" in program
    found = find(tmp_path, program, find_rows(page))
    assert found == {("left_open", 1, 0, 400), ("warmed_by_door", 1, 0, 700)}


def test_the_alarm_of_the_tutorial(tmp_path: Path) -> None:
    program = put_together(DOCS / "tutorial.md").replace("report left_open, warmed_by_door;", "")
    rows = [
        {"name": "reading", "args": [store, celsius], "t": t}
        for store, celsius, t in ((1, -10.0, 100), (1, -9.0, 200), (1, -18.0, 900), (2, -10.0, 100),
                                  (2, -18.0, 2000), (3, -18.0, 50))
    ] + [{"name": "silenced", "args": [1], "t": 500}]  # fmt: skip
    found = find(tmp_path, program, "".join(json.dumps(row) + "\n" for row in rows))
    assert {row for row in found if row[0] == "alarm"} == {
        ("alarm", 1, "sounds", 100, 500), ("alarm", 1, "silent", 500, 900),
        ("alarm", 1, "quiet", 900, None),
        # Twenty minutes after it began to sound nobody had silenced it.
        ("alarm", 2, "sounds", 100, 1300), ("alarm", 2, "manager_called", 1300, 2000),
        ("alarm", 2, "quiet", 2000, None),
        ("alarm", 3, "quiet", 50, None),
    }  # fmt: skip


def test_what_time_it_is(tmp_path: Path) -> None:
    page = DOCS / "what-time-is-it.md"
    facts = [{"fact": "store", "args": [store]} for store in (1, 2)]
    rows = find_rows(page) + "".join(json.dumps(row) + "\n" for row in facts)
    found = find(tmp_path, put_together(page), rows)
    first, last, night = 1774728000, 1774760400, 1774731600
    assert {row for row in found if row[0] in ("open_at_night", "opened_at_night", "shut")} == {
        # From 22:00 to 06:00 on the wall, and the clock is put forward: seven hours.
        ("open_at_night", 1, night, night + 7 * 3600),
        ("shut", 2, first, None),
        ("shut", 1, last, None),
    }
    assert ("open_in_the_morning", 1, night + 7 * 3600) in found
