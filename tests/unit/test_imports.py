"""What is loaded, and when: a check starts fast, and the compiler never needs Spark."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import phenesthe
from phenesthe.cli.main import COMMANDS
from tests.strategies.corpus import PROJECT

PACKAGE = Path(phenesthe.__file__).parent
HEAVY = ("pyspark", "pandas", "pyarrow", "numpy", "numba", "rich")


def loaded_after(statement: str) -> set[str]:
    """The packages in memory after a fresh interpreter has run a statement."""
    return {module.split(".")[0] for module in modules_after(statement)}


def modules_after(statement: str) -> set[str]:
    """All modules then."""
    code = f"{statement}\nimport sys\nprint(' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        check=True,
    )
    return set(done.stdout.splitlines()[-1].split())


FILE = "language/conformance/papers/maritime.phe"


@pytest.mark.parametrize(
    "statement",
    [
        "import phenesthe",
        f"import phenesthe; phenesthe.compile({FILE!r}).explain('json')",
        f"from phenesthe.cli.main import main; main(['check', {FILE!r}])",
        f"from phenesthe.cli.main import main; main(['compile', {FILE!r}])",
        f"from phenesthe.cli.main import main; main(['fmt', '--check', {FILE!r}])",
    ],
)
def test_reading_a_program_loads_nothing_heavy(statement: str) -> None:
    loaded = loaded_after(statement)
    assert "phenesthe" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_a_check_loads_no_other_command_and_nothing_that_explains_mistakes() -> None:
    """Each is a part of the time that every command takes to start."""
    loaded = modules_after(f"from phenesthe.cli.main import main; main(['check', {FILE!r}])")
    commands = {module for _, module, _ in COMMANDS} - {"phenesthe.cli.check"}
    assert "phenesthe.cli.check" in loaded
    assert loaded.isdisjoint(commands)
    assert loaded.isdisjoint({"phenesthe.syntax.habits", "phenesthe.syntax.together"})


def imports_of(file: Path) -> Iterator[str]:
    """Every module a file imports, wherever in it, apart from what only types need."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} has a relative import"
            yield node.module or ""


def imports_in(folder: str) -> dict[str, set[str]]:
    files = sorted((PACKAGE / folder).rglob("*.py"))
    assert files, f"there is no folder {folder}"
    return {str(file.relative_to(PACKAGE)): set(imports_of(file)) for file in files}


def test_only_the_spark_engine_knows_spark() -> None:
    for file, modules in imports_in(".").items():
        if not file.startswith(("engines/spark/", "cli/doctor")):
            assert not [m for m in modules if m.split(".")[0] == "pyspark"], file


def test_a_worker_loads_no_more_than_it_needs() -> None:
    """On a cluster the workers have NumPy and Arrow, and our package as Spark brought it."""
    loaded = loaded_after("import phenesthe.engines.spark.worker")
    assert loaded.isdisjoint({"pyspark", "pandas", "rich", "textx"})


@pytest.mark.parametrize("module", ["phenesthe.ais.local", "phenesthe.ais.spark_tasks"])
def test_preparing_reports_needs_no_spark_but_on_spark(module: str) -> None:
    assert loaded_after(f"import {module}").isdisjoint({"pyspark", "rich", "textx"})


def test_other_rooms_know_the_spark_engine_by_its_jobs() -> None:
    """Whoever is no engine needs two modules of it: jobs, and parcels in the workers."""
    public = {"phenesthe.engines.spark.jobs", "phenesthe.engines.spark.parcels"}
    for file, modules in imports_in("ais").items():
        assert {m for m in modules if m.startswith("phenesthe.engines")} <= public, file
    for file, modules in imports_in("engines").items():
        assert not [m for m in modules if m.startswith("phenesthe.ais")], file


@pytest.mark.parametrize("folder", ["syntax", "diagnostics", "check"])
def test_the_front_end_needs_no_arrays(folder: str) -> None:
    for file, modules in imports_in(folder).items():
        assert not [m for m in modules if m.split(".")[0] in HEAVY], file


def test_kernels_do_not_know_the_compiler() -> None:
    for file, modules in imports_in("kernels").items():
        foreign = [m for m in modules if m.startswith("phenesthe") and ".kernels" not in m]
        assert not foreign, file


def test_syntax_does_not_know_the_checker() -> None:
    for file, modules in imports_in("syntax").items():
        assert not [m for m in modules if m.startswith("phenesthe.check")], file
