"""A cluster that has lost all its workers ends the job: Spark by itself waits for ever."""

import time
from typing import TYPE_CHECKING

from phenesthe.engines.spark.settings import is_local
from phenesthe.engines.spark.worker_errors import pack_error
from phenesthe.io.errors import DataError
from phenesthe.options import name_option

if TYPE_CHECKING:
    from pyspark import SparkContext

#: What Spark itself allows everybody who does not answer.
_PATIENCE = ("spark.network.timeout", "120s")


class Guard:
    """Counts the workers now and then, and gives up when all that there were stay away.

    A cluster that has given none yet may be busy, and one with dynamic allocation takes idle
    workers back: then nothing is lost and Spark is left to wait.
    """

    def __init__(self, context: "SparkContext") -> None:
        self._context = context
        conf = context._jsc.sc().conf()
        self._patience: float = conf.getTimeAsSeconds(*_PATIENCE)
        is_elastic = conf.getBoolean("spark.dynamicAllocation.enabled", False)
        self._is_on = not is_local(context.master) and not is_elastic
        self._had_some = False
        self._alone_since: float | None = None

    def look(self, *, is_waiting: bool) -> None:
        """`is_waiting`: there is something to do and nobody does it."""
        if not self._is_on:
            return
        # The driver is one of them.
        if len(self._context._jsc.sc().statusTracker().getExecutorInfos()) > 1:
            self._had_some, self._alone_since = True, None
        elif not (self._had_some and is_waiting):
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = time.monotonic()
        elif time.monotonic() - self._alone_since > self._patience:
            self._give_up()

    def _give_up(self) -> None:
        problem = pack_error(
            DataError(
                "all workers of the cluster were lost, and none came back within "
                f"{self._patience:.0f} s",
                "see their logs; often memory is short (spark.executor.memory, "
                f"{name_option('partitions', 'N')}); "
                "spark.network.timeout says how long to wait",
            )
        )
        for job in self._context.statusTracker().getActiveJobsIds():
            self._context._jsc.sc().cancelJob(job, str(problem))
