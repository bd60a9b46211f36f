"""The JSON of `compile` keeps to its published schema."""

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from phenesthe.check import check
from phenesthe.explain import explain
from phenesthe.syntax.clauses import DURATIONS
from tests.strategies.corpus import PROJECT, corpus

SCHEMA: dict[str, Any] = json.loads(
    (PROJECT / "docs" / "compile.schema.json").read_text(encoding="utf-8")
)
VALIDATOR = Draft202012Validator(SCHEMA)


@cache
def described() -> list[tuple[Path, dict[str, Any]]]:
    """Every program of the project that compiles."""
    found: list[tuple[Path, dict[str, Any]]] = []
    for file, data in corpus().items():
        program, _ = check(file, data, name=file.name)
        if program is not None:
            found.append((file, json.loads(explain(program, "json"))))
    return found


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_every_program_that_compiles_keeps_to_it() -> None:
    programs = described()
    assert len(programs) >= 100
    for file, program in programs:
        problem = next(VALIDATOR.iter_errors(program), None)
        assert problem is None, f"{file}: {problem.json_path}: {problem.message}"


def test_every_key_of_the_schema_occurs() -> None:
    """A schema that describes what is never printed would promise too much."""
    seen: set[str] = set()

    def collect(value: Any) -> None:
        if isinstance(value, dict):
            seen.update(value)
            for name, part in value.items():
                # What an operator has of its own is not promised by name.
                if name != "parameters" or isinstance(part, list):
                    collect(part)
        elif isinstance(value, list):
            for part in value:
                collect(part)

    collect([program for _, program in described()])
    promised: set[str] = set()

    def read(schema: Any) -> None:
        if isinstance(schema, dict):
            promised.update(schema.get("properties", {}))
            for part in schema.values():
                read(part)
        elif isinstance(schema, list):
            for part in schema:
                read(part)

    read(SCHEMA)
    assert promised == seen


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("version",), 2),
        (("unit",), "minute"),
        (("definitions", 0, "level"), 0),
        (("definitions", 0, "kind"), "fact"),
        (("definitions", 0, "range", "start", "line"), 0),
        (("inputs", 0, "extra"), 1),
        (("reported", 0), "Upper"),
    ],
)
def test_it_refuses_what_is_wrong(path: tuple[str | int, ...], value: object) -> None:
    maritime = next(program for file, program in described() if file.name == "maritime.phe")
    program = copy.deepcopy(maritime)
    VALIDATOR.validate(program)
    inner: Any = program
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    assert not VALIDATOR.is_valid(program)


def test_a_limit_has_every_word_that_says_a_duration() -> None:
    words = set(SCHEMA["$defs"]["limit"]["properties"]["word"]["enum"])
    assert words == {one.word for one in DURATIONS}


def test_a_state_with_a_limit_keeps_to_it() -> None:
    text = b"input event a(x: int);\nstate s(X) : a(X) limit 5;"
    program, diagnostics = check(Path("p.phe").absolute(), text, name="p.phe")
    assert program is not None, diagnostics
    described = json.loads(explain(program, "json"))
    assert '"word": "limit"' in json.dumps(described)
    assert next(VALIDATOR.iter_errors(described), None) is None
