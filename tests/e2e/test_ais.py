"""`phenesthe ais prepare` in one process."""

import gzip
import json
from pathlib import Path

import pytest

from phenesthe.ais.tables import TABLES
from phenesthe.cli.main import main
from tests.ais_samples import count_rows, read_folder, write_areas, write_samples


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return [str(one) for one in write_samples(tmp_path)]


def prepare(*arguments: str | Path) -> int:
    return main(["ais", "prepare", *map(str, arguments), "--engine", "local"])


def test_all_formats_at_once(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    areas, output = write_areas(tmp_path), tmp_path / "out"
    points = tmp_path / "points.csv"
    assert prepare(*files, "--areas", areas, points, "--output", output) == 0
    told = json.loads((output / "summary.json").read_text())
    assert told["read"] == count_rows(told)
    assert told["dropped"] == json.loads((output / "dropped.json").read_text())
    assert set(told["dropped"]) >= {
        "unreadable",
        "static_report",
        "not_a_vessel",
        "bad_id",
        "duplicate",
        "shared_id",
        "jump",
    }
    assert told["vessels"] == 5
    tables = read_folder(output)
    assert {name: len(next(iter(one.values()))) for name, one in tables.items()} == told["tables"]
    types = dict(zip(tables["vessel_type"]["vessel"], tables["vessel_type"]["type"], strict=True))
    assert types == {
        219000001: "fishing",
        366000002: "tug",
        227000003: "unknown",
        227000004: "tug",
        219000005: "unknown",
    }
    assert set(tables["enters_area"]["area"]) == {"bank", "quay"}
    assert set(tables["leaves_area"]["area"]) >= {"quay"}
    assert (219000001, 219000005) in set(
        zip(tables["proximity"]["vessel1"], tables["proximity"]["vessel2"], strict=True)
    )
    assert not any(value != value for value in tables["ais"]["speed"])
    shown = capsys.readouterr().out
    assert f"{told['read']:,} reports read" in shown
    assert all(name in shown for name in TABLES)


def test_a_folder_is_replaced_only_when_asked(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out"
    assert prepare(files[2], "--output", output, "--quiet") == 0
    assert capsys.readouterr().out == ""
    assert prepare(files[2], "--output", output) == 1
    assert "use --overwrite" in capsys.readouterr().err
    assert prepare(files[2], "--output", output, "--overwrite") == 0
    (output / "thesis.txt").write_text("dear")
    assert prepare(files[2], "--output", output, "--overwrite") == 1
    assert "thesis.txt" in capsys.readouterr().err


def test_columns_are_named_by_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, output = tmp_path / "boats.csv", tmp_path / "out"
    file.write_text("boat,when,lon,lat\n1,1600000000,5,55\n1,1600000060,5.001,55\n")
    assert prepare(file, "--output", output) == 1
    assert "--map vessel=COLUMN" in capsys.readouterr().err
    assert not output.exists()
    assert prepare(file, "--map", "vessel=boat", "--map", "t=when", "--output", output) == 0
    assert read_folder(output)["ais"]["vessel"] == [1, 1]
    again = ["--map", "vessel=boat", "--map", "t=when", "--output", str(output), "--overwrite"]
    assert prepare(file, *again, "--ids", "mmsi") == 1
    assert "no report could be used: 2 bad_id (an MMSI" in capsys.readouterr().err
    assert read_folder(output)["ais"]["vessel"] == [1, 1]


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--map", "speed"], 2, "--map FIELD=COLUMN"),
        (["--map", "sped=SOG"], 1, "did you mean `speed`"),
        (["--gap", "soon"], 2, "--gap takes a duration"),
        (["--near", "-5"], 2, "--near takes"),
        (["--master", "local[2]"], 2, "--master is for Spark"),
        (["--areas", "absent.geojson"], 1, "absent.geojson"),
    ],
)
def test_bad_options(
    files: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    code: int,
    message: str,
) -> None:
    assert prepare(files[0], "--output", tmp_path / "out", *options) == code
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "content", "message", "remedy"),
    [
        ("day.csv", gzip.compress(b"mmsi,t,lon,lat\n", mtime=0), "packed with gzip", "mv "),
        ("day.csv.zst", b"\x28\xb5\x2f\xfd\x04", "packed with zstd", "zstd -d "),
        ("day.zip", b"PK\x03\x04\x14", "a zip archive", "unzip "),
        ("day.csv", b"mmsi,t,lon,lat\r7,1600000000,5,55\r", "no CSV file", "a line for each row"),
        ("tool", b"\x7fELF\x02\r\x00,\x01\n\x00", "no CSV file", "a text file"),
    ],
)
def test_what_is_no_text_is_said(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    content: bytes,
    message: str,
    remedy: str,
) -> None:
    (tmp_path / name).write_bytes(content)
    assert prepare(tmp_path / name, "--output", tmp_path / "out") == 1
    told = capsys.readouterr().err
    assert f"`{tmp_path / name}`" in told
    assert message in told
    assert remedy in told.partition("help: ")[2]


