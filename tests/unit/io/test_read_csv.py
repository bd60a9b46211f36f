"""CSV files."""

from pathlib import Path

import pytest

from phenesthe.io import read_input
from tests.unit.io.samples import (
    PROGRAM,
    list_reasons,
    list_rejects,
    list_rows,
)

ROW = (1, 0.5, "a", True, 7)
CSV = "vessel,speed,name,ok,t\n"


def test_csv_rows_are_judged_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "ais.csv").write_bytes(
        CSV.encode()
        + b'1,0.5,"a\nb",true,7\n'  # 2, 3
        + b"x,0.5,a,true,7\n"  # 4
        + b"\n"
        + b",0.5,a,true,7\n"  # 6
        + b'2,nan,"",false,1970-01-01T00:00:08.9\n'  # 7
        + b"2,1,,false,8\n"  # 8
        + b"2,1,a,1,8\n"
        + b"2,1,a,true,\n"  # 10
        + b"2,1,a,true,soon\n"
        + b"2,1,a,true\n"  # 12
        + b"2,1,\xe9,true,8\n"
        + b"2,1,a,true,4611686018427387904\n"  # 14
        + "3,-inf,\u00e9,TRUE,-9".encode()
    )
    loaded = read_input(PROGRAM, tmp_path)
    rows = list_rows(loaded.tables["ais"])
    assert rows[0] == (1, 0.5, "a\nb", True, 7)
    assert (rows[1][0], str(rows[1][1]), *rows[1][2:]) == (2, "nan", "", False, 8)
    assert rows[2] == (3, float("-inf"), "\u00e9", True, -9)
    assert sorted(list_reasons(loaded), key=lambda one: one[0]) == [
        (4, "wrong type", "vessel"),
        (6, "null argument", "vessel"),
        (8, "null argument", "name"),
        (9, "wrong type", "ok"),
        (10, "no time", "t"),
        (11, "wrong type", "t"),
        (12, "wrong number of columns", None),
        (13, "wrong type", "name"),
        (14, "time out of range", "t"),
    ]
    assert (loaded.first, loaded.last) == (-9, 8)
    shown = {one["line"]: one["row"] for one in list_rejects(loaded)}
    assert shown[4] == {"vessel": "x", "speed": "0.5", "name": "a", "ok": "true", "t": "7"}
    assert shown[12] == "2,1,a,true"
    assert shown[13]["name"] == "\ufffd"


@pytest.mark.parametrize("content", [CSV, CSV.strip(), "\ufeff" + CSV])
def test_a_csv_file_may_have_only_a_header(tmp_path: Path, content: str) -> None:
    (tmp_path / "ais.csv").write_text(content)
    loaded = read_input(PROGRAM, tmp_path)
    assert loaded.tables["ais"].num_rows == 0
    assert not any("column" in one for one in loaded.warnings)


def test_csv_with_other_columns_blanks_and_windows_lines(tmp_path: Path) -> None:
    (tmp_path / "ais.csv").write_bytes(
        b'\xef\xbb\xbfx,t,ok,"name",speed,vessel\r\n\xff, 7 , True ,a, 0.5 , 1 \r\n'
    )
    loaded = read_input(PROGRAM, tmp_path)
    assert list_rows(loaded.tables["ais"]) == [ROW]
    assert not loaded.rejects


def test_lines_are_estimated_where_a_quote_is_never_closed(tmp_path: Path) -> None:
    (tmp_path / "ais.csv").write_text(CSV + '1,0.5,a,true,x\n2,1,"a,true,8\n')
    loaded = read_input(PROGRAM, tmp_path)
    assert loaded.tables["ais"].num_rows == 0
    assert {one[0] for one in list_reasons(loaded)} == {2, 3}


def test_the_line_of_a_row_is_its_first(tmp_path: Path) -> None:
    (tmp_path / "ais.csv").write_text(
        CSV + '1,0.5,"a\nb",true,7\n1,0.5,"a\n\nb",true,x\n?,1,a,true,8'
    )
    assert list_reasons(read_input(PROGRAM, tmp_path)) == [
        (4, "wrong type", "t"),
        (7, "wrong type", "vessel"),
    ]


@pytest.mark.parametrize("broken", ["", "1,2\n"])
def test_quoted_newlines_may_fall_on_any_byte(tmp_path: Path, broken: str) -> None:
    # Longer than the parts in which Arrow reads a file, with more newlines inside than outside.
    text = "\n".join("x" * 50)
    count = 20_000
    (tmp_path / "ais.csv").write_text(CSV + f'1,0.5,"{text}",true,7\n' * count + broken)
    loaded = read_input(PROGRAM, tmp_path)
    assert loaded.tables["ais"].num_rows == count
    assert loaded.tables["ais"]["name"].unique().to_pylist() == [text]
    assert len(loaded.rejects) == bool(broken)
    assert [one[0] for one in list_reasons(loaded)] == ([count * 50 + 2] if broken else [])


def test_a_broken_record_need_not_be_text(tmp_path: Path) -> None:
    (tmp_path / "ais.csv").write_bytes(
        b"\xef\xbb\xbf" + CSV.encode() + b"\xff,1\n" + "1,0.5,\u00e9,true,7\n".encode()
    )
    loaded = read_input(PROGRAM, tmp_path)
    assert list_rows(loaded.tables["ais"]) == [(1, 0.5, "\u00e9", True, 7)]
    assert list_reasons(loaded) == [(2, "wrong number of columns", None)]
    assert list_rejects(loaded)[0]["row"] == "\ufffd,1"
