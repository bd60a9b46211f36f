"""Columns of Arrow types, of text and of JSON values, to declared types."""

import math
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phenesthe.io.codes import code_rows
from phenesthe.io.columns import Fit, Reason
from phenesthe.io.text import decode_text, fit_text, fit_text_times
from phenesthe.io.times import LIMIT
from phenesthe.io.typed import fit_typed, fit_typed_times
from phenesthe.io.values import MISSING, fit_value_times, fit_values
from phenesthe.vocabulary import ValueType

WRONG, MISSED, FAR = Reason.WRONG_TYPE, Reason.MISSING_COLUMN, Reason.TIME_OUT_OF_RANGE
Judged = tuple[list[Any], list[int]]


def judge(fit: Fit) -> Judged:
    values = fit.values.to_pylist()
    problems = [0] * len(values) if fit.problems is None else fit.problems.tolist()
    assert fit.problems is None or any(problems)
    return values, problems


def typed(values: list[Any], given_type: Any, declared: ValueType) -> Judged:
    return judge(fit_typed(pa.chunked_array([pa.array(values, given_type)]), declared))


def typed_times(values: list[Any], given_type: Any) -> Judged:
    return judge(fit_typed_times(pa.chunked_array([pa.array(values, given_type)]), "second"))


def text(values: list[str | None], declared: ValueType) -> Judged:
    return judge(fit_text(pa.chunked_array([pa.array(values, pa.string())]), declared))


@pytest.mark.parametrize(
    ("value", "declared"), [(1, "int"), (1.5, "float"), ("a", "str"), (True, "bool")]
)
def test_a_column_that_fits_is_not_copied(value: Any, declared: ValueType) -> None:
    column = pa.chunked_array([pa.array([value])])
    fitted = fit_typed(column, declared).values
    assert [one.address for one in fitted.chunk(0).buffers() if one is not None] == [
        one.address for one in column.chunk(0).buffers() if one is not None
    ]


@pytest.mark.parametrize(
    "given_type",
    [pa.int8(), pa.int16(), pa.int32(), pa.uint8(), pa.uint32(), pa.uint64(), pa.float32(),
     pa.float64(), pa.decimal128(10, 2), pa.dictionary(pa.int8(), pa.int32())],
)  # fmt: skip
def test_numbers_without_a_fraction_are_ints_floats_and_times(given_type: Any) -> None:
    values = [Decimal(3), None] if pa.types.is_decimal(given_type) else [3, None]
    assert typed(values, given_type, "int") == ([3, None], [0, 0])
    assert typed(values, given_type, "float") == ([3.0, None], [0, 0])
    assert typed_times(values, given_type) == ([3, None], [0, 0])


def test_what_does_not_fit_into_an_int_is_wrong_in_its_row_only() -> None:
    assert typed([1.5, 2.0, math.nan, None, 2.0**63], pa.float64(), "int") == (
        [None, 2, None, None, None],
        [WRONG, 0, WRONG, 0, WRONG],
    )
    assert typed([2**63, 1], pa.uint64(), "int") == ([None, 1], [WRONG, 0])
    decimals = [Decimal("1.50"), Decimal("2.00")]
    assert typed(decimals, pa.decimal128(10, 2), "int") == ([None, 2], [WRONG, 0])
    assert typed(decimals, pa.decimal128(10, 2), "float") == ([1.5, 2.0], [0, 0])


def test_floats_take_every_number() -> None:
    assert typed([2**53 + 1], pa.int64(), "float") == ([float(2**53)], [0])
    values, problems = typed([math.nan, math.inf, -math.inf], pa.float64(), "float")
    assert math.isnan(values[0])
    assert values[1:] == [math.inf, -math.inf]
    assert problems == [0, 0, 0]


@pytest.mark.parametrize(
    ("value", "given_type", "declared"),
    [
        (True, pa.bool_(), "int"),
        ("1", pa.string(), "int"),
        (True, pa.bool_(), "float"),
        ("1", pa.string(), "float"),
        (1, pa.int64(), "str"),
        (1, pa.int64(), "bool"),
        ("true", pa.string(), "bool"),
        ([1], pa.list_(pa.int64()), "str"),
        (1, pa.timestamp("s"), "int"),
    ],
)
def test_other_types_are_wrong_where_there_is_a_value(
    value: Any, given_type: Any, declared: ValueType
) -> None:
    assert typed([value, None], given_type, declared) == ([None, None], [WRONG, 0])


