"""What to write for `if … then … else …`: both cases, each with its condition."""

import re

from phenesthe.diagnostics.shorten import MAX_REMEDY, shorten
from phenesthe.syntax.declared import (
    ATOM,
    find_body,
    find_head_variables,
    find_kind,
    find_variables,
)  # fmt: skip

_CHOICES = tuple(
    re.compile(rf"\s*{form}\s*;?\s*", re.IGNORECASE)
    for form in (
        r"(?:if|case\s+when|when)\s+(?P<test>[^;]+?)\s*(?:\bthen\b|:)\s*(?P<first>[^;]+?)"
        r"(?:\s*\b(?:else|otherwise)\b\s*:?\s*(?P<other>[^;]+?))?(?:\s+end(?:\s+if)?)?",
        r"(?P<first>[^;]+?)\s+if\s+(?P<test>[^;]+?)(?:\s+else\s+(?P<other>[^;]+?))?",
    )
)
_WORDS = re.compile(r"\b(?:if|then|else|elif|elsif|when|case|end)\b(?!\s*\()", re.IGNORECASE)
_SIMPLE = re.compile(ATOM)
#: What is longer is not looked at: a formula that long is no single choice.
_MAX_BODY = 2_000
_FORMS = {
    "event": ("A and B", "(A and B) or (not A and C)"),
    "state": ("A intersection B", "(A intersection B) union (C complement A)"),
}
_CONDITION_OF_STATE = ("B where A", "(B where A) union (C where not A)")


def suggest_cases(declaration: str) -> str:
    """Both cases in the words of the definition, as far as they can be told apart."""
    kind = find_kind(declaration)
    if kind not in _FORMS:
        return "define each case by itself, as an event or a state with the condition in it"
    one, both = _FORMS[kind]
    body = find_body(declaration)
    for choice in _CHOICES if len(body) <= _MAX_BODY else ():
        found = choice.fullmatch(body)
        if found is not None and not any(_WORDS.search(part or "") for part in found.groups()):
            return _write(kind, found, find_head_variables(declaration))
    return f"write `{one}` for `if A then B`, and `{both}` for `if A then B else C`"


def _write(kind: str, found: re.Match[str], head: list[str]) -> str:
    test, first, other = found["test"], found["first"], found["other"]
    forms = _FORMS[kind]
    if kind == "state" and not re.search(ATOM, test):
        forms = _CONDITION_OF_STATE
    if other is None:
        written = _fill(forms[0], test, test, first, "")
        return f"write `{shorten(written, MAX_REMEDY)}`"
    # What only the test speaks of is another value in each case.
    again = test
    for variable in find_variables(test):
        if variable not in (*head, *find_variables(first), *find_variables(other)):
            pattern = rf"\b{variable}\b"
            once = len(re.findall(pattern, test)) == 1
            again = re.sub(pattern, "_" if once else f"{variable}2", again)
            test = re.sub(pattern, "_", test) if once else test
    written = _fill(forms[1], test, again, first, other)
    word = "complement" if "complement" in forms[1] else "not"
    return f"write `{shorten(written, MAX_REMEDY)}`: the second case needs its own `{word}`"


def _fill(form: str, test: str, again: str, first: str, other: str) -> str:
    tests = iter((test, again))
    parts = {"B": first, "C": other}

    def fill(match: re.Match[str]) -> str:
        part = next(tests) if match[0] == "A" else parts[match[0]]
        return part if _SIMPLE.fullmatch(part) else f"({part})"

    return re.sub(r"\b[ABC]\b", fill, form)
