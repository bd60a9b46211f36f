"""Spark reads what one process reads, and `run` what `prepare` reads, with the same words."""

import gzip
import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

import phenesthe
from phenesthe.cli.main import main
from phenesthe.engines.spark import reading
from phenesthe.engines.spark.reading import small_files
from phenesthe.io import DataError
from tests.ais_samples import read_folder
from tests.spark.same import check_same, read_both
from tests.unit.io.test_one_reader import CONTENTS, HEAD, ROWS, TEXT

#: Of the ways of writing a table, those that are packed too.
PACKED = ("semicolon", "capitals")
ARGUMENTS = "(vessel: int, ship_name: str, speed: float)"


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files are read by workers, as large ones are."""
    monkeypatch.setattr(small_files, "SMALL", -1)


def write_all(folder: Path) -> str:
    """A table for every way of writing the same rows, and a program that reads them all."""
    text = ""
    for at, content in enumerate(CONTENTS.values()):
        (folder / f"k{at}.csv").write_bytes(content)
        text += f"input event k{at}{ARGUMENTS};\n"
    for kind in PACKED:
        (folder / f"{kind}.csv.gz").write_bytes(gzip.compress(CONTENTS[kind], mtime=0))
        text += f"input event {kind}{ARGUMENTS};\n"
    objects = [{"Vessel": v, "SHIP NAME": n, "Speed": s, "t": float(t)} for v, n, s, t in ROWS]
    lines = "\n".join(map(json.dumps, objects))
    (folder / "lines.jsonl").write_bytes(b"\xff\xfe" + lines.encode("utf-16-le"))
    (folder / "packed_lines.jsonl.gz").write_bytes(gzip.compress(lines.encode(), mtime=0))
    columns = zip(*ROWS, strict=True)
    table = pa.table(dict(zip(("VESSEL", "Ship-Name", "speed", "t"), columns, strict=True)))
    table = table.set_column(0, "VESSEL", table["VESSEL"].cast(pa.float64()))
    (folder / "parts").mkdir()
    pq.write_table(table.slice(0, 1), folder / "parts" / "a.parquet")
    names = ["vessel", "ship_name", "speed", "t"]
    pq.write_table(table.slice(1).rename_columns(names), folder / "parts" / "b.parquet")
    others = [f"input event {one}{ARGUMENTS};" for one in ("lines", "packed_lines", "parts")]
    return text + "\n".join(others) + "\nevent echo(V) : k0(V, _, _);"


@pytest.mark.usefixtures("workers")
def test_the_same_rows_however_they_are_written(spark: SparkSession, tmp_path: Path) -> None:
    program = phenesthe.compile(text=write_all(tmp_path)).checked
    inputs = read_both(spark, program, tmp_path)
    assert set(inputs.counts.values()) == {len(ROWS)}
    assert not inputs.rejects
    assert any("`VESSEL` for `vessel`" in one for one in inputs.warnings)


def test_a_plain_file_is_read_by_spark_itself(spark: SparkSession, tmp_path: Path) -> None:
    """Semicolons and Windows text too: only what Spark cannot cut goes to one worker."""
    from phenesthe.engines.spark.reading.disks import open_disk
    from phenesthe.engines.spark.reading.lines import Csv
    from phenesthe.engines.spark.reading.plan import Planner
    from phenesthe.io.load import list_entries, make_reader
    from phenesthe.io.rejects import Rejects

    program = phenesthe.compile(text=write_all(tmp_path)).checked
    planner = Planner(spark, program, make_reader(program, None, None, Rejects()))
    entries = {one.name: one for one in list_entries(tmp_path)}
    signatures = {one.name: one for one in program.inputs}
    names = [(f"k{at}.csv", kind) for at, kind in enumerate(CONTENTS)]
    for name, kind in (*names, *((f"{kind}.csv.gz", kind) for kind in PACKED)):
        signature = signatures[name.partition(".")[0]]
        planner.add_table(open_disk(spark, tmp_path), signature, entries[name])
        source = planner.sources[-1]
        assert isinstance(source.way, Csv), kind
        is_opened = source.rows.inputFiles() == []
        assert is_opened == (name.endswith(".gz") or kind.startswith("utf-16")), (kind, name)


@pytest.mark.usefixtures("workers")
def test_broken_text_times_and_lines_are_set_aside_alike(
    spark: SparkSession, tmp_path: Path
) -> None:
    program = phenesthe.compile(
        text=f"input event ais{ARGUMENTS}; input event old{ARGUMENTS}; input event far{ARGUMENTS};"
        "event echo(V) : ais(V, _, _);"
    ).checked
    bad = change_times(TEXT).encode() + b"3,\xe9,1,9\nx,a,1,9\n4,a,1\n5,a,1,soon\n"
    (tmp_path / "ais.csv.gz").write_bytes(gzip.compress(bad, mtime=0))
    old = change_times(TEXT).replace(",", ";").encode("windows-1252")
    (tmp_path / "old.csv").write_bytes(old + b"3;\x81;1;9\n4;a\n")
    (tmp_path / "far.csv").write_text(f"{HEAD}\n1,a,1,1600000000000\n")
    form = "%d/%m/%Y %H:%M"
    told = read_both(spark, program, tmp_path, time_format=form)
    assert told.counts == {"ais": 2, "old": 2, "far": 1}
    assert told.rejects.count_reasons() == {
        "wrong type": 4, "wrong number of columns": 2,
    }  # fmt: skip
    assert any("they look like milliseconds" in one for one in told.warnings)
    untold = read_both(spark, program, tmp_path)
    assert any(f'time_format="{form}" reads it' in one for one in untold.warnings)
    from phenesthe import io

    stream = reading.read_stream(spark, program, tmp_path, time_format=form)
    local = io.stream.read_stream(program, tmp_path, time_format=form)
    assert stream.warnings == local.warnings
    assert (stream.first, stream.last) == (local.first, local.last)
    stream.release()


def change_times(text: str) -> str:
    return text.replace(",7\n", ",31/12/2015 23:59\n").replace(",8\n", ",1/1/2016 0:01\n")


def test_a_single_table_is_an_input(spark: SparkSession, tmp_path: Path) -> None:
    one = phenesthe.compile(
        text=f"input event ais{ARGUMENTS}; fact f(x: int); event echo(V) : ais(V, _, _);"
    ).checked
    path = tmp_path / "day.csv.gz"
    path.write_bytes(gzip.compress(CONTENTS["semicolon"], mtime=0))
    assert read_both(spark, one, path).counts == {"ais": 2, "f": 0}
    two = phenesthe.compile(
        text="input event a(v: int); input event b(v: int); event c(V) : a(V) or b(V);"
    ).checked
    with pytest.raises(DataError, match="which input"):
        reading.read_input(spark, two, path)


@pytest.mark.usefixtures("workers")
def test_at_an_address_too(spark: SparkSession, tmp_path: Path) -> None:
    """What only Spark sees: the local engine reads the same files by their paths."""
    from phenesthe import io
    from phenesthe.engines.spark.reading import disks

    kinds = ("semicolon", "windows-1252", "utf-16-le", "capitals", "points")
    program = phenesthe.compile(
        text="".join(f"input event k{at}{ARGUMENTS};" for at in range(len(kinds)))
        + "event echo(V) : k0(V, _, _);"
    ).checked
    for at, kind in enumerate(kinds):
        (tmp_path / f"k{at}.csv").write_bytes(CONTENTS[kind])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(disks.ThisMachine, "find_here", lambda _self, _path: None)
        inputs = reading.read_input(spark, program, tmp_path)
    local = io.read_input(program, tmp_path)
    said = tuple(one for one in local.warnings if "UTF-8" not in one)
    assert inputs.warnings == said
    check_same(program, replace(local, warnings=said), inputs)
    inputs.release()


REPORTS = "vessel,t,lon,lat\n219000001,1600000000,5,55\n219000001,1600000060,5,55\n"
PROGRAM = (
    "input event day(vessel: int, lon: float, lat: float);\nevent seen(V, X, Y) : day(V, X, Y);"
)
CUT = gzip.compress(os.urandom(5_000) + REPORTS.encode(), mtime=0)[:-200]
#: Wrong data: the name of the file, its content, options, and the reason.
WRONG: dict[str, tuple[str, bytes | None, list[str], str]] = {
    "absent": ("day.csv", None, [], "there is no `{path}`"),
    "the web": ("https://example.org/day.csv", None, [], "nothing is fetched from the web"),
    "workbook": ("day.xlsx", b"PK\x03\x04", [], "cannot read `{path}`: it is an Excel workbook"),
    "archive": ("day.zip", b"PK\x03\x04", [], "cannot read `{path}`: it is a zip archive"),
    "array": ("day.json", b"[{}]", [], "cannot read `{path}`: it is a JSON document"),
    "hidden archive": ("day.csv", b"PK\x03\x04", [], "cannot read `{path}`: it is not text, but"),
    "hidden gzip": ("day.csv", gzip.compress(b"a"), [], "`{path}` is packed with gzip, but"),
    "no gzip": ("day.csv.gz", REPORTS.encode(), [], "cannot read `{path}`: "),
    "cut short": ("day.csv.gz", CUT, [], "cannot read `{path}`: "),
    "empty": ("day.csv", b"", [], "`{path}` is empty"),
    "no Parquet": ("day.parquet", b"PAR1 and no more", [], "cannot read `{path}`: "),
    "two spellings": (
        "day.csv", b"vessel,t,Lon,LON,lat\n1,1600000000,5,5,55\n", [],
        "`{path}` has no column `lon`, and `LON` and `Lon` are spelt like it",
    ),
    "no time": (
        "day.csv", REPORTS.encode() + b"219000001,01/01/2016 00:01,5,55\n", [],
        "column `t`: `01/01/2016 00:01` is not a time (1 row)",
    ),
    "no number": (
        "day.csv", REPORTS.encode() + b"abc,1600000120,5,55\n", [],
        "column `vessel`: `abc` is not a whole number (1 row)",
    ),
    "no longitude": (
        "day.csv", REPORTS.encode() + b"219000001,1600000120,E5,55\n", [],
        "column `lon`: `E5` is not a number (1 row)",
    ),
    "no format": (
        "day.csv", REPORTS.encode(), ["--time-format", "%Q"],
        "the time format `%Q` has `%Q`, which is not understood",
    ),
    "map": ("day.csv", REPORTS.encode(), ["--map", "lon=LNG"], "`{path}` has no column `LNG`"),
}  # fmt: skip


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("case", WRONG)
def test_the_same_reason_from_run_and_prepare_on_both_engines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    name, content, options, reason = WRONG[case]
    place = name if "://" in name else str(tmp_path / name)
    if content is not None:
        Path(place).write_bytes(content)
    program = tmp_path / "p.phe"
    program.write_text(PROGRAM)
    mapped = [one.replace("lon=", "day.lon=") for one in options]
    told = {}
    for engine in ("local", "spark"):
        output = tmp_path / f"{engine}.jsonl"
        common = ["--engine", engine, "--quiet"]
        run = ["run", str(program), "--input", place, "--output", str(output), *mapped, *common]
        prepare = ["ais", "prepare", place, "--output", str(tmp_path / engine), *options, *common]
        for command in (run, prepare):
            code = main(command)
            said = capsys.readouterr().err
            told[engine, command[0]] = (code, find_reason(said, place))
            assert reason.format(path=place) in said, command
            assert "Traceback" not in said
    assert len(set(told.values())) == 1, told


def find_reason(said: str, place: str) -> tuple[str, ...]:
    """What was said, without the name of the input, which only a program has.

    And without the remedy that is a change of its declaration.
    """
    # Where nothing is left both end with 1, and say so of rows or of reports.
    said = re.sub(r"error: .*could (not )?be used.*\n  help: .*\n", "", said)
    lines = [
        line
        for line in said.splitlines()
        if not re.search(r"set aside|rename|no table|help: correct it in", line)
    ]
    plain = [line.replace("input `day`, ", "").replace("day.lon=", "lon=") for line in lines]
    assert place in said or "column" in said or "format" in said
    return tuple(plain)


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("kind", ["semicolon", "tab", "windows", "utf-16", "packed", "points"])
def test_prepare_and_run_read_the_same(tmp_path: Path, kind: str) -> None:
    contents = {
        "semicolon": REPORTS.replace(",", ";").encode(),
        "tab": REPORTS.replace(",", "\t").encode(),
        "windows": REPORTS.replace("lat", "lat,name").replace("55\n", "55,\xf8\n").encode("cp1252"),
        "utf-16": REPORTS.encode("utf-16"),
        "packed": gzip.compress(REPORTS.encode(), mtime=0),
        "points": REPORTS.replace("1,16", "1.0,16").encode(),
    }
    path = tmp_path / ("day.csv.gz" if kind == "packed" else "day.csv")
    path.write_bytes(contents[kind])
    (tmp_path / "p.phe").write_text(PROGRAM)
    for engine in ("local", "spark"):
        common = ["--engine", engine, "--quiet"]
        folder, output = tmp_path / engine, tmp_path / f"{engine}.jsonl"
        assert main(["ais", "prepare", str(path), "--output", str(folder), *common]) == 0
        run = ["run", str(tmp_path / "p.phe"), "--input", str(path), "--output", str(output)]
        assert main([*run, *common]) == 0
        assert read_folder(folder)["ais"]["t"] == [1600000000, 1600000060]
        found = [json.loads(line) for line in output.read_text().splitlines()]
        assert [(one["args"], one["t"]) for one in found] == [
            ([219000001, 5.0, 55.0], 1600000000),
            ([219000001, 5.0, 55.0], 1600000060),
        ]
