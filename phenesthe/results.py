"""What a run in Python gives back."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from phenesthe.check.program import CheckedProgram
from phenesthe.io import DataError, Rejects
from phenesthe.io.account import Account
from phenesthe.io.judge import NothingUsed, allow_empty, judge_input
from phenesthe.plan.needed import prune

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Results(Mapping[str, Any]):
    """Tables by the name of their definition: arguments, then `t`, or `ts` and `te`.

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


class Read(Protocol):
    """What was read, on whichever engine."""

    @property
    def account(self) -> Account: ...
    @property
    def rejects(self) -> Rejects: ...
    @property
    def warnings(self) -> tuple[str, ...]: ...


def make_judge(
    program: CheckedProgram, names: Collection[str], allow: bool | Iterable[str]
) -> Callable[[Read], tuple[str, ...]]:
    """Gives what is worth knowing of an input. Raises `DataError` if nothing can be found in it."""
    chosen = (() if allow else None) if isinstance(allow, bool) else allow
    allowed, needed = allow_empty(program, chosen), prune(program, names)

    def judge(found: Read) -> tuple[str, ...]:
        try:
            told = judge_input(needed, found.account, found.rejects, allowed=allowed)
        except NothingUsed as problem:
            # Nobody will see what there is to say of the columns, unless it is here.
            said = "\n  ".join((problem.message, *found.warnings))
            hint = offer_empty(problem, f"give allow_empty={list(problem.names)}")
            raise DataError(said, hint) from None
        return (*found.warnings, *told)

    return judge


def offer_empty(problem: NothingUsed, how: str) -> str:
    """The remedy, and what to do if it is no mistake."""
    few = f"`{problem.names[0]}`" if len(problem.names) == 1 else "they"
    asked = str(problem.hint).endswith("?")
    return f"{problem.hint}{' If' if asked else '; if'} {few} may be empty, {how}"


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
