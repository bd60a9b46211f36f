"""Codes of values that come later, or that an operator computes."""

import numpy as np
import pyarrow as pa

from phenesthe.kernels.arrays import Array, Instants, Intervals
from phenesthe.kernels.exclusive import find_exclusive_values
from phenesthe.memory.domains import extend, shrink
from phenesthe.operators.domains import Domain, Domains, build_domain, take_apart
from phenesthe.vocabulary import ValueType


def make_domains() -> Domains:
    texts = build_domain("str", [pa.array(["b", "d"])], ())
    numbers = build_domain("float", [pa.array([2.0, float("nan")])], ())
    return Domains({"str": texts, "float": numbers})


def test_what_is_computed_gets_codes_and_no_code_becomes_another() -> None:
    domains = make_domains()
    codes = domains.give_codes("str", pa.array(["c", "b", "a", "c", "d"]))
    assert codes.tolist() == [2, 0, 3, 2, 1]
    assert domains["str"].values.to_pylist() == ["b", "d", "c", "a"]
    assert domains["str"].rank(codes).tolist() == [2, 1, 0, 2, 3]
    assert domains["str"].rank(np.array([-1])).tolist() == [-1]


def test_what_is_known_adds_nothing() -> None:
    domains = make_domains()
    before = domains["float"]
    assert domains.give_codes("float", pa.array([float("nan"), 2.0])).tolist() == [1, 0]
    assert domains["float"] is before
    assert before.is_sorted
    assert before.rank(np.array([1, 0])).tolist() == [1, 0]


def test_one_zero_and_one_nan_are_added() -> None:
    domains = make_domains()
    values = pa.array([0.0, -0.0, float("nan"), -float("nan")])
    assert domains.give_codes("float", values).tolist() == [2, 2, 1, 1]


def test_values_that_come_later_move_no_code_once_some_were_computed() -> None:
    domains = make_domains()
    domains.give_codes("str", pa.array(["a"]))
    new = pa.chunked_array([["aa", "b"], ["e"]])
    assert extend(domains, {"str": [new], "float": [pa.array([1.0])]}).keys() == {"float"}
    assert domains["str"].values.to_pylist() == ["b", "d", "a", "aa", "e"]
    moved = shrink(domains, {"str": np.array([1, 2, 4])})
    assert moved["str"].tolist() == [-1, 0, 1, -1, 2]
    assert domains["str"] == Domain("str", pa.array(["d", "a", "e"]), is_sorted=False)


def find(rank: Array) -> Intervals:
    """Two keys of one group, both true at 1 and the second at 3."""
    start = Instants(np.array([0, 1, 1]), np.array([1, 1, 3]))
    return find_exclusive_values(start, np.array([0, 0]), rank, [], 9)


def test_the_least_value_counts_whatever_its_code() -> None:
    in_order, reversed_ = find(np.array([0, 1])), find(np.array([1, 0]))
    assert list(zip(in_order.key, in_order.ts, strict=True)) == [(0, 1), (1, 3)]
    assert list(zip(reversed_.key, reversed_.ts, strict=True)) == [(1, 1)]


def test_a_column_is_taken_apart_once() -> None:
    """Several chunks, one of them empty; both zeros are one word, and all NaN another."""
    chunks = [[1.5, -0.0], [], [0.0, float("nan"), 1.5], [-float("nan")]]
    column = pa.chunked_array(chunks, type=pa.float64())
    apart = take_apart(column)
    domain = build_domain("float", [apart], [7.0])
    assert str(domain.values) == str(build_domain("float", [column], [7.0]).values)
    assert domain.encode(apart).tolist() == domain.encode(column).tolist() == [1, 0, 0, 3, 1, 3]
    assert domain.encode(apart.slice(1, 3)).tolist() == [0, 0, 3]
    assert domain.encode(column.slice(0, 0)).tolist() == []


def test_texts_and_truths_are_taken_apart() -> None:
    cases: list[tuple[ValueType, list[object]]] = [
        ("str", ["b", "", "b"]),
        ("bool", [True, False, True]),
    ]
    for kind, values in cases:
        column = pa.chunked_array([values[:1], values[1:]])
        domain = build_domain(kind, [take_apart(column)], [])
        assert domain.encode(take_apart(column)).tolist() == [1, 0, 1]
        assert domain.encode(pa.array(values)).tolist() == [1, 0, 1]
