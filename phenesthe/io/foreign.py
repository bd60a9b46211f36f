"""What is recognised and not read: workbooks, archives, addresses of the web. Each has a remedy."""

import re
from os import PathLike, fspath
from pathlib import Path, PurePath

from phenesthe.io.errors import DataError

_WEB = re.compile(r"(https?|ftp)://", re.IGNORECASE)
_CSV = "save it as CSV (in a spreadsheet: Save As, CSV UTF-8) and give that"
_UNPACK = "unpack it and give what is in it"
_JSON = (
    "write one object per line into a file that ends in .jsonl, which jq does from an array: "
    "jq -c '.[]' {path} > {stem}.jsonl"
)

#: By the end of a name: what it is, and what to do about it.
_ENDS: dict[str, tuple[str, str]] = {
    ".xlsx": ("an Excel workbook", _CSV),
    ".xls": ("an Excel workbook", _CSV),
    ".ods": ("a spreadsheet", _CSV),
    ".json": ("a JSON document", _JSON),
    ".zip": ("a zip archive", _UNPACK + ": unzip {path}"),
    ".7z": ("a 7z archive", _UNPACK),
    ".rar": ("a rar archive", _UNPACK),
    ".tar": ("a tar archive", _UNPACK + ": tar xf {path}"),
    ".tgz": ("a tar archive", _UNPACK + ": tar xf {path}"),
    ".bz2": ("packed with bzip2", _UNPACK + ": bunzip2 {path}"),
    ".xz": ("packed with xz", _UNPACK + ": unxz {path}"),
    ".zst": ("packed with zstd", _UNPACK + ": zstd -d {path}"),
}
#: By the first bytes of a file, whatever it is called.
_MARKS: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", ".zip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ".xls"),
    (b"7z\xbc\xaf\x27\x1c", ".7z"),
    (b"Rar!", ".rar"),
    (b"BZh", ".bz2"),
    (b"\xfd7zX", ".xz"),
    (b"\x28\xb5\x2f\xfd", ".zst"),
)
_GZIP = b"\x1f\x8b"


def refuse_web(place: str | PathLike[str]) -> None:
    """Raise `DataError` for an address of the web."""
    text = fspath(place)
    if _WEB.match(text):
        name = PurePath(text.partition("://")[2].rstrip("/")).name
        raise DataError(
            f"cannot read `{text}`: nothing is fetched from the web",
            f"download it first: curl -L -o {name or 'FILE'} {text}",
        )


def refuse_foreign(place: str | PathLike[str]) -> None:
    """Raise `DataError` for what a name says is not read: a workbook, an archive."""
    text = fspath(place)
    end = next((end for end in _ENDS if text.lower().endswith(end)), None)
    if end is not None:
        raise _refuse(text, end)


def refuse_packed(path: Path) -> None:
    """Raise `DataError` for what would be read as lines of garbage, whatever it is called."""
    # What is taken out of a pipe is not there for whoever reads it next.
    if not path.is_file():
        return
    with path.open("rb") as file:
        start = file.read(8)
    for mark, end in _MARKS:
        if start.startswith(mark):
            if end == ".zip":
                # A workbook is one too.
                raise DataError(
                    f"cannot read `{path}`: it is not text, but an Excel workbook or a zip archive",
                    f"open a workbook in a spreadsheet and save it as CSV; unpack an archive: "
                    f"unzip {path}",
                )
            raise _refuse(str(path), end)
    # Spark knows packed text by its name, and both engines are to read the same.
    if start.startswith(_GZIP) and path.suffix != ".gz":
        raise DataError(
            f"`{path}` is packed with gzip, but its name does not end in .gz",
            f"rename it: mv {path} {path}.gz",
        )


def _refuse(path: str, end: str) -> DataError:
    what, remedy = _ENDS[end]
    stem = path[: -len(end)] if path.lower().endswith(end) else path
    return DataError(f"cannot read `{path}`: it is {what}", remedy.format(path=path, stem=stem))
