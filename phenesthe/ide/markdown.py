"""Markdown for what an editor shows; the text of a file stays text."""

import re

#: Signs that are markup anywhere, and others only where a line or an address begins.
_MARKUP = re.compile(r"(?m)([\\`*_{}\[\]<>#|~&$@]|:(?=//)|(?<=www)\.|^[-+=])")
_NUMBERED = re.compile(r"(?m)^(\d+)([.)])")
_MAX_CODE = 200


def fence(text: str, language: str = "phenesthe") -> str:
    return f"```{language}\n{text}\n```"


def code(text: str) -> str:
    """A piece of a program inside a sentence, whatever backticks there are in it."""
    shown = " ".join(text.split())
    shown = shown if len(shown) <= _MAX_CODE else shown[:_MAX_CODE] + "…"
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    marks = "`" * (longest + 1)
    return f"{marks}{shown}{marks}" if not longest else f"{marks} {shown} {marks}"


def escape(text: str) -> str:
    """Text that somebody wrote, shown as it is: no markup, links or HTML."""
    lines = (line.strip() for line in text.splitlines())
    return _NUMBERED.sub(r"\1\\\2", _MARKUP.sub(r"\\\1", "\n".join(lines))).strip()
