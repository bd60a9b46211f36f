"""A skipped test fails in continuous integration, and is listed everywhere."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rights import as_anybody
from tests.strategies.corpus import PROJECT

TESTS = """\
import pytest

def test_at_run_time():
    pytest.skip("no such disk")

@pytest.mark.skipif(True, reason="no such system")
def test_by_a_mark():
    pass

@pytest.mark.xfail
def test_that_fails():
    assert False

def test_of_others():
    pytest.skip("x.parquet is not at hand: it is not ours to ship")
"""
MODULE = 'import pytest\n\npytest.importorskip("no_such_package")\n'


def run_tests(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_some.py").write_text(TESTS)
    (folder / "test_module.py").write_text(MODULE)
    hooks = ("-p", "tests.skips", "-p", "no:cacheprovider", "-rfEs", "-c", os.devnull)
    every = ("--continue-on-collection-errors", "--rootdir", str(folder), str(folder))
    return subprocess.run(
        [sys.executable, "-m", "pytest", *hooks, *every],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT), **environment},
        check=False,
    )


def test_a_skip_fails_in_continuous_integration(tmp_path: Path) -> None:
    done = run_tests(tmp_path, CI="true")
    assert done.returncode != 0
    for reason in ("no such disk", "no such system", "could not import 'no_such_package'"):
        assert reason in done.stdout
    assert "1 failed, 1 skipped, 1 xfailed, 2 errors" in done.stdout
    assert "SKIPPED [1] test_some.py:15: x.parquet is not at hand" in done.stdout


def test_elsewhere_it_is_listed(tmp_path: Path) -> None:
    done = run_tests(tmp_path, CI="")
    assert done.returncode == 0
    assert "4 skipped, 1 xfailed" in done.stdout
    for reason in ("no such disk", "no such system", "could not import 'no_such_package'"):
        assert f": {reason}" in done.stdout


@pytest.mark.parametrize("mode", [0o000, 0o444])
def test_a_test_may_do_without_the_rights_of_root(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "file"
    file.write_text("text")
    file.chmod(mode)
    write = [sys.executable, "-c", f"open({str(file)!r}, 'w')"]
    with as_anybody():
        with pytest.raises(PermissionError):
            file.open("w")
        assert subprocess.run(write, stderr=subprocess.DEVNULL, check=False).returncode == 1
    if os.geteuid() == 0:
        assert subprocess.run(write, check=False).returncode == 0
