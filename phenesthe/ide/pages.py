"""A preview as text and as HTML: self-contained, everything escaped, in the reader's colours."""

from collections.abc import Iterable, Iterator
from html import escape

from rich.text import Text

from phenesthe.diagnostics.render.cells import join_lines
from phenesthe.ide.drawings import Section

_VERDICTS = {True: "passed", False: "failed"}
_DARK = """\
  --ink: #e6edf3; --paper: #0d1117; --faint: #8b949e; --line: #30363d;
  --yellow: #d29922; --green: #3fb950; --cyan: #39c5cf; --red: #f85149;"""
_LIGHT = """\
  --ink: #1f2328; --paper: #ffffff; --faint: #59636e; --line: #d1d9e0;
  --yellow: #9a6700; --green: #1a7f37; --cyan: #1b7c83; --red: #cf222e;"""
# Visual Studio Code says with a class of the body which theme it has, whatever the system prefers.
_STYLE = f"""\
:root {{ color-scheme: light dark; }}
body {{
{_LIGHT}
}}
@media (prefers-color-scheme: dark) {{ body {{
{_DARK}
}} }}
body.vscode-light, body.vscode-high-contrast-light {{ color-scheme: light;
{_LIGHT}
}}
body.vscode-dark, body.vscode-high-contrast {{ color-scheme: dark;
{_DARK}
}}
body {{
  color: var(--vscode-editor-foreground, var(--ink));
  background: var(--vscode-editor-background, var(--paper));
  font: 14px/1.5 var(--vscode-font-family, system-ui, sans-serif); margin: 1.5em;
}}
h1 {{ font-size: 1.3em; }}
h2 {{ font-size: 1.05em; border-top: 1px solid var(--line); padding-top: 1em; }}
pre {{
  font: 13px/1.35 var(--vscode-editor-font-family, ui-monospace, Menlo, Consolas, monospace);
  overflow-x: auto;
}}
ul {{ color: var(--faint); padding-left: 1.2em; }}
.bold {{ font-weight: bold; }}
.dim {{ color: var(--faint); }}
.yellow {{ color: var(--yellow); }}
.green, .passed {{ color: var(--green); }}
.cyan {{ color: var(--cyan); }}
.red, .failed {{ color: var(--red); }}"""


def write_text(title: str, sections: Iterable[Section]) -> str:
    return "\n".join((title, *_list_lines(sections))) + "\n"


def _list_lines(sections: Iterable[Section]) -> Iterator[str]:
    for section in sections:
        yield ""
        if section.title:
            verdict = "" if section.passed is None else f" ({_VERDICTS[section.passed]})"
            yield from (f"{join_lines(section.title)}{verdict}", "")
        yield from (line.plain for line in section.lines)
        yield from (f"- {join_lines(remark)}" for remark in section.remarks)


def write_html(title: str, sections: Iterable[Section]) -> str:
    """A piece of a page that can be put into another or opened as it is."""
    parts = (
        '<meta charset="utf-8">',
        f"<style>\n{_STYLE}\n</style>",
        f"<h1>{_escape(title)}</h1>",
        *(part for section in sections for part in _write_section(section)),
    )
    return "\n".join(parts) + "\n"


def _write_section(section: Section) -> Iterator[str]:
    if section.title:
        verdict = ""
        if section.passed is not None:
            word = _VERDICTS[section.passed]
            verdict = f' <span class="{word}">{word}</span>'
        yield f"<h2>{_escape(section.title)}{verdict}</h2>"
    if section.lines:
        drawn = "\n".join(map(_write_line, section.lines))
        yield f"<pre>{drawn}</pre>"
    if section.remarks:
        items = "".join(f"<li>{_escape(remark)}</li>" for remark in section.remarks)
        yield f"<ul>{items}</ul>"


def _escape(text: str) -> str:
    return escape(join_lines(text))


def _write_line(line: Text) -> str:
    """The styles of drawings lie next to each other, never one in another."""
    parts: list[str] = []
    done = 0
    for span in sorted(line.spans):
        parts.append(escape(line.plain[done : span.start]))
        parts.append(_dress(escape(line.plain[span.start : span.end]), str(span.style)))
        done = span.end
    parts.append(escape(line.plain[done:]))
    return _dress("".join(parts), str(line.style))


def _dress(content: str, style: str) -> str:
    """Content that is HTML already, in classes named like the words of its style."""
    return f'<span class="{escape(style)}">{content}</span>' if style and content else content
