"""Addresses of the protocol and paths of files."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from pygls.uris import from_fs_path, to_fs_path


def find_path(uri: str, folder: Path) -> Path:
    """The file of an address. A text nobody saved yet lies in `folder`, under an impossible name.

    So what it imports is found beside it, and no file on the disk is taken for it.
    """
    if path := to_fs_path(uri):
        return Path(path)
    parts = urlsplit(uri)
    return folder / f"{parts.scheme}:{unquote(parts.path).replace('/', ':')}"


def make_uri(path: Path) -> str:
    return str(from_fs_path(str(path.absolute())))
