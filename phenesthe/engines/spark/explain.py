"""The plans that Spark makes of a program's stages, for tables of the declared columns."""

from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from phenesthe.check.program import CheckedProgram
from phenesthe.engines.spark.build import count_cores
from phenesthe.engines.spark.failures import explained
from phenesthe.engines.spark.reading import read_input
from phenesthe.engines.spark.run import run_spark
from phenesthe.engines.spark.session import open_session
from phenesthe.io.columns import make_schema
from phenesthe.plan.needed import list_columns


def explain_on_spark(program: CheckedProgram) -> str:
    """The physical plan of each stage, read from Parquet files that have no rows."""
    with TemporaryDirectory() as folder, open_session(is_small=True) as session:
        for signature in (*program.inputs, *program.facts):
            schema = make_schema(signature)
            pq.write_table(schema.empty_table(), Path(folder) / f"{signature.name}.parquet")
        with explained("planning", log=session.log):
            text = _explain_stages(session.spark, program, folder)
        return text.replace(Path(folder).as_uri().replace("///", "/"), "INPUT")


def _explain_stages(spark: SparkSession, program: CheckedProgram, folder: str) -> str:
    columns = list_columns(program, program.reported)
    inputs = read_input(spark, program, folder, columns=columns)
    found = run_spark(spark, program, inputs, partitions=count_cores(spark), together=True)
    parts = [
        f"stage {number}: {', '.join(stage.names)}\n\n{_explain(stage.frame)}"
        for number, stage in enumerate(found.stages, 1)
    ]
    found.release()
    return "\n".join(parts)


def _explain(frame: DataFrame) -> str:
    """Spark prints a plan and does not return it."""
    written = StringIO()
    with redirect_stdout(written):
        frame.explain()
    return written.getvalue().strip() + "\n"
