"""Functions of workers that take their time."""

import time
from collections.abc import Callable

from tests.spark.bad_workers import Batches


def sleep(seconds: float) -> Callable[[Batches], Batches]:
    """A task that takes so long, and returns its rows."""

    def wait(batches: Batches) -> Batches:
        time.sleep(seconds)
        yield from batches

    return wait
