"""What text files and tables may be like: separators, encodings, spellings, forms of numbers."""

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import phenesthe
from phenesthe.check.program import CheckedProgram
from phenesthe.files.text import decode, find_encoding
from phenesthe.io import DataError, read_input
from tests.unit.io.samples import list_reasons, list_rows

PROGRAM = phenesthe.compile(
    text="input event ais(vessel: int, ship_name: str, speed: float);\n"
    "event echo(V, N, S) : ais(V, N, S);"
).checked
HEAD = "vessel,ship_name,speed,t"
ROWS = [(219000001, "Smørrebrød", 1.5, 7), (219000002, "a;b, c", 2.5, 8)]
TEXT = f'{HEAD}\n219000001,Smørrebrød,1.5,7\n219000002,"a;b, c",2.5,8\n'


def change(text: str, separator: str) -> str:
    """The same table with something else between its fields."""
    lines = text.replace('"a;b, c"', "X").replace(",", separator)
    return lines.replace("X", '"a;b, c"')


def write(folder: Path, content: bytes, name: str = "ais.csv") -> Path:
    (folder / name).write_bytes(content)
    return folder


CONTENTS = {
    "utf-8": TEXT.encode(),
    "mark": b"\xef\xbb\xbf" + TEXT.encode(),
    "semicolon": change(TEXT, ";").encode(),
    "tab": change(TEXT, "\t").encode(),
    "bar": change(TEXT, "|").encode(),
    "windows-1252": TEXT.encode("windows-1252"),
    "windows-1252;": change(TEXT, ";").encode("windows-1252"),
    "utf-16-le": b"\xff\xfe" + TEXT.encode("utf-16-le"),
    "utf-16-be": b"\xfe\xff" + change(TEXT, "\t").encode("utf-16-be"),
    "windows lines": TEXT.replace("\n", "\r\n").encode(),
    "points": TEXT.replace("1,S", "1.0,S").replace(",7", ",7.0").encode(),
    "capitals": TEXT.replace(HEAD, "VESSEL,SHIP_NAME,Speed,T").encode(),
    "blanks": TEXT.replace(HEAD, "# Vessel,Ship Name, speed,t").encode(),
    "dashes": TEXT.replace(HEAD, "vessel,ship-name,speed,t").encode(),
}


@pytest.mark.parametrize("kind", CONTENTS)
@pytest.mark.parametrize("packed", [False, True])
def test_the_same_rows_however_they_are_written(tmp_path: Path, kind: str, packed: bool) -> None:
    content = CONTENTS[kind]
    if packed:
        write(tmp_path, gzip.compress(content, mtime=0), "ais.csv.gz")
    else:
        write(tmp_path, content)
    loaded = read_input(PROGRAM, tmp_path)
    assert list_rows(loaded.tables["ais"]) == ROWS
    assert not loaded.rejects


def test_it_is_said_what_was_taken_for_what(tmp_path: Path) -> None:
    write(tmp_path, CONTENTS["capitals"])
    (text,) = read_input(PROGRAM, tmp_path).warnings
    assert text == (
        "input `ais`: took the columns `VESSEL` for `vessel`, `SHIP_NAME` for `ship_name`, `Speed` "
        "for `speed`, `T` for `t`"
    )
    write(tmp_path, CONTENTS["windows-1252"])
    (text,) = read_input(PROGRAM, tmp_path).warnings
    assert text == f"`{tmp_path / 'ais.csv'}` is not UTF-8; its text is taken for Windows-1252"
    write(tmp_path, CONTENTS["semicolon"])
    assert read_input(PROGRAM, tmp_path).warnings == ()


def test_the_exact_name_wins_over_any_other_spelling(tmp_path: Path) -> None:
    write(tmp_path, f"SPEED,{HEAD},Vessel\n9,1,a,0.5,7,9\n".encode())
    loaded = read_input(PROGRAM, tmp_path)
    assert list_rows(loaded.tables["ais"]) == [(1, "a", 0.5, 7)]
    assert loaded.warnings == ()


def test_two_spellings_are_not_guessed_between(tmp_path: Path) -> None:
    write(tmp_path, b"vessel,ship_name,Speed,SPEED,t\n1,a,1,2,7\n")
    with pytest.raises(DataError, match=r'`SPEED` and `Speed`.*\n.*\{"ais.speed": ') as problem:
        read_input(PROGRAM, tmp_path)
    assert str(tmp_path / "ais.csv") in str(problem.value)
    loaded = read_input(PROGRAM, tmp_path, mapping={"ais.speed": "Speed"})
    assert list_rows(loaded.tables["ais"]) == [(1, "a", 1.0, 7)]
    # What nobody needs is no trouble.
    loaded = read_input(PROGRAM, tmp_path, columns={"ais": ["vessel"]})
    assert list_rows(loaded.tables["ais"]) == [(1, 7)]


