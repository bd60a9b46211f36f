"""Columns by their names, and renamed."""

from pathlib import Path

import pytest

from phenesthe.io import DataError, read_input
from phenesthe.io.spelling import has_values
from tests.unit.io.samples import (
    PROGRAM,
    list_rows,
    make_program,
    write_lines,
)

ROW = (1, 0.5, "a", True, 7)
CSV = "vessel,speed,name,ok,t\n"


def test_mapped_columns(tmp_path: Path) -> None:
    (tmp_path / "ais.csv").write_text(
        "MMSI,SOG,VesselName,ok,BaseDateTime\n1,0.5,a,true,1970-01-01T00:00:07\n"
    )
    mapping = {
        "ais.vessel": "MMSI",
        "ais.speed": "SOG",
        "ais.name": "VesselName",
        "ais.t": "BaseDateTime",
    }
    loaded = read_input(PROGRAM, tmp_path, mapping=mapping)
    assert list_rows(loaded.tables["ais"]) == [ROW]
    assert loaded.tables["ais"].column_names == ["vessel", "speed", "name", "ok", "t"]
    with pytest.raises(DataError, match=r"has no column `Sog`\n.*did you mean `SOG`"):
        read_input(PROGRAM, tmp_path, mapping=mapping | {"ais.speed": "Sog"})
    warnings = read_input(PROGRAM, tmp_path).warnings
    assert any("no column `name`; there are `BaseDateTime`, `MMSI`" in one for one in warnings)
    assert any('(mapping={"ais.name": "COLUMN"} reads another)' in one for one in warnings)


def test_a_mapped_column_must_occur_in_json_lines(tmp_path: Path) -> None:
    write_lines(tmp_path / "in_port.jsonl", [{"vessel": 1, "port": "a", "ts": 1, "end": 2}])
    loaded = read_input(PROGRAM, tmp_path, mapping={"in_port.te": "end"})
    assert list_rows(loaded.tables["in_port"]) == [(1, "a", 1, 2)]
    with pytest.raises(DataError, match="has no column `stop`"):
        read_input(PROGRAM, tmp_path, mapping={"in_port.te": "stop"})


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("vessel", "names no argument"),
        ("ais.", "names no argument"),
        ("aiss.vessel", r"no input or fact `aiss`\n.*did you mean `ais`"),
        ("ais.vesel", r"no argument `vesel`\n.*did you mean `vessel`"),
        ("ais.te", r"no argument `te`\n"),
        ("zzz.vessel", r"there are `ais`, `alarm`"),
    ],
)
def test_a_mapping_names_what_there_is(tmp_path: Path, key: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_input(PROGRAM, tmp_path, mapping={key: "x"})


def test_two_columns_of_one_name_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "ais.csv").write_text("vessel,vessel,speed,name,ok,t\n1,2,0.5,a,true,7\n")
    with pytest.raises(DataError, match="two columns `vessel`"):
        read_input(PROGRAM, tmp_path)


def test_arguments_called_arrival_and_op_are_arguments(tmp_path: Path) -> None:
    program = make_program(text="input event e(op: str, arrival: str); event f(X) : e(X, _);")
    write_lines(tmp_path / "e.jsonl", [{"op": "retract", "arrival": "late", "t": 1}])
    assert list_rows(read_input(program, tmp_path).tables["e"]) == [("retract", "late", 1)]


@pytest.mark.parametrize(
    ("columns", "are_rows"),
    [
        (("1", "0.5", "2022-01-01T00:00:00"), True),
        (("brest", "-4,5", "x"), True),
        (("31/12/2015 23:59:59", "Class A"), True),
        (("vessel", "2022"), True),
        (("vessel", "t"), False),
        (("1st", "t2", "speed (kn)"), False),
        (("0", "1", "2"), False),
        (("e", "inf", ""), False),
    ],
)
def test_columns_that_are_called_like_values(columns: tuple[str, ...], are_rows: bool) -> None:
    assert has_values(columns) == are_rows
