"""The tests of the examples and of the library pass, in the reference and in the engine."""

from pathlib import Path

import pytest

import phenesthe
from phenesthe.engines.local import run_local
from phenesthe.resources import LIBRARY
from phenesthe.testing.find_tests import find_tests, name_tests
from phenesthe.testing.run_tests import Run, run_tests
from tests.unit.testing.samples import run_reference

EXAMPLES = Path(__file__).parents[3] / "examples"
FILES = find_tests((str(EXAMPLES), str(LIBRARY)))


def test_every_program_has_tests() -> None:
    programs = [*EXAMPLES.rglob("*.phe"), *LIBRARY.rglob("*.phe")]
    # A module of nothing but inputs and facts has nothing to expect.
    tested = {name_tests(one) for one in programs if phenesthe.compile(one).checked.definitions}
    assert tested == set(FILES)


@pytest.mark.parametrize("engine", [run_reference, run_local], ids=["reference", "local"])
@pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])
def test_the_tests_pass(file: Path, engine: Run) -> None:
    outcomes = list(run_tests([file], engine))
    assert len(outcomes) >= 4
    for outcome in outcomes:
        assert outcome.passed, outcome
