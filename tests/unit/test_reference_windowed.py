"""The reference's windows, by examples that can be worked out by hand."""

from typing import Any

import pytest

from tests.reference.windowed import (
    OF_NOTHING,
    TOO_LATE,
    Operation,
    find_timeline_start,
    list_queries,
    replay,
)  # fmt: skip


def insert(*times: Any, arrival: int | None = None) -> Operation:
    return Operation(((), *times), arrival=arrival)


def retract(*times: Any, arrival: int | None = None) -> Operation:
    return Operation(((), *times), retract=True, arrival=arrival)


def run(
    *operations: Operation, window: int = 5, step: int = 5, start: int = 0, until: int = 30
) -> tuple[dict[int, set[Any]], list[tuple[int, Operation, str]]]:
    """By query the rows that are known, and what is refused when and why."""
    queries = list(
        replay({"x": operations}, window=window, step=step, start=start, until=until),
    )  # fmt: skip
    known = {one.time: {row[1:] for row in one.rows["x"]} for one in queries}
    refused = [
        (one.time, one.operations["x"][number], reason)
        for one in queries
        for number, reason in one.refused["x"].items()
    ]
    return known, refused


def test_queries_follow_the_instant_before_the_first() -> None:
    rows = {"x": [insert(3), insert(12)], "y": [insert(4, 14)]}
    assert list_queries(rows, step=5, start=None, until=None) == [7, 12, 14]
    assert list_queries(rows, step=4, start=None, until=None) == [6, 10, 14]
    assert list_queries(rows, step=5, start=0, until=None) == [5, 10, 14]
    assert list_queries(rows, step=5, start=0, until=10) == [5, 10]
    assert list_queries(rows, step=5, start=20, until=None) == [14]
    assert list_queries({}, step=5, start=None, until=None) == []
    assert list_queries({}, step=5, start=None, until=9) == [9]
    assert find_timeline_start(rows, None) == 3
    assert find_timeline_start(rows, 1) == 1


def test_what_is_taken_back_is_no_first_or_last_instant() -> None:
    rows = {
        "x": [insert(1), insert(3), insert(12), insert(20), retract(20, arrival=30)],
        "y": [retract(1, arrival=2), retract(2, arrival=1), insert(2), insert(2, arrival=5)],
    }
    assert list_queries(rows, step=5, start=None, until=None) == [5, 10, 12]
    assert find_timeline_start(rows, None) == 1
    rows["x"].append(retract(1, arrival=4))
    rows["y"].append(retract(2, arrival=6))
    assert find_timeline_start(rows, None) == 3
    assert list_queries(rows, step=5, start=None, until=None) == [5, 10, 12]


def test_a_row_is_known_when_it_arrives_and_not_before_its_time() -> None:
    rows = (insert(3), insert(4, arrival=6), insert(8, arrival=2), insert(11, 19))
    known, refused = run(*rows, until=15)
    assert known == {5: {(3,)}, 10: {(3,), (8,)}, 15: {(3,), (8,), (11, 19)}}
    # At 10 the window begins at 6.
    assert refused == [(10, rows[1], TOO_LATE)]


def test_what_arrives_after_the_last_query_is_taken_in_there() -> None:
    rows = (insert(14, arrival=99), insert(9, arrival=98), insert(16), insert(17, arrival=1))
    known, refused = run(*rows, until=15)
    assert known[15] == {(14,)}
    assert refused == [(15, rows[1], TOO_LATE)]


def test_nothing_at_or_before_the_start_is_used() -> None:
    rows = (insert(4), insert(5), insert(3, 9), insert(6), retract(4, arrival=7))
    known, refused = run(*rows, start=4, window=20)
    assert known[9] == {(5,), (6,)}
    assert refused == [(9, rows[2], TOO_LATE), (9, rows[0], TOO_LATE), (9, rows[4], TOO_LATE)]


def test_operations_apply_as_they_become_known() -> None:
    rows = (
        retract(2), insert(2), insert(3), retract(3, arrival=4), insert(3, arrival=5),
        retract(7, arrival=8), insert(7, arrival=9), insert(8), retract(8, arrival=20),
        insert(9), retract(9, arrival=3),
    )  # fmt: skip
    known, refused = run(*rows)
    assert known[5] == {(3,)}
    assert known[30] == {(3,), (7,), (8,), (9,)}
    assert refused == [
        (10, rows[5], OF_NOTHING),
        (10, rows[10], OF_NOTHING),
        (20, rows[8], TOO_LATE),
    ]