def test_operations_are_spelt_in_the_way_of_their_table(tmp_path: Path) -> None:
    row = b"1,a,1,7"
    write(tmp_path, b"VESSEL,SHIP NAME,SPEED,T,OP\n" + row + b",insert\n" + row + b",retract\n")
    loaded = read_input(PROGRAM, tmp_path)
    assert loaded.tables["ais"].num_rows == 0
    assert "`OP` for `op`" in loaded.warnings[0]
    # In a table of exact names it is a column like any other, as it always was.
    write(tmp_path, f"{HEAD},OP\n".encode() + row + b",1\n")
    loaded = read_input(PROGRAM, tmp_path)
    assert loaded.tables["ais"].num_rows == 1
    assert loaded.warnings == ()


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("vessel,note;a;b;c;d,ship_name,speed,t", "1,x,a,1,7"),
        ("vessel,ship_name,speed,t,a;t;vessel", "1,a,1,7,x"),
        ('"vessel","a;b","ship_name","speed","t"', '1,"x;y;z",a,1,7'),
        ("vessel,ship_name,speed,t,x|y|z", "1,a,1,7,x"),
    ],
)
def test_a_comma_stays_one_beside_other_signs(tmp_path: Path, header: str, row: str) -> None:
    write(tmp_path, f"{header}\n{row}\n".encode())
    assert list_rows(read_input(PROGRAM, tmp_path).tables["ais"]) == [(1, "a", 1.0, 7)]


def test_a_declared_column_wins_over_a_separator(tmp_path: Path) -> None:
    write(tmp_path, b"vessel,ship_name;x;y;z,speed,t\n1,a,1,7\n")
    loaded = read_input(PROGRAM, tmp_path, mapping={"ais.ship_name": "ship_name;x;y;z"})
    assert list_rows(loaded.tables["ais"]) == [(1, "a", 1.0, 7)]


def test_broken_utf_8_is_not_guessed_at(tmp_path: Path) -> None:
    write(tmp_path, TEXT.encode() + b"3,\xe9,1,9\n")
    loaded = read_input(PROGRAM, tmp_path)
    assert list_rows(loaded.tables["ais"]) == ROWS
    assert list_reasons(loaded) == [(4, "wrong type", "ship_name")]


def test_windows_text_may_begin_late(tmp_path: Path) -> None:
    many = b"1,plain,1,7\n" * 100_000
    write(tmp_path, HEAD.encode() + b"\n" + many + b"2,\xd8st\x80,1,8\n")
    loaded = read_input(PROGRAM, tmp_path)
    assert loaded.tables["ais"]["ship_name"].to_pylist()[-1] == "Øst€"
    assert not loaded.rejects


def test_encodings_of_beginnings() -> None:
    assert find_encoding(b"plain") == "ascii"
    assert find_encoding("é".encode()) == "utf-8"
    assert find_encoding("é".encode() + b" \xe9 " + "ü".encode()) == "utf-8"
    assert find_encoding(b"Sm\xf8rrebr\xf8d, K\xf8benhavn") == "windows-1252"
    # A character that is cut at the end of what is looked at is no broken one.
    assert find_encoding("é…".encode()[:-1]) == "utf-8"
    with pytest.raises(UnicodeDecodeError):
        decode(b"\x81", "windows-1252")


@pytest.mark.parametrize("packed", [False, True])
def test_a_single_table_is_the_input_of_a_program_with_one(tmp_path: Path, packed: bool) -> None:
    content = CONTENTS["semicolon"]
    name = "day.csv.gz" if packed else "day.csv"
    write(tmp_path, gzip.compress(content, mtime=0) if packed else content, name)
    assert list_rows(read_input(PROGRAM, tmp_path / name).tables["ais"]) == ROWS
    moved = read_input(PROGRAM, tmp_path / name, mapping={"ais.speed": "t"})
    assert [row[2] for row in list_rows(moved.tables["ais"])] == [7.0, 8.0]


def test_single_parquet_and_json_lines(tmp_path: Path) -> None:
    table = pa.table({"VESSEL": [1.0], "ship_name": ["a"], "speed": [1.5], "t": [7]})
    pq.write_table(table, tmp_path / "day.parquet")
    found = read_input(PROGRAM, tmp_path / "day.parquet")
    assert list_rows(found.tables["ais"]) == [(1, "a", 1.5, 7)]
    line = json.dumps({"name": "ais", "args": [1.0, "a", 1.5], "t": 7.0})
    write(tmp_path, b"\xff\xfe" + line.encode("utf-16-le"), "day.jsonl")
    found = read_input(PROGRAM, tmp_path / "day.jsonl")
    assert list_rows(found.tables["ais"]) == [(1, "a", 1.5, 7)]


def test_a_single_table_of_several_inputs_is_refused(tmp_path: Path) -> None:
    two = phenesthe.compile(
        text="input event a(v: int); input event b(v: int); event c(V) : a(V) or b(V);"
    ).checked
    write(tmp_path, b"v,t\n1,2\n", "x.csv")
    with pytest.raises(DataError, match=r"2 inputs\n.*folder under the name.*`a.csv`, `b.csv`"):
        read_input(two, tmp_path / "x.csv")


