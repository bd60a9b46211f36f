"""The tests of the examples and of the library pass, in the reference and in the engine."""

from pathlib import Path

import pytest

import phenesthe
from phenesthe.engines.local import run_local
from phenesthe.resources import LIBRARY
from phenesthe.syntax.parser import parse
from phenesthe.syntax.source import Source
from phenesthe.syntax.tree import Defining
from phenesthe.testing.find_tests import find_tests, name_tests
from phenesthe.testing.read_tests import read_tests
from phenesthe.testing.run_tests import Run, run_tests
from tests.unit.testing.samples import run_reference

EXAMPLES = Path(__file__).parents[3] / "examples"
PROGRAMS = sorted(EXAMPLES.rglob("*.phe"))
FILES = find_tests((str(EXAMPLES), str(LIBRARY)))


def test_every_program_has_tests() -> None:
    programs = [*EXAMPLES.rglob("*.phe"), *LIBRARY.rglob("*.phe")]
    # A module of nothing but inputs and facts has nothing to expect.
    tested = {name_tests(one) for one in programs if phenesthe.compile(one).checked.definitions}
    assert tested == set(FILES)


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.stem for program in PROGRAMS])
def test_every_definition_is_found_in_one_test_and_tried_in_another(program: Path) -> None:
    """What the second expects is that it does not hold, or not there."""
    tests, problems = read_tests(program, name_tests(program).read_bytes().splitlines())
    assert not problems
    expects = [{expect.data["expect"]: expect for expect in test.expects} for test in tests]
    source = parse(Source(str(program), program.read_text("utf-8")))
    for name in [one.head.name.text for one in source.declarations if isinstance(one, Defining)]:
        tried = [expect[name].data for expect in expects if name in expect]
        assert any("none" not in data for data in tried), name
        assert len(tried) >= 2, name


@pytest.mark.parametrize("engine", [run_reference, run_local], ids=["reference", "local"])
@pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])
def test_the_tests_pass(file: Path, engine: Run) -> None:
    outcomes = list(run_tests([file], engine))
    assert len(outcomes) >= 4
    for outcome in outcomes:
        assert outcome.passed, outcome
