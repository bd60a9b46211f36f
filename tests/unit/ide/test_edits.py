"""Formatting and quick fixes."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from phenesthe.diagnostics.fixes import apply_fixes
from phenesthe.ide.analysis import Analysis, analyse
from phenesthe.ide.edits import fix_all, format_file, list_fixes
from phenesthe.syntax.format import format_source
from phenesthe.syntax.source import Source
from tests.strategies.corpus import corpus
from tests.strategies.programs import damaged_files, programs
from tests.unit.ide.projects import FOLDER, MAIN, find_offset, open_project

INPUTS = "input event ais(vessel: int, speed: float);\ninput state port(vessel: int);\n"


def text_of(analysis: Analysis) -> str:
    return analysis.modules.files[0].parsed.source.text


def fix_titles(text: str, words: str) -> list[str]:
    analysis = open_project(INPUTS + text)
    offset = find_offset(analysis, words, after=text)
    return [fix.title for fix in list_fixes(analysis, MAIN, offset, offset + len(words))]


def test_formatting_touches_only_the_lines_that_change() -> None:
    text = INPUTS + "// kept\nevent  a(V):ais(V,_);\nevent b(V) : a(V);\n"
    edits = format_file(open_project(text), MAIN)
    assert [(edit.span.text, edit.text) for edit in edits] == [
        ("event  a(V):ais(V,_);\n", "event a(V) : ais(V, _);\n")
    ]
    assert format_file(open_project(apply_fixes(text, edits)), MAIN) == []


def test_formatting_keeps_the_line_ends_of_a_file() -> None:
    text = (INPUTS + "/* kept\n   here */\nevent a(V) : ais(V, _);\n").replace("\n", "\r\n")
    assert format_file(open_project(text), MAIN) == []
    edits = format_file(open_project(text + "event  b(V):ais(V,_);\r\n"), MAIN)
    assert [edit.text for edit in edits] == ["event b(V) : ais(V, _);\r\n"]


def test_formatting_can_write_unicode() -> None:
    analysis = open_project(INPUTS + "event a(V) : ais(V, S) and S <= 1.0;\n")
    formatted = apply_fixes(text_of(analysis), format_file(analysis, MAIN, unicode=True))
    assert formatted == INPUTS + "event a(V) : ais(V, S) ∧ S ≤ 1.0;\n"


def test_a_file_with_syntax_errors_keeps_its_layout() -> None:
    analysis = open_project(INPUTS + "event  a(V) : (ais(V, _);\nevent  b(V):ais(V,_);\n")
    assert format_file(analysis, MAIN) == []


@settings(max_examples=50, deadline=None)
@given(programs())
def test_formatting_gives_what_fmt_writes(text: str) -> None:
    text = text.replace("\n", "\n\n\n  ").replace(",", " ,")
    analysis = analyse(MAIN, text.encode(), read=lambda _: None)
    wanted = format_source(Source("main.phe", text))
    assert wanted != text
    assert apply_fixes(text, format_file(analysis, MAIN)) == wanted


def test_a_long_file_is_formatted_in_one_piece() -> None:
    text = INPUTS + "".join(f"event  a{n}(V) : ais(V, _);\n" for n in range(1500))
    edits = format_file(open_project(text), MAIN)
    assert len(edits) == 1
    assert apply_fixes(text, edits) == text.replace("event  a", "event a")


@pytest.mark.parametrize(
    ("text", "words", "titles"),
    [
        ("event a(V) : aiss(V, _);", "aiss", ["Replace `aiss` with `ais`"]),
        ("event a(V) : ais(V, _)", "_)", ["Insert `;`"]),
        ("unit second;\nunit second;", "unit second;\nunit second;", ["Remove `unit second;`"]),
        (
            "state a(V) : port(V) union port(V) intersection port(V);",
            "intersection",
            ["Add parentheses"],
        ),
        ("event a(V) : ais(V, _);", "ais", []),
    ],
)
def test_a_fix_says_what_it_does(text: str, words: str, titles: list[str]) -> None:
    assert fix_titles(text, words) == titles


def test_a_fix_is_offered_where_it_is_asked_for() -> None:
    analysis = open_project(INPUTS + "event a(V) : aiss(V, _);\nevent b(V) : aiss(V, _);\n")
    offset = find_offset(analysis, "aiss", after="event b")
    (fix,) = list_fixes(analysis, MAIN, offset + 4, offset + 4)
    assert fix.edits[0].span.start == offset
    assert list_fixes(analysis, MAIN, 0, 0) == []
    assert fix.diagnostics[0] in analysis.diagnostics


def test_fixes_of_an_imported_file_belong_to_it() -> None:
    files = {
        "main.phe": "import ships;\nevent b(V) : aiss(V, _);\n",
        "ships.phe": INPUTS + "event a(V) : ports(V);\n",
    }
    analysis = open_project(files)
    assert [fix.title for fix in list_fixes(analysis, FOLDER / "ships.phe", 0, 1000)] == [
        "Replace `ports` with `port`"
    ]
    assert [fix.title for fix in list_fixes(analysis, MAIN, 0, 1000)] == [
        "Replace `aiss` with `ais`"
    ]
    assert list_fixes(analysis, FOLDER / "other.phe", 0, 1000) == []


def test_all_fixes_of_a_file_at_once() -> None:
    text = INPUTS + "event a(V) : aiss(V, _);\nevent b(V) : aiss(V, X)\nunit seconds;\n"
    analysis = open_project(text)
    fix = fix_all(analysis, MAIN)
    assert fix is not None
    assert fix.title == "Fix all 4 problems that can be fixed"
    assert apply_fixes(text, fix.edits) == (
        INPUTS + "event a(V) : ais(V, _);\nevent b(V) : ais(V, X);\nunit second;\n"
    )


def test_one_fix_is_not_all_fixes() -> None:
    assert fix_all(open_project(INPUTS + "event a(V) : aiss(V, _);\n"), MAIN) is None
    assert fix_all(open_project(INPUTS), MAIN) is None


@pytest.mark.parametrize("path", [path for path in corpus() if "diagnostics" in path.parts])
def test_every_fix_there_is_can_be_applied(path: Path) -> None:
    analysis = analyse(path, corpus()[path])
    text = text_of(analysis)
    fixable = [one for one in analysis.diagnostics if one.fix and one.span.source.text == text]
    fixes = list_fixes(analysis, path, 0, len(text))
    assert [fix.diagnostics for fix in fixes] == [(one,) for one in fixable]
    assert all(fix.title and apply_fixes(text, fix.edits) != text for fix in fixes)


@settings(max_examples=150, deadline=None)
@given(damaged_files())
def test_all_fixes_of_any_text_can_be_applied(data: bytes) -> None:
    analysis = analyse(MAIN, data, read=lambda _: None)
    fix = fix_all(analysis, MAIN)
    if fix is not None:
        text = text_of(analysis)
        assert apply_fixes(text, fix.edits) != text
        assert len(fix.diagnostics) > 1
