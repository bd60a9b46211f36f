"""Addresses of files, also of those whose names are not UTF-8."""

import os
from pathlib import Path

import pytest

from phenesthe.lsp.uris import find_path, make_uri


@pytest.mark.parametrize("name", [b"p.phe", b"a b%.phe", "\u00e9\ufffd.phe".encode(), b"s\xff.phe"])
def test_a_file_is_found_again_by_its_address(name: bytes, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(name)
    uri = make_uri(path)
    assert uri.isascii()
    assert find_path(uri, Path("/elsewhere")) == path
