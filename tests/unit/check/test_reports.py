"""What a run of a file reports."""

from pathlib import Path

import pyarrow as pa
import pytest

import phenesthe
from phenesthe.diagnostics.model import Severity
from phenesthe.ide.sound import select_sound
from phenesthe.memory.header import make_header
from phenesthe.plan.needed import check_names
from phenesthe.plan.print_program import print_program, read_program
from phenesthe.syntax.parser import parse
from phenesthe.syntax.source import Source
from phenesthe.syntax.tree import Definition, Report
from tests.e2e.test_state import keep, write_rows
from tests.e2e.test_windows import start
from tests.unit.check.programs import accept, check_files, reject
from tests.unit.ide.marked import analyse_text

SHIPS = """\
input event ais(v: int, s: float);
event slow(V) : ais(V, S) and S < 1;
event fast(V) : ais(V, S) and S > 5;
state rests(V) : slow(V) ~> fast(V);
"""


def test_what_is_named_is_reported_in_its_order() -> None:
    assert accept(f"report rests, slow;\n{SHIPS}").reported == ("rests", "slow")
    assert accept(f"report rests;\n{SHIPS}report slow;").reported == ("rests", "slow")


def test_imported_definitions_are_reported_and_own_ones_are_not() -> None:
    main = "import ships;\nreport slow, tired;\nstate tired(V) : long(V);\n"
    main += "state long(V) : rests(V) lasting > 5;"
    assert accept(main, {"ships.phe": SHIPS}).reported == ("slow", "tired")


def test_without_the_line_the_first_section_holds() -> None:
    assert accept(SHIPS).reported == ("slow", "fast", "rests")
    assert accept("import ships;", {"ships.phe": SHIPS}).reported == ("slow", "fast", "rests")
    main = "import ships;\nevent e(V) : slow(V);"
    assert accept(main, {"ships.phe": SHIPS}).reported == ("e",)


def test_the_line_of_an_imported_file_is_about_its_own_runs() -> None:
    files = {"ships.phe": f"report rests;\n{SHIPS}"}
    assert accept("import ships;", files).reported == ("slow", "fast", "rests")
    assert accept("import ships;\nevent e(V) : slow(V);", files).reported == ("e",)
    assert accept("import ships;\nreport slow;", files).reported == ("slow",)


def test_what_was_asked_for_wins() -> None:
    program = accept(f"report rests;\n{SHIPS}")
    assert check_names(program, None) == ("rests",)
    assert check_names(program, ["fast"]) == ("fast",)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("report ais;", ["N013"]),
        ("report slow, slow;", ["N007"]),
        ("report slow;\nreport slow;", ["N007"]),
        ("report slow, slw, slw;", ["N001", "N007"]),
        ("report odd;\nevent odd(V) : nobody(V);", ["N001"]),
        # What cannot be read may declare it.
        ("report odd;\nevent odd(V : ;", ["S007"]),
        ("report odd;\nimport nothing;", ["N003"]),
        ("report slow;\nreport;", ["S007"]),
    ],
)
def test_each_mistake_is_told_once(text: str, codes: list[str]) -> None:
    assert sorted(reject(f"{SHIPS}{text}")) == codes


def test_of_a_misspelt_name_nothing_else_is_said() -> None:
    _, found = check_files(f"report slow, rest;\n{SHIPS}")
    assert [(one.code, one.hint) for one in found] == [("N001", "did you mean `rests`?")]


def test_a_definition_that_nothing_needs_is_told() -> None:
    _, found = check_files(f"report slow;\n{SHIPS}")
    assert [(one.code, one.span.text, one.severity) for one in found] == [
        ("W003", "rests", Severity.WARNING)
    ]


@pytest.mark.parametrize("begin", ["", "event e(V) : ais(V, _)\n", "\n// why\n"])
def test_the_word_begins_a_declaration_also_after_one_without_an_end(begin: str) -> None:
    parsed = parse(Source("f.phe", f"{begin}report slow,\n  rests;\nevent late() : tick();"))
    kinds = [type(one) for one in parsed.declarations]
    assert kinds == ([Definition] if "event" in begin else []) + [Report, Definition]
    assert [one.code for one in parsed.diagnostics] == (["S006"] if "event" in begin else [])


def test_the_word_is_a_name_elsewhere() -> None:
    text = "input event report(report: int);\nparam limit: str = report;\n"
    text += "event seen(V) :\n    report(V)\n    and limit ==\n    report\n    and V > 1;\n"
    assert accept(f"{text}report seen;").reported == ("seen",)


def test_a_line_with_errors_around_it_still_says_what_is_reported() -> None:
    analysis = analyse_text(f"report rests, odd;\n{SHIPS}event odd(V) : nobody(V);")
    sound = select_sound(analysis)
    assert sound is not None
    assert sound[1].reported == ("rests",)


def test_a_program_that_was_written_down_reports_what_it_reported() -> None:
    text = f"report slow, sLow;\n{SHIPS}event sLow(V) : slow(V);"
    assert reject(text) == ["N012"]
    program = accept(text.replace("slow, sLow", "sLow"))
    header = make_header(
        program, program.reported, {}, window=1, step=1, start=None, keeps_settled=True
    )
    again = read_program(header.program, header.only)
    assert again.reported == ("sLow",)
    assert print_program(again) == header.program


ROWS = [
    {"name": "ais", "args": [1, 0.5], "t": 1},
    {"name": "ais", "args": [1, 9.0], "t": 5},
    {"name": "ais", "args": [1, 0.1], "t": 9},
]


def test_a_run_in_python_has_the_results_that_are_named() -> None:
    program = phenesthe.compile(text=f"report rests;\n{SHIPS}")
    rows = pa.table({"v": [1, 1, 1], "s": [0.5, 9.0, 0.1], "t": [1, 5, 9]})
    assert list(program.run({"ais": rows})) == ["rests"]
    assert list(program.run({"ais": rows}, only=["slow"])) == ["slow"]


def test_a_state_is_of_what_was_reported(tmp_path: Path) -> None:
    (tmp_path / "p.phe").write_text(f"report rests;\n{SHIPS}")
    write_rows(tmp_path / "in.jsonl", ROWS)
    assert keep(tmp_path, "--input", "in.jsonl", "--until", "5").code == 0
    (tmp_path / "p.phe").write_text(f"report rests, fast;\n{SHIPS}")
    ended = keep(tmp_path, "--input", "in.jsonl")
    assert ended.code == 1
    assert "the definitions to report were `rests`, and are `fast`, `rests`" in ended.err
    (tmp_path / "p.phe").write_text(f"{SHIPS}// moved\nreport rests;\n")
    assert keep(tmp_path, "--input", "in.jsonl", "--until", "9").code == 0


def test_a_test_may_be_about_any_definition(tmp_path: Path) -> None:
    (tmp_path / "p.phe").write_text(f"report rests;\n{SHIPS}")
    write_rows(
        tmp_path / "p.test.jsonl",
        [{"test": "slow"}, *ROWS, {"expect": "slow", "args": [1], "t": 1},
         {"expect": "slow", "args": [1], "t": 9}],
    )  # fmt: skip
    assert start(tmp_path, "test", "p.phe").code == 0
