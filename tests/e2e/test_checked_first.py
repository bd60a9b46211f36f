"""What cannot be read or written is refused before Spark is started."""

from pathlib import Path

import pytest

from phenesthe.cli.main import main
from phenesthe.engines.spark import jobs, session
from phenesthe.runs import spark_state

PROGRAM = "input event a(v: int); input event b(v: int); event c(V) : a(V) or b(V);"


@pytest.fixture(autouse=True)
def no_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("Spark was started")

    # Who imports a name has it for good, so all of them are told.
    for one in (session, jobs, spark_state):
        monkeypatch.setattr(one, "open_session", refuse)
    monkeypatch.delenv("HADOOP_CONF_DIR", raising=False)


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--input", "absent"], 1, "there is no `absent`"),
        (["--input", "https://example.org/a.csv"], 1, "download it first"),
        (["--input", "day.xlsx"], 1, "an Excel workbook"),
        (["--input", "books"], 1, "an Excel workbook"),
        (["--input", "a.csv"], 1, "put it into a folder under the name"),
        (["--input", "good", "--facts", "absent"], 1, "there is no `absent`"),
        (["--input", "good", "--output", "no/where.jsonl"], 1, "there is no folder `no`"),
        (["--input", "good", "--time-format", "soon"], 2, "the time format `soon` has no year"),
        (["--input", "good", "--window", "8h", "--state", "a.csv"], 1, "a.csv"),
    ],
)
def test_run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    code: int,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.phe").write_text(PROGRAM)
    (tmp_path / "a.csv").write_text("v,t\n1,2\n")
    (tmp_path / "day.xlsx").write_bytes(b"PK\x03\x04")
    for folder, name in (("good", "a.csv"), ("books", "a.xlsx")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text("v,t\n1,2\n")
    assert main(["run", "p.phe", *options, "--quiet"]) == code
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent.csv"], "there is no `absent.csv`"),
        (["ftp://example.org/a.csv"], "download it first"),
        (["a.xlsx"], "an Excel workbook"),
        (["a.csv"], "has no column for `vessel`, `lon`, `lat`"),
        (["a.csv", "--areas", "absent.geojson"], "there is no `absent.geojson`"),
        (["a.csv", "--areas", "https://example.org/x"], "download it first"),
        (["a.csv", "--areas", "a.xlsx"], "an Excel workbook"),
    ],
)
def test_prepare(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("v,t\n1,2\n")
    (tmp_path / "a.xlsx").write_bytes(b"PK\x03\x04")
    assert main(["ais", "prepare", *arguments, "--output", "out", "--quiet"]) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
