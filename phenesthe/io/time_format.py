"""Times in a form of the user's own, `%d/%m/%Y %H:%M`, a whole column at a time.

The directives are those of `strptime`. Text that is not of the form is left to whoever reads times
without one: integers and ISO 8601 are never mistaken for anything else.
"""

import re
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import make_text, mark_nulls, pack, to_ints, wrap
from phenesthe.frozen import dataclass
from phenesthe.io.errors import DataError
from phenesthe.io.times import TICKS_PER_SECOND, count_days
from phenesthe.vocabulary import Unit

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_NAME = "(?P<{name}>(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))"
_PARTS = {
    "Y": r"(?P<Y>\d{4})",
    "y": r"(?P<y>\d\d)",
    "m": r"(?P<m>\d\d?)",
    "b": _NAME.format(name="b"),
    "B": _NAME.format(name="b") + "[a-zA-Z]*",
    "d": r"(?P<d>\d\d?)",
    "H": r"(?P<H>\d\d?)",
    "I": r"(?P<I>\d\d?)",
    "p": r"(?P<p>(?i:am|pm))",
    "M": r"(?P<M>\d\d?)",
    "S": r"(?P<S>\d\d?)",
    "f": r"(?P<f>\d+)",
    "z": r"(?P<z>Z|[+-]\d\d:?\d\d)",
    "a": "(?i:mon|tue|wed|thu|fri|sat|sun)",
    "A": "(?i:mon|tues|wednes|thurs|fri|satur|sun)day",
    "%": "%",
}
_GROUP = re.compile(r"\(\?P<(\w)>")
_SHORT = {"T": "%H:%M:%S", "F": "%Y-%m-%d", "D": "%m/%d/%y", "R": "%H:%M"}
_WIDTHS = {"%Y": 4, "%m": 2, "%d": 2, "%H": 2, "%M": 2, "%S": 2}
#: What stands for a part of a text that is not of the form.
_OTHER = {**dict.fromkeys("YymdHIMSf", "1"), "b": "jan", "p": "am", "z": "Z"}
_DAYS = np.array([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
#: Read at a time.
_ROWS = 2**15
#: Forms that people have, of which one may be offered for a text that cannot be read.
_COMMON = tuple(
    f"{day}{clock}"
    for day in ("%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%Y/%m/%d", "%d-%m-%Y", "%Y.%m.%d", "%Y%m%d",
                "%d %b %Y", "%b %d %Y", "%d-%b-%Y", "%d/%m/%y", "%m/%d/%y", "%d.%m.%y", "%d %b %y",
                "%b %d %y", "%d-%b-%y")
    for clock in (" %H:%M:%S", " %H:%M", "T%H:%M:%S", " %H:%M:%S.%f", " %I:%M:%S %p",
                  " %I:%M %p", "")
)  # fmt: skip


Numbers: TypeAlias = npt.NDArray[np.int64]
Mask: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class TimeFormat:
    text: str

    @cached_property
    def pattern(self) -> str:
        """A regular expression with a group for each part. Raises `DataError`."""
        text = re.sub("%([TFDR])", lambda found: _SHORT[found[1]], self.text)
        parts: list[str] = []
        seen: set[str] = set()
        for piece in re.findall(r"%.?|[^%]+", text, re.DOTALL):
            if not piece.startswith("%"):
                parts.append(re.escape(piece).replace("\\ ", r"\s+"))
                continue
            part = _PARTS.get(piece[1:])
            if part is None:
                raise self._refuse(f"has `{piece}`, which is not understood")
            if seen.intersection(groups := _GROUP.findall(part)):
                raise self._refuse(f"has `{piece}` twice")
            seen.update(groups)
            parts.append(part)
        pattern = "^" + "".join(parts) + "$"
        for one, choices in (("year", "Yy"), ("month", "mb"), ("day", "d")):
            if not seen.intersection(choices):
                raise self._refuse(f"has no {one}")
        return pattern

    def _refuse(self, reason: str) -> DataError:
        return DataError(
            f"the time format `{self.text}` {reason}",
            "write a form such as `%d/%m/%Y %H:%M:%S` with %Y or %y, %m or %b, %d, and %H (or %I "
            "with %p), %M, %S, %f, %z as far as they are there",
        )

    def read(self, column: Any, unit: Unit) -> Any:
        """Ticks of a column of text, null where it is not of the form or no such day or time."""
        # What is computed on the way stays in the cache of the processor.
        parts = [
            self._read_part(chunk.slice(at, _ROWS), unit)
            for chunk in column.chunks
            for at in range(0, len(chunk), _ROWS)
        ]
        return pa.chunked_array([pa.concat_arrays(parts)] if parts else [], pa.int64())

    def _read_part(self, column: Any, unit: Unit) -> Any:
        text = pc.utf8_trim_whitespace(column)
        ticks, is_known = np.zeros(len(text), dtype=np.int64), np.zeros(len(text), dtype=bool)
        left = ~_list_nulls(text)
        if self._layout is not None:
            at = np.flatnonzero(left & self._has_width(text))
            alike = text if len(at) == len(text) else text.take(wrap(at))
            numbers, is_whole = _read_digits(alike, self._layout)
            ticks[at], is_known[at] = count_ticks(numbers, len(at), unit)
            is_known[at] &= is_whole
            left[at[is_whole]] = False
        at = np.flatnonzero(left)
        if len(at):
            ticks[at], is_known[at] = self._match(text.take(wrap(at)), unit)
        return wrap(np.where(is_known, ticks, 0), ~is_known)

    @cached_property
    def _layout(self) -> list[str] | None:
        """What stands at each place, where all times are of the same length: a part, or itself."""
        text = re.sub("%([TFDR])", lambda found: _SHORT[found[1]], self.text)
        pieces = re.findall(r"%.?|[^%]", text, re.DOTALL)
        if not all(one in _WIDTHS or (len(one) == 1 and one.isascii()) for one in pieces):
            return None
        return [place for one in pieces for place in [one] * _WIDTHS.get(one, 1)]

    def _has_width(self, text: Any) -> Mask:
        assert self._layout is not None
        lengths = to_ints(pa.chunked_array([pc.binary_length(text)]))
        found: Mask = lengths == len(self._layout)
        return found

    def _match(self, text: Any, unit: Unit) -> tuple[Numbers, Mask]:
        found = pc.extract_regex(text, self.pattern)
        numbers: dict[str, Numbers] = {}
        is_match = ~_list_nulls(found)
        for name in _GROUP.findall(self.pattern):
            part = pc.fill_null(pc.struct_field(found, name), make_text(_OTHER[name], pa.string()))
            numbers[name] = _read_part(name, part, unit)
        ticks, is_known = count_ticks(numbers, len(text), unit)
        return ticks, is_known & is_match


def _read_part(name: str, part: Any, unit: Unit) -> Numbers:
    """A part of a time as a number, of which `count_ticks` knows the meaning."""
    match name:
        case "b":
            months = pack(_MONTHS, pa.string())
            return _to_ints(pc.index_in(pc.utf8_lower(part), value_set=months)) + 1
        case "p":
            after = pc.equal(pc.utf8_lower(part), make_text("pm", pa.string()))
            return _to_ints(after.cast(pa.int64())) * 12
        case "z":
            plain = pc.replace_substring(part, "Z", "0000")
            part = pc.replace_substring_regex(plain, "[+:]", "")
        case "f":
            digits = len(str(TICKS_PER_SECOND[unit])) - 1
            padded = pc.utf8_rpad(part, width=max(digits, 1), padding="0")
            part = pc.utf8_slice_codeunits(padded, 0, max(digits, 1))
    return _to_ints(part.cast(pa.int64()))


def count_ticks(parts: dict[str, Numbers], count: int, unit: Unit) -> tuple[Numbers, Mask]:
    """Ticks of the parts of times, and which of them the calendar and the clock have."""

    def get(name: str, other: int) -> Numbers:
        return parts.get(name, np.full(count, other, dtype=np.int64))

    year, month, day = get("Y", 0), parts.get("b", get("m", 1)), get("d", 1)
    if "y" in parts:
        year = np.where(parts["y"] < 69, 2_000, 1_900) + parts["y"]
    hour, minute, second, zone = get("H", 0), get("M", 0), get("S", 0), get("z", 0)
    is_good: Mask = (hour < 24) & (minute < 60) & (second < 60)
    if "I" in parts:
        is_good &= (parts["I"] >= 1) & (parts["I"] <= 12)
        hour = parts["I"] % 12 + get("p", 0)
    is_leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    last = _DAYS[np.clip(month, 1, 12) - 1] - ((month == 2) & ~is_leap)
    is_good &= (month >= 1) & (month <= 12) & (day >= 1) & (day <= last)
    east = np.abs(zone) // 100 * 3_600 + np.abs(zone) % 100 * 60
    is_good &= (np.abs(zone) < 2_400) & (np.abs(zone) % 100 < 60)
    seconds = count_days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
    scale = TICKS_PER_SECOND[unit]
    fraction = get("f", 0) if scale > 1 else 0
    return (seconds - np.sign(zone) * east) * scale + fraction, is_good


def _read_digits(text: Any, layout: list[str]) -> tuple[dict[str, Numbers], Mask]:
    """The parts of texts that are as long as the layout, and which of them are made like it."""
    width = len(layout)
    # A slice begins where the one before it ends.
    _, offsets, data = text.buffers()
    start = int(np.frombuffer(offsets, dtype=np.int32)[text.offset]) if len(text) else 0
    found = np.frombuffer(data or b"", dtype=np.uint8)[start : start + len(text) * width]
    found = found.reshape(-1, width)
    is_whole = np.ones(len(text), dtype=bool)
    numbers: dict[str, Any] = {}
    for at, what in enumerate(layout):
        if len(what) == 1:
            is_whole &= found[:, at] == ord(what)
            continue
        # What comes before 0 is a large number too, since there are none below it.
        digit = found[:, at] - np.uint8(ord("0"))
        is_whole &= digit <= 9
        # NumPy 1 takes a small constant and bytes for bytes, in which no year has room.
        numbers[what[1]] = numbers.get(what[1], 0) * 10 + digit.astype(np.int32)
    return {name: one.astype(np.int64) for name, one in numbers.items()}, is_whole


def _to_ints(column: Any) -> Numbers:
    return to_ints(pa.chunked_array([column]))


def _list_nulls(column: Any) -> Mask:
    return mark_nulls(pa.chunked_array([column]))


@dataclass(frozen=True, slots=True)
class Clock:
    """How the times of a run are read: in its unit; text also in a form that the user names."""

    unit: Unit
    form: TimeFormat | None = None


def make_clock(unit: Unit, text: str | None) -> Clock:
    """Raises `DataError` for a form that cannot be read."""
    if text is None:
        return Clock(unit)
    form = TimeFormat(text)
    form.pattern  # noqa: B018 (it says what is wrong with it)
    return Clock(unit, form)


def suggest_formats(sample: str) -> dict[int, str]:
    """Forms that the text has, of those that are common, by the second that each takes it for."""
    column = pa.chunked_array([pack([sample], pa.string())])
    found: dict[int, str] = {}
    for one in _COMMON:
        (second,) = TimeFormat(one).read(column, "second").to_pylist()
        if second is not None:
            found.setdefault(second, one)
    return found
