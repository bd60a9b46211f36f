"""What a text file is: packed or not, and its encoding. Found from its beginning, never from more.

Everybody who reads text opens it here, so that all see the same: bytes that are unpacked, without
a byte order mark, and in UTF-8 where the file is in UTF-16. Text of older programs is left as it
is, since its separators and numbers are the same bytes; `decode` knows what its words mean.
"""

import gzip
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, getincrementaldecoder
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias, cast

#: Of `ascii` nobody knows what the first other character will be.
Encoding: TypeAlias = Literal["ascii", "utf-8", "utf-16", "windows-1252"]

BEGINNING = 2**20
_BLOCK = 2**18
_WIDE = (BOM_UTF16_LE, BOM_UTF16_BE)
_CHARACTER = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_HIGH = re.compile(rb"[\x80-\xff]")


def open_text(path: Path) -> BinaryIO:
    """The bytes of a text file. It is packed with gzip if its name ends in `.gz`."""
    file = _open(path)
    try:
        start = file.peek(4)
        if start.startswith(_WIDE):
            return BufferedReader(_Narrow(cast(BinaryIO, file)), _BLOCK)
        if start.startswith(BOM_UTF8):
            file.read(len(BOM_UTF8))
    except BaseException:
        file.close()
        raise
    return cast(BinaryIO, file)


def _open(path: Path) -> gzip.GzipFile:
    """Both kinds of files can be peeked into."""
    if path.suffix == ".gz":
        return gzip.GzipFile(path, "rb")
    return cast(gzip.GzipFile, path.open("rb"))


def is_plain_text(path: Path) -> bool:
    """Whether the bytes of the file are those that `open_text` gives, but for a mark of UTF-8."""
    if path.suffix == ".gz":
        return False
    with path.open("rb") as file:
        return not is_wide(file.read(2))


def is_wide(start: bytes) -> bool:
    """Whether text that begins like this is in UTF-16."""
    return start.startswith(_WIDE)


def look_at_encoding(path: Path) -> Encoding:
    with _open(path) as file:
        return find_encoding(file.read(BEGINNING))


def find_encoding(beginning: bytes) -> Encoding:
    """Of text that begins like this, with its mark if it has one.

    Text that has characters in UTF-8 is that, though some may be broken: what belongs to a broken
    one is not guessed. Where high bytes make no such characters, they are those of Windows.
    """
    if is_wide(beginning):
        return "utf-16"
    if beginning.startswith(BOM_UTF8):
        return "utf-8"
    if beginning.isascii():
        return "ascii"
    others = _CHARACTER.sub(b"", beginning)
    characters = len(_CHARACTER.findall(beginning))
    # The last character may be cut off.
    strange = len(_HIGH.findall(others[:-3]))
    strange += 0 if characters else len(_HIGH.findall(others[-3:]))
    return "utf-8" if characters >= strange else "windows-1252"


def decode(text: bytes, encoding: Encoding) -> str:
    """Raises UnicodeDecodeError for what is no text."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        if encoding in ("utf-8", "utf-16"):
            raise
        return text.decode("windows-1252")


def decode_loosely(text: bytes, encoding: Encoding) -> str:
    """The same to be shown, or looked at: with marks in the place of what is no text."""
    try:
        return decode(text, encoding)
    except UnicodeDecodeError:
        return text.decode(errors="replace")


class _Narrow(RawIOBase):
    """A file in UTF-16 as one in UTF-8."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decoder = getincrementaldecoder("utf-16")(errors="replace")
        self._rest = b""
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._rest and not self._ended:
            block = self._file.read(_BLOCK)
            self._ended = not block
            self._rest = self._decoder.decode(block, final=self._ended).encode(errors="replace")
        view = memoryview(buffer)
        part, self._rest = self._rest[: len(view)], self._rest[len(view) :]
        view[: len(part)] = part
        return len(part)

    def close(self) -> None:
        self._file.close()
        super().close()
