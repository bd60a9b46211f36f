"""`phenesthe doctor` finds what is missing and says how to mend it."""

import os
import sys
import tomllib
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from phenesthe.cli.main import main
from phenesthe.engines.spark import health, machine
from phenesthe.engines.spark.health import PACKAGES, Finding, State, examine, examine_package
from phenesthe.engines.spark.java import Java, NoJava, find_java
from phenesthe.engines.spark.settings import choose_driver_memory, choose_python
from tests.strategies.corpus import PROJECT

Program = Callable[[str, str], Path]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("SPARK_", "PYSPARK_")) or name in ("JAVA_HOME", "LOCAL_DIRS"):
            monkeypatch.delenv(name)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Makes a program that prints a text, as `bin/NAME` of a folder."""

    def make(name: str, text: str) -> Path:
        file = tmp_path / "bin" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!/bin/sh\ncat >&2 <<'END'\n{text}\nEND\n")
        file.chmod(0o755)
        return file

    return make


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment', "17.0.15"),
        ('java version "21" 2023-09-19 LTS', "21"),
        ('Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version "25-ea" 2025-09-16', "25-ea"),
    ],
)
def test_java_of_java_home(
    program: Program, monkeypatch: pytest.MonkeyPatch, said: str, version: str
) -> None:
    path = program("java", said)
    monkeypatch.setenv("JAVA_HOME", str(path.parent.parent))
    assert find_java() == Java(path=path, version=version, source="JAVA_HOME")


def test_java_of_the_path(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    path = program("java", 'openjdk version "17.0.1"')
    monkeypatch.setenv("PATH", f"{path.parent}:{os.environ['PATH']}")
    assert find_java() == Java(path=path, version="17.0.1", source="PATH")


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ('java version "1.8.0_392"', "Spark needs Java 17 or newer, and "),
        ('openjdk version "11.0.2" 2019-01-15', "is 11.0.2"),
        ("The operation couldn't be completed. Unable to locate a Java Runtime.", "couldn't be"),
    ],
)
def test_java_that_will_not_do(
    program: Program, monkeypatch: pytest.MonkeyPatch, said: str, reason: str
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(program("java", said).parent.parent))
    found = find_java()
    assert isinstance(found, NoJava)
    assert reason in found.message
    _says_how_to_install(found)


def test_no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = find_java()
    assert isinstance(found, NoJava)
    assert found.message == "Spark needs Java, and there is none"
    _says_how_to_install(found)


def test_java_that_does_not_start(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    path = program("java", "")
    path.write_bytes(b"\x7fELF but not really")
    monkeypatch.setenv("JAVA_HOME", str(path.parent.parent))
    found = find_java()
    assert isinstance(found, NoJava)
    assert f"{path} (from JAVA_HOME) is no Java that runs" in found.message


def _says_how_to_install(found: NoJava) -> None:
    for word in ("apt install", "brew install", "conda install", "`Program.run` needs no Java"):
        assert word in found.hint


def test_java_home_without_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    found = find_java()
    assert isinstance(found, NoJava)
    assert f"there is no {tmp_path}/bin/java" in found.message
    assert "unset JAVA_HOME" in found.hint


def test_packages_are_those_of_the_project() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        f"{name}>={oldest}" + (f",<{beyond}" if beyond else "") for name, oldest, beyond in PACKAGES
    ]
    assert wanted == project["dependencies"]


@pytest.mark.parametrize(
    ("found", "state"),
    [
        ("2.2", State.OK),
        ("2.10.1", State.OK),
        ("2.3.0rc1", State.OK),
        ("2.1.9", State.MISSING),
        ("3.0.0", State.MISSING),
    ],
)
def test_versions(monkeypatch: pytest.MonkeyPatch, found: str, state: State) -> None:
    monkeypatch.setattr(health, "version", lambda _: found)
    finding = examine_package("pandas", "2.2", "3")
    assert finding.state is state
    assert found in finding.found
    if state is State.MISSING:
        assert finding.remedy == f"{sys.executable} -m pip install 'pandas>=2.2,<3'"


def lacking(*names: str) -> Callable[[str], str]:
    """`version`, on a machine without these packages."""

    def find(name: str) -> str:
        if name in names:
            raise PackageNotFoundError(name)
        return {"pandas": "2.3", "tzdata": "2099.1"}.get(name, "99")

    return find


def find(what: str, master: str | None = None) -> Finding:
    (finding,) = [one for one in examine(master) if one.what == what]
    return finding


@pytest.mark.parametrize(
    ("missing", "local"),
    [("pyspark", "--engine local: ready"), ("numpy", "--engine local: not ready")],
)
def test_a_missing_package_and_what_works_without(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    missing: str,
    local: str,
) -> None:
    monkeypatch.setattr(health, "version", lacking(missing))
    assert main(["doctor", "--run"]) == 1
    output = capsys.readouterr().out
    assert f"missing  {missing} " in output
    assert f"mend: {sys.executable} -m pip install '{missing}>=" in output
    assert "--engine spark: not ready" in output
    assert local in output


def test_all_is_well(
    program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    java = program("java", 'openjdk version "17.0.1"')
    monkeypatch.setenv("JAVA_HOME", str(java.parent.parent))
    assert main(["doctor"]) == 0
    output = capsys.readouterr().out
    assert f"ok       Java           17.0.1, {java} (from JAVA_HOME)\n" in output
    assert output.endswith("\n--engine spark: ready\n--engine local: ready\n")
    assert "missing" not in output


def test_a_master_that_does_not_answer(
    program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    java = program("java", 'openjdk version "17.0.1"')
    monkeypatch.setenv("JAVA_HOME", str(java.parent.parent))
    monkeypatch.setenv("no_proxy", "*")
    for name in ("grpc_proxy", "https_proxy", "http_proxy", "HTTPS_PROXY", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    assert main(["doctor", "--master", "spark://127.0.0.1:1"]) == 1
    assert "missing  master         nobody answers at spark://" in capsys.readouterr().out


def test_spark_connect_needs_its_packages_and_no_java(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "version", lacking("grpcio", "zstandard"))
    finding = find("Spark Connect", "sc://host")
    assert finding.state is State.MISSING
    assert finding.found == "grpcio, zstandard missing"
    assert finding.remedy == f"{sys.executable} -m pip install 'pyspark[connect]'"
    assert not [one for one in examine("sc://host") if one.what == "Java"]


@pytest.mark.parametrize(
    ("master", "state"), [(None, State.POOR), ("local[2]", State.POOR), ("yarn", State.MISSING)]
)
def test_workers_of_another_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, master: str | None, state: State
) -> None:
    other = tmp_path / "python"
    other.write_text("#!/bin/sh\necho 3 9\n")
    other.chmod(0o755)
    monkeypatch.setenv("PYSPARK_PYTHON", str(other))
    finding = find("PYSPARK_PYTHON", master)
    assert finding.state is state
    assert f"{other} is Python 3.9, and this is {sys.version.split()[0]}" in finding.found


def test_the_python_of_workers_that_does_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", "/no/such/python")
    finding = find("PYSPARK_PYTHON", "spark://host:7077")
    assert finding.state is State.POOR
    assert "/no/such/python does not start here" in finding.found


def test_the_same_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    assert find("PYSPARK_PYTHON").state is State.OK


def test_the_python_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_python("yarn", None) is None
    assert choose_python("yarn", "python3.11") == "python3.11"
    monkeypatch.setenv("PYSPARK_PYTHON", "/opt/python")
    assert choose_python("yarn", "python3.11") == "/opt/python"
    assert choose_python("local[2]", "python3.11") == sys.executable


@pytest.mark.parametrize(
    ("jar", "state"),
    [
        ("spark-core_2.13-99.jar", State.OK),
        ("spark-core_2.12-3.5.1.jar", State.MISSING),
        (None, State.MISSING),
    ],
)
def test_spark_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jar: str | None, state: State
) -> None:
    (tmp_path / "jars").mkdir()
    if jar is not None:
        (tmp_path / "jars" / jar).touch()
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    monkeypatch.setattr(health, "version", lacking())
    finding = find("SPARK_HOME")
    assert finding.state is state
    assert (finding.remedy == "unset SPARK_HOME") is (state is State.MISSING)


@pytest.mark.parametrize(
    ("memory", "driver", "state"),
    [
        (2 * 2**30, "1g", State.POOR),
        (8 * 2**30, "2g", State.OK),
        (64 * 2**30, "4g", State.OK),
    ],
)
def test_memory(monkeypatch: pytest.MonkeyPatch, memory: int, driver: str, state: State) -> None:
    monkeypatch.setattr("phenesthe.engines.spark.settings.measure_memory", lambda: memory)
    monkeypatch.setattr(health, "measure_memory", lambda: memory)
    assert choose_driver_memory() == driver
    finding = find("memory")
    assert finding.state is state
    assert f"driver takes {driver}" in finding.found
    monkeypatch.setenv("SPARK_DRIVER_MEMORY", "7g")
    assert "driver takes 7g" in find("memory").found


def test_a_container_has_the_memory_it_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(machine, "_CGROUP_LIMITS", (tmp_path / "nothing", limit))
    limit.write_text("max\n")
    whole = machine.measure_memory()
    assert whole is not None
    limit.write_text("1073741824\n")
    assert machine.measure_memory() == 2**30
    limit.write_text(f"{whole + 1}\n")
    assert machine.measure_memory() == whole


def test_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_LOCAL_DIRS", f"{tmp_path}/not/yet/made,{tmp_path}")
    monkeypatch.setattr(
        health, "measure_disk", lambda folder: 2**20 if folder == tmp_path else 2**40
    )
    large, small = [one for one in examine() if one.what == "disk"]
    assert (large.state, small.state) == (State.OK, State.POOR)
    assert f"1 MiB free in {tmp_path}," in small.found
    assert "SPARK_LOCAL_DIRS" in (small.remedy or "")
    assert machine.measure_disk(tmp_path / "not" / "yet" / "made") is not None
