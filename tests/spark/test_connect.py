"""Through Spark Connect, where there is no JVM in this process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.strategies.corpus import PROJECT

_SCRIPT = """
import sys
from pathlib import Path
from pyspark.sql import SparkSession
import phenesthe

spark = SparkSession.builder.remote("local[2]").getOrCreate()
golden = Path(sys.argv[1])
program = phenesthe.compile(golden / "maritime.phe")
names = [one.name for one in (*program.checked.inputs, *program.checked.facts)]
paths = {name: golden / "m1k" / f"{name}.parquet" for name in names}
frames = {name: spark.read.parquet(path.absolute().as_uri()) for name, path in paths.items()}
local, remote = program.run(paths), program.run(frames)
found = remote.to_arrow()
for name in local:
    order = [(column, "ascending") for column in local[name].column_names]
    assert found[name].sort_by(order).equals(local[name].sort_by(order)), name
print("equal", len(local), remote["moored"].count())
remote.release()
"""


def test_results_are_equal_through_spark_connect(tmp_path: Path) -> None:
    pytest.importorskip("grpc")
    script = tmp_path / "script.py"
    script.write_text(_SCRIPT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script), str(PROJECT / "tests" / "data" / "golden")],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "PYSPARK_PYTHON": sys.executable},
    )
    assert done.stdout == "equal 11 6\n", done.stderr[-2000:]
