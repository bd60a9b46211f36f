"""Whatever the text and the place: no crash, no control characters, marks where they belong."""

import json
import re
import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from phenesthe.diagnostics.model import Diagnostic, Edit, Label, Severity
from phenesthe.diagnostics.render import FORMATS, render
from phenesthe.syntax.source import Source, Span

# Any character, lone surrogates included, and more of those that need care.
CHARACTERS = st.characters(exclude_categories=()) | st.sampled_from("\t\r\n\x1b\x9b\u202e\u0301港")
TEXTS = st.text(CHARACTERS, max_size=60)

# What each character must look like, written down here rather than computed: shown, columns.
TABLE = {
    "a": ("a", 1),
    " ": (" ", 1),
    "~": ("~", 1),
    "é": ("é", 1),
    "\t": ("    ", 4),
    "\u0301": ("\u0301", 0),
    "\u20dd": ("\u20dd", 0),
    "港": ("港", 2),
    "Ａ": ("Ａ", 2),
    "😀": ("😀", 2),
    "\x00": ("\\u{00}", 6),
    "\x1b": ("\\u{1B}", 6),
    "\x85": ("\\u{85}", 6),
    "\u200b": ("\\u{200B}", 8),
    "\u202e": ("\\u{202E}", 8),
    "\ud800": ("\\u{D800}", 8),
    "\U000e0001": ("\\u{E0001}", 9),
}
COLUMNS = {shown: columns for shown, columns in TABLE.values() if len(shown) == 1}
LINES = st.text(st.sampled_from(sorted(TABLE)), max_size=80)


def show(text: str) -> str:
    return "".join(TABLE[char][0] for char in text)


def measure(shown: str) -> int:
    return sum(COLUMNS.get(char, 1) for char in shown)


@st.composite
def make_spans(draw: st.DrawFn, source: Source) -> Span:
    start = draw(st.integers(0, len(source.text)))
    return Span(source, start, draw(st.integers(start, len(source.text))))


@st.composite
def make_diagnostics(draw: st.DrawFn) -> Diagnostic:
    sources = draw(st.lists(st.builds(Source, TEXTS, TEXTS), min_size=1, max_size=2))
    spans = st.sampled_from(sources).flatmap(make_spans)
    labels = st.builds(Label, span=spans, message=TEXTS)
    edits = st.builds(Edit, span=spans, text=TEXTS)
    return draw(
        st.builds(
            Diagnostic,
            code=st.just("K012"),
            severity=st.sampled_from(Severity),
            message=TEXTS,
            span=spans,
            label=TEXTS,
            related=st.lists(labels, max_size=2).map(tuple),
            hint=TEXTS,
            fix=st.none() | st.lists(edits, max_size=2).map(tuple),
        )
    )


@given(st.lists(make_diagnostics(), max_size=2), st.integers(-5, 90))
def test_no_control_character_gets_through(diagnostics: list[Diagnostic], width: int) -> None:
    for name in FORMATS:
        text = render(diagnostics, name, color=False, width=width)
        hidden = {"Cc", "Cs", "Zl", "Zp"}
        if name != "json":  # data: an invisible letter stays one, as nothing obeys it
            hidden |= {"Cf", "Co", "Cn"}
        assert not hidden & {unicodedata.category(char) for char in text.replace("\n", "")}
        text.encode()
        colored = render(diagnostics, name, color=True, width=width)
        assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == text


@given(st.lists(make_diagnostics(), max_size=3))
def test_formats_for_programs_keep_their_shape(diagnostics: list[Diagnostic]) -> None:
    parsed = json.loads(render(diagnostics, "json"))
    assert [item["range"]["start"]["line"] for item in parsed] == [
        diagnostic.span.first.line for diagnostic in diagnostics
    ]
    github = render(diagnostics, "github").split("\n")
    assert len(github) == len(diagnostics) + 1
    assert all(re.match(r"::(error|warning) file=[^,:]*,line=\d", line) for line in github[:-1])
    concise = render(diagnostics, "concise").split("\n")
    assert len(concise) == (len(diagnostics) + 2 if diagnostics else 1)


def render_snippet(span: Span, width: int) -> tuple[str, str]:
    """The source line and its marks as shown, without the gutter."""
    diagnostic = Diagnostic(code="K012", severity=Severity.ERROR, message="wrong", span=span)
    shown, marks = render([diagnostic], "full", width=width).split("\n")[3:5]
    assert re.match(r" *\d+ \|( |$)", shown)
    assert re.match(r" +\| ", marks)
    gutter = marks.index("|") + 2
    return shown[gutter:], marks[gutter:]


@given(st.lists(LINES, min_size=1, max_size=4), st.sampled_from(["\n", "\r", "\r\n"]), st.data())
def test_marks_line_up(lines: list[str], line_end: str, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(lines) - 1))
    line = lines[number]
    start = data.draw(st.integers(0, len(line)))
    end = data.draw(st.integers(start, len(line)))
    offset = sum(len(before) + len(line_end) for before in lines[:number])
    source = Source("a.phe", line_end.join(lines))
    shown, marks = render_snippet(Span(source, offset + start, offset + end), width=2000)
    assert shown == show(line)
    # A mark drawn on the character before it is pointed at there.
    if start < len(line):
        start = len(line[: start + 1].rstrip("\u0301\u20dd")[:-1])
    indent = measure(show(line[:start]))
    assert marks == " " * indent + "^" * max(1, measure(show(line[start:end])))


@given(LINES, LINES.filter(lambda text: text[:1] not in ("", "\u0301", "\u20dd")), LINES)
@example("a" * 70, "\x1b" * 20, "a")
@example("", "港" * 60, "")
@example("\u0301" * 70, "a", "\u0301" * 70)
def test_a_cut_line_still_shows_the_marked_text(before: str, marked: str, after: str) -> None:
    width = 40
    source = Source("a.phe", before + marked + after)
    span = Span(source, len(before), len(before) + len(marked))
    shown, marks = render_snippet(span, width)
    assert measure(shown) <= width - len(" 1 | ")
    first = next(i for i in range(len(shown)) if measure(shown[:i]) == marks.index("^"))
    # Combining characters fill no column: leave those that end the text before.
    while measure(shown[first]) == 0:
        first += 1
    last = max(i for i in range(len(shown) + 1) if measure(shown[:i]) == len(marks))
    found = shown[first:last]
    assert measure(found) == marks.count("^")
    assert show(marked + after).startswith(found)
    assert measure(found) == measure(show(marked)) or shown[last:] == "…"