def test_keys_of_objects_are_spelt_in_any_way(tmp_path: Path) -> None:
    rows = [{"Vessel": 1, "SHIP NAME": "a", "speed": 1, "T": 7}, {"Vessel": 2.5}]
    content = "\n".join(map(json.dumps, rows)).encode()
    write(tmp_path, gzip.compress(content, mtime=0), "ais.jsonl.gz")
    loaded = read_input(PROGRAM, tmp_path)
    assert list_rows(loaded.tables["ais"]) == [(1, "a", 1.0, 7)]
    assert loaded.warnings[0].startswith("input `ais`: took the columns `Vessel` for `vessel`")


def test_a_packed_twin_of_a_table_is_refused(tmp_path: Path) -> None:
    write(tmp_path, TEXT.encode())
    write(tmp_path, gzip.compress(TEXT.encode()), "ais.csv.gz")
    with pytest.raises(DataError, match=r"several tables .*`ais.csv` and `ais.csv.gz`"):
        read_input(PROGRAM, tmp_path)


FOREIGN = {
    "ais.xlsx": (b"PK\x03\x04", "an Excel workbook", "save it as CSV"),
    "ais.xls": (b"\xd0\xcf\x11\xe0", "an Excel workbook", "save it as CSV"),
    "ais.json": (b"[{}]", "a JSON document", "one object per line"),
    "ais.zip": (b"PK\x03\x04", "a zip archive", "unzip "),
    "ais.csv.zip": (b"PK\x03\x04", "a zip archive", "unzip "),
    "ais.csv.zst": (b"\x28\xb5\x2f\xfd", "packed with zstd", "zstd -d "),
    "ais.tsv": (b"v\tt\n", "must end in .csv", "rename it to `ais.csv`"),
}


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("given", ["folder", "file"])
def test_what_is_not_read_has_a_remedy(tmp_path: Path, name: str, given: str) -> None:
    content, what, remedy = FOREIGN[name]
    write(tmp_path, content, name)
    if given == "file" and name.endswith(".tsv"):
        what, remedy = "neither a folder", "`ais.csv`"
    with pytest.raises(DataError) as problem:
        read_input(PROGRAM, tmp_path if given == "folder" else tmp_path / name)
    assert what in problem.value.message
    assert problem.value.hint is not None
    assert remedy in problem.value.hint


@pytest.mark.parametrize("scheme", ["https", "http", "ftp", "HTTPS"])
def test_nothing_is_fetched_from_the_web(scheme: str) -> None:
    with pytest.raises(DataError, match=r"(?s)from the web.*download it first"):
        read_input(PROGRAM, f"{scheme}://example.org/ais.csv")


def test_an_archive_by_the_name_of_a_table_is_none(tmp_path: Path) -> None:
    for content, what in ((b"PK\x03\x04", "a zip archive"), (gzip.compress(b"a"), "with gzip")):
        write(tmp_path, content)
        with pytest.raises(DataError, match=what):
            read_input(PROGRAM, tmp_path)


def make(unit: str) -> CheckedProgram:
    text = f"unit {unit}; input event e(v: int); event f(V) : e(V);"
    return phenesthe.compile(text=text).checked


@pytest.mark.parametrize(
    ("unit", "time", "likely"),
    [
        ("second", 1_600_000_000_000, "millisecond"),
        ("second", 1_600_000_000_000_000, "microsecond"),
        ("second", 1_600_000_000_000_000_000, "nanosecond"),
        ("millisecond", 1_600_000_000_000_000, "microsecond"),
        ("second", 253_402_300_800, "millisecond"),
        ("second", 253_402_300_799, None),
        ("second", 7, None),
        ("millisecond", 1_600_000_000_000, None),
    ],
)
def test_times_beyond_the_year_9999_are_doubted(
    tmp_path: Path, unit: str, time: int, likely: str | None
) -> None:
    write(tmp_path, f"v,t\n1,{time}\n".encode(), "e.csv")
    loaded = read_input(make(unit), tmp_path)
    assert loaded.last == time
    if likely is None:
        assert loaded.warnings == ()
    else:
        (text,) = loaded.warnings
        assert f"`e`: its times go up to {time}" in text
        assert f"they look like {likely}s" in text
        assert "divide them by" in text
        assert (f"`unit {likely};`" in text) != (likely == "nanosecond")


def test_unreadable_values_are_named_with_a_sample(tmp_path: Path) -> None:
    write(tmp_path, f"{HEAD}\n1,a,1,31/12/2015 23:59\nx,a,1,7\n2,a,1,01/01/2016 00:01\n".encode())
    warnings = read_input(PROGRAM, tmp_path).warnings
    assert warnings == (
        "input `ais`, column `t`: `31/12/2015 23:59` is not a time (2 rows)\n"
        '  help: time_format="%d/%m/%Y %H:%M" reads it',
        "input `ais`, column `vessel`: `x` is not a whole number (1 row)\n"
        f"  help: correct it in {tmp_path / 'ais.csv'}, line 3, or declare `vessel: str` if text "
        "is meant, and compare it with text",
    )
    told = read_input(PROGRAM, tmp_path, time_format="%d/%m/%Y %H:%M")
    assert [row[-1] for row in list_rows(told.tables["ais"])] == [1451606340, 1451606460]
    assert len(told.rejects) == 1
