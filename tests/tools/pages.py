"""The documentation pages that are made from the code, the conformance programs and the library."""

from collections.abc import Iterator

from phenesthe.diagnostics.codes import CODES, GROUPS, Code
from phenesthe.diagnostics.model import Diagnostic
from phenesthe.diagnostics.render import render
from tests.conformance.programs import FOLDER, Program, all_programs, cases_of
from tests.tools.library import build_library
from tests.tools.markdown import fence, join
from tests.tools.mistakes import build_mistakes, build_tries

_MANY = 3
_FOLDERS = {
    "constructs": "Each construct of the language, used rightly.",
    "papers": "Definitions from the papers that the language comes from, written in it.",
}


def build_pages() -> dict[str, str]:
    """All pages by their paths below `docs`."""
    pages = {f"diagnostics/{code}.md": _code_page(CODES[code]) for code in CODES}
    pages["diagnostics/index.md"] = _index_page()
    pages["conformance.md"] = _conformance_page()
    pages["mistakes.md"] = build_mistakes()
    pages["mistakes-commands.md"] = build_tries("commands")
    pages["mistakes-data.md"] = build_tries("data")
    return pages | build_library()


def _severity(code: str) -> str:
    return "warning" if code.startswith(("W", "M")) else "error"


def _code_page(code: Code) -> str:
    return join(_code_lines(code))


def _code_lines(code: Code) -> Iterator[str]:
    yield f"# {code.code}: {code.title}"
    yield ""
    yield f"*{_severity(code.code).capitalize()}.* {code.explanation}"
    cases = cases_of(code.code)
    for case in cases:
        yield ""
        yield f"## {_case_title(case)}"
        yield ""
        yield from _case_lines(case)
    yield ""
    yield "[All diagnostics](index.md)"


def _case_title(case: Program) -> str:
    words = case.path.stem.split("-")[1:]
    return " ".join(words).capitalize()


def _case_lines(case: Program) -> Iterator[str]:
    yield fence(case.text, "phe")
    yield ""
    for circumstance in _circumstances(case):
        yield circumstance
        yield ""
    _, diagnostics = case.check()
    yield fence(render(_worth_showing(diagnostics, case.code), "full", width=100), "text")
    yield ""
    yield "Right:"
    yield ""
    yield fence(case.twin.text, "phe")


def _circumstances(case: Program) -> Iterator[str]:
    if repeat := case.setup.get("repeat"):
        yield f"With line {repeat['line']} written {repeat['times']:,} times."
    for name, value in case.setup.get("params", {}).items():
        yield f"With `--param {name}={value}`."
    for file in case.setup.get("unreadable", ()):
        yield f"Where the file `{file}` may not be read."


def _worth_showing(diagnostics: tuple[Diagnostic, ...], code: str) -> tuple[Diagnostic, ...]:
    """All of a few, of many only those that the page is about."""
    if len(diagnostics) <= _MANY:
        return diagnostics
    return tuple(d for d in diagnostics if d.code == code)


def _index_page() -> str:
    return join(_index_lines())


def _index_lines() -> Iterator[str]:
    yield "# Diagnostics"
    yield ""
    yield (
        "Everything that `phenesthe check` may say about a program. Each page explains one code, "
        "with programs that trigger it and programs that are almost the same and right. "
        "Errors stop a program from running, warnings do not."
    )
    for letter, group in GROUPS.items():
        yield ""
        yield f"## {group}"
        yield ""
        yield "| code | meaning |"
        yield "|---|---|"
        for code in CODES.values():
            if code.code.startswith(letter):
                yield f"| [{code.code}]({code.code}.md) | {code.title} |"


def _conformance_page() -> str:
    return join(_conformance_lines())


def _conformance_lines() -> Iterator[str]:
    yield "# Conformance programs"
    yield ""
    yield (
        "The programs under `language/conformance` define by example what the language is. Tests "
        "check, compile and format each of them. Those that show mistakes are on the pages of the "
        "[diagnostics](diagnostics/index.md)."
    )
    for folder, about in _FOLDERS.items():
        yield ""
        yield f"## {folder.capitalize()}"
        yield ""
        yield about
        for program in all_programs():
            if program.path.relative_to(FOLDER).parts[0] == folder:
                yield ""
                yield f"### {program.name.removeprefix(folder + '/')}"
                yield ""
                yield from _program_lines(program)


def _program_lines(program: Program) -> Iterator[str]:
    yield program.comment or "A file without a single character."
    yield ""
    lines = program.text.splitlines()
    while lines and lines[0].startswith("//") and not lines[0].startswith("///"):
        del lines[0]
    yield fence("\n".join(lines).strip("\n"), "phe")
