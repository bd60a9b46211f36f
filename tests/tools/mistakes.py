"""The page of mistakes that newcomers make, each with what it is told."""

import json
from collections.abc import Iterator
from itertools import zip_longest

from phenesthe.diagnostics.model import Edit
from tests.conformance.expected import fixed_lines
from tests.mistakes.programs import Mistake, all_mistakes
from tests.mistakes.tries import load_tries
from tests.tools.markdown import fence, join


def build_mistakes() -> str:
    return join(_lines())


def _lines() -> Iterator[str]:
    mistakes = all_mistakes()
    fixable = sum(mistake.fixed for mistake in mistakes)
    yield "# Mistakes of newcomers"
    yield ""
    yield (
        f"What {len(mistakes)} programs are told that are written with the habits of other "
        f"languages. For {fixable} of them there are fixes that lead to a program without errors. "
        "Tests hold every message to its place and to the words of its remedy."
    )
    for habit in dict.fromkeys(mistake.habit for mistake in mistakes):
        yield ""
        yield f"## {'The language itself' if habit == 'the language' else habit}"
        for mistake in mistakes:
            if mistake.habit == habit:
                yield from _mistake(mistake)


def _mistake(mistake: Mistake) -> Iterator[str]:
    yield ""
    yield f"### {mistake.mistake[:1].upper()}{mistake.mistake[1:]}"
    yield ""
    yield fence(mistake.program.rstrip("\n"), "phe")
    yield ""
    yield fence("\n".join(_told(mistake)), "text")


def _told(mistake: Mistake) -> Iterator[str]:
    told = mistake.tell()
    for diagnostic, following in zip_longest(told, told[1:]):
        line, column = diagnostic.span.first
        severity = f"{diagnostic.severity.value}[{diagnostic.code}]"
        yield f"{line}:{column} {severity}: {diagnostic.message}"
        yield f"  help: {diagnostic.hint}"
        if following is not None and following.fix == diagnostic.fix:
            continue  # one fix for several mistakes is shown once
        for fixed in _show_fix(diagnostic.fix or ()):
            yield f"  fix: {fixed or '(line removed)'}"


def _show_fix(fix: tuple[Edit, ...]) -> list[str]:
    """Lines that are added stand by themselves, without the line that they are added before."""
    if len(fix) == 1 and not fix[0].span.text and fix[0].text.endswith("\n"):
        return fix[0].text.splitlines()
    return fixed_lines(fix)


def build_tries(sort: str) -> str:
    return join(_list_tries(sort))


_TITLES = {
    "commands": ("Mistakes on the command line", "command lines"),
    "data": ("Mistakes in data", "kinds of data"),
}


def _list_tries(sort: str) -> Iterator[str]:
    tries = load_tries(sort)
    title, what = _TITLES[sort]
    yield f"# {title}"
    yield ""
    yield (
        f"What {len(tries)} {what} are told that newcomers try. Tests hold every exit code, and "
        "every message to the words of the mistake and of its remedy."
    )
    for one in tries:
        yield ""
        yield f"### {one.mistake[:1].upper()}{one.mistake[1:]}"
        if one.files and sort == "data":
            for name, content in one.files.items():
                yield ""
                yield f"`{name}`"
                yield ""
                given = content if isinstance(content, str) else json.dumps(content)
                yield fence(shorten_lines(given), "text")
        told = one.run()
        yield ""
        shown = [f"$ phenesthe {one.line}", *told.list_spoken(), f"(exit code {told.code})"]
        yield fence("\n".join(shown), "text")


def shorten_lines(text: str) -> str:
    """What fits into a page, of files that may have long lines."""
    lines = text.strip("\n").splitlines()
    return "\n".join(line if len(line) <= 100 else line[:99] + "…" for line in lines[:8])
