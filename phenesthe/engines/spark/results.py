"""What a run on Spark gives back in Python."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

import pyarrow as pa
from pyspark.sql import DataFrame

from phenesthe.engines.spark.reading import Inputs
from phenesthe.engines.spark.run import Found
from phenesthe.io.rejects import Rejects


class SparkResults(Mapping[str, DataFrame]):
    """Frames by the name of their definition: arguments, then `t`, or `ts` and `te`.

    The input is looked at when something is asked for first: a frame, `rejects` or `warnings`. A
    stage is computed when a frame of it is used, and its results are kept until `release`.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        read: Callable[[], Inputs],
        evaluate: Callable[[Inputs], Found],
        look: Callable[[Inputs], tuple[str, ...]],
    ) -> None:
        self._names = names
        self._read = read
        self._evaluate = evaluate
        self._look = look

    @cached_property
    def _inputs(self) -> Inputs:
        return self._read()

    @cached_property
    def _found(self) -> Found:
        return self._evaluate(self._inputs)

    @property
    def rejects(self) -> Rejects:
        return self._inputs.rejects

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        return (*self._inputs.warnings, *self._look(self._inputs))

    def __getitem__(self, name: str) -> DataFrame:
        if name not in self._names:
            raise KeyError(name)
        return self._found.frames[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def to_arrow(self) -> dict[str, pa.Table]:
        """All results in this process, with one Spark job a stage."""
        return self._found.collect()

    def release(self) -> None:
        """Give back the room that parsed input and finished stages take; used later, both are
        computed again.
        """
        if "_found" in self.__dict__:
            self._found.release()
        if "_inputs" in self.__dict__:
            self._inputs.release()