def test_a_gap_is_as_long_as_is_said(files: list[str], tmp_path: Path) -> None:
    output = tmp_path / "out"
    assert prepare(files[2], "--output", output, "--gap", "31s") == 0
    assert len(read_folder(output)["gap_start"]["t"]) == 89


def test_who_is_not_heard_again_is_silent(tmp_path: Path) -> None:
    file, output, found = tmp_path / "boats.csv", tmp_path / "out", tmp_path / "found.jsonl"
    rows = [(boat, t) for boat, end in ((7, 600), (8, 2400), (9, 601)) for t in range(0, end, 60)]
    rows += [(9, 601)]
    lines = [f"{boat},{t},5,{55 + boat}" for boat, t in rows]
    file.write_text("\n".join(["vessel,t,lon,lat", *lines]))
    assert prepare(file, "--output", output) == 0
    tables = read_folder(output)
    assert tables["gap_start"] == {"vessel": [7], "t": [540]}
    assert tables["gap_end"] == {"vessel": [], "t": []}
    run = ["run", "maritime.communication", "--input", str(output), "--output", str(found)]
    assert main([*run, "--only", "gap", "--engine", "local", "--quiet"]) == 0
    assert json.loads(found.read_text()) == {
        "name": "gap", "kind": "state", "args": [7, "far_from_ports"], "ts": 540, "te": None
    }  # fmt: skip


def test_a_few_late_reports_do_not_silence_all_others(tmp_path: Path) -> None:
    file, output = tmp_path / "boats.csv", tmp_path / "out"
    rows = [(boat, t) for boat in range(1, 21) for t in range(0, 600, 60)]
    rows += [(20, 80_000), (20, 80_060)]
    lines = [f"{boat},{t},5,{50 + boat}" for boat, t in rows]
    file.write_text("\n".join(["vessel,t,lon,lat", *lines]))
    assert prepare(file, "--output", output) == 0
    assert read_folder(output)["gap_start"] == {"vessel": [20], "t": [540]}


def test_what_is_read_is_not_overwritten(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    moved = Path(files[4]).rename(folder / "plain.parquet")
    for given in (folder, moved):
        assert prepare(given, "--output", folder, "--overwrite") == 2
        assert "write to another place" in capsys.readouterr().err
    assert moved.is_file()


def test_no_address_is_written_to(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert prepare(files[0], "--output", "hdfs://host/out") == 1
    assert "copy it there afterwards" in capsys.readouterr().err


def test_what_is_missing_is_told_with_what_that_leaves_unrecognised(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prepare(*files, "--output", tmp_path / "out") == 0
    told = capsys.readouterr().err
    assert "warning: there is no area of type `anchorage`, `closed_fishing`, " in told
    assert "`in_anchorage`" in told
    assert "warning: there are no rows in " in told
    assert "`enters_area`" in told
    assert prepare(*files, "--output", tmp_path / "quiet", "--quiet") == 0
    assert "there is no area" not in capsys.readouterr().err
