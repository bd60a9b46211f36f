"""Whole programs: ones that make sense, and ones that somebody or something has damaged."""

import re
from collections.abc import Callable

from hypothesis import strategies as st

from phenesthe.syntax.printer import print_module
from phenesthe.syntax.tokens import RELATIONS, RESERVED, UNICODE_SPELLINGS
from tests.strategies.corpus import corpus
from tests.strategies.trees import MODULES

_INPUTS = """\
param limit: float = 0.5;
param pause: duration = 10m;
param hot: bool = true;
input event ais(vessel: int, speed: float);
input event tick();
input event lamp(vessel: int, on: bool);
input state near(vessel: int, port: str);
input dynamic convoy(vessel: int, follower: int);
fact kind(vessel: int, name: str);
"""
_COMPARISONS = st.sampled_from(("<", "<=", ">", ">=", "==", "!="))
_DURATIONS = st.sampled_from(("90s", "10m", "2h", "1d", "600", "pause", "1.5m"))


class _Writer:
    """Writes formulas of a wanted kind over the vessel `V`; other variables are used once more."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.names: dict[str, list[str]] = {"event": [], "state": [], "dynamic": []}
        self.variables = 0

    def pick(self, *choices: str) -> str:
        return self.draw(st.sampled_from(choices))

    def fresh(self) -> str:
        self.variables += 1
        return f"X{self.variables}"

    def known(self, kind: str, otherwise: str) -> str:
        names = self.names[kind]
        is_reused: bool = self.draw(st.booleans())
        return f"{self.pick(*names)}(V)" if names and is_reused else otherwise

    def duration(self) -> str:
        return self.draw(_DURATIONS)

    def condition(self, variable: str) -> str:
        value = self.pick("3", "0.5", "limit", "-2 * limit", "max(limit, 4)", "abs(limit - 1)")
        return f"{variable} {self.draw(_COMPARISONS)} {value}"

    def event(self, depth: int) -> str:
        if depth <= 0:
            return self.known("event", self.pick("ais(V, _)", "lamp(V, true)", "lamp(V, hot)"))
        match self.draw(st.integers(0, 8)):
            case 0:
                speed = self.fresh()
                return f"(ais(V, {speed}) and {self.condition(speed)})"
            case 1:
                return f"({self.event(depth - 1)} and {self.event(depth - 1)})"
            case 2:
                return f"({self.event(depth - 1)} or {self.event(depth - 1)})"
            case 3:
                word = self.pick("in", "not in")
                return f"({self.event(depth - 1)} {word} {self.state(depth - 1)})"
            case 4:
                return f"{self.pick('start', 'end')}({self.state(depth - 1)})"
            case 5:
                return f"({self.event(depth - 1)} and not {self.event(depth - 1)})"
            case 6:
                name = self.pick("ferry", '"tug"')
                return f"({self.event(depth - 1)} and kind(V, {name}))"
            case 7:
                return f"({self.event(depth - 1)} and tick())"
            case _:
                return f"({self.event(depth - 1)} where not kind(V, ferry))"

    def state(self, depth: int) -> str:
        if depth <= 0:
            return self.known("state", "near(V, _)")
        match self.draw(st.integers(0, 7)):
            case 0:
                expiry = self.pick("", f" expires {self.duration()}")
                return f"({self.event(depth - 1)} ~> {self.event(depth - 1)}{expiry})"
            case 1:
                event = self.event(depth - 1)
                return f"(repeat {event} while gap <= {self.duration()})"
            case 2:
                speed = self.fresh()
                return (
                    f"(repeat ais(V, {speed}) while gap < {self.duration()} "
                    f"and abs({speed} - prev({speed})) < 6)"
                )
            case 3:
                word = self.pick("union", "intersection")
                count = self.draw(st.integers(2, 3))
                return f"({f' {word} '.join(self.state(depth - 1) for _ in range(count))})"
            case 4:
                return f"({self.state(depth - 1)} complement {self.state(depth - 1)})"
            case 5:
                return f"({self.state(depth - 1)} lasting >= {self.duration()})"
            case 6:
                return f"({self.state(depth - 1)} then {self.state(depth - 1)})"
            case _:
                relation = self.pick(*RELATIONS)
                mode = self.pick("source", "target", "union", "complement", "inverse_complement")
                return f"({self.state(depth - 1)} {relation} {self.state(depth - 1)} as {mode})"

    def dynamic(self, depth: int) -> str:
        if depth <= 0:
            return self.known("dynamic", "convoy(V, _)")
        match self.draw(st.integers(0, 3)):
            case 0:
                first, second = self.event(depth - 1), self.dynamic(depth - 1)
                return f"({first} before {second} within {self.duration()})"
            case 1:
                first, second = self.state(depth - 1), self.event(depth - 1)
                return f"({first} contains {second})"
            case 2:
                relation = self.pick("meets", "overlaps", "equals", "met_by", "overlapped_by")
                return f"({self.state(depth - 1)} {relation} {self.dynamic(depth - 1)})"
            case _:
                return f"({self.dynamic(depth - 1)} lasting < {self.duration()})"

    def definition(self, number: int) -> str:
        kind = self.pick("event", "state", "dynamic")
        depth = self.draw(st.integers(1, 3))
        write = {"event": self.event, "state": self.state, "dynamic": self.dynamic}[kind]
        name = f"{kind}_{number}"
        text = f"{kind} {name}(V) : {write(depth)};\n"
        self.names[kind].append(name)
        return text


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A program without errors, by construction."""
    writer = _Writer(draw)
    count = draw(st.integers(1, 5))
    return _INPUTS + "".join(writer.definition(number) for number in range(count))


