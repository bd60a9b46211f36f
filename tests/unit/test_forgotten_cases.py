"""An operator that a table of the engine forgets is a type error, not a default."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
#: A file, the case that is taken out of it, and what the type checker then says.
FORGOTTEN = {
    "the node of an operator": (
        "phenesthe/operators/nodes.py",
        "        case Union():\n            from phenesthe.operators.sets import UnionNode\n\n"
        "            return UnionNode\n",
    ),
    "the node of another": (
        "phenesthe/operators/nodes.py",
        "        case Machine():\n"
        "            from phenesthe.operators.machines import MachineNode\n\n"
        "            return MachineNode\n",
    ),
}


@pytest.mark.parametrize("name", FORGOTTEN)
def test_a_forgotten_case_is_a_type_error(tmp_path: Path, name: str) -> None:
    file, case = FORGOTTEN[name]
    source = (PROJECT / file).read_text(encoding="utf-8")
    assert source.count(case) == 1
    shutil.copytree(PROJECT / "phenesthe", tmp_path / "phenesthe")
    (tmp_path / file).write_text(source.replace(case, ""), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file", str(PROJECT / "pyproject.toml")]
    command += ["--follow-imports", "silent", "--cache-dir", str(tmp_path / "cache"), file]
    checked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert checked.returncode == 1, checked.stdout + checked.stderr
    assert "assert_never" in checked.stdout
