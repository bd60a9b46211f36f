"""What does runs. A program means the same on all of them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from phenesthe.runs.ran import Ran
from phenesthe.runs.request import Request
from phenesthe.runs.watch import Watch

if TYPE_CHECKING:
    from phenesthe.io.rejects import Rejects
    from phenesthe.runs.local import LocalEngine
    from phenesthe.runs.spark import SparkEngine

Name: TypeAlias = Literal["local", "spark"]


class Answer(Protocol):
    """Results by the name of their definition, as tables or frames of the engine."""

    @property
    def rejects(self) -> "Rejects": ...

    @property
    def warnings(self) -> tuple[str, ...]: ...

    def __getitem__(self, name: str) -> Any: ...


class Engine(Protocol):
    """Does what is requested: once, or with windows as a replay, with a state going on from it."""

    def run(self, request: Request, watch: Watch) -> Ran:
        """Write everything to the places that are requested."""

    def find(self, request: Request) -> Answer:
        """Give the results back, of a request of tables that has no output."""


def open_engine(name: Name, *, master: str | None = None, partitions: int | None = None) -> Engine:
    """The engine that whoever typed a command asks for."""
    if name == "local":
        from phenesthe.runs.local import LocalEngine

        return LocalEngine()
    from phenesthe.runs.spark import SparkEngine

    return SparkEngine(master, partitions)


def engine_of(
    inputs: Mapping[str, Any], partitions: int | None = None
) -> "LocalEngine | SparkEngine":
    """The engine of tables: Spark if one of them is a frame of it."""
    from phenesthe.results import find_session

    spark = find_session(inputs.values())
    if spark is None:
        from phenesthe.runs.local import LocalEngine

        return LocalEngine()
    from phenesthe.runs.spark import SparkEngine

    return SparkEngine(partitions=partitions, spark=spark)
