"""Reading and writing stay light."""

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tests.unit.io.samples import TEXT, write_lines

SCRIPT = """
import sys, phenesthe
from phenesthe.io import read_input, write_results
from phenesthe.io.unseen import TableValues
folder = sys.argv[1]
program = phenesthe.compile(text=sys.argv[2]).checked
loaded = read_input(program, folder)
held = loaded.tables["in_port"].rename_columns(["V", "P", "ts", "te"])
results = {"rings": loaded.tables["alarm"], "held": held}
for name in ("out", "out.jsonl", "out.csv", "out.parquet"):
    write_results(program, results, folder + "/" + name)
    write_results(program, results, folder + "/" + name, times="iso", overwrite=True)
values = TableValues(loaded.facts)
asked = ("vessel_type", "type")
assert values.find_present({asked: ["a", "b"]}) == {asked: {"a"}}
assert values.list_values([asked]) == {asked: ["a"]}
assert loaded.last == 9 and held.num_rows == 2 and not loaded.rejects
print(sorted({"pandas", "pyspark", "pyarrow.dataset"} & set(sys.modules)))
"""


def test_neither_pandas_nor_spark_nor_datasets_are_imported(tmp_path: Path) -> None:
    write_lines(tmp_path / "alarm.jsonl", [{"t": 1}])
    (tmp_path / "vessel_type.csv").write_text("vessel,type\n1,a\n")
    rows = {"vessel": [2, 1, 1], "port": ["a", "b", "b"], "ts": [3, 4, 4], "te": [None, None, 9]}
    pq.write_table(pa.table(rows), tmp_path / "in_port.parquet")
    text = TEXT.replace("{unit}", "second")
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path), text],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert (ran.stdout, ran.stderr) == ("[]\n", "")
