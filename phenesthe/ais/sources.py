"""What a file of reports is, found by a look at its beginning."""

import gzip
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

from phenesthe.ais.formats import Format, recognise
from phenesthe.files.special import name_special
from phenesthe.io.errors import DataError, describe_failure
from phenesthe.io.lakes import check_lake_here
from phenesthe.io.places import refuse_special_file
from phenesthe.io.read_csv import parse_header

Kind: TypeAlias = Literal["csv", "parquet", "nmea"]

#: Lines that are looked at; logs may begin with comments.
_LINES = 50
#: Between the fields of a line of CSV.
SEPARATORS = ",;\t|"
_SENTENCE = ("VDM,", "VDO,")

#: What cannot be read as text, by its first bytes: what it is, and what to do about it.
_PACKED = {
    b"PK\x03\x04": ("a zip archive", "unpack it first: unzip {path}"),
    b"\x28\xb5\x2f\xfd": ("packed with zstd", "unpack it first: zstd -d {path}"),
    b"BZh": ("packed with bzip2", "unpack it first: bunzip2 {path}"),
    b"\xfd7zX": ("packed with xz", "unpack it first: unxz {path}"),
    b"\xff\xfe": ("text in UTF-16", "write it in UTF-8: iconv -f UTF-16 -t UTF-8 {path}"),
    b"\xfe\xff": ("text in UTF-16", "write it in UTF-8: iconv -f UTF-16 -t UTF-8 {path}"),
}
_GZIP = b"\x1f\x8b"

#: For lines of NMEA: vessels are known by their MMSI.
NMEA = Format(name="NMEA", columns={})


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Files that are read in one way.

    `header` is the first line of a CSV file, as it stands; `types` are those of Parquet columns.
    """

    kind: Kind
    form: Format
    header: str = ""
    separator: str = ","
    types: tuple[str, ...] = ()

    def with_ids(self, ids: str | None) -> "Source":
        """With the check of ids asked for: `mmsi`, `any`, or None for what the format has."""
        if ids is None:
            return self
        return replace(self, form=replace(self.form, checks_ids=ids == "mmsi"))

    @property
    def columns(self) -> list[str]:
        return parse_header([self.header], self.form.name, self.separator)


def look_at_text(lines: Sequence[str], mapping: Mapping[str, str], label: str) -> Source:
    """What a file with these first lines is."""
    if any(word in line for line in lines for word in _SENTENCE):
        return Source(kind="nmea", form=NMEA)
    header = next((line for line in lines if line.strip()), "").removeprefix("\ufeff")
    if not header:
        raise DataError(f"`{label}` is empty", "leave it out")
    separator = max(SEPARATORS, key=header.count)
    columns = parse_header([header], label, separator)
    form = recognise(columns, mapping, label)
    return Source(kind="csv", form=form, header=header, separator=separator)


def look_at_columns(types: Mapping[str, str], mapping: Mapping[str, str], label: str) -> Source:
    """What a Parquet table with these columns is."""
    form = recognise(list(types), mapping, label)
    return Source(kind="parquet", form=form, types=tuple(types[one] for one in form.wanted))


def look(path: Path, mapping: Mapping[str, str]) -> Source:
    """What a file or folder on this machine is. Raises `DataError`."""
    special = name_special(path)
    if special is not None:
        raise refuse_special_file(str(path), special)
    try:
        if path.is_dir():
            check_lake_here(path)
            return look_at_columns(read_parquet_columns(path), mapping, str(path))
        with open(path, "rb") as file:
            start = file.read(4)
        if start == b"PAR1":
            return look_at_columns(read_parquet_columns(path), mapping, str(path))
        _refuse_packed(path, start)
        return look_at_text(_read_lines(path), mapping, str(path))
    except FileNotFoundError as problem:
        raise DataError(f"there is no `{path}`", "check the path") from problem
    except (OSError, EOFError, zlib.error) as problem:
        raise DataError(
            f"cannot read `{path}`: {describe_failure(problem)}",
            "it may be damaged: fetch it again, or leave it out",
        ) from problem


def _refuse_packed(path: Path, start: bytes) -> None:
    """Raise `DataError` for what would be read as lines of garbage."""
    for mark, (what, help_text) in _PACKED.items():
        if start.startswith(mark):
            raise DataError(f"`{path}` is {what}", help_text.format(path=path))
    # Spark knows packed text by its name, and both engines are to read the same.
    if start.startswith(_GZIP) and path.suffix != ".gz":
        raise DataError(
            f"`{path}` is packed with gzip, but its name does not end in .gz",
            f"rename it: mv {path} {path}.gz",
        )


def read_parquet_columns(path: Path) -> dict[str, str]:
    """Names and types of a file, or of the first file in a folder."""
    import pyarrow as pa

    from phenesthe.files.opening import opening_parquet

    file = path
    if path.is_dir():
        files = list_parquet(path)
        if not files:
            raise DataError(
                f"`{path}` is a folder without Parquet files", "give the files themselves"
            )
        file = files[0]
    try:
        with opening_parquet(file) as opened:
            schema = opened.schema_arrow
        return dict(zip(schema.names, map(str, schema.types), strict=True))
    except pa.ArrowException as problem:
        raise DataError(
            f"`{file}` is not a Parquet file: {describe_failure(problem)}",
            "it may be damaged: write it again, or take it away",
        ) from problem


def list_parquet(folder: Path) -> list[Path]:
    """The files of a table; those of Spark's own begin with `_` or `.`."""
    return sorted(one for one in folder.glob("*.parquet") if one.name[0] not in "._")


def _read_lines(path: Path) -> list[str]:
    with open_text(path) as file:
        lines = [file.readline(65_536) for _ in range(_LINES)]
    return [line.decode(errors="replace").rstrip("\r\n") for line in lines]


def open_text(path: Path) -> BinaryIO:
    """The bytes of a text file, unpacked if its name ends in .gz."""
    if path.suffix == ".gz":
        return gzip.open(path, "rb")  # type: ignore[return-value]
    return open(path, "rb")
