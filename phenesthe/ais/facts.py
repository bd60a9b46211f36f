"""What kind of vessel one is, and how fast that kind usually goes."""

import re

import numpy as np
import pyarrow as pa

from phenesthe.arrow import pack, wrap

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

#: Knots: from the tenth to the ninetieth of a hundred vessels of a type, by the median of the
#: speeds above 2.7 kn of each, rounded to half a knot. Of 1,490 vessels in two public samples of
#: AIS, an hour of the Danish North Sea in 2022 and half an hour of the United States on 2022-01-03
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


def name_vessel_type(text: str) -> str:
    """The type of a vessel that is given as a number of AIS, or in words."""
    number = re.fullmatch(r"\s*(\d{1,4})(?:\.0*)?\s*", text)
    if number:
        return _TYPE_OF_NUMBER.get(int(number[1]), _OTHER)
    words = re.findall(r"[a-z]+", text.lower())
    found = {_TYPE_OF_WORD[word] for word in words if word in _TYPE_OF_WORD}
    order = (name for name, _ in _WORDS if name in found)
    return next(order, _OTHER if words else UNKNOWN)


def list_usual_speeds() -> pa.Table:
    """The fact `usual_speed`: what is neither slow nor fast for a type."""
    low, high = (np.array([one[end] for one in _USUAL_SPEEDS.values()]) for end in (0, 1))
    types = pack(list(_USUAL_SPEEDS), pa.string())
    return pa.table({"type": types, "low": wrap(low), "high": wrap(high)})
