"""What time alone makes, by hand: at both changes of the clock, from the beginning, in windows."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest

import phenesthe
from phenesthe.io.errors import DataError
from phenesthe.kernels.arrays import OPEN
from phenesthe.memory import Memory, Operations
from tests.equivalence.compare import read_table
from tests.reference import Row

CPH = ', "Europe/Copenhagen"'


def at(moment: str, per: int = 1) -> int:
    """An instant of UTC, `03-29 01:00` of 2026 where no year is given, in ticks."""
    moment = moment if moment[4:5] == "-" else f"2026-{moment}"
    return int(datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp()) * per


def find(
    body: str, first: str, last: str, kind: str = "state", unit: str = "second", **bounds: str
) -> set[tuple[Any, ...]]:
    """What holds on a timeline from the first instant to the last one."""
    text = f"unit {unit};\ninput event tick();\n{kind} found() : {body};"
    per = {"second": 1, "millisecond": 1000, "microsecond": 1_000_000}[unit]
    times = pa.table({"t": pa.array([at(first, per), at(last, per)], pa.int64())})
    limits: Any = {name: at(moment, per) for name, moment in bounds.items()}
    results = phenesthe.compile(text=text).run({"tick": times}, **limits)
    return {row[1:] for row in read_table(results["found"])}


def ticks(*rows: Sequence[str | None], per: int = 1) -> set[tuple[Any, ...]]:
    return {tuple(None if one is None else at(one, per) for one in row) for row in rows}


# Put forward: on March 29 the clock of Copenhagen goes from 02:00 to 03:00, at 01:00 UTC; put back:
# on October 25 it goes from 03:00 to 02:00, at 01:00 UTC.


@pytest.mark.parametrize(
    ("moments", "held"),
    [
        # Nine hours instead of eight.
        ('"22:00", "06:00"', [("03-27 21:00", "03-28 05:00"), ("03-28 21:00", "03-29 04:00")]),
        # A moment that is skipped is the next that exists.
        ('"02:30", "06:00"', [("03-28 01:30", "03-28 05:00"), ("03-29 01:00", "03-29 04:00")]),
        ('"01:00", "02:30"', [("03-28 00:00", "03-28 01:30"), ("03-29 00:00", "03-29 01:00")]),
        # Both are: there is nothing.
        ('"02:00", "03:00"', [("03-28 01:00", "03-28 02:00")]),
        ('"02:15", "02:45"', [("03-28 01:15", "03-28 01:45")]),
        # From the day before and to the day after, it goes on.
        ('"02:45", "02:15"', [("03-27 01:45", "03-28 01:15"), ("03-28 01:45", None)]),
    ],
)
def test_daily_when_the_clock_is_put_forward(
    moments: str, held: list[tuple[str, str | None]]
) -> None:
    found = find(f"daily({moments}{CPH})", "03-28 00:00", "03-29 12:00")
    assert found == ticks(*held)


@pytest.mark.parametrize(
    ("moments", "held"),
    [
        # Ten hours instead of nine.
        ('"21:00", "06:00"', [("10-23 19:00", "10-24 04:00"), ("10-24 19:00", "10-25 05:00")]),
        # Of a moment that comes twice the first counts.
        ('"02:30", "06:00"', [("10-24 00:30", "10-24 04:00"), ("10-25 00:30", "10-25 05:00")]),
        ('"00:00", "02:30"', [("10-23 22:00", "10-24 00:30"), ("10-24 22:00", "10-25 00:30")]),
        ('"02:15", "02:45"', [("10-24 00:15", "10-24 00:45"), ("10-25 00:15", "10-25 00:45")]),
        # The hour twice over.
        ('"02:00", "03:00"', [("10-24 00:00", "10-24 01:00"), ("10-25 00:00", "10-25 02:00")]),
    ],
)
def test_daily_when_the_clock_is_put_back(moments: str, held: list[tuple[str, str]]) -> None:
    found = find(f"daily({moments}{CPH})", "10-23 22:00", "10-25 12:00")
    assert found == ticks(*held)


def test_weekly_at_both_changes() -> None:
    night = f'weekly("Sun 00:00", "Sun 06:00"{CPH})'
    assert find(night, "03-28 00:00", "03-30 00:00") == ticks(("03-28 23:00", "03-29 04:00"))
    assert find(night, "10-24 00:00", "10-26 00:00") == ticks(("10-24 22:00", "10-25 05:00"))
    hour = f'weekly("Sun 02:00", "Sun 03:00"{CPH})'
    assert find(hour, "03-28 00:00", "03-30 00:00") == set()
    assert find(hour, "10-24 00:00", "10-26 00:00") == ticks(("10-25 00:00", "10-25 02:00"))
    assert find(hour, "10-24 00:00", "11-02 00:00") == ticks(
        ("10-25 00:00", "10-25 02:00"), ("11-01 01:00", "11-01 02:00")
    )


def test_yearly_and_dates_at_both_changes() -> None:
    for name, year in (("yearly", ""), ("dates", "2026-")):
        spring = f'{name}("{year}03-29", "{year}03-29"{CPH})'
        autumn = f'{name}("{year}10-25", "{year}10-25"{CPH})'
        assert find(spring, "03-28 00:00", "03-31 00:00") == ticks(("03-28 23:00", "03-29 22:00"))
        assert find(autumn, "10-24 00:00", "10-27 00:00") == ticks(("10-24 22:00", "10-25 23:00"))


def test_a_midnight_and_a_day_that_do_not_exist() -> None:
    """In Cairo April 24, 2026 begins at 01:00; in Samoa there was no December 30, 2011."""
    cairo = 'dates("2026-04-24", "2026-04-24", "Africa/Cairo")'
    assert find(cairo, "04-23 00:00", "04-26 00:00") == ticks(("04-23 22:00", "04-24 21:00"))
    apia = 'daily("08:00", "09:00", "Pacific/Apia")'
    found = find(apia, "2011-12-29 12:00", "2011-12-31 12:00")
    assert found == ticks(
        ("2011-12-29 18:00", "2011-12-29 19:00"), ("2011-12-30 18:00", "2011-12-30 19:00")
    )
    assert (
        find('dates("2011-12-30", "2011-12-30", "Pacific/Apia")', "2011-12-28", "2012-01-02")
        == set()
    )


@pytest.mark.parametrize("unit", ["second", "millisecond", "microsecond"])
def test_units(unit: str) -> None:
    per = {"second": 1, "millisecond": 1000, "microsecond": 1_000_000}[unit]
    found = find(f'daily("22:00", "06:00:30"{CPH})', "03-28 00:00", "03-29 12:00", unit=unit)
    assert found == ticks(
        ("03-27 21:00", "03-28 05:00:30"), ("03-28 21:00", "03-29 04:00:30"), per=per
    )


@pytest.mark.parametrize(
    ("calendar", "first", "last", "held"),
    [
        # Over new year.
        ('yearly("11-01", "02-01")', "2026-01-15", "2027-06-01",
         [("2025-11-01", "2026-02-02"), ("2026-11-01", "2027-02-02")]),
        # The whole year: what touches is one.
        ('yearly("01-01", "12-31")', "2026-05-01", "2028-02-01", [("2026-01-01", None)]),
        # The last of February, and the first of March of other years.
        ('yearly("02-29", "02-29")', "2026-01-01", "2028-12-31",
         [("2026-03-01", "2026-03-02"), ("2027-03-01", "2027-03-02"),
          ("2028-02-29", "2028-03-01")]),
        ('yearly("02-20", "02-29")', "2027-01-01", "2028-12-31",
         [("2027-02-20", "2027-03-02"), ("2028-02-20", "2028-03-01")]),
        # Weeks that go over Sunday.
        ('weekly("Fri 18:00", "Mon 06:00")', "2026-03-02 00:00", "2026-03-10 00:00",
         [("2026-02-27 18:00", "2026-03-02 06:00"), ("2026-03-06 18:00", "2026-03-09 06:00")]),
        # Before 1970, and before there were zones.
        ('daily("12:00", "13:00", "Europe/Copenhagen")', "1880-06-01", "1880-06-02",
         [("1880-06-01 11:09:40", "1880-06-01 12:09:40")]),
        # What ends where the timeline begins shares an instant with it.
        ('daily("01:00", "02:00")', "2026-03-02 02:00", "2026-03-02 12:00",
         [("2026-03-02 01:00", "2026-03-02 02:00")]),
        # So does what begins where it ends.
        ('daily("01:00", "02:00")', "2026-03-02 03:00", "2026-03-03 01:00",
         [("2026-03-03 01:00", None)]),
        ('dates("2026-03-01", "2026-03-02")', "2026-02-01", "2026-04-01",
         [("2026-03-01", "2026-03-03")]),
        ('dates("2026-03-01", "2026-03-02")', "2026-03-03 00:00:01", "2026-04-01", []),
        ('daily("08:00", "08:00")', "2026-02-01", "2026-04-01", []),
    ],
)  # fmt: skip
def test_by_hand(calendar: str, first: str, last: str, held: list[tuple[str, str | None]]) -> None:
    assert find(calendar, first, last) == ticks(*held)


def test_a_start_before_the_timeline_is_no_event() -> None:
    night = 'daily("22:00", "06:00")'
    span = ("2026-03-02 03:00", "2026-03-03 07:00")
    assert find(night, *span) == ticks(
        ("2026-03-01 22:00", "2026-03-02 06:00"), ("2026-03-02 22:00", "2026-03-03 06:00")
    )
    assert find(f"start({night})", *span, kind="event") == ticks(["2026-03-02 22:00"])
    ends = ticks(["2026-03-02 06:00"], ["2026-03-03 06:00"])
    assert find(f"end({night})", *span, kind="event") == ends
    # The same where it has a name, and where it is a part of another state.
    named = f"start(night());\nstate night() : {night} union {night}"
    assert find(named, *span, kind="event") == ticks(["2026-03-02 22:00"])
    both = f'{night} complement daily("01:00", "03:00")'
    assert find(f"end({both})", *span, kind="event") == ends | ticks(["2026-03-03 00:59:59"])


def test_an_end_after_q_is_open_and_nobody_looks_ahead() -> None:
    night, span = 'daily("22:00", "06:00")', ("2026-03-02 21:00", "2026-03-02 23:00")
    assert find(night, *span) == ticks(("2026-03-02 22:00", None))
    assert find(f"{night} lasting > 2h", *span) == set()
    assert find(f"{night} lasting >= 1h", *span) == ticks(("2026-03-02 22:00", None))
    # Known only when it has ended.
    assert find(f"{night} lasting < 9h", *span) == set()
    longer = ("2026-03-02 21:00", "2026-03-03 06:00")
    assert find(f"{night} lasting < 9h", *longer) == ticks(("2026-03-02 22:00", "2026-03-03 06:00"))


def test_always() -> None:
    span = ("03-01 08:00", "03-01 10:00")
    assert find("always()", *span) == ticks(("03-01 08:00", None))
    assert find("start(always())", *span, kind="event") == ticks(["03-01 08:00"])
    assert find("end(always())", *span, kind="event") == set()
    assert find("always()", *span, start="03-01 09:00") == ticks(("03-01 09:00", None))
    assert find("always()", *span, start="02-01 00:00") == ticks(("02-01 00:00", None))
    assert find("always()", *span, start="03-01 11:00") == set()
    assert find("always()", *span, until="03-05 00:00") == ticks(("03-01 08:00", None))


def test_always_lasting() -> None:
    span = ("03-01 08:00", "03-01 10:00")
    held = ticks(("03-01 08:00", None))
    # Every end after q is more than two hours after the first instant.
    assert find("always() lasting > 2h", *span) == held
    assert find("always() lasting > 7201s", *span) == set()
    assert find("always() lasting >= 7201s", *span) == held
    assert find("always() lasting < 1d", *span) == set()
    assert find("always() contains tick2();\nstate tick2() : tick() limit 5m", "03-01 08:00",
                "03-01 10:00", kind="dynamic") == set()  # fmt: skip


def test_always_of_each() -> None:
    text = """
    input event tick(); fact vessel(v: int); fact on_duty(p: str);
    state known(V) : always() where vessel(V);
    event begins(P) : start(always()) and on_duty(P);
    """
    program = phenesthe.compile(text=text)
    tables = {
        "tick": pa.table({"t": [7, 9]}),
        "vessel": pa.table({"v": [1, 2]}),
        "on_duty": pa.table({"p": ["ann"]}),
    }
    found = program.run(tables)
    assert read_table(found["known"]) == {((1,), 7, None), ((2,), 7, None)}
    assert read_table(found["begins"]) == {(("ann",), 7)}


def test_without_rows_there_is_no_timeline() -> None:
    text = 'input event tick();\nstate a() : always();\nstate d() : daily("00:00", "12:00");'
    found = phenesthe.compile(text=text).run({"tick": pa.table({"t": pa.array([], pa.int64())})},
                                             allow_empty=True)  # fmt: skip
    assert [found[name].num_rows for name in ("a", "d")] == [0, 0]
    found = phenesthe.compile(text=text).run({"tick": pa.table({"t": pa.array([], pa.int64())})},
                                             allow_empty=True, until=9)  # fmt: skip
    assert [found[name].num_rows for name in ("a", "d")] == [0, 0]


# In windows


class Asked:
    """A memory of `tick`, of which every instant is a row."""

    def __init__(
        self, body: str, window: int, kind: str = "state", first: int | None = None
    ) -> None:
        text = f"input event tick();\n{kind} found() : {body};"
        program = phenesthe.compile(text=text).checked
        self.memory = Memory(program, {}, window=window, first=first, start=first)
        self.held: set[Row] = set()

    def ask(self, query: int, *times: int) -> set[tuple[Any, ...]]:
        given = {"tick": Operations(pa.table({"t": pa.array(times, pa.int64())}))} if times else {}
        advance = self.memory.advance(query, given)
        self.held -= read_table(advance.removed["found"])
        self.held |= read_table(advance.added["found"])
        return {row[1:] for row in self.held}

    @property
    def remembered(self) -> int:
        return sum(len(one.rows) for one in self.memory.graph.operators.values())


def test_a_late_row_moves_the_beginning() -> None:
    asked = Asked("always()", 10)
    assert asked.ask(20) == set()
    assert asked.ask(25, 24) == {(24, None)}
    assert asked.ask(28, 19) == {(19, None)}
    # Too late.
    assert asked.ask(30, 15) == {(19, None)}
    assert asked.ask(60, 55) == {(19, None)}


def test_a_late_row_brings_what_began_long_before() -> None:
    """The night ended at 06:00; the first row came at 07:00, then one of 05:30."""
    night = 'daily("22:00", "06:00")'
    hours = [at(f"2026-03-02 {one}") for one in ("05:30", "07:00", "07:10", "07:20", "09:00")]
    early, first, *queries = hours
    asked = Asked(night, 2 * 3600)
    starts = Asked(f"start({night}) or end({night})", 2 * 3600, "event")
    assert asked.ask(queries[0], first) == set()
    assert starts.ask(queries[0], first) == set()
    held = ticks(("2026-03-01 22:00", "2026-03-02 06:00"))
    assert asked.ask(queries[1], early) == held
    assert starts.ask(queries[1], early) == ticks(["2026-03-02 06:00"])
    assert asked.ask(queries[2]) == held


def test_a_timeline_that_is_still_to_begin() -> None:
    first = at("2026-03-02 05:00")
    asked = Asked('daily("22:00", "06:00")', 60, first=first)
    assert asked.ask(first - 3 * 3600) == set()
    assert asked.ask(first) == ticks(("2026-03-01 22:00", None))
    assert asked.ask(first + 3600) == ticks(("2026-03-01 22:00", "2026-03-02 06:00"))


def test_old_days_are_forgotten_and_quiet_queries_change_nothing() -> None:
    begin = at("2026-03-02 12:00")
    asked = Asked('daily("22:00", "06:00")', 3600, first=begin)
    asked.ask(begin, begin)
    for day in range(1, 60):
        asked.ask(begin + day * 86400, begin + day * 86400)
        assert asked.remembered <= 1
    assert len(asked.held) == 59
    advance = asked.memory.advance(begin + 59 * 86400 + 60, {})
    assert all(not table.num_rows for table in advance.added.values())
    assert all(one.changed is None for one in asked.memory.graph.list_all()[1:])


def test_what_is_declared_and_not_looked_at_begins_the_timeline_too() -> None:
    text = "input event tick();\ninput event other(v: int);\n"
    text += "state found() : always() union (tick() limit 1);"
    memory = Memory(phenesthe.compile(text=text).checked, {}, window=10)
    rows = pa.table({"v": pa.array([1], pa.int64()), "t": pa.array([5], pa.int64())})
    advance = memory.advance(9, {"other": Operations(rows)})
    assert read_table(advance.added["found"]) == {((), 5, None)}


# Times that are no dates


def test_times_beyond_all_dates_are_refused() -> None:
    """A year has 31,536,000 seconds; in 10,000 of them there is a day too many to count."""
    for unit in ("second", "millisecond", "microsecond"):
        per = {"second": 1, "millisecond": 1000, "microsecond": 1_000_000}[unit]
        text = f'unit {unit};\ninput event tick();\nstate d() : daily("00:00", "12:00");'
        program = phenesthe.compile(text=text)
        years = pa.table({"t": pa.array([0, 8029 * 31_556_952 * per], pa.int64())})
        assert program.run({"tick": years})["d"].num_rows > 2_900_000
        for times in ([0, 9000 * 31_556_952 * per], [-2000 * 31_556_952 * per, 0]):
            with pytest.raises(DataError, match="in no year from 1 to 9999"):
                program.run({"tick": pa.table({"t": pa.array(times, pa.int64())})})
    memory = Memory(program.checked, {}, window=10)
    with pytest.raises(DataError, match="in no year"):
        memory.advance(OPEN // 2, {"tick": Operations(pa.table({"t": [OPEN // 2]}))})
    # What has no calendar counts as far as it likes.
    assert find("always()", "2026-01-01", "2026-01-02")
