"""The data set that ships is what its seed gives."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

from examples.maritime.files import REPORTS, TRUTH, write_traffic
from examples.maritime.simulate import simulate
from examples.maritime.stage import HOUR

SHIPPED = Path(__file__).parents[3] / "examples/maritime/data"
LARGEST = 2_000_000


def read_reports(folder: Path) -> pa.Table:
    return pyarrow.csv.read_csv(folder / REPORTS)


def test_it_is_small() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < LARGEST


def test_it_is_what_its_seed_gives(tmp_path: Path) -> None:
    write_traffic(simulate(42, 24 * HOUR, 36), tmp_path, seed=42, noise=1, every=30)
    assert (tmp_path / TRUTH).read_text() == (SHIPPED / TRUTH).read_text()
    made, shipped = read_reports(tmp_path), read_reports(SHIPPED)
    assert made.schema == shipped.schema
    for name in made.column_names:
        if pa.types.is_floating(made.schema.field(name).type):
            # Processors differ in the last digit of a sine.
            np.testing.assert_allclose(made[name], shipped[name], rtol=0, atol=2e-6)
        else:
            assert made[name].equals(shipped[name]), name


def test_its_truth_is_in_the_form_of_results() -> None:
    for line in (SHIPPED / TRUTH).read_text().splitlines():
        row = json.loads(line)
        assert set(row) == {"name", "args", "ts", "te"}
        assert row["te"] is None or row["ts"] < row["te"]
