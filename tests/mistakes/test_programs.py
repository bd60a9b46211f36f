"""Newcomers are told what is wrong, where, and what to write instead."""

import pytest

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


def test_there_are_enough_mistakes() -> None:
    assert len(MISTAKES) >= 60
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES)
    assert sum(mistake.program.count("\n") > 3 for mistake in MISTAKES) >= 10


def test_no_message_names_a_flag() -> None:
    flags = [d.message for m in MISTAKES for d in m.check() if "`--" in f"{d.message} {d.hint}"]
    assert [message for message in flags if "comment" not in message] == []
