"""Which column is what."""

import pytest

from phenesthe.ais.formats import BREST, DANISH, MARINE_CADASTRE, Format, check_mapping, recognise
from phenesthe.io.errors import DataError

DANISH_HEAD = (
    "# Timestamp,Type of mobile,MMSI,Latitude,Longitude,Navigational status,ROT,SOG,COG,Heading,"
    "IMO,Callsign,Name,Ship type,Cargo type,Width,Length,Type of position fixing device,Draught,"
    "Destination,ETA,Data source type,A,B,C,D"
)
US_HEAD = (
    "MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading,VesselName,IMO,CallSign,VesselType,Status,Length,"
    "Width,Draft,Cargo,TransceiverClass"
)
BREST_HEAD = (
    "sourcemmsi,navigationalstatus,rateofturn,speedoverground,courseoverground,trueheading,"
    "lon,lat,t"
)


@pytest.mark.parametrize(
    ("head", "form"), [(DANISH_HEAD, DANISH), (US_HEAD, MARINE_CADASTRE), (BREST_HEAD, BREST)]
)
def test_archives_are_known_by_their_heads(head: str, form: object) -> None:
    assert recognise(head.split(","), {}, "file") is form


@pytest.mark.parametrize(
    ("head", "form"), [(DANISH_HEAD, DANISH), (US_HEAD, MARINE_CADASTRE), (BREST_HEAD, BREST)]
)
def test_archives_are_known_in_capitals_too(head: str, form: Format) -> None:
    found = recognise(head.upper().split(","), {}, "file")
    assert found.columns == {name: column.upper() for name, column in form.columns.items()}
    assert found.mobile == (None if form.mobile is None else form.mobile.upper())
    assert (found.name, found.days_first, found.checks_ids) == (
        form.name, form.days_first, form.checks_ids,
    )  # fmt: skip
    moved = recognise([*head.upper().split(","), "seen"], {"t": "seen"}, "file")
    assert (moved.columns["t"], moved.days_first) == ("seen", False)


def test_an_archive_with_a_column_twice_in_other_spellings_is_no_archive() -> None:
    columns = [*DANISH_HEAD.upper().split(","), "type_of_mobile"]
    assert recognise(columns, {}, "file").name == "plain table"


def test_danish_times_are_known_in_capitals_too() -> None:
    columns = ["# TIMESTAMP", "MMSI", "LATITUDE", "LONGITUDE"]
    assert recognise(columns, {}, "file").days_first
    assert not recognise(["TIMESTAMP", *columns[1:]], {}, "file").days_first


def test_a_plain_table_is_known_by_synonyms() -> None:
    columns = ["Ship_ID", "time", "Longitude", "lat", "SOG", "ship_type", "length"]
    found = recognise(columns, {}, "file")
    assert not found.checks_ids
    assert found.columns == {
        "vessel": "Ship_ID",
        "t": "time",
        "lon": "Longitude",
        "lat": "lat",
        "speed": "SOG",
        "type": "ship_type",
    }


def test_what_is_missing_and_what_is_there_is_said() -> None:
    with pytest.raises(DataError) as problem:
        recognise(["boat", "when", "lon", "lat"], {}, "boats.csv")
    assert "`boats.csv` has no column for `vessel`, `t`" in str(problem.value)
    assert "`boat`, `when`, `lon`, `lat`" in str(problem.value)
    assert 'mapping={"vessel": "COLUMN", "t": "COLUMN"' in str(problem.value)
    found = recognise(["boat", "when", "lon", "lat"], {"vessel": "boat", "t": "when"}, "boats.csv")
    assert found.columns["vessel"] == "boat"


def test_a_mapping_wins_over_an_archive() -> None:
    found = recognise(BREST_HEAD.split(","), {"course": "trueheading"}, "file")
    assert found.columns["course"] == "trueheading"
    assert found.columns["speed"] == "speedoverground"


def test_an_archive_stays_one_when_a_column_is_named_by_hand() -> None:
    columns = [*DANISH_HEAD.split(","), "seen"]
    found = recognise(columns, {"type": "Cargo type"}, "file")
    assert (found.mobile, found.days_first, found.checks_ids) == ("Type of mobile", True, True)
    assert found.columns == {**DANISH.columns, "type": "Cargo type"}
    found = recognise(columns, {"t": "seen", "vessel": "IMO"}, "file")
    assert (found.mobile, found.days_first, found.checks_ids) == ("Type of mobile", False, False)


def test_mappings_to_nothing_are_refused() -> None:
    with pytest.raises(DataError, match="no column `SGO`"):
        recognise(US_HEAD.split(","), {"speed": "SGO"}, "file")
    with pytest.raises(DataError, match="did you mean `speed`"):
        check_mapping({"sped": "SOG"})
