"""Command lines and data as newcomers give them, and what they are told."""

import gzip
import io
import os
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from phenesthe.cli.main import main

_HERE = Path(__file__).parent
#: What is told; progress and tables are not.
_SPOKEN = ("error:", "error[", "warning:", "warning[", "note:", "  help:", "  usage:", "   = help:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    code: int
    out: str
    err: str

    def list_spoken(self) -> list[str]:
        return [line for line in self.err.splitlines() if line.startswith(_SPOKEN)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Try:
    name: str
    mistake: str
    line: str
    code: int
    says: tuple[str, ...]
    files: Mapping[str, Any]
    without: tuple[str, ...]

    def run(self) -> Told:
        """In a folder of its own, in this process."""
        with _folder() as folder:
            for name in self.without:
                (folder / name).unlink()
            _write(folder, self.files)
            out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
            with redirect_stdout(out), redirect_stderr(err):
                try:
                    code: Any = main(shlex.split(self.line))
                except SystemExit as end:
                    code = end.code
        out.seek(0)
        return Told(code=code, out=out.read(), err=err.getvalue())


@cache
def load_tries(sort: str) -> tuple[Try, ...]:
    data = tomllib.loads((_HERE / f"{sort}.toml").read_text("utf-8"))
    return tuple(
        Try(
            name=entry["name"],
            mistake=entry["mistake"],
            line=entry.get("line", data.get("line")),
            code=entry["code"],
            says=tuple(entry["says"]),
            files=entry.get("files", {}),
            without=tuple(entry.get("without", ())),
        )
        for entry in data["mistake"]
    )


@contextmanager
def _folder() -> Iterator[Path]:
    """The working directory, with what all of them have beside them."""
    common = tomllib.loads((_HERE / "beside.toml").read_text("utf-8"))["files"]
    before = Path.cwd()
    with TemporaryDirectory() as name:
        folder = Path(name)
        _write(folder, common)
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


def _write(folder: Path, files: Mapping[str, Any]) -> None:
    """A text, or `{text, encoding, gz}`, or the columns of a Parquet file."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            path.mkdir(exist_ok=True)
        elif name.endswith(".parquet") and isinstance(content, dict):
            pq.write_table(pa.table(content), path)
        else:
            given = content if isinstance(content, dict) else {"text": content}
            data = given["text"].encode(given.get("encoding", "utf-8"))
            path.write_bytes(gzip.compress(data) if given.get("gz") else data)
