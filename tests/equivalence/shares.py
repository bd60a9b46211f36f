"""How many random cases have what is rare in programs that people write, and easily forgotten."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from tests.column_names import COLUMN_NAMES
from tests.equivalence.late import WindowedCase
from tests.equivalence.windowed import Expected
from tests.reference import Scalar

_GREAT = (
    "9223372036854775807",
    "9223372036854775808",
    "9007199254740993",
    "1.7976931348623157e308",
)


def list_features(text: str, params: Mapping[str, Scalar]) -> Iterator[str]:
    """What the text of a program, and what a run says of its parameters, have of it."""
    declared = re.findall(r"^(?:input|fact) .*\((.*)\);$", text, re.MULTILINE)
    arguments = {one.split(":")[0] for line in declared for one in line.split(", ")}
    if arguments & set(COLUMN_NAMES):
        yield "an argument called like a column of ours"
    intervals = re.findall(r"^input (?:state|dynamic) .*\bt: ", text, re.MULTILINE)
    if intervals:
        yield "an interval with an argument `t`"
    if arguments & {"arrival", "op"}:
        yield "an argument called `arrival` or `op`"
    defaults = re.findall(r"^param .* = (.*);$", text, re.MULTILINE)
    body = "".join(
        line for line in text.splitlines() if not line.startswith(("param ", "input ", "fact "))
    )
    if "-0.0" in body:
        yield "-0.0 among constants"
    if any(one in body for one in _GREAT) or "5e-324" in body:
        yield "an extreme constant"
    if any(one.lstrip("-") in (*_GREAT, "5e-324", "0.0") for one in defaults):
        yield "an extreme default"
    used = [value for name, value in params.items() if re.search(rf"^param {name}:", text, re.M)]
    if used:
        yield "a parameter overridden"
    if any(isinstance(one, float) and not math.isfinite(one) for one in used):
        yield "NaN or an infinity as a parameter"
    if any(isinstance(one, float) and one == 0 and math.copysign(1, one) < 0 for one in used):
        yield "-0.0 as a parameter"


def list_session(case: WindowedCase, expected: Sequence[Expected]) -> Iterator[str]:
    """What a memory that is not told where its timeline begins is put to."""
    if not case.session:
        return
    yield "a session without a start"
    firsts = [one.query.first for one in expected]
    pairs = [pair for pair in pairwise(firsts) if pair[1] is not None]
    if any(before is not None and after < before for before, after in pairs if after is not None):
        yield "a session with a late row before its first"
    if firsts[:1] == [None] and firsts[-1] is not None:
        yield "a session that begins without a row"


def list_lines(features: Counter[str], cases: int) -> list[str]:
    return [f"{label:50} {count / cases:>9.1%}" for label, count in sorted(features.items())]
