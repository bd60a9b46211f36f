"""Arguments called as columns of ours are, in one place or another.

A program is written twice, with such names and with plain ones: whoever decides by a name instead
of by the kind of a phenomenon finds something else in one of them.
"""

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from phenesthe.syntax.tree import Kind

#: Of input and output tables, of states on disk, of what travels on Spark.
COLUMN_NAMES = (
    "t", "ts", "te", "tS", "arrival", "op", "query", "change", "was", "name", "kind", "args",
    "test", "expect", "none", "until", "params", "key", "tag", "bucket", "id", "row", "rows", "at",
    "number", "count", "time", "least", "file", "line", "position", "block", "note", "source",
    "known", "retract", "sure", "low", "high", "arrives", "value", "content", "int_0", "str_0",
    "part_0", "c0", "c1", "index", "reason", "level", "live", "kept", "extra",
)  # fmt: skip
#: What is refused, for the column is the time.
TIMES: dict[Kind | None, tuple[str, ...]] = {
    "event": ("t",), "state": ("ts", "te"), "dynamic": ("ts", "te"), None: (),
}  # fmt: skip
TABLES: dict[str, Kind | None] = {"e": "event", "s": "state", "d": "dynamic", "f": None}
DEFINITIONS = """
event e_out({e}) : e({e});
state s_out({s}) : s({s});
dynamic d_out({d}) : d({d});
event both({f}) : e({e_of_f}) and f({f});
state lasts({s}) : s({s}) lasting >= 4;
event begins({s}) : start(s({s}));
state ranges({e}) : e({e}) ~> e({first}) expires 3;
dynamic precedes({s}) : s({s}) before e({first_of_e}) within 99;
"""


def list_names(kind: Kind | None) -> list[str]:
    return [name for name in COLUMN_NAMES if name not in TIMES[kind]]


def write_program(*, plain: bool) -> str:
    """Every other argument is a text."""
    lines = []
    variables: dict[str, list[str]] = {}
    for table, kind in TABLES.items():
        names = list_names(kind)
        variables[table] = [f"V{at}" for at in range(len(names))]
        shown = [f"a{at}" for at in range(len(names))] if plain else names
        declared = ", ".join(f"{one}: {_type(at)}" for at, one in enumerate(shown))
        lines.append(f"{'fact' if kind is None else f'input {kind}'} {table}({declared});")
    both = variables["f"]
    rest = ["_"] * len(variables["e"])
    text = DEFINITIONS.format(
        **{table: ", ".join(found) for table, found in variables.items()},
        e_of_f=", ".join(both[: len(rest)]),
        first=", ".join(["V0", *rest[1:]]),
        first_of_e=", ".join(["V0", *rest[1:]]),
    )
    return "\n".join(lines) + text


def _type(at: int) -> str:
    return "int" if at % 2 == 0 else "str"


def make_rows(table: str, *, plain: bool) -> list[dict[str, Any]]:
    """Numbers lie far beyond all times, and texts are none."""
    kind = TABLES[table]
    found = []
    for number, time in enumerate((10, 13, 20)):
        names = list_names(kind)
        row: dict[str, Any] = {
            f"a{at}" if plain else name: 100_000 + number if at % 2 == 0 else f"w{number}"
            for at, name in enumerate(names)
        }
        if kind == "event":
            row["t"] = time
        elif kind is not None:
            row |= {"ts": time, "te": (time + 2, time + 5, None)[number]}
        found.append(row)
    return found


def make_tables(*, plain: bool) -> dict[str, Any]:
    return {table: pa.Table.from_pylist(make_rows(table, plain=plain)) for table in TABLES}


def write_rows(folder: Path, form: str, *, plain: bool) -> Path:
    """The rows in one of the forms that a run reads; gives what to name as its input."""
    folder.mkdir()
    if form == "one file":
        path = folder / "in.jsonl"
        lines = [
            line for table in TABLES for line in list_lines(table, make_rows(table, plain=plain))
        ]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path
    for table in TABLES:
        rows = make_rows(table, plain=plain)
        match form:
            case "csv":
                with (folder / f"{table}.csv").open("w", newline="") as file:
                    writer = csv.DictWriter(file, list(rows[0]))
                    writer.writeheader()
                    writer.writerows(rows)
            case "jsonl":
                (folder / f"{table}.jsonl").write_text(
                    "".join(json.dumps(row) + "\n" for row in rows)
                )
            case "parquet":
                pq.write_table(pa.Table.from_pylist(rows), folder / f"{table}.parquet")
            case _:
                raise ValueError(form)
    return folder


FORMS = ("one file", "csv", "jsonl", "parquet")


def list_lines(table: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As one file for all tables has them: values by their places."""
    kind = TABLES[table]
    times = TIMES[kind]
    return [
        {
            **({"fact": table} if kind is None else {"name": table}),
            "args": [value for name, value in row.items() if name not in times],
            **{time: row[time] for time in times},
        }
        for row in rows
    ]
