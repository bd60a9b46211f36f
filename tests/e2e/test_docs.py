"""The programs of the pages that people read first can be read, run, and find what is said."""

import json
import re
from collections.abc import Callable
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
    [(ROOT / "language" / "reference.md", 20), (DOCS / "tutorial.md", 12),
     (DOCS / "what-time-is-it.md", 4), (DOCS / "coming-from.md", 21)],
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


def test_counting_in_the_tutorial(tmp_path: Path) -> None:
    program = put_together(DOCS / "tutorial.md").replace("report left_open, warmed_by_door;", "")
    program += "state openings(S, N) : open_door(S) let N = count(reading(S, _));\n"
    rows = [
        *({"name": "opens", "args": [1], "t": t} for t in (0, 2000, 3000)),
        *({"name": "closes", "args": [1], "t": t} for t in (1000, 2300)),
        *({"name": "reading", "args": [1, celsius], "t": t}
          for celsius, t in ((-18.0, 100), (-14.0, 400), (-10.0, 900), (-18.0, 1500),
                             (-17.0, 3100))),
        *({"name": "opens", "args": [2], "t": t} for t in (0, 900, 1800, 2700, 3100, 3599)),
        *({"name": "opens", "args": [3], "t": t} for t in (0, 900, 1800, 2700, 3600)),
    ]  # fmt: skip
    found = find(tmp_path, program, "".join(json.dumps(row) + "\n" for row in rows))
    wanted = ("opening", "openings", "wasted", "busy_door", "jump")
    assert {row for row in found if row[0] in wanted and row[1] == 1} == {
        ("opening", 1, 3, -10.0, 0, 1000), ("opening", 1, 1, -17.0, 3000, None),
        ("openings", 1, 3, 0, 1000), ("openings", 1, 0, 2000, 2300), ("openings", 1, 1, 3000, None),
        # Warm from 400 on, and the door was open until 1000.
        ("wasted", 1, 0.6, 0, 1000),
        ("jump", 1, 900),
    }  # fmt: skip
    # An hour does not hold both of its ends.
    busy = {row for row in found if row[0] == "busy_door"}
    assert busy == {("busy_door", 2, 3100), ("busy_door", 2, 3599)}
    assert main(["check", str(tmp_path / "p.phe")]) == 0
    (tmp_path / "p.phe").write_text(program.replace("Before", "C"), "utf-8")
    assert main(["check", str(tmp_path / "p.phe")]) == 1


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


COMING_FROM = DOCS / "coming-from.md"
Finder = Callable[[str], set[tuple[object, ...]]]


def test_what_others_know_compiles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    declared = [
        one.span.text
        for block in read_blocks(COMING_FROM)
        for one in parse(Source("p.phe", block)).declarations
    ]
    assert len(read_blocks(COMING_FROM)) >= 21
    (tmp_path / "p.phe").write_text("\n".join(declared), "utf-8")
    assert main(["check", str(tmp_path / "p.phe")]) == 0
    printed = capsys.readouterr()
    assert "warning" not in printed.out + printed.err
    # Nothing is said twice on the page, so that each block is in what was checked.
    assert put_together(COMING_FROM) == "\n".join(declared) + "\n"


def test_the_table_leads_to_the_sections() -> None:
    text = COMING_FROM.read_text("utf-8")
    sections = {
        re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")
        for heading in re.findall(r"^## (.*)$", text, re.M)
    }
    wanted = set(re.findall(r"\]\(#([^)]*)\)", text))
    assert wanted == sections - {"what-is-not-to-be-had"}


def find_there(folder: Path, *given: tuple[object, ...]) -> Finder:
    """What the page's definitions find in events: a name, arguments, and at the end an instant."""
    rows = [
        {"fact": str(name).removeprefix("fact "), "args": rest}
        if str(name).startswith("fact ")
        else {"name": name, "args": rest[:-1], "t": rest[-1]}
        for name, *rest in given
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    found = find(folder, put_together(COMING_FROM), lines)
    return lambda name: {row[1:] for row in found if row[0] == name}


def test_what_others_know_over_rows(tmp_path: Path) -> None:
    found = find_there(
        tmp_path,
        *(("pays", "a", "x", amount, t) for amount, t in ((5, 0), (7, 540), (1, 1080), (2, 3600))),
        ("blocked", "a", 500),
        ("unblocked", "a", 3600),
        ("pays", "b", "Market hall", 200, 100),
        ("fact shop_in", "Market hall", "Brest"),
    )
    # A payment exactly an hour old is in no sum.
    assert found("spent") == {("a", 5, 0), ("a", 12, 540), ("a", 13, 1080), ("a", 10, 3600),
                              ("b", 200, 100)}  # fmt: skip
    # These of the calendar hour so far: at 3600 a new one begins.
    assert ("a", 0, 13, 1080) in found("hourly_sum")
    assert ("a", 1, 2, 3600) in found("hourly_sum")
    assert found("tried") == {("a", 3, 500, 3600)}
    assert found("tried_often") == set()
    assert found("large") == {("b", 200, 100)}
    assert found("in_brittany") == {("b", 100)} == found("at_market")
    # One every nine minutes: once by the one rule, again and again by the other.
    assert found("first_try") == {("a", "x", 0), ("a", "x", 3600), ("b", "Market hall", 100)}
    assert found("first_of_ten_minutes") == {*found("first_try"), ("a", "x", 1080)}
    assert found("session") == {("a", 0, 2880), ("a", 3600, None), ("b", 100, 1900)}
    assert found("session_sum") == {("a", 3, 13, 0, 2880), ("a", 1, 2, 3600, None),
                                    ("b", 1, 200, 100, 1900)}  # fmt: skip


def test_what_others_know_of_patterns(tmp_path: Path) -> None:
    found = find_there(
        tmp_path,
        *(("reading", 1, celsius, 60 * k) for k, celsius in enumerate((9.0, 7.0, 5.0, 6.0, 8.0))),
        *(("login", "u", False, t) for t in (0, 250, 290)),
        ("login", "u", True, 270),
        ("login", "u", True, 600),
        ("login", "u", True, 700),
        ("logout", "u", 800),
        ("asks", "u", 800),
        ("asks", "v", 900),
        ("answered", "v", 1000),
        ("asks", "w", 1500),
        ("logout", "w", 1720),
        ("fact sensor", 2),
    )
    assert found("dip") == {(1, 0, 240)}
    assert found("guessing") == {("u", 3, 0, 290)}
    assert found("third_failure") == {("u", 290)}
    # The success at 270 lies between the other two.
    assert found("stubborn") == {("u", 0, 250)}
    assert found("visit") == {("u", 700, 800)}
    assert found("logged_in") == {("u", 270, 800)}
    assert found("no_answer") == {("u", 1700)}
    assert found("quick_answer") == {("v", 900, 1000)}
    assert found("case") == {("u", "asked", 800, 1700), ("u", "reminded", 1700, None),
                             ("v", "asked", 900, 1000), ("w", "asked", 1500, None)}  # fmt: skip
    assert found("silent") == {(2, 0, None)}
    assert found("temperature") == {(1, 9.0, 0, 60), (1, 7.0, 60, 120), (1, 5.0, 120, 180),
                                    (1, 6.0, 180, 240), (1, 8.0, 240, None)}  # fmt: skip
    assert found("comfort") == {(1, "cold", 0, None)}
