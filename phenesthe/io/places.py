"""What a place given as input holds: a table for each input or fact, or lines with everything.

This is about names alone, so that every engine finds the same tables and says the same of them.
"""

from collections.abc import Iterable
from pathlib import Path

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.diagnostics.shorten import shorten
from phenesthe.diagnostics.suggest import closest
from phenesthe.disk.links import LOOP
from phenesthe.files.missing import find_similar
from phenesthe.frozen import dataclass
from phenesthe.io.account import Account
from phenesthe.io.errors import DataError
from phenesthe.io.foreign import refuse_foreign
from phenesthe.options import name_option

#: Of more files than this nobody reads the names.
_MOST_NAMED = 10
EXTENSIONS = (".parquet", ".csv", ".jsonl", ".csv.gz", ".jsonl.gz")


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
    def extension(self) -> str | None:
        return find_extension(self.name)


def find_extension(name: str) -> str | None:
    """That of a table; None if it cannot be one by its name."""
    return next((one for one in EXTENSIONS if name.endswith(one)), None)


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
    found = sorted(entries, key=lambda one: one.name)
    tables = group_tables(found)
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
            _refuse_alike(signature.name, found)
            missing.append(signature.name)
    declared = {one.name for one in (*program.inputs, *program.facts)}
    ignored = sorted(
        f"`{shorten(one.name)}`"  # a name may have the end of a line in it
        for name, found in tables.items()
        for one in found
        if name not in declared and not one.is_folder
    )
    more = f" and {len(ignored) - _MOST_NAMED:,} more" if len(ignored) > _MOST_NAMED else ""
    text = (
        f"ignored files in `{folder}` (no matching input or fact): "
        f"{', '.join(ignored[:_MOST_NAMED])}{more}\n"
        "  help: a table is read if it is named after an input or fact"
    )
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
    return bool(entry.extension is not None or closest(name, missing))


def group_tables(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """What could be a table, by the name it would be of."""
    tables: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda one: one.name):
        if entry.extension is not None:
            name = entry.name.removesuffix(entry.extension)
            tables.setdefault(name, []).append(entry)
        elif entry.is_folder or entry.special == LOOP:
            tables.setdefault(entry.name, []).append(entry)
    return tables


def _refuse_alike(name: str, entries: Iterable[Entry]) -> None:
    """Refuse what could only be the table of a name, and is not read."""
    for entry in entries:
        stem = entry.name.partition(".")[0]
        if stem != name or entry.is_folder:
            continue
        refuse_foreign(entry.path)
        if entry.name.removeprefix(stem).lower() in (".tsv", ".txt", ".csv", ".tab"):
            raise DataError(
                f"cannot read `{entry.path}`: its name must end in .csv",
                f"rename it to `{name}.csv`; there may be `,`, `;`, tabs or `|` between fields",
            )


def find_single(program: CheckedProgram, entry: Entry, *, only_facts: bool) -> Signature | None:
    """What a file that is given by itself is the table of; None if it has lines of everything.

    Raises `DataError` for a file that is neither.
    """
    _refuse_special(entry)
    refuse_foreign(entry.path)
    if entry.extension in (".jsonl", ".jsonl.gz"):
        return None
    kind = "fact" if only_facts else "input"
    declared = program.facts if only_facts else program.inputs
    name = declared[0].name if declared else "NAME"
    if entry.extension is None:
        raise DataError(
            f"cannot read `{entry.path}` as input: it is neither a folder nor a .csv, .parquet or "
            ".jsonl file",
            f"give a folder of tables, such as `{name}.csv`, or one of these files",
        )
    if len(declared) == 1:
        return declared[0]
    names = ", ".join(f"`{one.name}{entry.extension}`" for one in declared[:4])
    more = ", …" if len(declared) > 4 else ""
    reason = f"the program has {len(declared)} {kind}s" if declared else f"it has no {kind}"
    raise DataError(
        f"cannot tell which {kind} `{entry.path}` is the table of: {reason}",
        f"put it into a folder under the name of its {kind} ({names}{more}), and give the folder"
        if declared
        else "leave it out",
    )


def note_absent_facts(
    program: CheckedProgram, account: Account, path: str, *, only_facts: bool
) -> None:
    """A single table of an input holds no facts."""
    if not only_facts:
        for fact in program.facts:
            account.missing.setdefault(fact.name, []).append(path)


def check_lines(entry: Entry, *, mapped: bool) -> None:
    """Refuse to rename the columns of lines that have none."""
    if mapped:
        given = name_option("map", python="mapping")
        raise DataError(
            f"`{given}` renames the columns of tables; the lines of `{entry.path}` have none",
            f"leave {given} out, or give a folder of tables",
        )


def _refuse_special(entry: Entry) -> None:
    if entry.special is not None:
        raise refuse_special_file(entry.path, entry.special)


def refuse_special_file(path: str, special: str) -> DataError:
    return DataError(
        f"cannot read `{path}`: it is {special}, not a file",
        "let it lead to one" if special == LOOP else "write what comes from it into a file first",
    )


def refuse_absence(place: str) -> DataError:
    path = Path(place)
    if "://" not in place:
        if not path.parent.is_dir():
            return DataError(f"there is no `{place}`", f"there is no folder `{path.parent}`")
        if (meant := find_similar(path)) is not None:
            return DataError(f"there is no `{place}`", f"did you mean `{meant}`?")
    return DataError(f"there is no `{place}`", "check the path")


def refuse_name(name: str, hint: str) -> DataError:
    return DataError(f"the program has no input or fact `{name}`", hint)


def refuse_table(path: str, name: str) -> DataError:
    return DataError(
        f"cannot read `{path}` as the table of `{name}`",
        "give a .parquet, .csv or .jsonl file (the last two also as .gz), or a folder of Parquet "
        "files",
    )
