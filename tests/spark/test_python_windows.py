"""Replays of Spark frames in Python give what those of tables do, and share their states."""

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

import phenesthe
from phenesthe.engines.spark.results import SparkResults
from tests.e2e.test_python_windows import (
    EMITS,
    KINDS,
    MORE,
    WINDOWS,
    ask,
    command,
    list_lines,
    make_tables,
    sort,
)
from tests.e2e.test_state import cut
from tests.e2e.test_windows import PROGRAM


def ask_spark(
    spark: SparkSession, rows: Sequence[Mapping[str, Any]], **options: Any
) -> SparkResults:
    frames = {name: spark.createDataFrame(table) for name, table in make_tables(rows).items()}
    result = phenesthe.compile(text=PROGRAM).run(frames, **WINDOWS, **options)
    assert isinstance(result, SparkResults)
    return result


def collect(result: SparkResults) -> dict[str, pa.Table]:
    return {name: frame.toArrow() for name, frame in result.items()}


@pytest.mark.parametrize("emit", EMITS)
def test_frames_give_what_tables_do(spark: SparkSession, emit: Any) -> None:
    local = ask(MORE, emit=emit, start=0)
    # The rejects first: some are found only by the replay itself.
    result = ask_spark(spark, MORE, emit=emit, start=0, partitions=2)
    assert result.rejects.count_reasons() == local.rejects.count_reasons() != {}
    tables = collect(result)
    assert list_lines(tables) == list_lines(dict(local))
    assert list(result) == list(local)
    assert list_lines(result.to_arrow()) == list_lines(tables)
    assert {name: one.column_names for name, one in tables.items()} == {
        name: local[name].column_names for name in KINDS
    }
    assert result.warnings == local.warnings
    result.release()


def test_nothing_to_ask_about(spark: SparkSession) -> None:
    for emit in ("final", "changes"):
        result = ask_spark(spark, [], emit=emit, allow_empty=True)
        local = ask([], emit=emit, allow_empty=True)
        found = result["runs"].toArrow()
        assert (found.num_rows, found.schema.types) == (0, local["runs"].schema.types)
        assert found.column_names == local["runs"].column_names


@pytest.mark.parametrize("emit", ["final", "changes"])
def test_a_state_goes_from_one_to_the_other(spark: SparkSession, tmp_path: Path, emit: Any) -> None:
    """The first rows by the command, the next by Python on Spark, the last by the command."""
    (tmp_path / "p.phe").write_text(PROGRAM)
    whole = command(tmp_path, MORE, "--emit", emit)
    first, rest = cut(MORE, 4)
    middle, last = cut(rest, 12)
    options = ("--emit", emit, "--state", "st")
    told = [sort(command(tmp_path, first, *options, "--until", "4"))]
    kept: dict[str, Any] = {"emit": emit, "state": tmp_path / "st", "until": 12}
    result = ask_spark(spark, middle, **kept)
    told.append(list_lines(collect(result)))
    again = ask_spark(spark, middle, **kept)
    assert list_lines(collect(again)) == told[-1]
    assert [text.partition(",")[0] for text in again.warnings] == ["this run was made before"]
    told.append(sort(command(tmp_path, last, *options)))
    found = told[-1] if emit == "final" else sorted(chain(*told))
    assert found == sort(whole)


def test_a_state_is_kept_at_once(spark: SparkSession, tmp_path: Path) -> None:
    """Whoever does not look at the results has taken the rows in all the same."""
    first, rest = cut(MORE, 12)
    ask_spark(spark, first, until=12, state=tmp_path / "st")
    found = ask(rest, state=tmp_path / "st")
    assert list_lines(dict(found)) == list_lines(dict(ask(MORE)))
    with pytest.raises(phenesthe.DataError, match="partitions is for a run without state"):
        ask_spark(spark, rest, state=tmp_path / "st", partitions=2)
