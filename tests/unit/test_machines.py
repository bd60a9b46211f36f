"""Machines by hand, sentence by sentence of the language: at once, in windows, in the reference.

Times are ticks of a second; `None` is an end that is not known.
"""

from collections.abc import Iterable

import pytest

import phenesthe
from phenesthe.kernels.machines import SWITCH
from tests.equivalence.compare import find_local, run_reference
from tests.equivalence.in_windows import find_in_windows
from tests.equivalence.streams import Stream
from tests.reference import Row
from tests.unit.io.samples import list_rows

INPUTS = "input event e(x: int); input event f(x: int); input event g(x: int);\n"
#: A value, from when to when.
Held = tuple[str, int, int | None]


def write(initially: str, transitions: str) -> str:
    return f"{INPUTS}machine m(X, V) initially {initially} {{ {transitions} }}"


def find(text: str, until: int = 50, **times: Iterable[int]) -> list[Held]:
    """What the machine of binding 1 holds, the same in all ways to find it."""
    program = phenesthe.compile(text=text).checked
    inputs: dict[str, list[Row]] = {name: [((1,), t) for t in at] for name, at in times.items()}
    stream = Stream(inputs=inputs, until=until)
    expected, _ = run_reference(program, stream)
    assert find_local(program, stream) == expected
    for window, step in ((1, 1), (7, 3), (50, 20)):
        assert find_in_windows(program, stream, window=window, step=step) == expected
    held: list[Held] = [(str(row[0][1]), row[1], row[-1]) for row in expected["m"]]
    return sorted(held, key=lambda one: one[1])


@pytest.fixture(autouse=True, params=["numpy", "numba"])
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "numba":
        pytest.importorskip("numba", reason="an optional package")
    monkeypatch.setenv(SWITCH, request.param)


def test_the_initial_value_is_not_reported_until_a_transition_enters_it() -> None:
    text = write("a", "a -> b : e(X); b -> a : f(X);")
    assert find(text, f=[2], e=[5]) == [("b", 5, None)]
    assert find(text, e=[5], f=[8]) == [("b", 5, 8), ("a", 8, None)]


def test_a_transition_from_the_initial_value_to_itself_enters_it() -> None:
    assert find(write("a", "a -> a : e(X);"), e=[5, 7, 9]) == [("a", 5, None)]


def test_before_it_is_entered_the_initial_value_has_no_clock() -> None:
    text = write("a", "a -> b : after 3; a -> a : e(X); b -> a : f(X);")
    assert find(text, f=[1], e=[20]) == [("a", 20, 23), ("b", 23, None)]


def test_any_value_is_also_the_initial_one() -> None:
    assert find(write("a", "_ -> b : e(X); b -> a : f(X);"), e=[4]) == [("b", 4, None)]


def test_transitions_are_judged_by_the_value_before_the_instant() -> None:
    """One instant leads no further than one transition."""
    text = write("a", "a -> b : e(X); b -> c : e(X); b -> c : f(X);")
    assert find(text, e=[4, 6]) == [("b", 4, 6), ("c", 6, None)]
    assert find(text, e=[4], f=[4]) == [("b", 4, None)]


def test_the_first_listed_fires() -> None:
    assert find(write("a", "a -> b : e(X); a -> c : f(X);"), e=[4], f=[4]) == [("b", 4, None)]
    assert find(write("a", "a -> c : f(X); a -> b : e(X);"), e=[4], f=[4]) == [("c", 4, None)]


def test_the_first_listed_fires_also_where_nothing_shows() -> None:
    text = write("a", "a -> _ : e(X); a -> b : f(X); b -> a : g(X);")
    assert find(text, e=[4], f=[4, 9]) == [("b", 9, None)]


def test_an_event_and_a_time_that_fall_together() -> None:
    """The event wins if it leaves the value held."""
    text = write(
        "a", "a -> b : e(X); b -> c : after 5; b -> d : f(X); c -> a : f(X); d -> a : g(X);"
    )
    assert find(text, e=[10], f=[15]) == [("b", 10, 15), ("d", 15, None)]
    assert find(text, e=[10], g=[15]) == [("b", 10, 15), ("c", 15, None)]
    # What fires at 15 is entered there: f does not lead on.
    text = write("a", "a -> b : e(X); b -> c : after 5; c -> d : f(X); d -> a : g(X);")
    assert find(text, e=[10], f=[15]) == [("b", 10, 15), ("c", 15, None)]


def test_time_is_up_before_the_event() -> None:
    text = write(
        "a", "a -> b : e(X); b -> c : after 5; b -> d : f(X); c -> a : f(X); d -> a : g(X);"
    )
    assert find(text, e=[10], f=[16]) == [("b", 10, 15), ("c", 15, 16), ("a", 16, None)]


def test_two_times_that_are_up_together() -> None:
    for first, second in (("c", "d"), ("d", "c")):
        text = write("a", f"a -> b : e(X); b -> {first} : after 5; _ -> {second} : after 5;")
        assert find(text, until=18, e=[10])[:2] == [("b", 10, 15), (first, 15, None)]


def test_of_several_times_the_earliest_counts() -> None:
    text = write("a", "a -> b : e(X); b -> c : after 9; b -> d : after 5; d -> _ : f(X);")
    assert find(text, e=[10]) == [("b", 10, 15), ("d", 15, None)]


def test_entering_a_value_again_restarts_its_clock_and_cuts_nothing() -> None:
    text = write("a", "a -> b : e(X); b -> b : f(X); b -> a : after 5;")
    assert find(text, e=[10], f=[13, 18]) == [("b", 10, 23), ("a", 23, None)]
    assert find(text, e=[10], f=[16]) == [("b", 10, 15), ("a", 15, None)]


