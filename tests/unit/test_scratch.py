"""Folders for Spark among the temporary ones: those that nobody uses any more go."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from phenesthe.engines.spark.scratch import Scratch
from phenesthe.engines.spark.settings import list_settings, set_environment
from tests.strategies.corpus import PROJECT


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


LEFT = """\
import os, subprocess, sys
from phenesthe.engines.spark.scratch import Scratch
scratch = Scratch("phenesthe-spark-")
(scratch.folder / "local").mkdir()
(scratch.folder / "local" / "rows").touch()
other = Scratch("phenesthe-package-")
# As the JVM does, which may live a little longer.
code = "import sys; print(1, flush=True); sys.stdin.read()"
heir = subprocess.Popen([sys.executable, "-c", code], pass_fds=(scratch.number,))
print(heir.pid, flush=True)
heir.wait()
"""


def test_a_folder_goes_when_nobody_uses_it_any_more(temporary: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", LEFT],
        env={**os.environ, "PYTHONPATH": str(PROJECT), "TMPDIR": str(temporary)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        told = {process.stdout.readline().strip() for _ in range(2)}
        (heir,) = (int(line) for line in told - {"1"})
        Scratch("phenesthe-spark-").remove()
        assert len(list(temporary.iterdir())) == 2
        process.send_signal(signal.SIGKILL)
        process.wait()
        Scratch("phenesthe-spark-").remove()
        (left,) = temporary.iterdir()
        assert left.name.startswith("phenesthe-spark-")
        os.kill(heir, signal.SIGKILL)
        # Its end of the pipe is closed when it is gone.
        assert process.stdout.read() == ""
    Scratch("phenesthe-spark-").remove()
    assert list(temporary.iterdir()) == []


def test_a_log_that_somebody_is_referred_to_stays(temporary: Path) -> None:
    scratch = Scratch("phenesthe-spark-")
    log = scratch.folder / "spark.log"
    log.write_text("why")
    (scratch.folder / "local").mkdir()
    scratch.remove(keep=log)
    Scratch("phenesthe-spark-").remove()
    assert [str(one.relative_to(temporary)) for one in temporary.rglob("*.log")] == [
        f"{scratch.folder.name}/spark.log"
    ]
    assert log.read_text() == "why"


def test_what_is_not_ours_stays(temporary: Path) -> None:
    for name in ("spark-1", "phenesthe-mine", "tmp1"):
        (temporary / name).mkdir()
    (temporary / "phenesthe-spark-notes").write_text("a file")
    (temporary / "phenesthe-spark-link").symlink_to(temporary / "spark-1")
    before = sorted(temporary.iterdir())
    Scratch("phenesthe-spark-").remove()
    assert sorted(temporary.iterdir()) == before
    # One that was made, and nothing in it yet.
    (temporary / "phenesthe-spark-empty").mkdir()
    Scratch("phenesthe-package-").remove()
    assert sorted(temporary.iterdir()) == before


def test_all_that_spark_makes_here_is_made_in_it(tmp_path: Path) -> None:
    given = list_settings(local=True, cores=2, heap=2**30, folder=tmp_path)
    assert given["spark.local.dir"] == str(tmp_path / "local")
    # Elsewhere it would be a folder of other machines.
    assert "spark.local.dir" not in list_settings(local=False, cores=2, heap=1, folder=tmp_path)
    before = dict(os.environ)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_SUBMIT_OPTS", "-Dmine=1")
        with set_environment(tmp_path):
            found = os.environ["SPARK_SUBMIT_OPTS"]
            assert found == f'"-Djava.io.tmpdir={tmp_path}" -Dmine=1'
        assert os.environ["SPARK_SUBMIT_OPTS"] == "-Dmine=1"
    assert dict(os.environ) == before
