"""Edits are applied together, in the places they were made for, or not at all."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phenesthe.diagnostics.fixes import apply_fixes
from phenesthe.diagnostics.model import Edit
from phenesthe.syntax.source import Source, Span

SOURCE = Source("a.phe", "state s : a ~> b;\n")


def edit(start: int, end: int, text: str, source: Source = SOURCE) -> Edit:
    return Edit(span=Span(source, start, end), text=text)


def test_applies_edits_in_any_order() -> None:
    edits = [edit(15, 16, "start(b)"), edit(6, 7, "visit"), edit(10, 11, "")]
    assert apply_fixes(SOURCE.text, edits) == "state visit :  ~> start(b);\n"


def test_no_edits_change_nothing() -> None:
    assert apply_fixes(SOURCE.text, []) == SOURCE.text


def test_insertions_at_one_place_keep_their_order_and_come_before_a_replacement() -> None:
    edits = [edit(6, 7, "visit"), edit(6, 6, "["), edit(6, 6, "(")]
    assert apply_fixes(SOURCE.text, edits).startswith("state [(visit :")


def test_adjacent_edits_are_no_overlap() -> None:
    assert apply_fixes(SOURCE.text, [edit(0, 5, "x"), edit(5, 6, "y")]).startswith("xys :")


@pytest.mark.parametrize(
    "edits",
    [
        [edit(0, 5, "x"), edit(4, 6, "y")],
        [edit(0, 5, "x"), edit(0, 5, "x")],
        [edit(0, 9, "x"), edit(3, 3, "y")],
    ],
)
def test_refuses_overlaps(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="overlaps another"):
        apply_fixes(SOURCE.text, edits)


@pytest.mark.parametrize("bad", [edit(-1, 2, ""), edit(5, 4, ""), edit(0, 99, "")])
def test_refuses_places_outside_the_text(bad: Edit) -> None:
    with pytest.raises(ValueError, match="outside the text"):
        apply_fixes(SOURCE.text, [bad])


def test_refuses_edits_of_another_text() -> None:
    other = Source("b.phe", "event e;")
    with pytest.raises(ValueError, match=r"b\.phe:1:1 was made for another text"):
        apply_fixes(SOURCE.text, [edit(0, 1, "", other)])


@given(
    st.lists(st.tuples(st.text("ab", max_size=3), st.text("xyz", max_size=3))),
    st.randoms(use_true_random=False),
)
def test_each_edit_keeps_its_place(pieces: list[tuple[str, str]], random: Random) -> None:
    source = Source("a.phe", "".join(f"{old}|" for old, _ in pieces))
    edits, start = [], 0
    for old, new in pieces:
        edits.append(edit(start, start + len(old), new, source))
        start += len(old) + 1
    random.shuffle(edits)
    assert apply_fixes(source.text, edits) == "".join(f"{new}|" for _, new in pieces)
