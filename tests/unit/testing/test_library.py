"""The library: every definition says what it means and is tested both ways."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import phenesthe
from phenesthe.resources import LIBRARY
from phenesthe.testing import model
from phenesthe.testing.find_tests import name_tests
from phenesthe.testing.read_tests import read_tests

MODULES = sorted(LIBRARY.rglob("*.phe"))
#: `then` has no limit in time, and a fishing trip may take any.
UNBOUNDED = {"fishing_trip_start", "fishing_voyage"}


def list_tests(module: Path) -> list[model.Test]:
    file = name_tests(module)
    return read_tests(file, file.read_bytes().splitlines())[0] if file.exists() else []


def list_expected(module: Path, *, nowhere: bool) -> Iterator[str]:
    for test in list_tests(module):
        yield from (
            str(line.data["expect"]) for line in test.expects if ("none" in line.data) is nowhere
        )


@pytest.mark.parametrize("module", MODULES, ids=lambda file: file.stem)
def test_every_definition_is_expected_somewhere_and_nowhere(module: Path) -> None:
    definitions = phenesthe.compile(module).checked.definitions
    signatures = (definition.signature for definition in definitions)
    defined = {one.name for one in signatures if one.span.source.path == str(module)}
    assert defined - set(list_expected(module, nowhere=False)) == set()
    assert defined - set(list_expected(module, nowhere=True)) == set()


@pytest.mark.parametrize("module", MODULES, ids=lambda file: file.stem)
def test_every_declaration_has_a_text(module: Path) -> None:
    program = phenesthe.compile(module).checked
    signatures = [*program.inputs, *program.facts, *(one.signature for one in program.definitions)]
    assert [one.name for one in signatures if not one.doc] == []
    assert [one.name for one in program.parameters if not one.doc] == []


@pytest.mark.parametrize("module", MODULES, ids=lambda file: file.stem)
def test_nothing_is_warned_of_but_sequences_without_a_limit(module: Path) -> None:
    command = [sys.executable, "-m", "phenesthe", "check", str(module), "--format", "concise"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    told = [line for line in (ended.stdout + ended.stderr).splitlines() if "warning[" in line]
    assert ended.returncode == 0
    assert all("M001" in line for line in told), told
    assert {line.split("`")[1] for line in told} <= UNBOUNDED
