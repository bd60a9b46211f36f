"""What a run took in: told by its rows, in whatever order they came."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import phenesthe
from phenesthe.io.stream import Stream, stream_given
from phenesthe.memory.repeat import Taken, find_taken, hash_rejects

PROGRAM = phenesthe.compile(
    text="input event go(x: str, f: float, i: int, b: bool);\ninput state lit(x: str);\n"
    "event e(X) : go(X, _, _, _) and not go(X, 1.0, _, _);\nstate s(X) : lit(X) union lit(X);\n"
).checked
GO: dict[str, list[Any]] = {
    "x": ["a", "b", ""], "f": [0.0, float("nan"), 1.5], "i": [1, -1, 2**62],
    "b": [True, False, True], "t": [1, 2, 3], "arrival": [1, 5, 3],
    "op": ["insert", "insert", "insert"],
}  # fmt: skip
LIT: dict[str, list[Any]] = {"x": ["a", "b"], "ts": [1, 2], "te": [None, 9]}


def read(go: dict[str, list[Any]] = GO, lit: dict[str, list[Any]] = LIT) -> Stream:
    return stream_given(PROGRAM, {"go": pa.table(go), "lit": pa.table(lit)})


def take(stream: Stream, last: int | None = 10) -> Taken:
    return find_taken(stream, hash_rejects(stream.rejects), last)


def test_the_order_of_rows_is_nothing() -> None:
    turned = {name: values[::-1] for name, values in GO.items()}
    assert take(read(turned)) == take(read())
    assert take(read()).rows == 5


def test_values_that_are_equal_are_the_same() -> None:
    other = {**GO, "f": [-0.0, -float("nan"), 1.5]}
    assert take(read(other)) == take(read())


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("x", ["b", "b", ""]), ("x", ["a", "b", "c"]), ("f", [0.0, 1.0, 1.5]), ("i", [1, -1, 7]),
        ("b", [True, True, True]), ("t", [1, 2, 4]), ("arrival", [1, 6, 3]),
    ],
)  # fmt: skip
def test_another_value_is_another_run(name: str, values: list[Any]) -> None:
    assert take(read({**GO, name: values})) != take(read())


def test_values_do_not_change_columns() -> None:
    one = {**GO, "i": [1, 2, 3], "t": [3, 2, 1], "arrival": [9, 9, 9]}
    other = {**GO, "i": [3, 2, 1], "t": [1, 2, 3], "arrival": [9, 9, 9]}
    assert take(read(one)) != take(read(other))


def test_an_open_end_is_no_number() -> None:
    assert take(read(lit={**LIT, "te": [2, 9]})) != take(read())
    assert take(read(lit={**LIT, "te": [None, None]})) != take(read())


def test_a_row_taken_back_is_another_one() -> None:
    given = {**GO, "op": ["insert", "insert", "retract"]}
    assert take(read(given)) != take(read())


def test_a_row_twice_is_another_input() -> None:
    twice = {name: [*values, values[0]] for name, values in GO.items()}
    assert take(read(twice)) != take(read())


def test_later_rows_are_not_taken_in() -> None:
    assert take(read(), 2).rows == 4
    later = {**GO, "f": [0.0, float("nan"), 7.0]}
    assert take(read(later), 2) == take(read(), 2)
    assert take(read(later), 3) != take(read(), 3)
    assert take(read(), None).rows == 0


def test_rows_that_do_not_fit_count() -> None:
    unfit = {**GO, "x": ["a", None, ""]}
    assert take(read(unfit)).rejects != take(read()).rejects


def test_random_rows_have_no_digest_in_common() -> None:
    random = np.random.default_rng(5)
    seen = set()
    for _ in range(300):
        numbers = random.integers(0, 3, size=(4, 3)).tolist()
        go = {**GO, "i": numbers[0], "t": numbers[1], "arrival": numbers[2]}
        go["f"] = [float(one) for one in numbers[3]]
        key = tuple(sorted(zip(*go.values(), strict=True), key=str))
        seen.add((key, take(read(go)).digest))
    assert len({key for key, _ in seen}) == len({digest for _, digest in seen}) == len(seen)
