"""What a run on Spark gives back in Python."""

from collections.abc import Iterator, Mapping
from typing import Protocol

import pyarrow as pa
from pyspark.sql import DataFrame

from phenesthe.io.rejects import Rejects


class Work(Protocol):
    """What is read and computed when it is asked for, and then known."""

    @property
    def rejects(self) -> Rejects: ...

    @property
    def warnings(self) -> tuple[str, ...]: ...

    @property
    def frames(self) -> Mapping[str, DataFrame]: ...

    def collect(self) -> dict[str, pa.Table]: ...

    def release(self) -> None: ...


class SparkResults(Mapping[str, DataFrame]):
    """Frames by the name of their definition: arguments, then `t`, or `ts` and `te`.

    The input is looked at when something is asked for first: a frame, `rejects` or `warnings`. A
    stage is computed when a frame of it is used, and its results are kept until `release`.
    """

    def __init__(self, names: tuple[str, ...], work: Work) -> None:
        self._names, self._work = names, work

    @property
    def rejects(self) -> Rejects:
        return self._work.rejects

    @property
    def warnings(self) -> tuple[str, ...]:
        return self._work.warnings

    def __getitem__(self, name: str) -> DataFrame:
        if name not in self._names:
            raise KeyError(name)
        return self._work.frames[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def to_arrow(self) -> dict[str, pa.Table]:
        """All results in this process, with one Spark job a stage."""
        return self._work.collect()

    def release(self) -> None:
        """Give back the room that parsed input and finished stages take; used later, both are
        computed again.
        """
        self._work.release()
