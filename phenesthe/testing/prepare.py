"""From the lines of a test to what an engine takes and what it has to find."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.io.apply import apply_in_order, mark_closed
from phenesthe.io.columns import Numbers
from phenesthe.io.times import LIMIT
from phenesthe.syntax.tree import Unit
from phenesthe.testing.fit_lines import find_signature, fit_args, fit_entry, fit_time
from phenesthe.testing.model import Entry, Line, Misfit, Problem, Test
from phenesthe.vocabulary import ValueType

if TYPE_CHECKING:
    import pyarrow as pa


class Prepared(NamedTuple):
    tables: "Mapping[str, pa.Table]"
    facts: "Mapping[str, pa.Table]"
    until: int | None
    start: int | None
    #: What each phenomenon a test names has to be, exactly and completely.
    expected: Mapping[str, tuple[Entry, ...]]


class _Operation(NamedTuple):
    line: Line
    name: str
    entry: Entry
    arrival: int
    retracts: bool


def prepare(test: Test, program: CheckedProgram) -> tuple[Prepared, tuple[Problem, ...]]:
    """What is to be run, and every line that does not fit the program."""
    fitting = _Fitting(test, program)
    inputs = fitting.fit_rows(test.inputs, "name", fitting.inputs, "an input")
    facts = fitting.fit_rows(test.facts, "fact", fitting.facts, "a fact")
    expected = fitting.fit_expectations()
    until, start = fitting.fit_bound("until"), fitting.fit_bound("start")
    prepared = Prepared(
        {name: _build_table(fitting.inputs[name], rows) for name, rows in inputs.items()},
        {name: _build_table(fitting.facts[name], rows) for name, rows in facts.items()},
        until,
        start,
        {name: tuple(entries.values()) for name, entries in expected.items()},
    )
    return prepared, tuple(sorted(fitting.problems, key=lambda problem: problem.line))


class _Fitting:
    def __init__(self, test: Test, program: CheckedProgram) -> None:
        self.inputs = {signature.name: signature for signature in program.inputs}
        self.facts = {signature.name: signature for signature in program.facts}
        self.problems: list[Problem] = []
        self._definitions = program.defined
        self._test = test
        self._unit: Unit = program.unit
        self._sorts = {
            **dict.fromkeys(self.inputs, "an input"),
            **dict.fromkeys(self.facts, "a fact"),
            **dict.fromkeys(self._definitions, "a definition"),
        }

    def fit_bound(self, key: str) -> int | None:
        head = self._test.head
        if head.data.get(key) is None:
            return None
        try:
            return fit_time(head.data[key], key, self._unit)
        except Misfit as problem:
            self._report(head, problem)
            return None

    def fit_rows(
        self, lines: Iterable[Line], key: str, declared: Mapping[str, Signature], what: str
    ) -> dict[str, list[Entry]]:
        """What remains of the lines that say what there is: retractions applied."""
        operations = []
        for line in lines:
            try:
                signature = find_signature(line.data[key], declared, what, self._sorts)
                operations.append(self._fit_operation(line, signature))
            except Misfit as problem:
                self._report(line, problem)
        # In the order of arrival; on a tie the insert first (language, section 4).
        operations.sort(key=lambda one: (one.arrival, one.retracts))
        identity = _number((one.name, one.entry.key) for one in operations)
        retract = np.array([one.retracts for one in operations], dtype=np.bool_)
        of_nothing, named, is_there = apply_in_order(identity, retract)
        for at in np.flatnonzero(of_nothing):
            self._report(
                operations[at].line,
                Misfit(
                    "this retracts a row that is not there",
                    "insert the same row before, with an `arrival` no later than this one's",
                ),
            )
        numbered = zip(identity.tolist(), operations, strict=True)
        given = {number: one for number, one in numbered if not one.retracts}
        left = [given[number] for number in named[is_there].tolist()]
        starts = _number((one.name, one.entry.key[:2]) for one in left)
        is_open = np.array([one.entry.end is None for one in left], dtype=np.bool_)
        rows: dict[str, list[Entry]] = {name: [] for name in declared}
        for one, is_closed in zip(left, mark_closed(starts, is_open), strict=True):
            if not is_closed:
                rows[one.name].append(one.entry)
        return rows

    def fit_expectations(self) -> dict[str, dict[Any, Entry]]:
        expected: dict[str, dict[Any, Entry]] = {}
        nowhere: dict[str, Line] = {}
        for line in self._test.expects:
            try:
                name = line.data["expect"]
                signature = find_signature(name, self._definitions, "a definition", self._sorts)
                found = expected.setdefault(signature.name, {})
                if "none" in line.data:
                    _check_none(line.data)
                    nowhere[signature.name] = line
                else:
                    entry = fit_entry(line.data, signature, self._unit)
                    found[entry.key] = entry
            except Misfit as problem:
                self._report(line, problem)
        for name, line in nowhere.items():
            if expected[name]:
                self._report(
                    line,
                    Misfit(
                        f"this expects `{name}` nowhere, but another line expects it",
                        "remove one of the two",
                    ),
                )
        return expected

    def _fit_operation(self, line: Line, signature: Signature) -> _Operation:
        if signature.kind is None:
            entry, arrival = Entry(fit_args(line.data, signature), 0, 0), -LIMIT
        else:
            entry = fit_entry(line.data, signature, self._unit)
            arrival = entry.start
        operation = line.data.get("op", "insert")
        if operation not in ("insert", "retract"):
            raise Misfit(f"`op` is `{operation}`", "write `insert`, the default, or `retract`")
        if line.data.get("arrival") is not None:
            arrival = fit_time(line.data["arrival"], "arrival", self._unit)
        return _Operation(line, signature.name, entry, arrival, operation == "retract")

    def _report(self, line: Line, misfit: Misfit) -> None:
        self.problems.append(Problem(self._test.file, line.number, misfit.reason, misfit.remedy))


def _check_none(data: Mapping[str, Any]) -> None:
    if data["none"] is not True or set(data) - {"expect", "none", "kind"}:
        raise Misfit(
            "`none` does not go with arguments or times",
            f'write {{"expect": "{data["expect"]}", "none": true}}: nowhere, for any arguments',
        )


def _number(keys: Iterable[Hashable]) -> Numbers:
    """The same number for the same key."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)


def _build_table(signature: Signature, entries: Sequence[Entry]) -> "pa.Table":
    import pyarrow as pa

    types: Mapping[ValueType, pa.DataType] = {
        "int": pa.int64(),
        "float": pa.float64(),
        "str": pa.string(),
        "bool": pa.bool_(),
    }
    columns = list(zip(*(entry.args for entry in entries), strict=True))
    arrays = [
        pa.array(columns[index] if columns else [], types[type_])
        for index, type_ in enumerate(signature.types)
    ]
    times: dict[str, list[int | None]] = {}
    if signature.kind == "event":
        times = {"t": [entry.start for entry in entries]}
    elif signature.kind is not None:
        times = {"ts": [e.start for e in entries], "te": [e.end for e in entries]}
    arrays += [pa.array(found, pa.int64()) for found in times.values()]
    if not arrays:
        # A fact without arguments: there are no columns, but it matters whether there is a row.
        return pa.table({"row": pa.nulls(len(entries))}).select([])
    return pa.Table.from_arrays(arrays, names=[*signature.arguments, *times])
