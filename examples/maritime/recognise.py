"""From reports to results, by the commands a user would give."""

import contextlib
import io
from collections.abc import Collection, Sequence
from pathlib import Path

from examples.maritime.geography import AREAS
from phenesthe.cli.main import main
from phenesthe.report.read_results import read_results
from phenesthe.report.rows import Row

AREA_FILES = (AREAS / "areas.geojson", AREAS / "points.csv")


class CommandFailed(Exception):
    """A command ended with an error; the message is what it said."""


def recognise(
    reports: Path, names: Collection[str], folder: Path, areas: Sequence[Path] = AREA_FILES
) -> tuple[Row, ...]:
    """What the library recognises in a file of reports, with the local engine; other files go to
    the folder."""
    tables, results = folder / "tables", folder / "results.jsonl"
    _command("ais", "prepare", str(reports), "--areas", *map(str, areas), "--output", str(tables))
    _command(
        "run", "maritime.all", "--input", str(tables), "--output", str(results), "--only",
        *sorted(names),
    )  # fmt: skip
    return read_results(results).rows


def _command(*words: str) -> None:
    told = io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        code = main([*words, "--engine", "local", "--quiet"])
    if code:
        raise CommandFailed(told.getvalue())
