"""What a state remembers, as text and as JSON."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from phenesthe.arrow import wrap
from phenesthe.diagnostics.render.cells import make_printable, show_character
from phenesthe.io.codes import encode_column
from phenesthe.kernels.arrays import Mask
from phenesthe.memory.header import Header
from phenesthe.memory.remembered import Reason, Remembered
from phenesthe.report.rows import keep_args, write_args


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What to show: `most` rows of each definition, and of inputs if they are listed at all."""

    only: tuple[str, ...] | None = None
    args: tuple[str, ...] = ()
    most: int = 20
    lists_inputs: bool = False


def draw_state(header: Header, size: int, remembered: Sequence[Remembered], choice: Choice) -> str:
    """A heading, the inputs, and a table of rows for each definition."""
    chosen = _choose(remembered, choice)
    lines = [*_draw_heading(header, size, remembered)]
    counted = [one for one in chosen if one.is_input and not choice.lists_inputs]
    if counted:
        lines += ["", "inputs"]
    for one in counted:
        lines.append(f"  {one.name}: {_count(one.table.num_rows, 'row')}")
        lines += [f"    {np.count_nonzero(why.rows):,}: {why.text}" for why in one.reasons]
    listed = [one for one in chosen if choice.lists_inputs or not one.is_input]
    for name, formulas in _group(listed).items():
        total = sum(one.table.num_rows for one in formulas)
        lines += ["", f"{name}: {_count(total, 'row')}"]
        left = choice.most
        for one in formulas:
            if not left:
                break
            lines += _draw_formula(one, left)
            left -= min(left, one.table.num_rows)
        if total > choice.most:
            lines.append(f"  and {total - choice.most:,} more")
    # Values are foreign text, which a terminal must not obey.
    return "".join(make_printable(line) + "\n" for line in lines)


def describe_state(
    header: Header, size: int, remembered: Sequence[Remembered], choice: Choice
) -> str:
    """The same as JSON; of inputs there are rows only if they are listed."""
    chosen = _choose(remembered, choice)
    lists = {}
    for formulas in _group(chosen).values():
        left = choice.most
        for one in formulas:
            shown = 0 if one.is_input and not choice.lists_inputs else left
            lists[id(one)] = [_describe_row(row) for row in _list_rows(one, shown)]
            left -= min(left, one.table.num_rows)
    content = {
        "definitions": list(header.only),
        "fingerprint": header.fingerprint,
        "window": header.window,
        "step": header.step,
        "start": header.start,
        "last": header.last,
        "rows": sum(one.table.num_rows for one in remembered),
        "open": _count_open(remembered),
        "bytes": size,
        "remembered": [
            {
                "name": one.name,
                "input": one.is_input,
                "formula": one.formula,
                "kind": one.kind,
                "variables": list(one.variables),
                "count": one.table.num_rows,
                "why": {why.text: int(np.count_nonzero(why.rows)) for why in one.reasons},
                "rows": lists[id(one)],
            }
            for one in chosen
        ],
    }
    return json.dumps(content, indent=2)


def _draw_heading(header: Header, size: int, remembered: Sequence[Remembered]) -> Iterator[str]:
    yield f"definitions  {', '.join(header.only)} (program {header.fingerprint})"
    yield f"window       {header.window:,} ticks, a query every {header.step:,}"
    last = "none yet" if header.last is None else str(header.last)
    yield f"last query   {last}"
    rows = _count(sum(one.table.num_rows for one in remembered), "row")
    yield f"remembered   {rows}, {_count_open(remembered):,} of them open"
    yield f"on disk      {size:,} bytes"


def _draw_formula(one: Remembered, most: int) -> Iterator[str]:
    yield f"  {one.formula}"
    heading = (f"({', '.join(one.variables)})", "t" if one.kind == "event" else "ts, te", "why")
    table = [heading]
    for args, times, why in _list_rows(one, most):
        written = [str(time) if time is not None else "open" for time in times.values()]
        table.append((write_args(args), ", ".join(written), "; ".join(why)))
    widths = [max(_measure(row[at]) for row in table) for at in range(2)]
    for row in table:
        cells = [row[at] + " " * (widths[at] - _measure(row[at])) for at in range(2)]
        yield f"    {cells[0]}  {cells[1]}  {row[2]}"


def _measure(text: str) -> int:
    """The columns that the text takes once it is printable."""
    return sum(show_character(char).columns for char in text)


#: Arguments, times by the name of their column, reasons.
_Row = tuple[list[Any], dict[str, int | None], list[str]]


def _list_rows(one: Remembered, most: int) -> Iterator[_Row]:
    for number, row in enumerate(one.table.slice(0, most).to_pylist()):
        args = [row.pop(name) for name in one.variables]
        yield args, row, [why.text for why in one.reasons if why.rows[number]]


def _describe_row(row: _Row) -> dict[str, Any]:
    args, times, why = row
    return {"args": [_spell(value) for value in args], **times, "why": why}


def _spell(value: Any) -> Any:
    """JSON has no number for NaN and the infinities; results spell them the same way."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def _group(remembered: Sequence[Remembered]) -> dict[str, list[Remembered]]:
    groups: dict[str, list[Remembered]] = {}
    for one in remembered:
        groups.setdefault(one.name, []).append(one)
    return groups


def _choose(remembered: Sequence[Remembered], choice: Choice) -> list[Remembered]:
    """The formulas and rows asked for; a row without an argument may be about any value of it."""
    found = []
    for one in remembered:
        if choice.only is not None and one.name not in choice.only:
            continue
        if len(choice.args) > len(one.arguments):
            continue
        mask = np.ones(one.table.num_rows, dtype=np.bool_)
        for name, text in zip(one.arguments, choice.args, strict=False):
            if name in one.variables:
                mask &= _mark_value(one.table[name], text)
        if mask.any():
            found.append(_take(one, mask))
    return found


def _mark_value(column: Any, text: str) -> Mask:
    """Which values read as the text; each different one is looked at once."""
    places, values = encode_column(column)
    fits = np.array([keep_args((value,), (text,)) for value in values.to_pylist()], dtype=np.bool_)
    return fits[places]


def _take(one: Remembered, mask: Mask) -> Remembered:
    reasons = [Reason(why.text, why.rows[mask]) for why in one.reasons]
    return replace(
        one,
        table=one.table.filter(wrap(mask)),
        reasons=tuple(why for why in reasons if why.rows.any()),
    )


def _count_open(remembered: Sequence[Remembered]) -> int:
    return sum(one.table["te"].null_count for one in remembered if one.kind != "event")


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}" + "s" * (number != 1)
