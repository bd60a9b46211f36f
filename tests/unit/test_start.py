"""With what a JVM is started, and which archive of classes it is given."""

import os
import stat
import time
from pathlib import Path

import pytest

from phenesthe.cli.main import main
from phenesthe.engines.spark import class_archive
from phenesthe.engines.spark.class_archive import (
    find_archive,
    find_cache,
    making_archive,
    name_archive,
)
from phenesthe.engines.spark.java import Java
from phenesthe.engines.spark.start import Start, choose_start, has_own_options
from phenesthe.runs.size import SMALL, are_small

JAVA = Java(path=Path("/usr/bin/java"), version="17.0.1", source="PATH")
OTHER = Java(path=Path("/usr/bin/java"), version="21.0.2", source="PATH")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith(("SPARK_", "PYSPARK_")) or "JAVA" in name or name == "MASTER":
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def make(java: Java, content: bytes = b"classes") -> Path:
    with making_archive(java) as making:
        making.write_bytes(content)
    found = find_archive(java)
    assert found is not None
    return found


def test_short_runs_are_compiled_quickly_and_long_ones_as_java_likes() -> None:
    short = choose_start(None, JAVA, is_small=True)
    assert "-XX:TieredStopAtLevel=1" in short.java_options
    assert short.settings["spark.sql.adaptive.enabled"] == "false"
    long = choose_start(None, JAVA, is_small=False)
    assert "-XX:TieredStopAtLevel=1" not in long.java_options
    assert not long.settings


@pytest.mark.parametrize("is_small", [True, False])
def test_whoever_names_a_master_has_spark_as_it_is(is_small: bool) -> None:
    make(JAVA)
    assert choose_start("local[2]", JAVA, is_small=is_small) == Start()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("JAVA_TOOL_OPTIONS", "-Xint"),
        ("JDK_JAVA_OPTIONS", "-XX:+UseZGC"),
        ("SPARK_SUBMIT_OPTS", "-Dmine=1"),
        ("MASTER", "yarn"),
        ("PYSPARK_SUBMIT_ARGS", "--master yarn pyspark-shell"),
        ("PYSPARK_SUBMIT_ARGS", "--driver-java-options -XX:+UseZGC pyspark-shell"),
        ("PYSPARK_SUBMIT_ARGS", "--conf spark.driver.extraJavaOptions=-XX:+UseZGC pyspark-shell"),
    ],
)
def test_the_users_word_on_java_wins(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    make(JAVA)
    assert choose_start(None, JAVA, is_small=True) != Start()
    monkeypatch.setenv(name, value)
    assert choose_start(None, JAVA, is_small=True) == Start()


def test_the_users_files_win(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    defaults = tmp_path / "spark-defaults.conf"
    defaults.write_text("spark.driver.memory 2g\n")
    assert not has_own_options()
    defaults.write_text("spark.driver.defaultJavaOptions -XX:+UseZGC\n")
    assert has_own_options()
    defaults.write_text("spark.master spark://head:7077\n")
    assert has_own_options()
    defaults.unlink()
    (tmp_path / "spark-env.sh").write_text("export SPARK_SUBMIT_OPTS=-Xint\n")
    assert has_own_options()


def test_an_archive_is_of_one_java_and_of_one_version(monkeypatch: pytest.MonkeyPatch) -> None:
    archive = make(JAVA)
    assert find_archive(OTHER) is None
    options = choose_start(None, JAVA, is_small=False).java_options
    assert f'"-XX:SharedArchiveFile={archive}"' in options
    monkeypatch.setattr("phenesthe.__version__", "9.9.9")
    assert find_archive(JAVA) is None
    newer = make(JAVA)
    assert list(find_cache().iterdir()) == [newer]  # nobody asks for the old one any more


def test_an_archive_that_others_may_write_to_is_not_run() -> None:
    archive = make(JAVA)
    archive.chmod(0o660)
    assert find_archive(JAVA) is None
    archive.chmod(0o600)
    elsewhere = archive.rename(archive.with_name("elsewhere"))
    archive.symlink_to(elsewhere)
    assert find_archive(JAVA) is None


def test_half_an_archive_is_none() -> None:
    with pytest.raises(KeyboardInterrupt):
        _make_half()
    assert find_archive(JAVA) is None
    assert not list(find_cache().iterdir())
    with making_archive(JAVA):
        pass  # Java wrote nothing
    assert find_archive(JAVA) is None


def _make_half() -> None:
    with making_archive(JAVA) as making:
        making.write_bytes(b"cla")
        raise KeyboardInterrupt


def test_an_archive_that_lost_its_end_is_none() -> None:
    archive = make(JAVA)
    archive.chmod(0o600)
    with archive.open("r+b") as file:
        file.truncate(3)
    assert find_archive(JAVA) is None


def test_two_who_make_one_at_a_time() -> None:
    with making_archive(JAVA) as one:
        one.write_bytes(b"of one")
        other = make(JAVA, b"of the other")
        assert other.read_bytes() == b"of the other"
    found = find_archive(JAVA)
    assert found is not None
    assert found.read_bytes() == b"of one"
    assert not stat.S_IMODE(found.stat().st_mode) & 0o222
    assert list(find_cache().iterdir()) == [found]


def test_what_killed_processes_left_goes() -> None:
    make(JAVA)
    left, new = (find_cache() / f"{class_archive._MAKING}{name}" for name in ("left", "new"))
    left.write_bytes(b"cla")
    new.write_bytes(b"cla")
    long_ago = time.time() - 7200
    os.utime(left, (long_ago, long_ago))
    make(JAVA)
    assert not left.exists()
    assert new.exists()


def test_another_spark_has_another_archive(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = name_archive(JAVA)
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    assert name_archive(JAVA) != before


def test_no_archive_where_java_has_options(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Dmine=1")
    main(["doctor", "--warm-up"])
    assert "class archive  not made" in capsys.readouterr().out
    assert not find_cache().exists()


def test_how_much_there_is_to_read(tmp_path: Path) -> None:
    table = tmp_path / "day" / "ais.parquet"
    table.mkdir(parents=True)
    assert are_small([str(tmp_path)])
    part = table / "part.parquet"
    with part.open("wb") as file:
        file.truncate(SMALL)
    assert are_small([str(tmp_path)])
    assert are_small([str(part)])
    assert not are_small([str(tmp_path), str(part)])
    assert not are_small(["hdfs://day"])
    assert not are_small([str(tmp_path / "missing")])
    with (tmp_path / "ais.csv.gz").open("wb") as file:
        file.truncate(SMALL // 9)
    assert not are_small([str(tmp_path / "ais.csv.gz")])
