"""Whether a command that read a damaged file ended as it may, and accounts for every row."""

import csv
import json
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.ais_samples import count_rows
from tests.unit.strange.command import Done


class Wrong(Exception):
    """What a command should not have done."""


def judge_end(done: Done, arguments: list[str | Path], folder: Path) -> None:
    if "Traceback" in done.err + done.out:
        raise Wrong(f"a traceback: {done.err}")
    if done.code and not (done.err.strip() or done.out.strip()):
        raise Wrong(f"exit code {done.code}, and not a word")
    for one in folder.rglob(".*phenesthe-*"):
        raise Wrong(f"`{one.name}` was left behind")
    if "--output" not in arguments:
        return
    output = Path(arguments[arguments.index("--output") + 1])
    if output.exists() == bool(done.code):
        raise Wrong("there is an output of what failed, or none of what did not")
    if output.is_dir():
        _judge_tables(output)
    elif output.exists():
        for line in output.read_text().splitlines():
            json.loads(line)


def _judge_tables(folder: Path) -> None:
    """Every table is whole, and every report is kept or dropped for a reason."""
    for one in folder.glob("*.parquet"):
        pq.read_table(one)
    told = json.loads((folder / "summary.json").read_text())
    if told["read"] != count_rows(told):
        raise Wrong(f"{told['read']} reports read, {count_rows(told)} accounted for")


def judge_rows(file: Path, data: bytes, folder: Path) -> bool:
    """Whether it could be judged that every row was used or set aside."""
    if not (folder / "out.jsonl").exists() or file.name not in _READERS:
        return False
    try:
        given = _READERS[file.name](data)
    except (ValueError, csv.Error, pa.ArrowException, OSError):
        return False
    if given is None:
        return False
    kept = folder / "rejects.jsonl"
    rejects = kept.read_text().splitlines() if kept.exists() else []
    aside = sum(json.loads(line)["file"] == str(file) for line in rejects)
    lines = map(json.loads, (folder / "out.jsonl").read_text().splitlines())
    found = sum(one["name"] == "a" for one in lines)
    # The same row twice is one result.
    least, most = found, found + len(given) - len(set(given))
    if not least <= len(given) - aside <= most:
        raise Wrong(f"of {len(given)} rows {aside} were set aside, and {found} used")
    return True


def _list_lines(data: bytes) -> list[Any] | None:
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        data = data.decode("utf-16").encode()
    lines = [line.strip() for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n")]
    # A fact is no event, a row that is taken back no row.
    return None if b"fact" in data else [_name_row(line) for line in lines if line]


def _name_row(line: bytes) -> object:
    """The same for lines that are the same row, however they are written."""
    try:
        row = json.loads(line)
        return tuple(str(row.get(name)) for name in ("name", "args", "x", "y", "t"))
    except (ValueError, AttributeError, RecursionError):
        return line


def _list_everything(data: bytes) -> list[Any] | None:
    head, mark, rest = data.rpartition(b'{"fact": "f", "args": [4]}')
    return _list_lines(head + rest) if mark else None


def _list_records(data: bytes) -> list[Any] | None:
    if not data.startswith(b"x,y,t\n") or b'"' in data or b"\r" in data or b"\0" in data:
        return None
    records = csv.reader(data.decode(errors="replace").split("\n"))
    return [tuple(map(_name_value, one)) for one in records if one][1:]


def _name_value(text: str) -> object:
    """The same for the same number."""
    try:
        return float(text)
    except ValueError:
        return text.strip()


def _list_table(data: bytes) -> list[Any] | None:
    table = pq.read_table(pa.BufferReader(data))
    table.validate(full=True)
    return [tuple(one.values()) for one in table.to_pylist()]


_READERS = {
    "e.csv": _list_records,
    "e.jsonl": _list_lines,
    "in.jsonl": _list_everything,
    "e.parquet": _list_table,
}
