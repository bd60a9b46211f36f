"""The examples do what their READMEs show."""

import json
from pathlib import Path

import pytest

from phenesthe.cli.main import main
from tests.tools.drawings import EXAMPLES, ROOT, draw, with_drawing


@pytest.mark.parametrize("sample", EXAMPLES, ids=lambda path: path.parent.name)
def test_readme_shows_the_real_result(sample: Path) -> None:
    text = sample.with_name("README.md").read_text(encoding="utf-8")
    assert text == with_drawing(text, draw(sample)), "run `make docs`"


def test_every_program_has_a_sample() -> None:
    programs = {program.with_suffix("") for program in (ROOT / "examples").rglob("*.phe")}
    assert {sample.with_suffix("").with_suffix("") for sample in EXAMPLES} == programs


@pytest.mark.parametrize("sample", EXAMPLES, ids=lambda path: path.parent.name)
def test_query_by_query_the_story_ends_the_same(sample: Path, tmp_path: Path) -> None:
    times = [
        time
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


def test_the_tests_of_examples_and_library_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(ROOT / "examples"), str(ROOT / "stdlib")]) == 0
    assert "0 failed" in capsys.readouterr().out
