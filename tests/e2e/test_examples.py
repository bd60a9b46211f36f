"""The examples do what their READMEs show."""

import json
import re
from datetime import datetime
from pathlib import Path

import pytest

from phenesthe.cli.main import main
from phenesthe.syntax.parser import parse
from phenesthe.syntax.source import Source
from phenesthe.syntax.tree import Definition, ExclusiveState
from tests.tools.drawings import EXAMPLES, ROOT, redraw


@pytest.mark.parametrize("sample", EXAMPLES, ids=lambda path: path.parent.name)
def test_readme_shows_the_real_result(sample: Path) -> None:
    text = sample.with_name("README.md").read_text(encoding="utf-8")
    assert text == redraw(sample), "run `make docs`"


def test_every_program_has_a_sample() -> None:
    programs = {program.with_suffix("") for program in (ROOT / "examples").rglob("*.phe")}
    assert {sample.with_suffix("").with_suffix("") for sample in EXAMPLES} == programs


@pytest.mark.parametrize("sample", EXAMPLES, ids=lambda path: path.parent.name)
def test_query_by_query_the_story_ends_the_same(sample: Path, tmp_path: Path) -> None:
    times = [
        to_seconds(time)
        for row in map(json.loads, sample.read_text(encoding="utf-8").splitlines())
        for time in (row.get("t"), row.get("ts"), row.get("te"))
        if time is not None
    ]
    step = max((max(times) - min(times)) // 13, 1)
    program = sample.with_suffix("").with_suffix(".phe")
    command = ["run", str(program), "--engine", "local", "--quiet", "--input", str(sample)]
    found = []
    for name, options in (
        ("once", []),
        ("replay", ["--window", str(2 * step), "--step", str(step)]),
    ):
        output = tmp_path / f"{name}.jsonl"
        assert main([*command, "--output", str(output), *options]) == 0
        found.append(sorted(output.read_text(encoding="utf-8").splitlines()))
    assert found[0] == found[1] != []


def to_seconds(time: int | str) -> int:
    return time if isinstance(time, int) else int(datetime.fromisoformat(time).timestamp())


def test_the_tests_of_examples_and_library_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(ROOT / "examples"), str(ROOT / "stdlib")]) == 0
    assert "0 failed" in capsys.readouterr().out


QUESTIONS = ROOT / "examples" / "questions"


def test_the_questions_are_those_of_the_program() -> None:
    program = read_definitions((QUESTIONS / "questions.phe").read_text("utf-8"))
    readme = (QUESTIONS / "README.md").read_text("utf-8")
    blocks = re.findall(r"^```phe\n(.*?)^```", readme, re.M | re.S)
    shown = [one for block in blocks for one in read_definitions(block)]
    assert shown == program


def test_every_question_is_answered_in_three_lines() -> None:
    readme = (QUESTIONS / "README.md").read_text("utf-8")
    answers = re.findall(r"^## [^\n]*\?\n\n```phe\n(.*?)^```", readme, re.M | re.S)
    assert len(answers) == readme.count("?\n\n```phe\n") >= 14
    day = (QUESTIONS / "questions.test.jsonl").read_text("utf-8").split('{"test": ')[1]
    for answer in answers:
        assert answer.count("\n") <= 3, answer
        name = re.findall(r"^(?:event|(?:exclusive )?state|dynamic) (\w+)", answer, re.M)[-1]
        assert f'"expect": "{name}", "args"' in day


def read_definitions(text: str) -> list[str]:
    """Those with a formula, in the order in which they stand."""
    parsed = parse(Source("questions.phe", text))
    assert parsed.diagnostics == ()
    kinds = Definition | ExclusiveState
    return [one.span.text for one in parsed.declarations if isinstance(one, kinds)]
