"""Which column is what."""

import pytest

from phenesthe.ais.formats import BREST, DANISH, MARINE_CADASTRE, check_mapping, recognise
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