def test_an_end_is_late_by_itself() -> None:
    """The start may lie far back."""
    rows = (insert(2, None), insert(2, 18, arrival=20))
    known, refused = run(*rows)
    assert known[15] == {(2, None)}
    assert known[20] == {(2, None), (2, 18)}
    assert not refused
    late = insert(2, 15, arrival=20)
    assert run(rows[0], late)[1] == [(20, late, TOO_LATE)]


@pytest.mark.parametrize(
    ("wrong", "right", "arrival", "is_late"),
    [(18, 16, 20, False), (16, 18, 20, False), (18, 15, 20, True), (15, 18, 20, True),
     (40, 16, 20, False), (40, 15, 20, True), (14, None, 15, False), (14, None, 20, True)],
)  # fmt: skip
def test_a_changed_end_changes_from_the_lesser_on(
    wrong: int, right: int | None, arrival: int, is_late: bool
) -> None:
    change = (retract(2, wrong, arrival=arrival), insert(2, right, arrival=arrival))
    known, refused = run(insert(2, wrong), *change)
    assert known[arrival] == {(2, wrong if is_late else right)}
    assert {(reason, one) for _, one, reason in refused} == (
        {(TOO_LATE, one) for one in change} if is_late else set()
    )


def test_taking_an_end_back_opens_what_held() -> None:
    rows = (insert(2, None), insert(2, 8), retract(2, 8, arrival=9))
    known, refused = run(*rows)
    assert known[10] == {(2, None)}
    assert not refused
    rows = (insert(2, None), insert(2, 8), retract(2, 8, arrival=13))
    assert run(*rows)[1] == [(15, rows[2], TOO_LATE)]


def test_an_interval_appears_and_vanishes_at_its_start() -> None:
    rows = (insert(2, 18), retract(2, 18, arrival=20), insert(4, 19, arrival=20))
    known, refused = run(*rows)
    assert known[30] == {(2, 18)}
    assert {one for _, one, _ in refused} == set(rows[1:])
    passing = run(insert(6, 9), retract(6, 9, arrival=10))
    assert passing == ({5: set(), 10: set(), 15: set(), 20: set(), 25: set(), 30: set()}, [])


def test_what_looks_the_same_is_not_late() -> None:
    """Duplicates, a row that is closed already, and ends that nobody has seen yet."""
    rows = (
        insert(2, 28), insert(2, 28, arrival=29), insert(2, None, arrival=29),
        insert(3, 40), insert(3, 50, arrival=28), retract(3, 40, arrival=29),
    )  # fmt: skip
    known, refused = run(*rows)
    assert known[30] == {(2, 28), (2, None), (3, 50)}
    assert not refused
    nothing = retract(2, 9, arrival=28)
    assert run(insert(2, None), nothing)[1] == [(30, nothing, OF_NOTHING)]


def test_nothing_is_asked_about_what_is_decided() -> None:
    rows = (
        insert(2, 8), insert(2, 25), insert(2, 25, arrival=30), insert(2, None, arrival=30),
        retract(2, 8, arrival=30), retract(2, 9, arrival=30),
    )  # fmt: skip
    known, refused = run(*rows)
    assert known[30] == {(2, 8), (2, 25)}
    assert refused == [(30, one, TOO_LATE) for one in rows[2:]]
    # As long as one of its ends is inside the window all of them count.
    again = (insert(2, 8, arrival=30), retract(2, 9, arrival=30))
    assert run(insert(2, 8), insert(2, 26), *again)[1] == [(30, again[1], OF_NOTHING)]
    gone = retract(2, 26, arrival=30)
    known, refused = run(insert(2, 8), insert(2, 26), insert(2, None), gone)
    assert refused == [(30, gone, TOO_LATE)]


def test_an_end_that_time_reaches_is_no_operation() -> None:
    known, refused = run(insert(2, 8), insert(2, 27))
    assert known[30] == {(2, 8), (2, 27)}
    assert not refused
