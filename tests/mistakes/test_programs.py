"""Newcomers are told what is wrong, where, and what to write instead."""

import pytest

from phenesthe.diagnostics.fixes import apply_fixes
from tests.mistakes.programs import Mistake, all_mistakes, errors_of

MISTAKES = all_mistakes()


def _name(mistake: Mistake) -> str:
    return mistake.name


@pytest.mark.parametrize("mistake", MISTAKES, ids=_name)
def test_mistake_is_named_at_its_place(mistake: Mistake) -> None:
    told = mistake.tell()
    assert tuple(d.code for d in told) == mistake.codes
    line, column = told[0].span.first
    assert f"{line}:{column}" == mistake.at


@pytest.mark.parametrize("mistake", MISTAKES, ids=_name)
def test_message_names_the_mistake_and_the_remedy(mistake: Mistake) -> None:
    first = mistake.tell()[0]
    said = f"{first.message}\n{first.hint}"
    assert [word for word in mistake.says if word not in said] == []


@pytest.mark.parametrize("mistake", MISTAKES, ids=_name)
def test_fixes_lead_to_a_program_without_errors(mistake: Mistake) -> None:
    if mistake.fixed:
        assert any(d.fix for d in mistake.tell())
        assert errors_of(mistake.fix()) == []
    else:
        # Whoever has a fix for all of it should say so.
        assert errors_of(mistake.fix()) != []


#: The first fix of each alone must leave nothing else to mend in its declaration.
_JOINT = {
    "every-followed-by": "dynamic call(V) : ping(V) before heard(V, _);",
    "rule": "event fast(V) : ais(V, S) and S > 5;",
    "rule-without-kind": "event fast(V) : ais(V, S) and S > 5;",
    "type-first": "input event sonar(vessel: int, depth: float);",
    "program-in-esper": "dynamic session(U) : login(U) before logout(U) within 30m;",
    "program-with-braces": "event hot(S) :\n    reading(S, C) and C > 60;",
}


@pytest.mark.parametrize("mistake", [m for m in MISTAKES if m.name in _JOINT], ids=_name)
def test_one_fix_mends_all_mistakes_of_a_declaration(mistake: Mistake) -> None:
    fixes = {d.fix for d in mistake.tell()}
    assert len(fixes) == 1
    (fix,) = fixes
    assert fix is not None
    fixed = apply_fixes(mistake.program + mistake.beside, fix)
    assert _JOINT[mistake.name] in fixed
    assert errors_of(fixed) == []


def _told(name: str) -> list[str]:
    (mistake,) = (m for m in MISTAKES if m.name == name)
    return [f"{d.message}\n{d.hint}" for d in mistake.tell()]


def test_modules_of_python_are_named_and_functions_too() -> None:
    _, module, function = _told("program-in-python")
    assert "not of Python" in module
    assert "leave this line out" in module
    assert "`def`" in function
    assert "event stopped(Bus)" in function
    (found,) = errors_of("import pandas;")
    assert "not of Python" in found


def test_every_rule_without_a_kind_is_told() -> None:
    told = "\n".join(_told("program-in-prolog"))
    assert "event worried(P) : …;" in told
    assert "state searching(P) : …;" in told


def test_a_query_is_answered_in_the_names_of_the_program() -> None:
    said = _told("program-in-sql")[-1]
    assert "positions(…)" in said
    assert "over several rows" in said
    assert "ais" not in said


def test_there_are_enough_mistakes() -> None:
    assert len(MISTAKES) >= 60
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES)
    assert sum(mistake.program.count("\n") > 3 for mistake in MISTAKES) >= 10


def test_no_message_names_a_flag() -> None:
    flags = [d.message for m in MISTAKES for d in m.check() if "`--" in f"{d.message} {d.hint}"]
    assert [message for message in flags if "comment" not in message] == []
