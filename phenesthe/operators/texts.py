"""Texts that need not be in any domain. What is asked of them is asked once of each."""

from typing import Literal, TypeAlias, assert_never

import numpy as np
import pyarrow as pa

from phenesthe.frozen import dataclass
from phenesthe.kernels.arrays import Array

TYPE = pa.string()
Test: TypeAlias = Literal["starts_with", "ends_with", "includes"]


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Of each row, or of all rows at once, the place of its text among some."""

    values: list[str]
    places: Array


def change(function: Literal["lower", "upper"], texts: Texts) -> Texts:
    made = [one.lower() if function == "lower" else one.upper() for one in texts.values]
    return Texts(made, texts.places)


def measure(texts: Texts) -> Array:
    """In characters."""
    return np.array([len(one) for one in texts.values], dtype=np.int64)[texts.places]


def test(function: Test, whole: Texts, part: Texts) -> Array:
    """1 where it is so, else 0: each pair of texts that occurs is looked at once."""
    count = len(part.values)
    pairs, places = np.unique(whole.places * count + part.places, return_inverse=True)
    found = [
        _holds(function, whole.values[pair // count], part.values[pair % count])
        for pair in pairs.tolist()
    ]
    return np.array(found, dtype=np.int64)[places]


def _holds(function: Test, whole: str, part: str) -> bool:
    match function:
        case "starts_with":
            return whole.startswith(part)
        case "ends_with":
            return whole.endswith(part)
        case "includes":
            return part in whole
        case _:
            assert_never(function)


def rank(left: Texts, right: Texts) -> tuple[Array, Array]:
    """Numbers in the order of the texts, by code point."""
    numbers = {text: at for at, text in enumerate(sorted({*left.values, *right.values}))}
    one, other = (
        np.array([numbers[text] for text in side.values], dtype=np.int64)[side.places]
        for side in (left, right)
    )
    return one, other
