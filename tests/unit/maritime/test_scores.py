"""What counts as found and as right."""

import pytest

from examples.maritime.scores import Score, compare
from examples.maritime.tables import say_what_degrades, write_share
from phenesthe.report.rows import Row


def state(start: int, end: int | None, *args: int | str, name: str = "moored") -> Row:
    return Row(name, "state", args or (7,), start, end)


def test_half_of_the_common_time_is_enough() -> None:
    assert compare([state(0, 1000)], [state(500, 1000)])["moored"].recall == 1
    assert compare([state(0, 1000)], [state(501, 1000)])["moored"].recall == 0
    assert compare([state(0, 1000)], [state(0, 2000)])["moored"].precision == 1
    assert compare([state(0, 1000)], [state(0, 2001)])["moored"].precision == 0


def test_two_pieces_are_not_the_whole() -> None:
    score = compare([state(0, 2000)], [state(0, 900), state(1000, 1900)])["moored"]
    assert (score.found, score.right, score.recognised) == (0, 0, 2)
    assert score.time_recall == pytest.approx(0.9)
    assert score.time_precision == 1


def test_arguments_must_agree() -> None:
    score = compare([state(0, 900, 7, "brest")], [state(0, 900, 7, "lorient")])["moored"]
    assert (score.true, score.found, score.recognised, score.right) == (1, 0, 1, 0)


def test_what_is_too_short_counts_only_as_time() -> None:
    score = compare([state(0, 1000), state(2000, 2100)], [state(0, 1000), state(5000, 5299)])
    assert (score["moored"].true, score["moored"].recognised) == (1, 1)
    assert score["moored"].time_recall == pytest.approx(1000 / 1100)


def test_a_short_true_interval_still_makes_a_recognised_one_right() -> None:
    score = compare([state(0, 290)], [state(0, 310)])["moored"]
    assert (score.true, score.recognised, score.right) == (0, 1, 1)


def test_open_intervals_last_until_the_end_of_all() -> None:
    score = compare([state(0, None), state(0, 4000, 8)], [state(100, None)])["moored"]
    assert (score.true, score.found) == (2, 1)
    assert score.shared_time == 3900


def test_other_names_are_left_out_and_missing_ones_are_not_found() -> None:
    scores = compare([state(0, 900)], [state(0, 900, name="stopped")])
    assert set(scores) == {"moored"}
    assert scores["moored"].recall == 0
    assert scores["moored"].precision is None


def test_what_is_never_true_is_wrong_wherever_it_is_recognised() -> None:
    scores = compare([state(0, 900)], [state(0, 900, name="stopped")], ["stopped", "trip"])
    assert set(scores) == {"moored", "stopped", "trip"}
    assert scores["stopped"].recall is None
    assert scores["stopped"].precision == 0
    assert scores["trip"].precision is None


def test_scores_add_up() -> None:
    one = compare([state(0, 900)], [state(0, 900)])["moored"]
    other = compare([state(0, 900)], [])["moored"]
    assert (one + other).recall == 0.5
    assert (one + other).precision == 1
    assert Score() + one == one


def test_what_degrades_is_named_once_and_the_worst_first() -> None:
    good, poor, bad = Score(100, 100, 100, 100), Score(100, 90, 100, 100), Score(100, 100, 100, 50)
    lines = say_what_degrades(
        {0: {"gap": good, "trip": good, "rendezvous": good},
         1: {"gap": poor, "trip": bad, "rendezvous": good},
         2: {"gap": bad, "trip": bad, "rendezvous": good}}
    )  # fmt: skip
    assert lines[0].endswith(" nothing")
    assert lines[1].index("trip") < lines[1].index("gap")
    assert lines[2].endswith(" nothing else")


def test_shares_are_rounded_down() -> None:
    assert write_share(0.9999) == "99.9"
    assert write_share(1.0) == "100.0"
    assert write_share(None) == "—"