_TOKEN = re.compile(r'\w+|"[^"\n]*"|~>|[<>=!]=|\s+|.', re.DOTALL)
_SNIPPETS = (
    *sorted(RESERVED), *UNICODE_SPELLINGS, "(", ")", "{", "}", ";", ":", ",", ".", "~>", "=", "==",
    "<", "-", "--", "+", "*", "/", "\\", '"', '"\\', "//", "/*", "*/", "///", "_", "V", "S", "ais",
    "gap", "source", "0", "1e999", "9223372036854775808", "0.5s", "1.5ms", "12x", '"\\ud800"',
    "\ufeff", "\0", "\r", "\r\n", "\u2028", "\u202e", "\u0301", "\U0001f6a2", "\x1b[31m", "٣", "ß",
    "event e(V) : ", "input event ais(v: int);\n", "exclusive state m(V, M) { on : ", "not " * 120,
    "(" * 120, " and prev(S) > 1", " within 5m", " as union", " expires 0", " lasting > limit",
)  # fmt: skip
_ALIKE: tuple[tuple[str, ...], ...] = (
    ("event", "state", "dynamic"),
    ("and", "or", "union", "intersection", "complement", "then", *RELATIONS),
    ("start", "end", "prev", "abs", "max", "distance"),
    ("in", "not in", "within", "as"),
)
_ANY_TEXT = st.sampled_from(_SNIPPETS) | st.text(max_size=3)


def _cut(parts: list[str], draw: st.DrawFn) -> tuple[int, int]:
    """A short stretch of the parts."""
    start = draw(st.integers(0, len(parts)))
    return start, min(len(parts), start + draw(st.sampled_from((1, 1, 1, 2, 5))))


def _edit_parts(parts: list[str], draw: st.DrawFn) -> str:
    start, end = _cut(parts, draw)
    found = parts[start:end]
    match draw(st.sampled_from(("delete", "insert", "replace", "repeat", "swap"))):
        case "delete":
            new = []
        case "insert":
            new = [draw(_ANY_TEXT), *found]
        case "replace":
            new = [draw(_ANY_TEXT)]
        case "repeat":
            new = found * 2
        case _:
            other, last = _cut(parts, draw)
            if end <= other:
                return "".join(
                    (*parts[:start], *parts[other:last], *parts[end:other], *found, *parts[last:])
                )
            new = found[::-1]
    return "".join((*parts[:start], *new, *parts[end:]))


def _edit_characters(text: str, draw: st.DrawFn) -> str:
    return _edit_parts(list(text), draw)


def _edit_tokens(text: str, draw: st.DrawFn) -> str:
    return _edit_parts(_TOKEN.findall(text), draw)


def _edit_lines(text: str, draw: st.DrawFn) -> str:
    return _edit_parts(text.splitlines(keepends=True), draw)


def _replace_token(text: str, draw: st.DrawFn) -> str:
    """Another token of the same sort in the place of one: what people do when they err."""
    parts = _TOKEN.findall(text)
    sort = draw(st.sampled_from((str.isupper, str.islower, str.isdigit, _is_sign)))
    places = [at for at, part in enumerate(parts) if sort(part[0])]
    if places:
        parts[draw(st.sampled_from(places))] = parts[draw(st.sampled_from(places))]
    return "".join(parts)


def _is_sign(character: str) -> bool:
    return not character.isspace() and not character.isalnum()


def _replace_word(text: str, draw: st.DrawFn) -> str:
    """Another word of the language, or one that is almost there."""
    parts = _TOKEN.findall(text)
    places = [at for at, part in enumerate(parts) if part in RESERVED]
    if places:
        place = draw(st.sampled_from(places))
        word = parts[place]
        alike = [group for group in _ALIKE if word in group]
        parts[place] = draw(st.sampled_from(alike[0] if alike else (word[:-1], word.upper())))
    return "".join(parts)


def _truncate(text: str, draw: st.DrawFn) -> str:
    return text[: draw(st.integers(0, len(text)))]


def _splice(text: str, draw: st.DrawFn) -> str:
    other = draw(_TEXTS)
    return text[: draw(st.integers(0, len(text)))] + other[draw(st.integers(0, len(other))) :]


def _join(text: str, draw: st.DrawFn) -> str:
    return text + draw(_TEXTS)


_EDITS: tuple[Callable[[str, st.DrawFn], str], ...] = (
    _edit_characters, _edit_tokens, _edit_tokens, _edit_lines, _replace_token, _replace_token,
    _replace_token, _replace_word, _replace_word, _truncate, _splice, _join,
)  # fmt: skip
_FILES = st.deferred(
    lambda: st.sampled_from([data.decode(errors="replace") for data in corpus().values()])
)
# Random trees take long to make and are soon refused by the checker: a few are enough.
_TEXTS = st.integers(0, 9).flatmap(
    lambda n: MODULES.map(print_module) if n == 0 else programs() if n <= 2 else _FILES
)


@st.composite
def damaged_files(draw: st.DrawFn) -> bytes:
    """The bytes of a program after a few accidents."""
    text = draw(_TEXTS)
    for _ in range(draw(st.integers(0, 4))):
        text = draw(st.sampled_from(_EDITS))(text, draw)
    data = text.encode(errors="replace")
    if draw(st.integers(0, 9)) == 0:
        start = draw(st.integers(0, len(data)))
        data = data[:start] + draw(st.binary(max_size=8)) + data[start + draw(st.integers(0, 3)) :]
    return data
