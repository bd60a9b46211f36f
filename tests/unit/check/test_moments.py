"""What the texts of calendar states mean, and what is guessed of those that mean nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phenesthe.check.calendars import Misread, read_moment
from phenesthe.vocabulary import CalendarName

NAMES: tuple[CalendarName, ...] = ("daily", "weekly", "yearly", "dates")
#: Texts that are nearly moments: two or four digits, and what stands between them.
NEARLY = st.lists(
    st.one_of(
        st.integers(0, 99).map(lambda number: f"{number:02}"),
        st.sampled_from(
            ["-", ":", "/", " ", "0", "7", "2026-", "Sat ", "monday ", " pm", "٣", "."]
        ),
    ),
    max_size=6,
).map("".join)


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("daily", "00:00", (0,)),
        ("daily", "23:59:59", (86399,)),
        ("weekly", "Mon 00:00", (0,)),
        ("weekly", "Sun 23:59", (6 * 86400 + 86340,)),
        ("yearly", "02-29", (2, 29)),
        ("dates", "1970-01-02", (1,)),
        ("dates", "0001-01-01", (-719162,)),
    ],
)
def test_moments(name: CalendarName, text: str, found: tuple[int, ...]) -> None:
    assert read_moment(name, text) == found


@pytest.mark.parametrize(
    ("name", "text", "reason", "meant"),
    [
        ("daily", "24:00", "`24:00` is no time of day", "00:00"),
        ("daily", "25:00", "`25:00` is no time of day", None),
        ("daily", "22:60", "`22:60` is no time of day", None),
        ("daily", "9:30", "`9:30` is no time of day", "09:30"),
        ("daily", "10pm", "`10pm` is no time of day", "22:00"),
        ("daily", "13pm", "`13pm` is no time of day", None),
        ("weekly", "saturday 9:00", "`saturday 9:00` is no day of the week with a time",
         "Sat 09:00"),
        ("weekly", "Sat 25:00", "`Sat 25:00` is no day of the week with a time", None),
        ("yearly", "15-03", "`15-03` is no date: there is no month 15", "03-15"),
        ("yearly", "00-00", "`00-00` is no date: there is no month 0", None),
        ("yearly", "02-30", "`02-30` is no date: February has 29 days", None),
        ("yearly", "2026-03-01", "`2026-03-01` is no day of the year", "03-01"),
        ("dates", "2026-02-29", "`2026-02-29` is no date: February 2026 has 28 days", None),
        ("dates", "2026/3/1", "`2026/3/1` is no date", "2026-03-01"),
        ("dates", "0000-01-01", "`0000-01-01` is no date: years are counted from 1", None),
    ],
)  # fmt: skip
def test_what_is_no_moment(name: CalendarName, text: str, reason: str, meant: str | None) -> None:
    with pytest.raises(Misread) as found:
        read_moment(name, text)
    assert (found.value.reason, found.value.meant) == (reason, meant)


@given(st.sampled_from(NAMES), NEARLY)
def test_what_is_guessed_can_be_read(name: CalendarName, text: str) -> None:
    try:
        read_moment(name, text)
    except Misread as problem:
        if problem.meant is not None:
            read_moment(name, problem.meant)
