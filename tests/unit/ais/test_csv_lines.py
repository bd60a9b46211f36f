"""CSV of archives: good lines, bad lines, any cut into blocks."""

import gzip
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest

from phenesthe.ais import read
from phenesthe.ais.csv_lines import read_block
from phenesthe.ais.settings import Settings
from phenesthe.ais.sources import look, look_at_text
from phenesthe.io.errors import DataError
from tests.unit.ais.test_formats import BREST_HEAD, DANISH_HEAD, US_HEAD

DANISH = f"""{DANISH_HEAD}
31/12/2015 23:59:59,Class A,219001559,55.5,10.25,,0.0,12.3,45.6,47,1,X,"A, B",Fishing,,8,,,,,,,,,,
31/12/2015 23:59:59,Base Station,2190047,55.5,10.25,Unknown value,,,,,Unknown,,,,,,,,,,,AIS,,,,
31/02/2015 23:59:59,Class A,219001559,55.5,10.25,,,,,,,,,,,,,,,,,AIS,,,,
31/12/2015 23:59:59,Class B,219001560,,,,,,,,,,,,,,,,,,,AIS,,,,
too,short
"""
US = f"""{US_HEAD}
366998510,2022-01-03T00:00:00,29.1,-90.2,0.1,360.0,511.0,TUG,IMO1,WX,31,0,20,7,3,31,A
"""
BREST = f"""{BREST_HEAD}
227705102,0,0,7.1,262.7,511,-4.4657183,48.38249,1443650402
227705102,0,0,7.1,262.7,511,-4.4657183,abc,1443650403
"""


def read_all(path: Path) -> tuple[pa.Table, Counter[str], int]:
    chunks = list(read.read_reports(path, look(path, {}), Settings()))
    dropped = sum((one.dropped for one in chunks), Counter[str]())
    rows = pa.concat_tables([one.rows for one in chunks])
    count = sum(one.read for one in chunks)
    assert count == rows.num_rows + dropped.total()
    return rows, dropped, count


@pytest.mark.parametrize("packed", [False, True])
def test_the_danish_archive(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / ("aisdk.csv.gz" if packed else "aisdk.csv")
    path.write_bytes(gzip.compress(DANISH.encode()) if packed else DANISH.encode())
    rows, dropped, count = read_all(path)
    assert count == 5
    assert dropped == {"not_a_vessel": 1, "unreadable": 2, "no_position": 1}
    assert rows.to_pylist() == [
        {
            "vessel": 219001559,
            "t": 1451606399,
            "lon": 10.25,
            "lat": 55.5,
            "speed": 12.3,
            "course": 45.6,
            "heading": 47.0,
            "type": "Fishing",
        }
    ]


def test_marine_cadastre_and_brest(tmp_path: Path) -> None:
    (tmp_path / "us.csv").write_text(US)
    rows, dropped, _ = read_all(tmp_path / "us.csv")
    assert rows.drop_columns(["lon", "lat"]).to_pylist() == [
        {
            "vessel": 366998510,
            "t": 1641168000,
            "speed": 0.1,
            "course": None,
            "heading": None,
            "type": "31",
        }
    ]
    assert not dropped
    (tmp_path / "brest.csv").write_text(BREST)
    rows, dropped, _ = read_all(tmp_path / "brest.csv")
    assert rows["t"].to_pylist() == [1443650402]
    assert rows["lon"].to_pylist() == [-4.4657183]
    assert dropped == {"unreadable": 1}


HEAD = "mmsi;time;lon;lat;name"
LINES = [
    b"1;2022-01-03T00:00:00;5;55;plain",
    b'2;2022-01-03T00:00:00;5;55;"a; b"',
    b'3;2022-01-03T00:00:00;5;55;"never closed',
    b'4;2022-01-03T00:00:00;5;55;5" gun',
    b"5;2022-01-03T00:00:00;5;55;Sm\xf8rrebr\xf8d",
    b"6;2022-01-03T00:00:00;5;55;too;many",
    b"",
    b"7;2022-01-03T00:00:00;5;55;\xff;broken",
    b'8;2022-01-03T00:00:00;5;55;"closed"',
    b"\xef\xbb\xbf" + HEAD.encode(),
    b"9;2022-01-03T00:00:00;5;55;last",
]


@pytest.mark.parametrize("size", [1, 2, 3, 11])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_line_is_read_the_same_whatever_stands_beside_it(size: int, end: bytes) -> None:
    source = look_at_text([HEAD.encode()], {}, "file")
    assert source.text.separator == ";"
    found = [
        read_block(end.join(LINES[at : at + size]) + end, source)
        for at in range(0, len(LINES), size)
    ]
    vessels = [v for one in found for v in one.rows["vessel"].to_pylist()]
    assert sorted(vessels) == [1, 2, 3, 4, 5, 8, 9]
    assert sum((one.dropped for one in found), Counter[str]()) == {"unreadable": 2}
    assert sum(one.read for one in found) == 9


def test_blocks_of_a_file_are_cut_between_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "plain.csv"
    lines = [f"{at + 1},{1_600_000_000 + at},5.{at},55" for at in range(500)]
    path.write_text("\n".join(["vessel,t,lon,lat", *lines]))
    expected, _, _ = read_all(path)
    monkeypatch.setattr(read, "_BLOCK", 100)
    found, dropped, count = read_all(path)
    assert count == 500
    assert not dropped
    assert found["lon"].to_pylist() == expected["lon"].to_pylist()


def test_files_that_are_none(tmp_path: Path) -> None:
    places = {
        "empty.csv": (b"", "is empty"),
        "packed.zip": (b"PK\x03\x04....", "unzip"),
        "damaged.parquet": (b"PAR1....", "cannot read"),
        "text.csv.gz": (b"no gzip", "cannot read"),
    }
    for name, (content, message) in places.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(DataError, match=message):
            look(tmp_path / name, {})
    (tmp_path / "folder").mkdir()
    with pytest.raises(DataError, match="without Parquet files"):
        look(tmp_path / "folder", {})
    with pytest.raises(DataError, match="there is no"):
        look(tmp_path / "absent.csv", {})


def test_a_file_that_ends_too_early(tmp_path: Path) -> None:
    path = tmp_path / "cut.csv.gz"
    text = (
        BREST_HEAD
        + "\n"
        + "".join(f"227705102,0,0,7,262,511,-4.4,48.3,{at}\n" for at in range(9999))
    )
    path.write_bytes(gzip.compress(text.encode())[:-100])
    with pytest.raises(DataError, match=r"cannot read .*\n.*complete"):
        read_all(path)
