"""Addresses of the protocol and paths of files."""

import re
from pathlib import Path
from urllib.parse import unquote

from pygls.uris import from_fs_path, to_fs_path

_NO_PART_OF_A_NAME = re.compile(r"[/\0]")


def find_path(uri: str, folder: Path) -> Path:
    """The file of an address. A text nobody saved yet lies in `folder`, under an impossible name.

    So what it imports is found beside it, and no file on the disk is taken for it.
    """
    try:
        path = to_fs_path(uri)
    except ValueError:  # such as a bracket that is never closed
        path = None
    if path and "\0" not in path:
        return Path(path)
    scheme, colon, rest = unquote(uri).partition(":")
    return folder / (scheme + (colon or ":") + _NO_PART_OF_A_NAME.sub(":", rest))


def make_uri(path: Path) -> str:
    return str(from_fs_path(str(path.absolute())))
