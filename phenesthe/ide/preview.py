"""What holds when: a definition, as it stands in the editor, run on the data beside its file."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from phenesthe.diagnostics.model import Severity
from phenesthe.diagnostics.render.cells import join_lines
from phenesthe.ide.analysis import Analysis
from phenesthe.ide.files import is_file
from phenesthe.ide.sound import select_sound
from phenesthe.testing.find_tests import name_tests

if TYPE_CHECKING:
    from phenesthe.ide.drawings import Section

MAX_ERRORS = 10
#: How the name of a sample ends; what comes before is the program's.
SAMPLE = ".sample.jsonl"


@dataclass(frozen=True, slots=True)
class Preview:
    """The same as plain text and as a piece of a page, which needs nothing from anywhere.

    `failed`: there is a message instead of timelines.
    """

    title: str
    text: str
    html: str
    failed: bool = False


def find_data(file: Path) -> tuple[Path, ...]:
    """The files beside a program that it can be run on: its tests, its sample."""
    beside = (name_tests(file), name_sample(file))
    return tuple(one for one in beside if is_file(one))


def name_sample(file: Path) -> Path:
    return file.with_name(file.stem + SAMPLE)


def preview(analysis: Analysis, name: str, data: Path, *, width: int | None = None) -> Preview:
    """Draw a definition and what it uses directly. Whatever is wrong becomes a message."""
    # Engines and drawings are heavy, and most of the time nobody wants a preview.
    from phenesthe.ide.drawings import Section
    from phenesthe.ide.pages import write_html, write_text

    title = join_lines(f"{name} on {data.name}")
    found = _draw(analysis, name, data, width)
    failed = isinstance(found, list)
    sections = (Section(remarks=tuple(found)),) if isinstance(found, list) else found
    return Preview(title, write_text(title, sections), write_html(title, sections), failed)


def _draw(
    analysis: Analysis, name: str, data: Path, width: int | None
) -> "tuple[Section, ...] | list[str]":
    """The drawings, or the lines of a message that says why there are none."""
    from phenesthe.ide.drawings import Section, TooLong, draw_stream
    from phenesthe.ide.streams import read_streams
    from phenesthe.io.errors import DataError, describe_failure

    modules, program = analysis.modules, analysis.program
    remarks: list[Section] = []
    if program is None:
        sound = select_sound(analysis)
        if sound is None or name not in sound[1].defined:
            return ["the program has errors", *_list_errors(analysis)]
        modules, program = sound
        left_out = "the program has errors; what has them, and what uses that, was left out"
        remarks = [Section(remarks=(left_out, *_list_errors(analysis)))]
    if name not in program.defined:
        return [f"the program has no definition `{name}`"]
    try:
        streams = read_streams(modules, program, data)
        return (*remarks, *(draw_stream(stream, name, width) for stream in streams))
    except DataError as problem:
        return [problem.message, *([problem.hint] if problem.hint else [])]
    except MemoryError:
        return ["there is not enough memory for this data", "make the sample smaller"]
    except TooLong as problem:
        return [str(problem), "make the sample smaller, or look at what the definition uses"]
    except (OSError, ValueError, OverflowError) as problem:
        return [f"{data.name} cannot be used: {describe_failure(problem)}"]


def _list_errors(analysis: Analysis) -> list[str]:
    errors = [one for one in analysis.diagnostics if one.severity is Severity.ERROR]
    lines = [
        f"{Path(one.span.source.path).name}:{one.span.first.line}: {one.message}"
        for one in errors[:MAX_ERRORS]
    ]
    more = len(errors) - len(lines)
    return [*lines, *([f"… and {more} more"] if more else [])]
