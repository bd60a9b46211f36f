"""Changes of a text that an editor offers: the canonical layout, and the fixes of diagnostics."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from phenesthe.diagnostics.model import Diagnostic, Edit
from phenesthe.diagnostics.render.cells import join_lines
from phenesthe.ide.analysis import Analysis
from phenesthe.syntax.format import format_source
from phenesthe.syntax.source import Source, Span

#: Longer files are compared by what they have in common at both ends only.
_MAX_COMPARED = 1000
_MAX_TITLE = 40


@dataclass(frozen=True, slots=True)
class Fix:
    """A change of one file that takes back `diagnostics`."""

    title: str
    diagnostics: tuple[Diagnostic, ...]
    edits: tuple[Edit, ...]


def format_file(analysis: Analysis, file: Path, *, unicode: bool = False) -> list[Edit]:
    """What gives a file its canonical layout, line by line; nothing where it has syntax errors."""
    module = analysis.find_module(file)
    if module is None or module.parsed.diagnostics:
        return []
    source = module.parsed.source
    wanted = format_source(source, unicode=unicode)
    if _ends_lines_with_both(source.text):
        # Which line ends a file has is the editor's to choose, and its `\n` may mean them.
        wanted = wanted.replace("\n", "\r\n")
    return list(_compare(source, wanted))


def list_fixes(analysis: Analysis, file: Path, start: int, end: int) -> list[Fix]:
    """The fixes of everything that is said of the characters from `start` to `end`."""
    return [
        Fix(_write_title(edits, diagnostic), (diagnostic,), edits)
        for diagnostic, edits in _find_fixable(analysis, file)
        if diagnostic.span.start <= end and start <= diagnostic.span.end
    ]


def fix_all(analysis: Analysis, file: Path) -> Fix | None:
    """As many fixes of a file as do not touch each other, if that is more than one."""
    chosen: list[Diagnostic] = []
    taken = _Taken()
    for diagnostic, edits in _find_fixable(analysis, file):
        if taken.take(edits):
            chosen.append(diagnostic)
    if len(chosen) < 2:
        return None
    title = f"Fix all {len(chosen)} problems that can be fixed"
    return Fix(title, tuple(chosen), tuple(taken.edits))


class _Taken:
    """Edits that keep apart, in their order."""

    def __init__(self) -> None:
        self.edits: list[Edit] = []

    def take(self, edits: Iterable[Edit]) -> bool:
        """Add all of them or, where one is in the way of an earlier one, none."""
        new = [edit for edit in edits if not self._has(edit)]
        if any(self._meets(edit) for edit in new):
            return False
        for edit in new:
            insort(self.edits, edit, key=_start)
        return True

    def _has(self, edit: Edit) -> bool:
        """Two diagnostics may ask for the same."""
        at = bisect_left(self.edits, edit.span.start, key=_start)
        return at < len(self.edits) and self.edits[at] == edit

    def _meets(self, edit: Edit) -> bool:
        """Edits that touch are kept apart too: which of two insertions comes first is a guess."""
        at = bisect_right(self.edits, edit.span.end, key=_start)
        return at > 0 and self.edits[at - 1].span.end >= edit.span.start


def _start(edit: Edit) -> int:
    return edit.span.start


def _find_fixable(analysis: Analysis, file: Path) -> Iterator[tuple[Diagnostic, tuple[Edit, ...]]]:
    for diagnostic in analysis.list_diagnostics(file):
        source = diagnostic.span.source
        if diagnostic.fix and all(edit.span.source is source for edit in diagnostic.fix):
            yield diagnostic, diagnostic.fix


def _write_title(edits: Sequence[Edit], diagnostic: Diagnostic) -> str:
    if [edit.text for edit in edits] == ["(", ")"]:
        return "Add parentheses"
    if len(edits) > 1:
        return join_lines(diagnostic.hint)
    old, new = _show(edits[0].span.text), _show(edits[0].text)
    if not edits[0].span.text:
        return f"Insert {new}"
    return f"Replace {old} with {new}" if edits[0].text else f"Remove {old}"


def _show(text: str) -> str:
    shown = join_lines(text)
    return f"`{shown if len(shown) <= _MAX_TITLE else shown[: _MAX_TITLE - 1] + '…'}`"


def _ends_lines_with_both(text: str) -> bool:
    """Whether all lines end with a carriage return and a line feed."""
    return "\r\n" in text and text.count("\r\n") == text.count("\n") == text.count("\r")


def _compare(source: Source, wanted: str) -> Iterator[Edit]:
    """Only the lines that differ: what stays keeps its marks and the cursor its place."""
    old, new = source.text.splitlines(keepends=True), wanted.splitlines(keepends=True)
    before = _count_common(old, new)
    behind = _count_common(old[before:][::-1], new[before:][::-1])
    between = slice(before, len(old) - behind), slice(before, len(new) - behind)
    offsets = [0]
    for line in old:
        offsets.append(offsets[-1] + len(line))
    for first, last, text in _match_lines(old[between[0]], new[between[1]]):
        span = Span(source, offsets[before + first], offsets[before + last])
        yield Edit(span=span, text=text)


def _count_common(lines: Sequence[str], others: Sequence[str]) -> int:
    count = 0
    for line, other in zip(lines, others, strict=False):
        if line != other:
            break
        count += 1
    return count


def _match_lines(old: list[str], new: list[str]) -> Iterable[tuple[int, int, str]]:
    """Which lines become which text."""
    if max(len(old), len(new)) > _MAX_COMPARED:
        return [(0, len(old), "".join(new))]
    steps = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        (first, last, "".join(new[low:high]))
        for what, first, last, low, high in steps
        if what != "equal"
    ]
