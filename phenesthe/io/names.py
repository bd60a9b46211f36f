"""Which column each argument is read from: its own name, or what `--map` says."""

from collections.abc import Collection, Iterable, Mapping

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.diagnostics.suggest import closest
from phenesthe.io.columns import list_times
from phenesthe.io.errors import DataError
from phenesthe.options import name_mapping

#: Of an input or fact: the column of every argument, time and operation.
Names = Mapping[str, str]


def map_columns(program: CheckedProgram, mapping: Mapping[str, str]) -> dict[str, Names]:
    """The columns of every input and fact. `mapping` is from `INPUT.ARGUMENT` to a column."""
    signatures = program.given
    columns = {name: name_columns(one) for name, one in signatures.items()}
    for key, column in mapping.items():
        name, dot, argument = key.partition(".")
        given = f"`{name_mapping({key: column})}`"
        if not dot or not argument or not column:
            raise DataError(
                f"{given} names no argument",
                f"write {name_mapping({'INPUT.ARGUMENT': 'COLUMN'})}",
            )
        if name not in columns:
            raise DataError(
                f"{given}: there is no input or fact `{name}`",
                list_choices(name, columns),
            )
        if argument not in columns[name]:
            raise DataError(
                f"{given}: `{name}` has no argument `{argument}`",
                list_choices(argument, columns[name]),
            )
        columns[name][argument] = column
    return {name: dict(one) for name, one in columns.items()}


def name_columns(signature: Signature) -> dict[str, str]:
    """Every column under its own name. An argument called `arrival` or `op` is just that."""
    times = list_times(signature)
    return {name: name for name in (*signature.arguments, *times, "arrival", "op")}


def list_fields(signature: Signature, wanted: Collection[str] | None) -> tuple[str, ...]:
    """The arguments wanted and the times: what a row must have."""
    arguments = (one for one in signature.arguments if wanted is None or one in wanted)
    return (*arguments, *list_times(signature))


def choose_wanted(
    signature: Signature, wanted: Collection[str] | None, *, has_op: bool
) -> Collection[str] | None:
    """The arguments to read: all (None) where rows are compared with each other.

    So are the rows of facts, which may come from two places.
    """
    return wanted if signature.kind == "event" and not has_op else None


def list_choices(word: str, candidates: Iterable[str]) -> str:
    """«Did you mean …», or all there are."""
    names = sorted(candidates)
    folded = {name.casefold(): name for name in reversed(names)}
    found = closest(word, names) or folded.get(closest(word.casefold(), folded) or "")
    if found is not None:
        return f"did you mean `{found}`?"
    listed = ", ".join(f"`{name}`" for name in names)
    return f"there is only {listed}" if len(names) == 1 else f"there are {listed or 'none'}"
