"""Random sequences of what happens in an editor, and one way to carry them out on any server."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Protocol

from lsprotocol import types

from phenesthe.check.modules import read_file
from phenesthe.ide.analysis import analyse
from phenesthe.lsp.features import FEATURES
from phenesthe.lsp.positions import Counting
from phenesthe.lsp.uris import make_uri
from phenesthe.syntax.scan import scan
from phenesthe.syntax.source import Source
from tests.strategies.corpus import corpus
from tests.strategies.edits import edit
from tests.strategies.project import PROJECT
from tests.tools.told import list_expected, write_range

#: What a step does, and how often in comparison.
_STEPS = {
    "edit": 10,
    "replace": 4,
    "paste": 3,
    "undo": 4,
    "whole": 1,
    "open": 3,
    "close": 2,
    "disk": 3,
}
_MAX_STEPS = 8
#: Of every length in every encoding; line ends, and what Python takes for one.
_TEXTS = (
    "", "", " ", ";", "(", "V", "∧", "⤳", "é", "\n", "\r", "\r\n", "\x0c", "\u2028", "\x00",
    "\ufeff", "\U0001f600", "// \U0001f6a2\n", "/* ⊔ */", '"', '"ä\U00010348"', "event e(V) : ",
    "import harbour;",
)  # fmt: skip


class Link(Protocol):
    """A server, however it is reached. `told` is what it said of each file last."""

    told: dict[str, tuple[int | None, list[dict[str, Any]]]]

    def open(self, uri: str, text: str, version: int = 0) -> None: ...
    def change(self, uri: str, version: int, changes: list[dict[str, object]]) -> None: ...
    def close(self, uri: str) -> None: ...
    def tell(self, method: str, params: Mapping[str, object] | None) -> None: ...
    def ask(self, method: str, params: Mapping[str, object] | None) -> Any: ...
    def settle(self) -> None:
        """Wait until the server has said all it has to say."""


class Refused(Exception):
    """The server answered that it will not."""


@dataclass(frozen=True, slots=True)
class Step:
    """What happens to a file; the rest follows from the number, so that steps can be left out."""

    what: str
    file: str
    number: int


@dataclass(frozen=True, slots=True)
class Sequence:
    """From which number the files of the project begin, and what happens then."""

    number: int
    steps: tuple[Step, ...]


def make_sequence(number: int) -> Sequence:
    random = Random(number)
    files = list(PROJECT)
    steps = [Step("open", files[0], 0)]
    for _ in range(random.randint(2, _MAX_STEPS)):
        what = random.choices(list(_STEPS), list(_STEPS.values()))[0]
        file = random.choice((files[0], *files))
        steps.append(Step(what, file, random.randrange(1_000_000)))
    return Sequence(number, tuple(steps))


class Player:
    """Carries a sequence out, and knows at every moment what the texts should be."""

    def __init__(self, link: Link, folder: Path, number: int, counting: Counting) -> None:
        self.link = link
        self.folder = folder
        self.counting = counting
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.earlier: dict[str, list[str]] = {}
        self.counts: Counter[str] = Counter()
        random = Random(number)
        for name, text in PROJECT.items():
            self._save(name, _thin_out(text, random))

    def play(self, steps: tuple[Step, ...]) -> None:
        for step in steps:
            self._do(step, Random(step.number))

    def compare(self) -> None:
        """Everything the server says must follow from the texts alone."""
        self.link.settle()
        for name, text in self.texts.items():
            file = self.folder / name
            analysis = analyse(file, text.encode(), read=self._read)
            expected = list_expected(analysis, file, self.counting)
            if text.startswith("\ufeff"):
                _shift_first_line(expected)
            told = self.link.told[self._uri(name)]
            assert told == (self.versions[name], expected), f"{name} is out of step"
            self.counts["valid" if analysis.program is not None else "broken"] += 1
            self.counts.update(one["code"] for one in expected)

    def question(self, random: Random) -> None:
        """Ask for everything at a random place: whatever the answer, it is one."""
        name = random.choice(list(self.texts))
        text = self.texts[name]
        # Mostly at a word, for elsewhere there is little to say.
        words = [match.start() for match in re.finditer(r"\w+", text)]
        start = random.choice((*words, random.randint(0, len(text))))
        end = random.randint(start, len(text))
        place = self.counting.range_between(Source(name, text), start, end)
        for feature in FEATURES:
            params = _make_params(feature.method, self._uri(name), write_range(place), random)
            try:
                answer = self.link.ask(feature.method, params)
            except Refused:
                self.counts["refused"] += 1
                continue
            self.counts[f"{feature.method}{'' if answer else ' without answer'}"] += 1

    def finish(self) -> None:
        for name in self.texts:
            self.link.close(self._uri(name))

    def _do(self, step: Step, random: Random) -> None:
        name = step.file
        text = self.texts.get(name)
        if step.what == "disk":
            self._save(name, edit((self.folder / name).read_text("utf-8"), random))
            change = {"uri": self._uri(name), "type": 2}
            self.link.tell("workspace/didChangeWatchedFiles", {"changes": [change]})
        elif text is None:
            self.texts[name] = self._read_saved(name)
            self.versions[name] = step.number
            self.earlier[name] = []
            self.link.open(self._uri(name), self.texts[name], step.number)
        elif step.what == "close" and len(self.texts) > 1:
            del self.texts[name]
            self.link.close(self._uri(name))
        elif step.what == "undo" and self.earlier[name]:
            self._replace_by(name, self.earlier[name].pop())
        elif step.what == "whole":
            new = _thin_out(PROJECT[name], random)
            self.texts[name] = new
            self._send(name, [{"text": new}])
        else:
            self.earlier[name].append(text)
            self._replace_by(name, _change(step.what, text, random))

    def _replace_by(self, name: str, new: str) -> None:
        """Send only what differs; every other time in two changes of one message."""
        old = self.texts[name]
        start = 0
        while start < min(len(old), len(new)) and old[start] == new[start]:
            start += 1
        tail = 0
        while tail < min(len(old), len(new)) - start and old[-1 - tail] == new[-1 - tail]:
            tail += 1
        # There is no place inside `\r\n`: the client would send the whole of it.
        while _is_inside_line_end(old, start):
            start -= 1
        while tail and _is_inside_line_end(old, len(old) - tail):
            tail -= 1
        end = len(old) - tail
        inserted = new[start : len(new) - tail]
        place = self.counting.range_between(Source(name, old), start, end)
        self.texts[name] = new
        shorter = Source(name, old[:start] + old[end:])
        if len(old) % 2 or not inserted or _is_inside_line_end(shorter.text, start):
            self._send(name, [{"range": write_range(place), "text": inserted}])
            return
        at = self.counting.range_between(shorter, start, start)
        removal: dict[str, object] = {"range": write_range(place), "text": ""}
        self._send(name, [removal, {"range": write_range(at), "text": inserted}])

    def _send(self, name: str, changes: list[dict[str, object]]) -> None:
        self.versions[name] += 1
        self.link.change(self._uri(name), self.versions[name], changes)

    def _read(self, file: Path) -> bytes | None:
        if file.is_relative_to(self.folder):
            text = self.texts.get(file.relative_to(self.folder).as_posix())
            if text is not None:
                return text.encode()
        return read_file(file)

    def _read_saved(self, name: str) -> str:
        return (self.folder / name).read_bytes().decode()

    def _save(self, name: str, text: str) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())

    def _uri(self, name: str) -> str:
        return make_uri(self.folder / name)


def _thin_out(text: str, random: Random) -> str:
    """A file with some of its declarations left out, so that texts differ."""
    source = Source("", text)
    parts: list[str] = []
    done = 0
    for chunk in scan(source).chunks:
        if random.random() < 0.1:
            parts.append(text[done : chunk.start])
            done = chunk.end
    return "".join((*parts, text[done:]))


def _change(what: str, text: str, random: Random) -> str:
    if what == "paste":
        pasted = random.choice(_list_declarations())
        at = random.choice((0, len(text), random.randint(0, len(text))))
        return text[:at] + pasted + text[at:]
    if what == "replace":
        start = random.randint(0, len(text))
        end = min(len(text), start + random.choice((0, 0, 1, 3, 40)))
        return text[:start] + random.choice(_TEXTS) + text[end:]
    return edit(text, random)


@cache
def _list_declarations() -> list[str]:
    """Declarations of other programs."""
    found: list[str] = []
    for data in corpus().values():
        text = data.decode(errors="replace")
        chunks = scan(Source("", text)).chunks
        found += (text[one.start : one.end] + "\n" for one in chunks if one.end - one.start < 1000)
    return found


def _is_inside_line_end(text: str, at: int) -> bool:
    return 0 < at < len(text) and text[at - 1 : at + 1] == "\r\n"


def _shift_first_line(diagnostics: list[dict[str, Any]]) -> None:
    """A byte order mark is a character to the client and none to the parser."""
    for one in diagnostics:
        for end in ("start", "end"):
            place = one["range"][end]
            place["character"] += place["line"] == 0


def _make_params(method: str, uri: str, place: dict[str, Any], random: Random) -> dict[str, object]:
    """More than each request needs; what it does not know it passes over."""
    if method == types.WORKSPACE_SYMBOL:
        return {"query": random.choice(("", "s", "sail", "vt", "zz"))}
    if method == types.CODE_LENS_RESOLVE:
        return {"range": place, "data": {"uri": uri, "name": random.choice(("slow", "sailing"))}}
    return {
        "textDocument": {"uri": uri},
        "position": place["start"],
        "range": place,
        "context": {
            "diagnostics": [],
            "includeDeclaration": True,
            "isRetrigger": False,
            "triggerKind": 1,
        },
        "newName": random.choice(("fresh_name", "Fresh", "slow", "V", "event", "", "a b", "ß")),
        "options": {"tabSize": 4, "insertSpaces": True},
    }
