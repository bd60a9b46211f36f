"""A stream, evaluated and drawn: a definition, then what it uses directly."""

from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any

from rich.text import Text

from phenesthe.check.program import Checked, CheckedProgram, Signature
from phenesthe.engines.local import run_local
from phenesthe.ide.streams import Stream
from phenesthe.report.rows import order_args, write_args
from phenesthe.report.timeline import DEFAULT_WIDTH, Group, Track, draw_groups
from phenesthe.report.tracks import Span
from phenesthe.testing.compare import compare, read_entries
from phenesthe.testing.draw_failure import draw_failure

MAX_SECONDS = 20
#: Rows of one phenomenon that are drawn.
MAX_ROWS = 20_000
#: Lines of the definition itself, and of each that it uses.
MAX_BINDINGS = 40
MAX_USED_BINDINGS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """`passed` is the verdict where a test says what to expect of the definition."""

    title: str = ""
    lines: tuple[Text, ...] = ()
    remarks: tuple[str, ...] = ()
    passed: bool | None = None


class TooLong(Exception):
    """The evaluation was given up."""


def draw_stream(stream: Stream, name: str, width: int | None = None) -> Section:
    program = stream.program
    if program is None:
        return Section(title=stream.title, remarks=stream.remarks)
    width = width or DEFAULT_WIDTH
    found = _evaluate(stream, program, name)
    groups = list(_list_groups(stream, program, name, found))
    # What is open is open at the query, not where the last thing is drawn.
    unit = program.unit if stream.dated else None
    lines = draw_groups(groups, width=width, to=stream.until, unit=unit)
    if not lines:
        lines = [Text(f"`{name}` holds nowhere, and nothing it uses does")]
    passed = None
    if stream.expected is not None and name in stream.expected:
        wrong = compare({name: stream.expected[name]}, found, program)
        passed = not wrong
        if wrong:
            lines += [Text(), *draw_failure("not as expected", wrong, width=width)]
    return Section(
        title=stream.title,
        lines=tuple(lines),
        remarks=(*stream.remarks, *_count_facts(stream, program, name)),
        passed=passed,
    )


def _evaluate(stream: Stream, program: CheckedProgram, name: str) -> dict[str, Any]:
    """The definition and those it uses."""
    defined = program.defined
    used = [one for one in _find_definition(program, name).uses if one in defined]
    deadline = monotonic() + MAX_SECONDS

    def look_at_the_clock(definition: str, _at: int, _of: int) -> None:
        if monotonic() > deadline:
            raise TooLong(f"stopped before `{definition}`, after {MAX_SECONDS} seconds")

    return run_local(
        program,
        stream.tables,
        stream.facts,
        until=stream.until,
        start=stream.start,
        only=(name, *used),
        on_definition=look_at_the_clock,
    )


def _find_definition(program: CheckedProgram, name: str) -> Checked:
    return next(one for one in program.definitions if one.signature.name == name)


def _list_groups(
    stream: Stream, program: CheckedProgram, name: str, found: dict[str, Any]
) -> Iterator[Group]:
    signatures = program.signatures
    yield _group(signatures[name], found[name], MAX_BINDINGS)
    for used in _find_definition(program, name).uses:
        # Of a fact there are no times to draw.
        if signatures[used].kind is not None:
            table = found[used] if used in found else stream.tables[used]
            yield _group(signatures[used], table, MAX_USED_BINDINGS)


def _group(signature: Signature, table: Any, limit: int) -> Group:
    """One line for each binding of a phenomenon, as many as there is room for."""
    assert signature.kind is not None
    spans: dict[Any, list[Span]] = {}
    labels: dict[Any, str] = {}
    for entry in read_entries(table.slice(0, MAX_ROWS), signature):
        key = order_args(entry.args)
        labels.setdefault(key, write_args(entry.args))
        spans.setdefault(key, []).append((entry.start, entry.end))
    tracks = [Track(labels[key], spans[key]) for key in sorted(spans)[:limit]]
    notes = [] if tracks else ["nowhere"]
    if len(spans) > limit:
        notes.append(f"… and {len(spans) - limit:,} more")
    if table.num_rows > MAX_ROWS:
        notes.append(f"of {table.num_rows:,} rows the first {MAX_ROWS:,} are drawn")
    return Group(signature.name, signature.kind, tracks, "; ".join(notes))


def _count_facts(stream: Stream, program: CheckedProgram, name: str) -> Iterator[str]:
    """Facts have no time to be drawn on, but a missing one may be the reason for everything."""
    facts = {one.name for one in program.facts}
    for used in _find_definition(program, name).uses:
        if used in facts:
            yield f"uses the fact `{used}`, of which there are {stream.facts[used].num_rows:,}"