@pytest.mark.parametrize(
    "given_type",
    [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(),
     pa.binary_view(), pa.dictionary(pa.int32(), pa.string())],
)  # fmt: skip
def test_strings_of_every_layout_are_strings(given_type: Any) -> None:
    assert typed(["é", None, ""], given_type, "str") == (["é", None, ""], [0, 0, 0])
    assert typed_times(["1970-01-02", None, "3"], given_type) == ([86_400, None, 3], [0, 0, 0])


def test_runs_are_unpacked() -> None:
    runs = pa.RunEndEncodedArray.from_arrays([2, 3], ["a", "b"])
    assert judge(fit_typed(pa.chunked_array([runs]), "str")) == (["a", "a", "b"], [0, 0, 0])


def test_bytes_that_are_no_text_are_wrong() -> None:
    assert typed([b"a", b"\xff", None], pa.binary(), "str") == (["a", None, None], [0, WRONG, 0])
    broken = pa.array([b"5", b"\xff"]).view(pa.string())
    assert judge(fit_typed(pa.chunked_array([broken]), "str")) == (["5", None], [0, WRONG])
    assert judge(fit_typed_times(pa.chunked_array([broken]), "second")) == ([5, None], [0, WRONG])


@pytest.mark.parametrize("declared", ["int", "float", "str", "bool"])
def test_a_column_of_nulls_is_of_every_type(declared: ValueType) -> None:
    assert typed([None], pa.null(), declared) == ([None], [0])
    assert typed_times([None], pa.null()) == ([None], [0])


def test_times_are_bounded() -> None:
    assert typed_times([LIMIT, LIMIT - 1, 1 - LIMIT, -LIMIT], pa.int64())[1] == [FAR, 0, 0, FAR]
    assert typed_times([1.5, 2.0**62, 3.0], pa.float64())[1] == [WRONG, FAR, 0]
    assert typed_times([True], pa.bool_())[1] == [WRONG]
    assert typed_times([1], pa.date32()) == ([86_400], [0])
    assert typed_times([1], pa.timestamp("ns", "UTC")) == ([0], [0])
    words = [str(LIMIT), "1", "x", "+146138514314-01-01"]
    assert typed_times(words, pa.string())[1] == [FAR, 0, WRONG, FAR]


def test_ints_as_text() -> None:
    good = ["3", " -4", "+5", "3.0", " 219000001.000 ", "7."]
    bad = ["3.5", ".0", "1e3", "0x1F", "0X1F", "", "9223372036854775808", "9" * 5_000]
    texts = [*good, *bad, None]
    values, problems = text(texts, "int")
    assert values == [3, -4, 5, 3, 219000001, 7, *[None] * 9]
    assert problems == [*[0] * 6, *[WRONG] * 8, 0]
    for one, value in zip(texts, values, strict=True):
        assert text([one], "int")[0] == [value]


def test_floats_as_text() -> None:
    texts = ["3", " .5", "1e3", "-inf", "x", "nan(a)", "1,5", "0x1p3", "1_0", "1e999", None]
    values, problems = text(texts, "float")
    assert values == [3.0, 0.5, 1e3, -math.inf, *[None] * 7]
    assert problems == [0, 0, 0, 0, *[WRONG] * 6, 0]
    for one, value in zip(texts, values, strict=True):
        assert text([one], "float")[0] == [value]
    assert math.isnan(text(["NaN"], "float")[0][0])


def test_bools_as_text() -> None:
    assert text(["true", "FALSE", " True ", "1", "", None], "bool") == (
        [True, False, True, None, None, None],
        [0, 0, 0, WRONG, WRONG, 0],
    )


