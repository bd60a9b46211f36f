"""Reading and writing stay light."""

import subprocess
import sys
from pathlib import Path

from tests.unit.io.samples import TEXT, write_lines

SCRIPT = """
import sys, phenesthe
from phenesthe.io import read_input, write_results
folder = sys.argv[1]
program = phenesthe.compile(text=sys.argv[2]).checked
loaded = read_input(program, folder)
write_results(program, {"rings": loaded.tables["alarm"]}, folder + "/out")
write_results(program, {"rings": loaded.tables["alarm"]}, folder + "/out.jsonl", times="iso")
assert read_input(program, folder, mapping={}).last == 1
print(sorted({"pandas", "pyspark", "pyarrow.dataset"} & set(sys.modules)))
"""


def test_neither_pandas_nor_spark_nor_datasets_are_imported(tmp_path: Path) -> None:
    write_lines(tmp_path / "alarm.jsonl", [{"t": 1}])
    (tmp_path / "vessel_type.csv").write_text("vessel,type\n1,a\n")
    text = TEXT.replace("{unit}", "second")
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path), text],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert (ran.stdout, ran.stderr) == ("[]\n", "")
