"""What a run in Python gives back."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from phenesthe.io import Rejects

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Results(Mapping[str, Any]):
    """Tables by the name of their definition: arguments, then `t`, or `ts` and `te`.

    Changes and snapshots have the `query` of each row, changes also its `change`, and `was`, the
    old end of what was revised.

    `rejects` are the rows that did not fit, `warnings` what else is worth knowing of the input.
    """

    def __init__(
        self,
        tables: Mapping[str, Any],
        rejects: Rejects,
        warnings: tuple[str, ...],
        as_pandas: bool,
    ) -> None:
        self._tables = tables
        self._as_pandas = as_pandas
        self.rejects = rejects
        self.warnings = warnings

    def __getitem__(self, name: str) -> Any:
        table = self._tables[name]
        # Nullable integers: an open end must not turn all the ends into floats.
        return table.to_pandas(types_mapper=_nullable) if self._as_pandas else table

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)


def find_session(values: Iterable[object]) -> "SparkSession | None":
    """The session of the first Spark frame, without importing Spark where there is none."""
    for value in values:
        if type(value).__module__.split(".")[0] == "pyspark" and hasattr(value, "sparkSession"):
            session: SparkSession = value.sparkSession
            return session
    return None


def is_pandas(value: object) -> bool:
    """Without importing pandas: whoever has a frame has imported it."""
    return type(value).__module__.split(".")[0] == "pandas"


def _nullable(arrow_type: Any) -> Any:
    import pandas
    import pyarrow as pa

    return pandas.Int64Dtype() if pa.types.is_int64(arrow_type) else None
