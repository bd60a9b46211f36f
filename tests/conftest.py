"""What tests in several folders share."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

# Hooks of pytest, which looks for them here.
from tests.skips import pytest_make_collect_report, pytest_runtest_makereport  # noqa: F401

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from phenesthe.engines.spark.session import Session

# A busy machine is no fault: what takes long is found by benchmarks.
settings.register_profile(
    "untimed", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("untimed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Shared out among cores, all tests that need the one session go to the same of them."""
    for item in items:
        if "session" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("spark"))


@pytest.fixture(scope="session")
def session() -> "Iterator[Session]":
    """One Spark for the whole test run, started by the first test that asks for it."""
    from phenesthe.engines.spark.session import open_session

    with open_session("local[2]", settings={"spark.sql.shuffle.partitions": "2"}) as opened:
        yield opened


@pytest.fixture
def spark(session: "Session") -> "SparkSession":
    return session.spark
