"""`Program.memory`: rows as they come, changes as they are."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import phenesthe
from phenesthe.io import DataError
from tests.unit.io.samples import list_rows

PROGRAM = phenesthe.compile(
    text="""
    input event go(x: str, speed: float);
    input event stop(x: str);
    input state lit(x: str);
    fact fast(x: str);
    event starts_up(X) : go(X, _) and fast(X);
    state runs(X) : go(X, _) ~> stop(X);
    """
)
FACTS = {"fast": {"x": ["a", "b"]}}


def go(*rows: tuple[str, float, int]) -> dict[str, Any]:
    return {"x": [row[0] for row in rows], "speed": [row[1] for row in rows],
            "t": [row[2] for row in rows]}  # fmt: skip


def test_changes_come_by_definition() -> None:
    memory = PROGRAM.memory(window="10s", facts=FACTS)
    changes = memory.advance(5, {"go": go(("a", 0.5, 1), ("c", 0.5, 2))})
    assert changes.query == 5
    assert list(changes) == ["starts_up", "runs"]
    assert list_rows(changes["starts_up"]) == [("a", 1, "new", None)]
    assert list_rows(changes["runs"]) == [("a", 1, None, "new", None), ("c", 2, None, "new", None)]
    changes = memory.advance(10, {"stop": pa.table({"x": ["a"], "t": [9]})})
    assert list_rows(changes["runs"]) == [("a", 1, 9, "revised", None)]
    assert changes["starts_up"].num_rows == 0
    assert changes["starts_up"].column_names == ["X", "t", "change", "was"]
    changes = memory.advance("1970-01-01T00:00:11", None, {"go": go(("c", 0.5, 2))})
    assert list_rows(changes["runs"]) == [("c", 2, None, "withdrawn", None)]
    assert list_rows(memory.snapshot()["runs"]) == [("a", 1, 9)]
    assert changes.late == 1
    assert not changes.rejects


def test_what_is_not_known_yet_waits() -> None:
    memory = PROGRAM.memory(window=10, only=["runs"])
    given = {**go(("a", 0.5, 20), ("b", 0.5, 4), ("c", 0.5, 3)), "arrival": [None, 12, None]}
    assert list_rows(memory.advance(5, {"go": given})["runs"]) == [("c", 3, None, "new", None)]
    found = memory.advance(12)["runs"]
    assert list_rows(found) == [("b", 4, None, "new", None)]
    assert memory.advance(19)["runs"].num_rows == 0
    taken = memory.advance(25, retracted={"go": go(("a", 0.5, 20), ("a", 0.7, 20))})
    assert taken["runs"].num_rows == 0
    (reject,) = [json.loads(line) for line in taken.rejects.read_lines()]
    assert (reject["reason"], reject["position"]) == ("retraction of nothing", 2)


def test_a_row_that_waited_and_came_too_late_is_found_where_it_was_given() -> None:
    memory = PROGRAM.memory(window=5)
    given = {**go(("a", 0.5, 1), ("b", 0.5, 2), ("c", 0.5, 3)), "arrival": [None, 30, 40]}
    memory.advance(5, {"go": given})
    for query in (10, 20):
        assert not memory.advance(query, {"stop": {"x": ["q"], "t": [query]}}).rejects
    for query, position in ((30, 2), (40, 3)):
        changes = memory.advance(query)
        assert changes.too_late == 1
        (reject,) = [json.loads(line) for line in changes.rejects.read_lines()]
        assert (reject["file"], reject["position"], reject["reason"]) == (
            "table go", position, "too late",
        )  # fmt: skip


def test_frames_give_frames() -> None:
    memory = PROGRAM.memory(window="1h")
    changes = memory.advance(5, {"go": pd.DataFrame(go(("a", 0.5, 1)))})
    assert isinstance(changes["runs"], pd.DataFrame)
    assert changes["runs"]["change"].tolist() == ["new"]
    assert str(changes["runs"]["te"].dtype) == "Int64"
    assert isinstance(memory.advance(6)["runs"], pd.DataFrame)


def test_paths_are_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("x,speed,t\na,0.5,1\nb,fast,2\n")
    changes = PROGRAM.memory(window="1h").advance(5, {"go": path})
    assert list_rows(changes["runs"]) == [("a", 1, None, "new", None)]
    assert changes.rejects.count_reasons() == {"wrong type": 1}


def test_nothing_at_or_before_the_start_is_used() -> None:
    changes = PROGRAM.memory(window="1h", start="1970-01-01T00:00:01").advance(
        5, {"go": go(("a", 0.5, 1), ("b", 0.5, 2))}
    )
    assert list_rows(changes["runs"]) == [("b", 2, None, "new", None)]
    assert changes.too_late == 1


@pytest.mark.parametrize("window", ["0s", "-5", 0, "soon", "0.5s", 1.5, 2**62])
def test_a_window_is_a_duration(window: Any) -> None:
    with pytest.raises(DataError, match="`window` is a duration"):
        PROGRAM.memory(window=window)


@pytest.mark.parametrize("time", ["soon", 1.5, None, 2**62])
def test_a_query_has_a_time(time: Any) -> None:
    memory = PROGRAM.memory(window=5)
    with pytest.raises(DataError, match="`query_time` is a time"):
        memory.advance(time)


def test_mistakes_are_told_and_change_nothing() -> None:
    memory = PROGRAM.memory(window=5, facts=FACTS, strict=True)
    memory.advance(5, {"go": go(("a", 0.5, 4))})
    with pytest.raises(DataError, match="not after the last one, at 5"):
        memory.advance(5)
    with pytest.raises(DataError, match="`fast` is a fact"):
        memory.advance(6, {"fast": {"x": ["z"]}})
    with pytest.raises(DataError, match="no input or fact `goo`"):
        memory.advance(6, {"goo": {"x": ["z"]}})
    with pytest.raises(DataError, match="null argument"):
        memory.advance(6, {"go": {"x": [None], "speed": [0.5], "t": [5]}})
    with pytest.raises(DataError, match="`go` is an input"):
        PROGRAM.memory(window=5, facts={"go": go()})
    with pytest.raises(DataError, match="no definition `walks`"):
        PROGRAM.memory(window=5, only=["walks"])
    changes = memory.advance(6, {"stop": {"x": ["a"], "t": [6]}})
    assert list_rows(changes["runs"]) == [("a", 4, 6, "revised", None)]
