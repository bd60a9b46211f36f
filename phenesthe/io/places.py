"""What a place given as input holds: a table for each input or fact, or lines with everything.

This is about names alone, so that every engine finds the same tables and says the same of them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.diagnostics.suggest import closest
from phenesthe.io.errors import DataError

EXTENSIONS = (".parquet", ".csv", ".jsonl")


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder; `path` is how it is shown."""

    path: str
    name: str
    is_folder: bool
    #: Of a file, in bytes.
    size: int = 0
    #: What it is, if it is neither a file nor a folder.
    special: str | None = None

    @property
    def suffix(self) -> str:
        return PurePath(self.name).suffix


@dataclass(frozen=True, slots=True)
class Choice:
    """The tables to read, the names that have none, the files that look like tables of others,
    and what is worth saying of the rest.
    """

    tables: list[tuple[Signature, Entry]]
    missing: list[str]
    strangers: list[str]
    warnings: list[str]


def choose_tables(
    program: CheckedProgram, folder: str, entries: Iterable[Entry], *, only_facts: bool
) -> Choice:
    """The table of each input and fact among what a folder holds."""
    tables = _name_tables(entries)
    chosen: list[tuple[Signature, Entry]] = []
    missing: list[str] = []
    for signature in (*(() if only_facts else program.inputs), *program.facts):
        candidates = tables.get(signature.name, [])
        if len(candidates) > 1:
            names = " and ".join(f"`{one.name}`" for one in candidates)
            raise DataError(
                f"`{signature.name}` has several tables in `{folder}`: {names}",
                "keep one of them there",
            )
        if candidates:
            _refuse_special(candidates[0])
            chosen.append((signature, candidates[0]))
        else:
            missing.append(signature.name)
    declared = {one.name for one in (*program.inputs, *program.facts)}
    ignored = sorted(
        f"`{one.name}`"
        for name, found in tables.items()
        for one in found
        if name not in declared and not one.is_folder
    )
    text = f"in `{folder}`, of no input or fact and not read: {', '.join(ignored)}"
    strangers = [
        one.name
        for name, found in tables.items()
        for one in found
        if name not in declared and _could_be_meant(name, one, missing)
    ]
    return Choice(chosen, missing, strangers, [text] if ignored else [])


def _could_be_meant(name: str, entry: Entry, missing: Iterable[str]) -> bool:
    """Whether this is a table under another name. What a plain folder holds is not looked at."""
    if entry.name.startswith((".", "_")) or name.endswith(".test"):
        return False
    return bool(entry.suffix in EXTENSIONS or closest(name, missing))


def _name_tables(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """What could be a table, by the name it would be of."""
    tables: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda one: one.name):
        if entry.suffix in EXTENSIONS:
            tables.setdefault(PurePath(entry.name).stem, []).append(entry)
        elif entry.is_folder:
            tables.setdefault(entry.name, []).append(entry)
    return tables


def check_lines(entry: Entry, *, mapped: bool) -> None:
    """Refuse a file that is no input, or whose lines have no columns to rename."""
    _refuse_special(entry)
    if entry.suffix != ".jsonl":
        raise DataError(
            f"cannot read `{entry.path}` as input: it is neither a folder nor a .jsonl file",
            f"give the folder that holds it: {PurePath(entry.path).parent}",
        )
    if mapped:
        raise DataError(
            f"`--map` renames the columns of tables; the lines of `{entry.path}` have none",
            "leave --map out, or give a folder of tables",
        )


def _refuse_special(entry: Entry) -> None:
    if entry.special is not None:
        raise refuse_special_file(entry.path, entry.special)


def refuse_special_file(path: str, special: str) -> DataError:
    return DataError(
        f"cannot read `{path}`: it is {special}, not a file",
        "write what comes from it into a file first",
    )


def refuse_absence(place: str) -> DataError:
    return DataError(f"there is no `{place}`", "check the path")


def refuse_name(name: str, hint: str) -> DataError:
    return DataError(f"the program has no input or fact `{name}`", hint)


def refuse_table(path: str, name: str) -> DataError:
    return DataError(
        f"cannot read `{path}` as the table of `{name}`",
        "give a .parquet, .csv or .jsonl file, or a folder of Parquet files",
    )
