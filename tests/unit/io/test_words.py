"""What is said of a value that cannot be read names its place and what can be done."""

import pytest

import phenesthe
from phenesthe.io.rejects import Reject
from phenesthe.io.remarks import find_sample
from phenesthe.io.words import Wanted, describe_unreadable


@pytest.mark.parametrize(
    ("wanted", "sample", "count", "remedy"),
    [
        ("int", "x", 1, "correct it in a.csv, line 2, or declare `v: str` if text is meant, and "
         "compare it with text"),
        ("int", "x", 3, "correct it, for example in a.csv, line 2, or declare `v: str`"),
        ("int", "1.5", 1, "or declare `v: float` if fractions are meant"),
        ("float", "1,5", 2, "numbers have a decimal point: write 1.5, for example in a.csv"),
        ("float", "--", 1, "correct it in a.csv, line 2"),
        ("float", "true", 1, "or declare `v: bool` if truth is meant"),
        ("bool", "yes", 1, "or declare `v: str`"),
    ],
)  # fmt: skip
def test_the_place_and_the_remedy_are_named(
    wanted: Wanted, sample: str, count: int, remedy: str
) -> None:
    told = describe_unreadable("v", wanted, sample, count, "a.csv, line 2", "v")
    assert remedy in told.splitlines()[1]
    assert ("declare" in told) == ("declare" in remedy)


@pytest.mark.parametrize(("value", "shown"), [(True, "true"), ([1, "x"], '[1, "x"]'), (1.5, "1.5")])
def test_a_value_of_json_is_shown_as_json_has_it(value: object, shown: str) -> None:
    (signature,) = phenesthe.compile(text="input event pay(amount: float);").checked.inputs
    row = {"amount": value, "t": 1}
    reject = Reject(
        reason="wrong type", file="pay.jsonl", place="line", number=1, name="pay",
        column="amount", row=row,
    )  # fmt: skip
    assert find_sample(signature, reject, "amount") == shown
