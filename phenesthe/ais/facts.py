"""What kind of vessel one is, and how fast that kind usually goes."""

import re
from typing import Any

import numpy as np
import pyarrow as pa

from phenesthe.arrow import list_numbers, pack, wrap
from phenesthe.io.codes import encode_column
from phenesthe.kernels.arrays import number_rows
from phenesthe.kernels.order import mark_new

UNKNOWN = "unknown"
_OTHER = "other"

#: Numbers of ship types in AIS (ITU-R M.1371-5, table 53) that have a name of their own here. Those
#: from 1000 on are those of MarineCadastre, which uses them for vessels without an AIS type.
_NUMBERS = {
    "fishing": (30, 1001, 1002),
    "tug": (21, 22, 31, 32, 52, 1023, 1025),
    "pilot": (50,),
    "sar": (51,),
    "passenger": (*range(40, 50), *range(60, 70), *range(1012, 1016)),  # 40 to 49: high-speed craft
    "cargo": (*range(70, 80), 1003, 1004, 1016),
    "tanker": (*range(80, 90), 1017, 1024),
    "pleasure": (36, 37, 1019),
    "military": (35, 1021),
    UNKNOWN: (0,),  # "not available"
}
_TYPE_OF_NUMBER = {number: name for name, numbers in _NUMBERS.items() for number in numbers}

#: Words in texts; of several that occur the first one here counts.
_WORDS = (
    ("fishing", ("fishing", "trawler")),
    ("pilot", ("pilot",)),
    ("sar", ("sar", "search", "rescue")),
    ("tug", ("tug", "towing")),
    ("tanker", ("tanker",)),
    ("passenger", ("passenger", "hsc", "high", "ferry", "cruise")),
    ("cargo", ("cargo", "container", "bulk")),
    ("pleasure", ("pleasure", "sailing", "yacht")),
    ("military", ("military", "naval", "warship")),
    (UNKNOWN, ("undefined", "unknown", "unspecified", "not", "nan", "none")),
)
_TYPE_OF_WORD = {word: name for name, words in _WORDS for word in words}

#: Knots: from the tenth to the ninetieth of a hundred vessels of a type, by the median of the speeds
#: above 2.7 kn of each, rounded to half a knot. Of 1,490 vessels in two public samples of AIS, an
#: hour of the Danish North Sea in 2022 and half an hour of the United States on 2022-01-03
#: (MarineCadastre). Of search and rescue and of military vessels these have too few: theirs are
#: those of pilots, which have boats of the same kind, and of other vessels.
_USUAL_SPEEDS = {
    "fishing": (3.0, 9.0),
    "tug": (3.5, 9.5),
    "pilot": (6.0, 25.0),
    "sar": (6.0, 25.0),
    "passenger": (5.5, 19.5),
    "cargo": (5.5, 16.0),
    "tanker": (5.0, 14.0),
    "pleasure": (3.5, 14.0),
    "military": (3.5, 16.5),
    _OTHER: (3.5, 16.5),
    UNKNOWN: (4.5, 14.5),
}


def name_type(text: str) -> str:
    """The type of a vessel that is given as a number of AIS, or in words."""
    number = re.fullmatch(r"\s*(\d{1,4})(?:\.0*)?\s*", text)
    if number:
        return _TYPE_OF_NUMBER.get(int(number[1]), _OTHER)
    words = re.findall(r"[a-z]+", text.lower())
    found = {_TYPE_OF_WORD[word] for word in words if word in _TYPE_OF_WORD}
    order = (name for name, _ in _WORDS if name in found)
    return next(order, _OTHER if words else UNKNOWN)


def name_types(column: Any) -> Any:
    """A column of types as they are reported, named; null is unknown."""
    places, distinct = encode_column(column.cast(pa.string()))
    names = [name_type(text) for text in distinct.to_pylist()] + [UNKNOWN]
    return pack(names, pa.string()).take(wrap(places % len(names)))


def find_vessel_types(table: pa.Table) -> pa.Table:
    """The fact `vessel_type`: the type that a vessel reports most often, unknown if it never does.

    Of a table with the columns `vessel`, in any order, and `type`, as it is reported.
    """
    vessel = list_numbers(table["vessel"])
    names = name_types(table["type"])
    known = sorted({*_NUMBERS, _OTHER} - {UNKNOWN}) + [UNKNOWN]
    rank = {name: place for place, name in enumerate(known)}
    places, distinct = encode_column(names)
    kind = np.array([rank[one] for one in distinct.to_pylist()], dtype=np.int64)[places]
    order = np.lexsort((kind, vessel))
    vessel, kind = vessel[order], kind[order]
    begins = np.flatnonzero(mark_new(vessel, kind))
    count = np.diff(begins, append=len(vessel))
    vessel, kind = vessel[begins], kind[begins]
    # A known type however rare comes before unknown; among equally frequent ones the first by name.
    best = np.lexsort((number_rows(len(kind)), -count, kind == len(known) - 1, vessel))
    best = best[mark_new(vessel[best])]
    types = pack(known, pa.string()).take(wrap(kind[best]))
    return pa.table({"vessel": wrap(vessel[best]), "type": types})


def list_usual_speeds() -> pa.Table:
    """The fact `usual_speed`: what is neither slow nor fast for a type."""
    low, high = (np.array([one[end] for one in _USUAL_SPEEDS.values()]) for end in (0, 1))
    types = pack(list(_USUAL_SPEEDS), pa.string())
    return pa.table({"type": types, "low": wrap(low), "high": wrap(high)})
