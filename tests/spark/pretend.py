"""The work of Spark's workers without Spark: lines in blocks and batches, cut anywhere."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa

from phenesthe.check.program import CheckedProgram
from phenesthe.engines.spark.layout import lay_out
from phenesthe.engines.spark.reading.columns import Whole
from phenesthe.engines.spark.reading.lines import ByLine
from phenesthe.engines.spark.reading.tagged_rows import MARK, REJECT, Mark, read_mark, read_reject
from phenesthe.engines.spark.reading.worker_tasks import Tags, Task, Way


@dataclass(frozen=True, slots=True)
class Work:
    """By name, the rows as a bag; the rejects; and the marks of all tasks together."""

    rows: dict[str, Counter[str]]
    rejects: Counter[str]
    mark: Mark


def run_way(program: CheckedProgram, way: Way, tasks: Sequence[Sequence[pa.RecordBatch]]) -> Work:
    signatures = (*program.inputs, *program.facts)
    layout = lay_out([(one, one.arguments) for one in signatures])
    tags = Tags(layout, {one.name: at for at, one in enumerate(signatures)})
    found = [out for task in tasks for out in Task(0, way, tags).run(iter(task))]
    rows: dict[str, Counter[str]] = {one.name: Counter() for one in signatures}
    rejects: list[dict[str, Any]] = []
    mark = Mark(0)
    for row in (row for out in found for row in out.to_pylist()):
        if row["tag"] == MARK:
            mark.add(read_mark(row["note"]))
        elif row["tag"] == REJECT:
            rejects.append(row)
        else:
            slots = layout.tables[row["tag"]].list_fields()
            values = {name: row[slot] for name, slot in slots}
            rows[signatures[row["tag"]].name][repr(values)] += 1
    return Work(rows, Counter(_show(one, mark) for one in rejects), mark)


def _show(row: dict[str, Any], mark: Mark) -> str:
    before = sum(lines for block, lines in mark.lines.items() if block < row["block"])
    reject = read_reject(row["note"], row["file"], row["number"] + before)
    return json.dumps(json.loads(reject.to_json()), sort_keys=True)


def cut(data: bytes, cuts: Sequence[int], size: int) -> list[list[pa.RecordBatch]]:
    """The lines of a file as tasks get them: a block each, in batches of some lines."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    ends = [0, *sorted(min(one, len(lines)) for one in cuts), len(lines)]
    return [list(_batch(lines[a:b], a, size)) for a, b in pairwise(ends) if a < b]


def _batch(lines: list[bytes], block: int, size: int) -> Iterator[pa.RecordBatch]:
    for start in range(0, len(lines), size):
        part = pa.array(lines[start : start + size], pa.binary())
        yield pa.record_batch({"value": part.view(pa.string()), "block": [block] * len(part)})


def read_lines(
    program: CheckedProgram, way: ByLine, data: bytes, cuts: Sequence[int], size: int
) -> Work:
    return run_way(program, way, cut(data, cuts, size))


def read_whole(program: CheckedProgram, way: Whole, path: Path) -> Work:
    batch = pa.record_batch({"file": [str(path)], "content": [path.read_bytes()]})
    return run_way(program, way, [[batch]])
