"""The examples do what their READMEs show."""

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


def test_the_tests_of_examples_and_library_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(ROOT / "examples"), str(ROOT / "stdlib")]) == 0
    assert "0 failed" in capsys.readouterr().out
