"""Times in a form of the user's own: whole columns of digits are read at once, with one meaning."""

import re
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pyarrow as pa
import pytest

from phenesthe.ais.numbers import read_times
from phenesthe.io import time_format
from phenesthe.io.time_format import TimeFormat
from phenesthe.io.words import describe_unreadable

DANISH = "%d/%m/%Y %H:%M:%S"
#: In which a digit that is missing is seen, and in which it could be any.
APART = (DANISH, "%d/%m/%Y %H:%M", "%m/%d/%Y", "%Y-%m-%d %H:%M:%S")
FORMS = (*APART, "%F %T", "%Y%m%d %H%M%S")
#: Half of a column, so that what is read at once stands beside what is not.
ODD = (
    "29/02/2015 00:00:00", "29/02/2016 00:00:00", "29/02/1900 00:00:00", "29/02/2000 00:00:00",
    "31/04/2015 10:00:00", "30/04/2015 10:00:00", "31/02/2015 10:00:00", "00/01/2015 10:00:00",
    "01/00/2015 10:00:00", "01/13/2015 10:00:00", "32/01/2015 10:00:00", "01/01/2015 24:00:00",
    "01/01/2015 23:60:00", "01/01/2015 23:59:60", "01/01/2015 23:59:61", "1/1/2015 1:2:3",
    "1/01/2015 01:02:03", "01/1/2015 01:02:03", " 01/01/2015 01:02:03", "01/01/2015 01:02:03  ",
    "01/01/2015  01:02:03", "01/01/2015\t01:02:03", "01/01/2015 01:02:03.5",
    "01/01/2015 01:02:03,5", "01/01/2015 01:02", "01/01/2015", "01/01/15 01:02:03",
    "01/01/02015 1:02:03", "01-01-2015 01:02:03",
    "01/01/2015T01:02:03", "2015-01-01T01:02:03", "1420074123", "-1/01/2015 01:02:03",
    "+1/01/2015 01:02:03", "01/01/2015 01:02:0x", "01/01/2015 01:02: 3", "0 /01/2015 01:02:03",
    "æ1/1/2015 01:02:03", "١/01/2015 01:02:03", "", " ", "soon", "\x00", "01/01/9999 23:59:59",
    "01/01/0001 00:00:00", "20151231 235959", "20150229 000000", "2016-02-29 23:59:59", None,
)  # fmt: skip


def draw_column(form: str, seed: int) -> list[str | None]:
    """Times of a form, some with a letter changed, taken away or put in, and odd ones."""
    random = Random(seed)
    found: list[str | None] = []
    for _ in range(300):
        when = datetime(1900, 1, 1) + timedelta(seconds=random.randrange(6_500_000_000))
        text = when.strftime(form)
        at = random.randrange(len(text))
        match random.randrange(4):
            case 0:
                text = text[:at] + random.choice("0123456789 /:-.T") + text[at + 1 :]
            case 1:
                text = random.choice((text[:at] + text[at + 1 :], text[:at] + "0" + text[at:]))
            case 2:
                text = str(random.choice(ODD) or "")
        found.append(text)
    return [*found, *ODD]


def read_slowly(text: str | None, form: str) -> int | None:
    """By the clock and the calendar of Python, whose digits are more, and may be a blank."""
    if text is None or not text.isascii() or re.search("[/:-]\\s", text):
        return None
    try:
        return int(datetime.strptime(text.strip(), form).replace(tzinfo=UTC).timestamp())
    except ValueError:
        return None


def read(column: Any, form: str) -> list[int | None]:
    found: list[int | None] = TimeFormat(form).read(column, "second").to_pylist()
    return found


@pytest.mark.parametrize("form", APART)
@pytest.mark.parametrize("seed", range(3))
def test_times_are_those_of_the_calendar(form: str, seed: int) -> None:
    texts = draw_column(form, seed)
    column = pa.chunked_array([pa.array(texts)])
    assert read(column, form) == [read_slowly(one, form) for one in texts]


@pytest.mark.parametrize("form", FORMS)
def test_what_is_read_at_once_is_what_is_read_one_by_one(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    column = pa.chunked_array([pa.array(draw_column(form, 7))])
    at_once = read(column, form)
    monkeypatch.setattr(TimeFormat, "_layout", None)
    assert read(column, form) == at_once


def test_a_long_column_is_read_in_parts_that_fit_into_the_cache(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes: list[int] = []
    count_ticks = time_format.count_ticks

    def count(parts: Any, size: int, unit: Any) -> Any:
        sizes.append(size)
        return count_ticks(parts, size, unit)

    monkeypatch.setattr(time_format, "count_ticks", count)
    rows = 3 * 2**15 + 5
    text = pa.array(["31/12/2015 23:59:59", "1/1/2016 0:00:00", None, "31/04/2016 00:00:00"] * rows)
    found = read_times(pa.chunked_array([text.slice(1, rows), text.slice(2, 0)]), days_first=True)
    assert found.slice(0, 4).to_pylist() == [1451606400, None, None, 1451606399]
    assert found.slice(rows - 4).to_pylist() == found.slice(1, 4).to_pylist()
    assert len(found) == rows
    assert max(sizes) <= 2**15


def test_a_form_that_a_time_may_have_is_offered_with_the_other_one() -> None:
    told = describe_unreadable("t", "time", "01/03/2024 00:00:00", 2)
    assert told.splitlines()[1] == (
        '  help: time_format="%d/%m/%Y %H:%M:%S" reads it as 2024-03-01, '
        'time_format="%m/%d/%Y %H:%M:%S" reads it as 2024-01-03'
    )
    for sample, form in (("13/03/2024", "%d/%m/%Y"), ("3/13/2024", "%m/%d/%Y"),
                         ("03/03/2024", "%d/%m/%Y"), ("Jan 1 22", "%b %d %y"),
                         ("31.1.22 10:00", "%d.%m.%y %H:%M")):  # fmt: skip
        told = describe_unreadable("t", "time", sample, 1)
        assert told.splitlines()[1] == f'  help: time_format="{form}" reads it'


def test_no_rows() -> None:
    assert read(pa.chunked_array([], pa.string()), DANISH) == []
