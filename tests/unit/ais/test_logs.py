"""Logs of NMEA sentences, made with pyais and read back."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyais import decode
from pyais.encode import encode_dict

from phenesthe.ais.logs import LogReader
from phenesthe.ais.normalise import Chunk
from phenesthe.ais.read import read_reports
from phenesthe.ais.settings import Settings
from phenesthe.ais.sources import look

T = 1577836800


def encode(**fields: Any) -> list[str]:
    return encode_dict(fields, talker_id="AI", sentence_type="VDM", radio_channel="A")


def read(*lines: str, size: int | None = None) -> Chunk:
    """The lines of a log, some at a time."""
    reader, step = LogReader(), size or len(lines)
    blocks = [lines[at : at + step] for at in range(0, len(lines), step)]
    parts = [reader.read(pa.chunked_array([pa.array(block)])) for block in blocks]
    parts.append(reader.finish())
    found = Chunk(
        pa.concat_tables([one.rows for one in parts]),
        sum(one.read for one in parts),
        sum((one.dropped for one in parts), Counter[str]()),
        pa.concat_tables([one.types for one in parts]),
    )
    assert found.read == found.rows.num_rows + found.dropped.total()
    return found


POSITION = encode(
    type=1, mmsi="219001559", lon=10.5, lat=55.25, speed=7.1, course=262.7, heading=77
)[0]
STATIC = encode(type=5, mmsi="219001559", ship_type=30, shipname="ANNA")
ROW = {
    "vessel": 219001559,
    "t": T,
    "lon": 10.5,
    "lat": 55.25,
    "speed": 7.1,
    "course": 262.7,
    "heading": 77.0,
    "type": None,
}


@pytest.mark.parametrize(
    "line",
    [
        f"\\s:rcv,c:{T}*5A\\{POSITION}",
        f"\\c:{T},s:rcv*5A\\{POSITION}",
        f"\\c:{T}000*5A\\{POSITION}",
        f"{T} {POSITION}",
        f"{T},{POSITION}",
        f"{T}.75;{POSITION}",
        f"2020-01-01T00:00:00Z\t{POSITION}",
        f"2020-01-01 00:00:00,{POSITION}",
        f"2020-01-01T01:00:00+01:00 {POSITION}",
        f"{POSITION},r003669961,{T}",
    ],
)
def test_times_of_receipt(line: str) -> None:
    assert read(line).rows.to_pylist() == [ROW]


def test_all_positions_are_those_of_pyais() -> None:
    chance = random.Random(3)
    lines, expected = [], []
    for at in range(300):
        kind = chance.choice([1, 2, 3, 18, 19])
        sentences = encode(
            type=kind,
            mmsi=str(chance.randrange(201_000_000, 776_000_000)),
            lon=round(chance.uniform(-180, 181), 6),
            lat=round(chance.uniform(-90, 91), 6),
            speed=round(chance.uniform(0, 102.3), 1),
            course=round(chance.uniform(0, 360), 1),
            heading=chance.choice([511, chance.randrange(360)]),
        )
        lines += [f"{T + at} {one}" for one in sentences]
        message: dict[str, Any] = dict(decode(*sentences).asdict())
        names = ("lon", "lat", "speed", "course", "heading")
        expected.append((int(message["mmsi"]), T + at, *(float(message[name]) for name in names)))
    found = read(*lines).rows.drop_columns(["type"])
    assert sorted(zip(*(one.to_pylist() for one in found.columns), strict=True)) == sorted(expected)


@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_messages_in_parts(size: int) -> None:
    """Interleaved with others, and cut between the parts."""
    other = encode(type=5, mmsi="219001560", ship_type=70, shipname="BERTA")
    other = [
        line.replace(",2,1,0,A,", ",2,1,1,A,").replace(",2,2,0,A,", ",2,2,1,A,") for line in other
    ]
    other = [line[: line.index("*")] + "*" + checksum(line) for line in other]
    lines = [f"{T} {STATIC[0]}", f"{T} {other[0]}", f"{T} {POSITION}", STATIC[1], other[1]]
    found = read(*lines, size=size)
    assert found.rows.to_pylist() == [ROW]
    assert found.types.to_pylist() == [
        {"vessel": 219001559, "type": "30"},
        {"vessel": 219001560, "type": "70"},
    ]
    assert found.dropped == {"static_report": 2}


def checksum(line: str) -> str:
    total = 0
    for character in line[1 : line.index("*")]:
        total ^= ord(character)
    return f"{total:02X}"


def test_type_24_tells_a_type() -> None:
    found = read(*encode(type=24, partno=1, mmsi="219001559", ship_type=36))
    assert found.types.to_pylist() == [{"vessel": 219001559, "type": "36"}]
    assert found.dropped == {"static_report": 1}


def test_what_is_dropped() -> None:
    base_station = encode(type=4, mmsi="2190047", year=2020, lon=1.0, lat=2.0)[0]
    broken = POSITION[:-2] + ("00" if POSITION[-2:] != "00" else "01")
    lines = [
        "# a comment",
        "",
        f"{T} {broken}",
        f"{T} {base_station}",
        POSITION,
        f"{T} {STATIC[0]}",
        f"{T} {STATIC[0]}",
        f"{T} {POSITION}",
    ]
    found = read(*lines)
    assert found.rows.num_rows == 1
    assert found.dropped == {
        "unreadable": 1,
        "bad_checksum": 1,
        "other_message": 1,
        "no_time": 1,
        "incomplete_message": 2,
    }


def test_a_log_is_recognised_behind_comments_and_noise(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(b"# started\n\xff\xfe noise\n" + f"{T} {POSITION}\n".encode())
    source = look(path, {})
    assert source.kind == "nmea"
    chunks = list(read_reports(path, source, Settings()))
    assert sum(one.rows.num_rows for one in chunks) == 1
    assert sum((one.dropped for one in chunks), Counter[str]()) == {"unreadable": 2}
