"""Filters that Spark takes to Parquet: -0.0 is 0.0, whatever statistics and dictionaries say."""

import json
import math
import operator
from collections.abc import Callable
from functools import reduce
from itertools import product
from pathlib import Path
from typing import get_args

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

import phenesthe
from phenesthe.engines.spark.exchange import write_filter
from phenesthe.engines.spark.session import Session
from phenesthe.graph.scan import Scan, Test
from phenesthe.syntax.tree import ComparisonOperator
from tests.e2e.test_windows import start

(E,) = phenesthe.compile(
    text="input event e(s: str, f: float); event d(S) : e(S, _);"
).checked.inputs
COMPARE: dict[ComparisonOperator, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
CONSTANTS = (0, -0.0, 1.5)
NAN, INFINITY = math.nan, math.inf
#: Each is a row group, with statistics and a dictionary of its own.
GROUPS = (
    (-0.0, -0.0), (0.0, 0.0), (0.0, -0.0), (NAN, -0.0), (NAN, NAN), (INFINITY, -INFINITY),
    (-1.0, -0.0), (0.0, 1.5), (2.0**-140, -(2.0**-140)), (1.5, 1.5), (1.5, NAN),
)  # fmt: skip
FLOATS = [one for group in GROUPS for one in group]


def write(spark: SparkSession, folder: Path, layout: str) -> DataFrame:
    """Files with Bloom filters are written by Spark, one for each group."""
    table = pa.table({"s": pa.array([str(at) for at in range(len(FLOATS))]), "f": FLOATS})
    path = folder / "table.parquet"
    if layout == "bloom":
        frame = spark.createDataFrame(table).repartition(len(GROUPS), sf.col("s").cast("int") / 2)
        options = {"parquet.bloom.filter.enabled#f": "true", "parquet.enable.dictionary": "false"}
        frame.write.options(**options).parquet(str(path))
    else:
        narrow = table.set_column(1, "f", table["f"].cast(pa.float32()))
        written = narrow if layout == "narrow" else table
        pq.write_table(written, path, use_dictionary=layout != "plain", row_group_size=2)
    return spark.read.parquet(str(path)).withColumn("f", sf.col("f").cast("double"))


@pytest.mark.parametrize("layout", ["dictionary", "plain", "narrow", "bloom"])
def test_every_row_that_a_comparison_finds_is_read(
    spark: SparkSession, tmp_path: Path, layout: str
) -> None:
    assert set(COMPARE) == set(get_args(ComparisonOperator))
    frame = write(spark, tmp_path, layout)
    parts: list[DataFrame] = []
    wanted: set[tuple[str, int]] = set()
    for sign, constant in product(COMPARE, CONSTANTS):
        label = f"F {sign} {constant}"
        scan = Scan("e", (), ((Test("f", sign, constant),),))
        parts.append(frame.filter(write_filter(scan, E)).select(sf.lit(label), "s", "f"))
        wanted |= {
            (label, at)
            for at, one in enumerate(FLOATS)
            if COMPARE[sign](one, constant) and not math.isnan(one)
        }
    rows = reduce(DataFrame.unionAll, parts).collect()
    assert {(label, int(at)) for label, at, one in rows if not math.isnan(one)} == wanted


#: What finds the rows, and what does not.
BODIES = {
    "e(S, F) and F >= 0": True,
    "e(S, F) and F == -0.0": True,
    "e(S, 0.0)": True,
    "e(S, F) and F <= -0.0": True,
    "e(S, F) and F < 0": False,
    "e(S, F) and F != 0": False,
}


@pytest.mark.parametrize("zero", [0.0, -0.0])
@pytest.mark.parametrize("windows", [(), ("--window", "5")])
def test_rows_of_zero(
    tmp_path: Path, session: Session, zero: float, windows: tuple[str, ...]
) -> None:
    assert session.spark is not None
    (tmp_path / "in").mkdir()
    table = pa.table({"s": ["a", "b"], "f": [zero, zero], "t": [1, 2]})
    pq.write_table(table, tmp_path / "in" / "e.parquet")
    for body, finds in BODIES.items():
        (tmp_path / "p.phe").write_text(f"input event e(s: str, f: float);\nevent d(S) : {body};\n")
        given = ("run", "p.phe", "--quiet", "--input", "in", *windows, "--engine")
        for engine in ("local", "spark"):
            ended = start(tmp_path, *given, engine)
            found = [json.loads(line)["args"] for line in ended.out.splitlines()]
            assert (ended.code, found) == (0, [["a"], ["b"]] if finds else []), (body, engine)
