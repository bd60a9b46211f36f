"""What continuous integration (`CI=true`) makes of tests that are skipped: they fail.

A skip that nobody looks at is a test that nobody has. Only what cannot be had there is excused, and
is listed with its reason at the end of the run, as all skips are.
"""

import os
from collections.abc import Generator
from typing import Any

import pytest

#: Reasons that no change of the project can remove.
EXCUSES = ("cannot be reached", "not ours to ship")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> "Generator[None, pytest.TestReport, pytest.TestReport]":
    report = yield
    refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> "Generator[None, pytest.CollectReport, pytest.CollectReport]":
    report = yield
    refuse_skip(report)
    return report


def refuse_skip(report: Any) -> None:
    if not report.skipped or hasattr(report, "wasxfail") or os.environ.get("CI") != "true":
        return
    _, _, reason = report.longrepr
    if not any(excuse in reason for excuse in EXCUSES):
        report.outcome = "failed"
        report.longrepr = f"{reason}\nIn continuous integration a skipped test is a failed one."
