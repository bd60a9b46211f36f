"""The vessel motion example on real archives, where they are at hand."""

import json
from collections import Counter
from pathlib import Path

import pytest

from phenesthe.cli.main import main
from tests.tools.drawings import ROOT

DATA = ROOT.parent / "shared" / "data"
PROGRAM = ROOT / "examples" / "vessel_motion" / "vessel_motion.phe"
ARCHIVES = {
    "dk_northsea_1h_2022": ["--map", "position.cog=heading"],
    "us_marinecadastre_first100k_2022_01_03": [],
}


@pytest.mark.parametrize("archive", ARCHIVES)
def test_stops_moves_and_turns_are_found(
    archive: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = DATA / f"{archive}.parquet"
    if not file.is_file():
        pytest.skip(f"{file.name} is not at hand: it is not ours to ship")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "position.parquet").symlink_to(file)
    output = tmp_path / "motion.jsonl"
    command = ["run", str(PROGRAM), "--engine", "local", "--input", str(tmp_path / "in")]
    command += ["--output", str(output)]
    assert main([*command, *ARCHIVES[archive]]) == 0
    assert "set aside" in capsys.readouterr().err
    counts = Counter(json.loads(line)["name"] for line in output.open())
    assert min(counts[name] for name in ("stopped", "moving", "turning", "manoeuvre")) > 20
    assert main(["show", str(output), "--times", "iso", "--only", "turning"]) == 0
    assert "turning state" in capsys.readouterr().out