@given(st.lists(st.none() | st.floats(allow_nan=False)), st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_numbers_survive_being_text(floats: list[float | None], ints: list[int]) -> None:
    shown = [None if one is None else repr(one) for one in floats]
    assert text(shown, "float") == (floats, [0] * len(floats))
    spoiled, problems = text([*shown, "?"], "float")
    assert spoiled == [*floats, None]
    assert problems == [*[0] * len(floats), WRONG]
    assert text([str(one) for one in ints], "int") == (ints, [0] * len(ints))


def test_bytes_are_decoded_row_by_row_if_need_be() -> None:
    column = pa.chunked_array([pa.array([b"a", b"\xe9", None])])
    assert judge(decode_text(column)) == (["a", None, None], [0, WRONG, 0])


@pytest.mark.parametrize(
    ("declared", "good", "bad"),
    [
        ("int", [1, 2.0, -(2**63), None], [1.5, True, "1", 2**63, 2.0**63, 1e300, [1]]),
        ("float", [1.5, 2, 2**70, 2**53 + 1, "Infinity", None], [True, "1", 10**400, "nan"]),
        ("str", ["é", "", None], [1, "\ud800", ["a"]]),
        ("bool", [True, False, None], [1, "true", 0.0]),
    ],
)
def test_json_values(declared: ValueType, good: list[Any], bad: list[Any]) -> None:
    kind = {"int": int, "float": float, "str": str, "bool": bool}[declared]
    expected = [None if one is None else kind(one) for one in good]
    assert judge(fit_values(good, declared)) == (expected, [0] * len(good))
    values, problems = judge(fit_values([*good, *bad, MISSING], declared))
    assert values == [*expected, *[None] * (len(bad) + 1)]
    assert problems == [*[0] * len(good), *[WRONG] * len(bad), MISSED]
    for one in bad:
        assert judge(fit_values([one], declared)) == ([None], [WRONG])


def test_json_times() -> None:
    assert judge(fit_value_times([1, None], "second")) == ([1, None], [0, 0])
    assert judge(fit_value_times(["1970-01-02", None], "second")) == ([86_400, None], [0, 0])
    mixed = [1, "1970-01-01T00:01", 2.0, True, MISSING, 2**64, LIMIT, "x", "\ud800"]
    assert judge(fit_value_times(mixed, "second")) == (
        [1, 60, 2, *[None] * 6],
        [0, 0, 0, WRONG, MISSED, FAR, FAR, WRONG, WRONG],
    )
    assert judge(fit_value_times([2**64], "second")) == ([None], [FAR])
    assert judge(fit_value_times(["\ud800"], "second")) == ([None], [WRONG])
    assert fit_value_times([LIMIT], "second").problems is not None


def test_text_times_in_a_column_without_rows() -> None:
    assert fit_text_times(pa.chunked_array([], pa.string()), "second").problems is None
    assert text([], "int") == ([], [])


ROWS = st.lists(
    st.tuples(
        st.integers(-(2**63), 2**63 - 1) | st.integers(-2, 2),
        st.sampled_from([0.0, -0.0, 1.5, math.nan, math.inf, -math.inf]),
        st.text(max_size=2),
        st.booleans(),
        st.none() | st.integers(-(2**61), 2**61) | st.integers(-2, 2),
    )
)


@given(ROWS)
def test_codes_are_equal_and_ordered_as_the_rows_are(rows: list[tuple[Any, ...]]) -> None:
    types = [pa.int64(), pa.float64(), pa.string(), pa.bool_(), pa.int64()]
    columns = [
        pa.chunked_array([pa.array([row[place] for row in rows], one)])
        for place, one in enumerate(types)
    ]
    codes = code_rows(columns, len(rows))

    def key(row: tuple[Any, ...]) -> tuple[Any, ...]:
        number, real, word, truth, time = row
        not_real = math.isnan(real)
        shown = 0 if not_real else real
        return number, not_real, shown, word.encode(), truth, time is None, time or 0

    keys = [key(row) for row in rows]
    for first in range(len(rows)):
        for second in range(first):
            assert (codes[first] > codes[second]) == (keys[first] > keys[second])
            assert (codes[first] == codes[second]) == (keys[first] == keys[second])


def test_codes_of_rows_without_columns_are_equal() -> None:
    assert code_rows([], 3).tolist() == [0, 0, 0]
