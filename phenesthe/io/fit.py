"""Rows made to fit a declaration; those that do not are set aside with a reason.

A row is judged column by column as declared, then its times, then `arrival` and `op`; the first
thing wrong is its reason. Good columns are not copied and not looked at row by row.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import mark_nulls, pack, to_bools, to_ints, wrap
from phenesthe.check.program import Signature
from phenesthe.io.columns import (
    Codes,
    Fit,
    Mask,
    Numbers,
    Reason,
    list_times,
    make_schema,
    make_table,
)
from phenesthe.io.rejects import Place, Rejects, reject_row
from phenesthe.io.rows import Locate, Rows
from phenesthe.io.time_format import Clock
from phenesthe.io.times import LIMIT


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Rows that fit. With retractions among them, also what puts them in order and in place."""

    table: Any
    file: str
    place: Place
    #: When each row became known (null: as time reaches it); None if no row says so.
    arrival: Any | None = None
    #: Which rows are retractions, and the numbers of all rows' places; None if none is.
    retract: Mask | None = None
    numbers: Numbers | None = None
    #: Finds such numbers for any rows, when they are asked for.
    locate: Locate | None = None
    #: Whether times are given as dates, not as numbers.
    dated: bool = False


@dataclass(slots=True)
class Verdict:
    """The reason and the column of each row set aside; nothing is kept while all rows are good."""

    count: int
    reasons: Codes | None = None
    columns: npt.NDArray[np.int16] | None = None

    def blame(self, found: Codes | None, column: int) -> None:
        """Note the problems of a column, for rows that have none yet."""
        if found is None or not found.any():
            return
        if self.reasons is None or self.columns is None:
            self.reasons = np.zeros(self.count, dtype=np.int8)
            self.columns = np.zeros(self.count, dtype=np.int16)
        new = (self.reasons == 0) & (found != 0)
        self.reasons[new] = found[new]
        self.columns[new] = column

    def blame_where(self, wrong: Mask, reason: Reason, column: int) -> None:
        self.blame(np.where(wrong, np.int8(reason), np.int8(0)), column)


def fit_rows(
    signature: Signature,
    rows: Rows,
    clock: Clock,
    rejects: Rejects,
    *,
    names: Mapping[str, str],
    wanted: Collection[str] | None = None,
) -> Batch:
    """The rows that fit, of all arguments or of those wanted, and then the times.

    `names` gives the column of every argument, of the times, and of `arrival` and `op`.
    """
    arguments = [
        (name, declared)
        for name, declared in zip(signature.arguments, signature.types, strict=True)
        if wanted is None or name in wanted
    ]
    times = list_times(signature)
    fields = [name for name, _ in arguments] + [*times, "arrival", "op"]
    verdict = Verdict(rows.count)
    columns: list[Any] = []
    for number, (name, declared) in enumerate(arguments):
        fit = rows.fit(names[name], declared)
        columns.append(_judge(verdict, fit, number, Reason.NULL_ARGUMENT))
    for number, name in enumerate(times, len(arguments)):
        fit = rows.fit_times(names[name], clock, optional=name == "te")
        columns.append(_judge(verdict, fit, number, None if name == "te" else Reason.NO_TIME))
    if times == ("ts", "te") and columns[-1] is not None and columns[-2] is not None:
        backwards = to_ints(columns[-1], null=LIMIT) <= to_ints(columns[-2])
        if backwards.any():
            verdict.blame_where(backwards, Reason.TE_NOT_AFTER_TS, len(fields) - 3)
    arrival, retract = _judge_operations(verdict, signature, rows, clock, names, len(fields))
    schema = make_schema(signature, [name for name, _ in arguments])
    kept: Numbers | None = None
    if verdict.reasons is not None:
        _set_aside(signature, rows, rejects, verdict, [names.get(one, one) for one in fields])
        kept = np.flatnonzero(verdict.reasons == 0)
        columns = [None if one is None else one.take(wrap(kept)) for one in columns]
        arrival = None if arrival is None else arrival.take(wrap(kept))
        retract = None if retract is None else retract[kept]
    count = rows.count if kept is None else len(kept)
    if any(column is None for column in columns):
        columns = [pa.chunked_array([], field.type) for field in schema]
    locate = rows.keep_places()
    if kept is not None:
        locate = _skip_others(locate, kept)
    return Batch(
        table=make_table(schema, columns, count),
        file=rows.file,
        place=rows.place,
        arrival=arrival,
        retract=retract,
        numbers=None if retract is None else locate(np.arange(count)),
        locate=locate,
        dated=bool(times) and count > 0 and _is_dated(rows, names[times[0]], kept),
    )


def _is_dated(rows: Rows, column: str, kept: Numbers | None) -> bool:
    """By the first row that fits: one is enough to know how people wrote their times."""
    first = np.zeros(1, dtype=np.int64) if kept is None else kept[:1]
    value = next(rows.show(first)).get(column)
    text = value.decode(errors="replace") if isinstance(value, bytes) else value
    if not isinstance(text, str):
        return False
    try:
        float(text)
    except ValueError:
        return True
    return False


def _skip_others(locate: Locate, kept: Numbers) -> Locate:
    return lambda rows: locate(kept[rows])


def _judge(verdict: Verdict, fit: Fit | None, column: int, null: Reason | None) -> Any | None:
    """The column's values; None if there is no such column, and then no row fits."""
    if fit is None:
        verdict.blame(np.full(verdict.count, Reason.MISSING_COLUMN, dtype=np.int8), column)
        return None
    verdict.blame(fit.problems, column)
    if null is not None and fit.values.null_count:
        verdict.blame_where(mark_nulls(fit.values), null, column)
    return fit.values


def _judge_operations(
    verdict: Verdict,
    signature: Signature,
    rows: Rows,
    clock: Clock,
    names: Mapping[str, str],
    count: int,
) -> tuple[Any | None, Mask | None]:
    """An argument called `arrival` or `op` is an argument and nothing else, unless it is apart."""
    arrival: Any | None = None
    retract: Mask | None = None
    taken = () if rows.is_apart else signature.arguments
    if "arrival" not in taken and rows.has(names["arrival"]):
        fit = rows.fit_times(names["arrival"], clock, optional=True)
        assert fit is not None
        verdict.blame(fit.problems, count - 2)
        arrival = fit.values
    if "op" not in taken and rows.has(names["op"]):
        fit = rows.fit_word(names["op"])
        assert fit is not None
        allowed = pack(["insert", "retract", None], pa.string())
        known = to_bools(pc.is_in(fit.values, allowed))
        if fit.problems is not None:
            known &= fit.problems == 0
        if not known.all():
            verdict.blame_where(~known, Reason.UNKNOWN_OP, count - 1)
        retract = to_bools(pc.is_in(fit.values, pack(["retract"], pa.string())))
    return arrival, retract if retract is not None and retract.any() else None


def _set_aside(
    signature: Signature, rows: Rows, rejects: Rejects, verdict: Verdict, names: list[str]
) -> None:
    assert verdict.reasons is not None
    assert verdict.columns is not None
    bad = np.flatnonzero(verdict.reasons)
    numbers = rows.locate(bad)
    for row, number, shown in zip(bad, numbers, rows.show(bad), strict=True):
        reject_row(
            rejects,
            Reason(verdict.reasons[row]),
            file=rows.file,
            place=rows.place,
            number=int(number),
            name=signature.name,
            column=names[verdict.columns[row]],
            row=shown,
        )
