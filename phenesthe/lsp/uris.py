"""Addresses of the protocol and paths of files."""

import os
import re
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes, urlsplit

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
    if path and "\ufffd" in path:
        # It may stand for bytes that are not UTF-8, and then is the name of another file.
        path = os.fsdecode(unquote_to_bytes(urlsplit(uri).path))
    if path and "\0" not in path:
        return Path(path)
    scheme, colon, rest = unquote(uri).partition(":")
    return folder / (scheme + (colon or ":") + _NO_PART_OF_A_NAME.sub(":", rest))


def make_uri(path: Path) -> str:
    try:
        return str(from_fs_path(str(path.absolute())))
    except UnicodeEncodeError:
        return path.absolute().as_uri()
