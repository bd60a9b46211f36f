"""Rows set aside: all of them kept, in bounded memory, until somebody asks for them in a file."""

import json
import math
import os
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any, Literal, TypeAlias

from phenesthe.frozen import dataclass
from phenesthe.io.columns import Reason
from phenesthe.io.errors import DataError
from phenesthe.io.putting import AT_ONCE, Putting
from phenesthe.options import name_option

#: A line counts from 1 in a text file; a position is the number of a row, from 1, elsewhere.
Place: TypeAlias = Literal["line", "position"]
_IN_MEMORY = 8 * 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Reject:
    reason: str
    file: str
    place: Place
    number: int
    #: The input or fact, where it is known.
    name: str | None = None
    column: str | None = None
    #: The row as it was read: an object, or the text of a line that could not be read.
    row: Mapping[str, Any] | str

    def describe(self) -> str:
        column = "" if self.column is None else f" in column `{self.column}`"
        return f"{self.describe_place()}: {self.reason}{column}"

    def describe_place(self) -> str:
        return f"{self.file}, {_SHOWN[self.place]} {self.number}"

    def to_json(self) -> str:
        fields: dict[str, Any] = {"reason": self.reason}
        if self.name is not None:
            fields["name"] = self.name
        if self.column is not None:
            fields["column"] = self.column
        fields |= {"file": self.file, self.place: self.number, "row": make_plain(self.row)}
        return json.dumps(fields)


_SHOWN: dict[Place, str] = {"line": "line", "position": "row"}


class Rejects:
    """Counts by (file, reason), the first row of each, and all rows for `write`.

    With `strict` the first row is an error instead. Lines wait in memory, and beyond a few
    megabytes in a temporary file, so the file of a run has every row however many there are.
    """

    def __init__(self, *, strict: bool = False) -> None:
        self.strict = strict
        self.counts: Counter[tuple[str, str]] = Counter()
        self.firsts: dict[tuple[str, str], Reject] = {}
        #: By input and column, of values of a wrong type: the first row, and how many there are.
        self.unreadable: dict[tuple[str, str], tuple[Reject, int]] = {}
        self._names: dict[str | None, Counter[str]] = {}
        self._samples: dict[tuple[str | None, str], Reject] = {}
        self._lines = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115

    def __len__(self) -> int:
        return self.counts.total()

    def __bool__(self) -> bool:
        return bool(self.counts)

    def add(self, reject: Reject) -> None:
        if self.strict:
            raise _refuse_row(reject)
        key = (reject.file, reject.reason)
        self.counts[key] += 1
        self.firsts.setdefault(key, reject)
        if reject.reason == Reason.WRONG_TYPE.text and reject.name and reject.column:
            first, count = self.unreadable.get((reject.name, reject.column), (reject, 0))
            self.unreadable[reject.name, reject.column] = first, count + 1
        # Of names that nobody declared there may be as many as rows.
        name = None if reject.reason == Reason.UNKNOWN_NAME.text else reject.name
        self._names.setdefault(name, Counter())[reject.reason] += 1
        self._samples.setdefault((name, reject.reason), reject)
        self._lines.write(reject.to_json().encode() + b"\n")

    def add_line(self, line: str) -> None:
        """A row as `read_lines` gives it."""
        fields = json.loads(line)
        place: Place = "line" if "line" in fields else "position"
        self.add(
            Reject(
                reason=fields["reason"],
                file=fields["file"],
                place=place,
                number=fields[place],
                name=fields.get("name"),
                column=fields.get("column"),
                row=fields["row"],
            )
        )

    def count_reasons(self) -> dict[str, int]:
        """How many rows of each reason, over all files, the most frequent first."""
        reasons: Counter[str] = Counter()
        for (_, reason), count in self.counts.items():
            reasons[reason] += count
        return _sort(reasons)

    def count_by_name(self, name: str | None) -> dict[str, int]:
        """The same of one input or fact; None: of rows that belong to none."""
        return _sort(self._names.get(name, Counter()))

    def get_sample(self, name: str | None, reason: str) -> Reject:
        """The first row of an input or fact that was set aside for a reason."""
        return self._samples[name, reason]

    def read_lines(self) -> Iterator[str]:
        """All rows, each as it is written."""
        self._lines.seek(0)
        for line in self._lines:
            yield line.decode()
        self._lines.seek(0, os.SEEK_END)

    def write(
        self, path: str | PathLike[str], putting: Putting = AT_ONCE, *, overwrite: bool = True
    ) -> None:
        """All rows as JSON lines. No rows: an empty file."""
        self._lines.seek(0)
        with putting.file(Path(path), overwrite=overwrite) as file:
            shutil.copyfileobj(self._lines, file)
        self._lines.seek(0, os.SEEK_END)  # more may come


def _sort(reasons: Counter[str]) -> dict[str, int]:
    return dict(sorted(reasons.items(), key=lambda one: (-one[1], one[0])))


def reject_row(
    rejects: Rejects,
    reason: Reason,
    *,
    file: str,
    place: Place,
    number: int,
    row: Mapping[str, Any] | str,
    name: str | None = None,
    column: str | None = None,
) -> None:
    rejects.add(
        Reject(
            reason=reason.text,
            file=file,
            place=place,
            number=number,
            name=name,
            column=column,
            row=row,
        )
    )


def make_plain(value: Any) -> Any:
    """A value as JSON can write it: NaN and infinities as text, bytes as far as they are text."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else name_float(value)
        case bytes():
            return value.decode(errors="replace")
        case Mapping():
            return {str(key): make_plain(one) for key, one in value.items()}
        case list() | tuple():
            return [make_plain(one) for one in value]
        case _:
            return str(value)


def name_float(value: float) -> str:
    """The three floats JSON has no number for."""
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


def _refuse_row(reject: Reject) -> DataError:
    strict = name_option("strict", python="strict=True")
    kept = name_option("rejects", "PATH", python="`rejects` of the results")
    return DataError(reject.describe(), f"without {strict} such rows are set aside ({kept})")
