"""Lines without end, and pipes in the place of files: Spark says what the local engine says."""

import gzip
import json
import os
from pathlib import Path

import pytest

from phenesthe.cli.main import main
from phenesthe.files.long_lines import MAX_LINE
from tests.ais_samples import read_folder, write_samples

pytestmark = pytest.mark.usefixtures("spark")

PROGRAM = """
input event e(x: int, y: str);
input event g(x: int);
event a(X) : e(X, _);
event b(X) : g(X);
"""
TOO_LONG = b"y" * (MAX_LINE + 1)


def run(folder: Path, place: Path, engine: str, capsys: pytest.CaptureFixture[str]) -> object:
    (folder / "p.phe").write_text(PROGRAM)
    rejects = folder / f"{engine}.jsonl"
    given = ["--input", str(place), "--engine", engine, "--rejects", str(rejects), "--quiet"]
    assert main(["run", str(folder / "p.phe"), *given]) == 0
    aside = sorted(rejects.read_text().splitlines())
    assert any(json.loads(one)["reason"] == "line too long" for one in aside)
    return capsys.readouterr().out, aside


@pytest.mark.usefixtures("spark")
def test_tables_with_lines_that_are_too_long(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "in"
    place.mkdir()
    (place / "e.csv").write_bytes(b'x,y,t\n1,b,1\n%s\n1,"a\nb",3\n1,b\n1,b,x\n1,b,7' % TOO_LONG)
    row = b'{"x": 1, "t": %d}\n'
    (place / "g.jsonl").write_bytes(b"\xef\xbb\xbf" + row % 1 + TOO_LONG + b"\n" + row % 3 + b"{\n")
    assert run(tmp_path, place, "spark", capsys) == run(tmp_path, place, "local", capsys)


@pytest.mark.usefixtures("spark")
def test_lines_of_everything_that_are_too_long(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "in.jsonl"
    row = b'{"name": "g", "args": [1], "t": %d}\n'
    place.write_bytes(row % 1 + TOO_LONG + b"\n" + row % 3 + TOO_LONG)
    assert run(tmp_path, place, "spark", capsys) == run(tmp_path, place, "local", capsys)


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_reports_with_lines_that_are_too_long(suffix: str, tmp_path: Path) -> None:
    _, _, brest, log, _ = write_samples(tmp_path)
    files = []
    for one in (brest, log):
        head, _, rest = one.read_bytes().partition(b"\n")
        content = head + b"\n" + TOO_LONG + b"\n" + rest
        files.append(str(one) + ".long.csv" + suffix)
        Path(files[-1]).write_bytes(gzip.compress(content, 1) if suffix else content)
    for engine in ("local", "spark"):
        given = ["--output", str(tmp_path / engine), "--engine", engine, "--quiet"]
        assert main(["ais", "prepare", *files, *given]) == 0
    assert read_folder(tmp_path / "spark") == read_folder(tmp_path / "local")
    dropped = json.loads((tmp_path / "spark" / "dropped.json").read_text())
    assert dropped["line_too_long"] == 2
    assert dropped == json.loads((tmp_path / "local" / "dropped.json").read_text())


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("name", ["e.csv", "e.jsonl", "e.parquet", "e/part.parquet"])
def test_a_pipe_in_the_place_of_a_table_is_named(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p.phe").write_text(PROGRAM)
    pipe = tmp_path / "in" / name
    pipe.parent.mkdir(parents=True)
    os.mkfifo(pipe)
    assert main(["run", str(tmp_path / "p.phe"), "--input", str(tmp_path / "in"), "--quiet"]) == 1
    assert f"{pipe}`: it is a pipe, not a file" in capsys.readouterr().err
