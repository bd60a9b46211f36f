"""Paths as Spark writes them, and as people do. No pyspark here."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

from phenesthe.io.errors import DataError
from phenesthe.options import name_option

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(//[^/]*)?(?=/)")
_PATTERN = re.compile(r"[\\\[\]{}*?]")


def find_scheme(address: str) -> str | None:
    found = _SCHEME.match(address)
    return None if found is None else found[1].lower()


def drop_scheme(address: str) -> str:
    return _SCHEME.sub("", address, count=1)


def escape(path: str) -> str:
    """Spark takes paths for patterns."""
    return _PATTERN.sub(r"\\\g<0>", path)


def make_absolute(path: Path) -> Path:
    """Without `..`, which Hadoop resolves by the letters; the file itself may be a link."""
    return Path(os.path.realpath(path.parent), path.name)


def check_name(path: str) -> str:
    """The same. Raises `DataError` for what no JVM can be told: its names of files are text."""
    try:
        path.encode()
    except UnicodeEncodeError:
        other = name_option("engine", "local", python="give no Spark frames")
        raise DataError(
            f"cannot read `{path}` on Spark: its name is not UTF-8",
            f"rename it, or leave Spark out: {other}",
        ) from None
    return path


def find_path(address: str) -> Path:
    """The path of a file of this machine, of its address."""
    return Path(unquote(drop_scheme(address)))


def name_file(address: str, names: Mapping[str, str]) -> str:
    """What a file is called to the user, given how Spark calls it.

    `names` are those of files, or of a folder that the file is in, by their paths.
    """
    path = unquote(drop_scheme(address))
    if path in names:
        return names[path]
    for folder, name in names.items():
        if path.startswith(f"{folder}/"):
            return name + path.removeprefix(folder)
    return unquote(address)