def test_a_time_that_enters_the_value_again_hides_the_longer_ones() -> None:
    text = write("a", "a -> b : e(X); b -> b : after 2; b -> a : after 5; b -> a : f(X);")
    assert find(text, e=[10], f=[21]) == [("b", 10, 21), ("a", 21, None)]


def test_a_machine_that_ends_is_as_before_its_first_transition() -> None:
    text = write("a", "a -> b : e(X); b -> _ : f(X); b -> c : after 30; c -> _ : f(X);")
    assert find(text, e=[10, 14, 20], f=[16]) == [("b", 10, 16), ("b", 20, 50), ("c", 50, None)]
    # The initial value that was entered has been reported, and is left like any other.
    text = write("a", "a -> a : e(X); a -> _ : f(X); a -> a : g(X);")
    assert find(text, e=[10], f=[12, 13], g=[20]) == [("a", 10, 12), ("a", 20, None)]


def test_ending_what_has_not_begun_changes_nothing() -> None:
    text = write("a", "_ -> _ : f(X); a -> b : e(X);")
    assert find(text, f=[3], e=[5]) == [("b", 5, None)]


def test_time_alone_may_end_it_and_leave_any_value() -> None:
    text = write("a", "a -> b : e(X); b -> c : f(X); _ -> _ : after 6;")
    assert find(text, e=[10, 30], f=[12]) == [("b", 10, 12), ("c", 12, 18), ("b", 30, 36)]


def test_time_leads_on_by_itself() -> None:
    text = write("off", "off -> red : e(X); red -> green : after 4; green -> red : after 3;")
    assert find(text, until=19, e=[2]) == [
        ("red", 2, 6), ("green", 6, 9), ("red", 9, 13), ("green", 13, 16), ("red", 16, None),
    ]  # fmt: skip


def test_the_last_value_is_open_at_the_query_time() -> None:
    text = write("a", "a -> b : e(X); b -> a : after 5;")
    assert find(text, until=10, e=[10]) == [("b", 10, None)]
    assert find(text, until=14, e=[10]) == [("b", 10, None)]
    assert find(text, until=15, e=[10]) == [("b", 10, 15), ("a", 15, None)]


def test_bindings_do_not_disturb_each_other() -> None:
    program = phenesthe.compile(text=write("a", "a -> b : e(X); b -> a : f(X);"))
    found = program.run({"e": {"x": [1, 2], "t": [1, 2]}, "f": {"x": [2], "t": [4]}})
    assert list_rows(found["m"]) == [(1, "b", 1, None), (2, "a", 4, None), (2, "b", 2, 4)]


def test_a_late_row_changes_what_followed() -> None:
    text = write(
        "a", "a -> b : e(X); b -> c : f(X); b -> b : g(X); b -> a : after 10; c -> _ : e(X);"
    )
    memory = phenesthe.compile(text=text).memory(window=30)
    memory.advance(10, {"e": {"x": [1], "t": [5]}})
    changes = memory.advance(20, {"f": {"x": [1], "t": [12]}})
    assert list_rows(changes["m"]) == [
        (1, "b", 5, 12, "revised", None), (1, "c", 12, None, "new", None),
    ]  # fmt: skip
    # Entered again at 4 the value is left at 14, unless f comes first; before that it is c.
    changes = memory.advance(25, {"g": {"x": [1], "t": [11]}, "f": {"x": [1], "t": [7]}})
    assert list_rows(memory.snapshot()["m"]) == [(1, "b", 5, 7), (1, "c", 7, None)]


def test_a_late_row_restarts_a_clock() -> None:
    text = write("a", "a -> b : e(X); b -> b : g(X); b -> _ : after 10;")
    memory = phenesthe.compile(text=text).memory(window=30)
    memory.advance(10, {"e": {"x": [1], "t": [5]}})
    memory.advance(20)
    assert list_rows(memory.snapshot()["m"]) == [(1, "b", 5, 15)]
    memory.advance(22, {"g": {"x": [1], "t": [14]}})
    assert list_rows(memory.snapshot()["m"]) == [(1, "b", 5, None)]
    memory.advance(24)
    assert list_rows(memory.snapshot()["m"]) == [(1, "b", 5, 24)]


def test_what_is_retracted_has_led_nowhere() -> None:
    text = write("a", "a -> b : e(X); b -> c : f(X); c -> _ : g(X); b -> _ : g(X);")
    memory = phenesthe.compile(text=text).memory(window=30)
    memory.advance(20, {"e": {"x": [1], "t": [5]}, "f": {"x": [1], "t": [8]}})
    assert list_rows(memory.snapshot()["m"]) == [(1, "b", 5, 8), (1, "c", 8, None)]
    memory.advance(25, retracted={"f": {"x": [1], "t": [8]}})
    assert list_rows(memory.snapshot()["m"]) == [(1, "b", 5, None)]
    memory.advance(26, retracted={"e": {"x": [1], "t": [5]}})
    assert list_rows(memory.snapshot()["m"]) == []


def test_of_the_past_only_the_value_and_its_clock_are_kept() -> None:
    text = write("a", "a -> b : e(X); b -> b : f(X); b -> a : after 100; a -> b : g(X);")
    memory = phenesthe.compile(text=text).memory(window=10)
    sizes = set()
    for query in range(10, 400, 10):
        memory.advance(query, {"f": {"x": [1], "t": [query - 5]}, "e": {"x": [1], "t": [query]}})
        sizes.add(len(memory._memory.list_rows()))
    assert max(sizes) < 10
