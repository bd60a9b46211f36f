"""Every program of `language/conformance` does what it says it does."""

import re
from functools import cache
from typing import Any

import pytest
from textx import metamodel_from_file

from phenesthe.diagnostics.codes import CODES, GROUPS
from phenesthe.diagnostics.fixes import apply_fixes
from phenesthe.diagnostics.model import Diagnostic
from phenesthe.explain import FORMATS, explain
from phenesthe.resources import LANGUAGE
from phenesthe.syntax.format import format_source
from phenesthe.syntax.parser import parse
from phenesthe.syntax.source import Source
from tests.conformance.expected import describe
from tests.conformance.programs import ROOT, Program, all_programs, cases_of

CLEAN = [program for program in all_programs() if program.is_clean]
OTHERS = [program for program in all_programs() if not program.is_clean]


def _name(program: Program) -> str:
    return program.name


@cache
def _metamodel() -> Any:
    return metamodel_from_file(str(LANGUAGE / "phenesthe.tx"), autokwd=True)


@pytest.mark.parametrize("program", CLEAN, ids=_name)
def test_clean_program_compiles_without_a_word(program: Program) -> None:
    checked, diagnostics = program.check()
    assert [d.message for d in diagnostics if not d.code.startswith("M")] == []
    assert checked is not None
    for format in FORMATS:
        assert explain(checked, format)


@pytest.mark.parametrize("program", CLEAN, ids=_name)
@pytest.mark.parametrize("unicode", [False, True], ids=["ascii", "unicode"])
def test_formatting_keeps_the_tree(program: Program, unicode: bool) -> None:
    before = parse(Source("before", program.text))
    text = format_source(before.source, unicode=unicode)
    after = parse(Source("after", text))
    assert after.diagnostics == ()
    assert after.declarations == before.declarations
    assert [c.kind for c in after.comments] == [c.kind for c in before.comments]
    assert format_source(after.source, unicode=unicode) == text


@pytest.mark.parametrize("program", CLEAN, ids=_name)
def test_grammar_alone_accepts_clean_program(program: Program) -> None:
    model = _metamodel().model_from_str(program.text)
    # textX gives a plain string for a file without declarations.
    found = getattr(model, "declarations", ())
    assert len(found) == len(parse(Source("program", program.text)).declarations)


@pytest.mark.parametrize("program", OTHERS, ids=_name)
def test_diagnostics_are_exactly_the_expected_ones(program: Program) -> None:
    assert program.expected.exists(), "write it: python -m tests.tools.write_pages --expected"
    assert describe(program) == program.expected.read_text("utf-8")


@pytest.mark.parametrize("program", [p for p in OTHERS if p.is_case], ids=_name)
def test_case_triggers_its_code_and_has_a_clean_twin(program: Program) -> None:
    _, diagnostics = program.check()
    assert program.code in {d.code for d in diagnostics}
    assert program.twin in CLEAN
    assert program.code not in {d.code for d in program.twin.check()[1]}


def _with_fixes() -> list[Any]:
    found = []
    for program in OTHERS:
        for at, diagnostic in enumerate(program.check()[1]):
            if diagnostic.fix is not None:
                name = f"{program.name}-{at}"
                found.append(pytest.param(program, diagnostic, id=name))
    return found


@pytest.mark.parametrize(("program", "diagnostic"), _with_fixes())
def test_fix_removes_its_diagnostic(program: Program, diagnostic: Diagnostic) -> None:
    assert diagnostic.fix
    source = diagnostic.fix[0].span.source
    fixed = apply_fixes(source.text, diagnostic.fix)
    _, before = program.check()
    _, after = program.check({source.path: fixed})
    assert _key(diagnostic) not in {_key(d) for d in after}
    unreadable = [sum(d.code.startswith("S") for d in found) for found in (before, after)]
    assert unreadable[1] <= unreadable[0] - diagnostic.code.startswith("S")


def _key(diagnostic: Diagnostic) -> tuple[str, str, tuple[int, int]]:
    return diagnostic.code, diagnostic.message, diagnostic.span.first


@pytest.mark.parametrize("code", CODES)
def test_code_has_a_case_a_twin_and_a_page(code: str) -> None:
    cases = cases_of(code)
    assert cases
    assert all(case.twin.path.exists() for case in cases)
    page = ROOT / "docs" / "diagnostics" / f"{code}.md"
    assert CODES[code].title in page.read_text("utf-8")


def test_codes_are_those_the_source_emits() -> None:
    emitted: set[str] = set()
    for file in (ROOT / "phenesthe").rglob("*.py"):
        if file.parent.name != "codes":
            emitted |= set(re.findall(r'"([A-Z]\d{3})"', file.read_text("utf-8")))
    assert emitted == set(CODES)


@pytest.mark.parametrize("program", OTHERS, ids=_name)
def test_no_diagnostic_names_a_flag_of_the_command_line(program: Program) -> None:
    """Editors and Python show them too."""
    assert not re.search(r"--[a-z]", describe(program))


def test_no_explanation_names_a_flag_of_the_command_line() -> None:
    texts = [f"{code.title} {code.explanation}" for code in CODES.values()]
    assert [text for text in texts if re.search(r"--[a-z]", text)] == []


def test_every_code_is_in_a_group() -> None:
    assert {code[0] for code in CODES} == set(GROUPS)


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.code)
def test_explanation_is_sentences_for_a_newcomer(code: Any) -> None:
    sentences = re.findall(r"[.:?](?=\s|$)", code.explanation)
    assert 1 <= len(sentences) <= 7
    assert code.explanation.endswith(".")
    assert len(code.explanation) > 2 * len(code.title)


def test_every_program_begins_with_plain_words() -> None:
    silent = [p.name for p in all_programs() if not p.comment]
    assert silent == ["constructs/empty_file"]


def test_every_twin_and_expectation_has_its_case() -> None:
    orphans = [
        path.name
        for ending in (".ok.phe", ".expected", ".setup.json")
        for path in (ROOT / "language" / "conformance").rglob(f"*{ending}")
        if not path.with_name(path.name.removesuffix(ending) + ".phe").exists()
    ]
    assert orphans == []


def test_there_are_enough_programs() -> None:
    assert len(CLEAN) >= 150
    assert len(OTHERS) >= 150
