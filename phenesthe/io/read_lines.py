"""One file of JSON lines with all inputs and facts."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.io.columns import Reason
from phenesthe.io.fit import Batch, fit_rows
from phenesthe.io.names import name_columns
from phenesthe.io.objects import read_objects
from phenesthe.io.read_tables import refusing
from phenesthe.io.rejects import Rejects, reject_row
from phenesthe.io.rows import ObjectRows
from phenesthe.io.time_format import Clock, TimeFormat

#: Why a line is no row, and the key that is to blame.
_Problem: TypeAlias = tuple[Reason, str]


def read_lines(
    program: CheckedProgram,
    path: Path,
    rejects: Rejects,
    *,
    only_facts: bool = False,
    form: TimeFormat | None = None,
) -> dict[str, list[Batch]]:
    """The rows of each input and fact that fit."""
    batches: dict[str, list[Batch]] = defaultdict(list)
    with refusing(path):
        for objects, lines in read_objects(path, rejects):
            fitted = fit_objects(
                program, objects, lines, str(path), rejects, only_facts=only_facts, form=form
            )
            for name, batch in fitted.items():
                batches[name].append(batch)
    return dict(batches)


def fit_objects(
    program: CheckedProgram,
    objects: Sequence[dict[str, Any]],
    lines: Sequence[int],
    file: str,
    rejects: Rejects,
    *,
    only_facts: bool,
    form: TimeFormat | None = None,
) -> dict[str, Batch]:
    """The rows that fit, by the input or fact they are of."""
    inputs = {} if only_facts else {one.name: one for one in program.inputs}
    facts = {one.name: one for one in program.facts}
    sorted_out: dict[str, _Part] = {}
    for one, line in zip(objects, lines, strict=True):
        found = _find_signature(one, inputs, facts)
        if isinstance(found, Signature):
            part = sorted_out.setdefault(found.name, _Part(found))
            problem = _add(part, one, line)
        else:
            problem = found
        if problem is not None:
            _set_aside(rejects, problem, file, line, one)
    clock = Clock(program.unit, form)
    batches: dict[str, Batch] = {}
    for name, part in sorted_out.items():
        rows = ObjectRows(part.objects, part.lines, file, part.signature.arguments)
        names = name_columns(part.signature)
        batches[name] = fit_rows(part.signature, rows, clock, rejects, names=names)
    return batches


class _Part:
    """The lines of one input or fact."""

    def __init__(self, signature: Signature) -> None:
        self.signature = signature
        self.objects: list[dict[str, Any]] = []
        self.lines: list[int] = []


def _find_signature(
    one: dict[str, Any], inputs: dict[str, Signature], facts: dict[str, Signature]
) -> Signature | _Problem:
    key, known = ("name", inputs) if "name" in one or "fact" not in one else ("fact", facts)
    if key not in one:
        return Reason.MISSING_COLUMN, key
    if not isinstance(one[key], str):
        return Reason.WRONG_TYPE, key
    return known.get(one[key], (Reason.UNKNOWN_NAME, key))


def _add(part: _Part, one: dict[str, Any], line: int) -> _Problem | None:
    if "args" not in one:
        return Reason.MISSING_COLUMN, "args"
    if not isinstance(one["args"], list):
        return Reason.WRONG_TYPE, "args"
    if len(one["args"]) != len(part.signature.arguments):
        return Reason.WRONG_NUMBER_OF_ARGUMENTS, "args"
    part.objects.append(one)
    part.lines.append(line)
    return None


def _set_aside(
    rejects: Rejects, problem: _Problem, file: str, line: int, one: dict[str, Any]
) -> None:
    reason, column = problem
    name = one.get("name", one.get("fact"))
    reject_row(
        rejects,
        reason,
        file=file,
        place="line",
        number=line,
        name=name if isinstance(name, str) else None,
        column=column,
        row=one,
    )
