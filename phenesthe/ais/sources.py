"""What a file of reports is, found by a look at its beginning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeAlias

from phenesthe.ais.formats import Format, count_known, recognise
from phenesthe.files.csv_form import CsvForm, NoHeader, list_lines, read_form
from phenesthe.files.special import name_special
from phenesthe.io.errors import DataError
from phenesthe.io.foreign import refuse_foreign, refuse_packed
from phenesthe.io.lakes import check_lake_here
from phenesthe.io.places import refuse_absence, refuse_special_file
from phenesthe.io.read_csv import refuse_header
from phenesthe.io.read_tables import refusing
from phenesthe.io.time_format import TimeFormat

Kind: TypeAlias = Literal["csv", "parquet", "nmea"]

#: Lines that are looked at; logs may begin with comments.
LINES = 50
_SENTENCE = (b"VDM,", b"VDO,")

#: For lines of NMEA: vessels are known by their MMSI.
NMEA = Format(name="NMEA", columns={})


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Files that are read in one way.

    `text` is what a CSV file is, and without a header in it, since blocks of a file have none;
    `types` are those of Parquet columns.
    """

    kind: Kind
    form: Format
    text: CsvForm = field(default_factory=lambda: CsvForm([], lines=0))
    types: tuple[str, ...] = ()

    def adapt(self, ids: str | None, time_format: TimeFormat | None) -> "Source":
        """With the check of ids asked for: `mmsi`, `any`, or None for what the format has; and
        with times in the form that they are said to have."""
        checks_ids = self.form.checks_ids if ids is None else ids == "mmsi"
        form = replace(self.form, checks_ids=checks_ids, time_format=time_format)
        return replace(self, form=form)


def look_at_text(lines: Sequence[bytes], mapping: Mapping[str, str], label: str) -> Source:
    """What a file with these first lines is."""
    if any(word in line for line in lines for word in _SENTENCE):
        return Source(kind="nmea", form=NMEA)
    line = next((line for line in lines if line.strip()), b"")
    try:
        if b"\r" in line:
            # Lines are those that a newline ends: files are read in blocks of them.
            raise NoHeader("unreadable")
        # What a word means is decided word by word: files of one header are read together.
        text = read_form(line, "ascii", count_known(mapping))
    except NoHeader as problem:
        raise refuse_header(label, problem) from None
    form = recognise(text.header, mapping, label)
    return Source(kind="csv", form=form, text=replace(text, lines=0))


def look_at_columns(types: Mapping[str, str], mapping: Mapping[str, str], label: str) -> Source:
    """What a Parquet table with these columns is."""
    form = recognise(list(types), mapping, label)
    return Source(kind="parquet", form=form, types=tuple(types[one] for one in form.wanted))


def look(path: Path, mapping: Mapping[str, str]) -> Source:
    """What a file or folder on this machine is. Raises `DataError`."""
    special = name_special(path)
    if special is not None:
        raise refuse_special_file(str(path), special)
    if not path.exists():
        raise refuse_absence(str(path))
    with refusing(path):
        if path.is_dir():
            check_lake_here(path)
            return look_at_columns(read_parquet_columns(path), mapping, str(path))
        refuse_foreign(path)
        with open(path, "rb") as file:
            is_parquet = file.read(4) == b"PAR1"
        if is_parquet or path.suffix == ".parquet":
            return look_at_columns(read_parquet_columns(path), mapping, str(path))
        refuse_packed(path)
        return look_at_text(list_lines(path, LINES), mapping, str(path))


def read_parquet_columns(path: Path) -> dict[str, str]:
    """Names and types of a file, or of the first file in a folder."""
    from phenesthe.files.opening import opening_parquet

    file = path
    if path.is_dir():
        files = list_parquet(path)
        if not files:
            raise DataError(
                f"`{path}` is a folder without Parquet files", "give the files themselves"
            )
        file = files[0]
    with refusing(file), opening_parquet(file) as opened:
        schema = opened.schema_arrow
        return dict(zip(schema.names, map(str, schema.types), strict=True))


def list_parquet(folder: Path) -> list[Path]:
    """The files of a table; those of Spark's own begin with `_` or `.`."""
    return sorted(one for one in folder.glob("*.parquet") if one.name[0] not in "._")
