"""Completion: what may be written at a place, most likely while the declaration is unfinished."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from phenesthe.check.calendars import list_zones
from phenesthe.ide.analysis import Analysis
from phenesthe.ide.calls import Call
from phenesthe.ide.constants import list_constants
from phenesthe.ide.expect_counting import list_wanted
from phenesthe.ide.expected import Expected, expect
from phenesthe.ide.machines import BEFORE_VALUES, list_written_values
from phenesthe.ide.meanings import (
    EXAMPLES,
    FUNCTION_ARGUMENTS,
    MEANINGS,
    MODE_MEANINGS,
    TYPE_MEANINGS,
    UNIT_MEANINGS,
)
from phenesthe.ide.modules import list_modules
from phenesthe.ide.outlines import (
    Outline,
    Outlines,
    Slot,
    infer_variables,
    list_outlines,
    select_visible,
)
from phenesthe.ide.places import find_name, is_built_in
from phenesthe.ide.words import Sentence, read_words
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tokens import BEGINNING, KINDS, TYPES, UNITS, Token, TokenKind
from phenesthe.vocabulary import BUILT_IN

CompletionKind: TypeAlias = Literal[
    "event", "state", "dynamic", "fact", "param",
    "variable", "constant", "keyword", "function", "type", "unit", "module",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Completion:
    """`insert` is what to write and `blanks` the arguments to fill in, in parentheses after it.

    `rank` orders what is offered: the likeliest have the lowest. `doc` is Markdown.
    """

    label: str
    kind: CompletionKind
    detail: str
    doc: str
    insert: str
    blanks: tuple[str, ...] | None
    replaced: Span
    rank: int


def complete(
    analysis: Analysis, file: Path, offset: int, *, path: tuple[Path, ...] = ()
) -> list[Completion]:
    """What fits at an offset. `path` are the folders in which modules are looked for."""
    module = analysis.find_module(file)
    if module is None:
        return []
    source = module.parsed.source
    words = read_words(source)
    if words.is_in_comment(offset):
        return []
    sentence = words.find_sentence(offset)
    completer = _Completer(analysis, file, path, source, offset, sentence)
    return sorted(completer.list_all(), key=lambda one: (one.rank, one.label))


#: What has several formulas, each after a `:` of its own.
_HAVE_PARTS = ("exclusive", "machine")


def _as_variable(name: str) -> str:
    """`vessel_type` as a variable is written: `VesselType`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_")) or "_"


class _Completer:
    def __init__(
        self,
        analysis: Analysis,
        file: Path,
        path: tuple[Path, ...],
        source: Source,
        offset: int,
        sentence: Sentence | None,
    ) -> None:
        self.analysis = analysis
        self.file = file
        self.path = path
        self.source = source
        self.sentence = sentence
        typed = sentence.find_token(offset) if sentence is not None else None
        if typed is not None and (typed.kind is TokenKind.SYMBOL or typed.start == offset):
            typed = None
        self.typed: Token | None = typed
        start = typed.start if typed is not None else offset
        self.replaced = Span(source, start, typed.end if typed is not None else offset)
        self.before = sentence.list_before(start) if sentence is not None else ()
        following = sentence.tokens[len(self.before) :] if sentence is not None else ()
        after = following[1:2] if typed is not None else following[:1]
        self.has_arguments = bool(after) and after[0].text == "("

    def list_all(self) -> Iterator[Completion]:
        if self.typed is not None and self.typed.kind is TokenKind.NUMBER:
            return
        if self.sentence is None or not self.before:
            yield from self._words(BEGINNING)
            return
        last = self.before[-1].text
        match self.sentence.opening:
            case "import":
                yield from self._modules()
            case "unit":
                yield from self._words(UNITS if last == "unit" else ())
            case "report":
                yield from self._reportable() if last in ("report", ",") else ()
            case "param":
                yield from self._words((*TYPES, "duration") if last == ":" else ())
                is_truth = [token.text for token in self.before[-2:]] == ["bool", "="]
                yield from self._words(("true", "false") if is_truth else ())
            case "input" if last == "input":
                yield from self._words(KINDS)
            case "input" | "fact":
                yield from self._words(TYPES if last == ":" else ())
            case "exclusive" if last == "exclusive":
                yield from self._words(("state",))
            case "machine" if last == ")" and all(one.text != "{" for one in self.before):
                yield from self._words(("initially",))
            case "machine" if last in BEFORE_VALUES and len(self.before) > 1:
                yield from self._values(last)
            case opening:
                yield from self._formula(opening)

    def _values(self, last: str) -> Iterator[Completion]:
        """Those of the machine around; what is typed is none yet."""
        assert self.sentence is not None
        written = list_written_values(self.sentence.tokens)
        texts = {token.text for token in written if token != self.typed}
        for text in sorted(texts):
            yield self._make(text, "constant", "a value of this machine", "", rank=1)
        if last != "initially":
            meaning = "ends the machine" if last == "->" else "any value"
            yield self._make("_", "keyword", meaning, "", rank=4)

    def _reportable(self) -> Iterator[Completion]:
        """The definitions that the line does not name yet."""
        assert self.sentence is not None
        named = {one.text for one in self.sentence.tokens if one is not self.typed}
        visible = select_visible(self.analysis, self.file, list_outlines(self.analysis))
        for name, one in visible.items():
            if name not in named and one.kind not in ("fact", "param") and not one.is_given:
                yield self._make(name, one.kind, str(one), one.doc, rank=1)

    def _formula(self, opening: str) -> Iterator[Completion]:
        body = self._read_body(opening)
        if body is None:
            return
        visible = select_visible(self.analysis, self.file, list_outlines(self.analysis))
        expected = expect(opening, body, visible)
        called = expected.argument and expected.argument.name
        if called and is_built_in(called.text, visible):
            yield from self._zones(expected.argument)
            return
        if self.typed is not None and self.typed.kind is TokenKind.STRING:
            if expected.argument is not None:
                yield from self._constants(expected.argument, visible)
            return
        yield from self._expected(expected, visible)

    def _read_body(self, opening: str) -> tuple[Token, ...] | None:
        """The words of the formula before the cursor; None in a head or in front of a label."""
        if opening not in BEGINNING:
            return self.before
        marks = [at for at, token in enumerate(self.before) if token.text in (":", "{", ";")]
        if not marks or self.before[marks[-1]].text != ":":
            return None
        first = marks[-1] if opening in _HAVE_PARTS else marks[0]
        return self.before[first + 1 :]

    def _expected(self, expected: Expected, visible: Outlines) -> Iterator[Completion]:
        if expected.argument is not None:
            yield from self._terms(expected.argument, visible)
            return
        if expected.values:
            types = self._list_variables(visible)
            yield from (self._variable(name, types[name] or "", 2) for name in types)
        if expected.varying:
            types = self._list_variables(visible)
            yield from (
                self._variable(name, found or "", 3)
                for name, found in types.items()
                if found in ("int", None)
            )
        if expected.wanted is not None and self.sentence is not None:
            names = list_wanted(self.sentence.tokens, self.typed, expected.wanted)
            yield from (self._variable(name, "", 2) for name in names)
        for outline in visible.values():
            if outline.kind in expected.kinds and outline.sentence != self.sentence:
                yield self._phenomenon(outline)
            elif outline.kind == "param" and (
                (expected.duration and outline.parameter_type in ("duration", "int"))
                or (expected.number and outline.parameter_type == "int")
                or (expected.values and outline.parameter_type != "bool")
            ):
                yield self._parameter(outline)
        yield from self._words(expected.words)
        if "state" in expected.kinds:
            yield from self._built_in(visible)

    def _built_in(self, visible: Outlines) -> Iterator[Completion]:
        for name in BUILT_IN:
            if name not in visible:
                detail = f"state {name}({', '.join(FUNCTION_ARGUMENTS[name])})"
                blanks, doc = EXAMPLES[name], MEANINGS[name]
                yield self._make(name, "function", detail, doc, rank=5, blanks=blanks)

    def _zones(self, call: Call | None) -> Iterator[Completion]:
        """The last argument of a calendar state; the others are moments."""
        assert call is not None
        assert call.name is not None
        if len(call.arguments) == len(FUNCTION_ARGUMENTS[call.name.text]):
            for zone in list_zones():
                yield self._make(f'"{zone}"', "constant", "a time zone", "", rank=2)

    def _terms(self, call: Call, visible: Outlines) -> Iterator[Completion]:
        """What may stand for an argument: variables first, then what was written there before."""
        slot = _find_slot(call, visible)
        wanted = slot.type if slot is not None else None
        types = self._list_variables(visible)
        for name, known in types.items():
            if known is None or wanted is None or known == wanted:
                yield self._variable(name, known or "", 0 if known is not None else 1)
        if slot is not None:
            name = _as_variable(slot.name)
            if name not in types:
                yield self._variable(name, wanted or "", 1)
        yield from self._constants(call, visible)
        for outline in visible.values():
            has = outline.parameter_type
            if outline.kind == "param" and (wanted is None or wanted in (has, _counted(has))):
                yield self._parameter(outline)
        if wanted == "bool":
            yield from self._words(("true", "false"))
        yield self._make("_", "keyword", "any value", MEANINGS["_"], rank=4)

    def _constants(self, call: Call, visible: Outlines) -> Iterator[Completion]:
        slot = _find_slot(call, visible)
        if call.name is None or slot is None:
            return
        is_quoted = self.typed is not None and self.typed.kind is TokenKind.STRING
        at = len(call.arguments) - 1
        for text in list_constants(self.analysis, call.name.text, at, except_at=self.replaced):
            written = f'"{text}"' if is_quoted and not text.startswith('"') else text
            detail = f"seen for {slot.name} of {call.name.text}"
            yield self._make(written, "constant", detail, "", rank=2)

    def _list_variables(self, visible: Outlines) -> dict[str, str | None]:
        """The variables of the definition around, or of its branch, with their types."""
        assert self.sentence is not None
        tokens = self.sentence.tokens
        at = len(self.before)
        name = find_name(self.sentence)
        head: tuple[Token, ...] = ()
        if self.sentence.opening in _HAVE_PARTS and name is not None:
            brace = next((i for i, token in enumerate(tokens) if token.text == "{"), len(tokens))
            head = tokens[name + 1 : brace]
            bounds = [i for i, token in enumerate(tokens) if token.text in ("{", ";")]
            begin = max((i for i in bounds if i < at), default=0)
            end = min((i for i in bounds if i >= at), default=len(tokens))
            # The last variable of the head takes the value, and no part may use it.
            last = max((i for i, t in enumerate(head) if _is_variable(t)), default=0)
            tokens = (*head[:last], *tokens[begin:end])
        types = infer_variables(tokens, visible)
        written = [token for token in tokens if _is_variable(token) and token != self.typed]
        return {token.text: types.get(token.text) for token in written}

    def _modules(self) -> Iterator[Completion]:
        """The whole name is replaced, for what stands before the last dot is part of it."""
        assert self.sentence is not None
        written = [token for token in self.sentence.tokens[1:] if token.text != ";"]
        start, end = self.replaced.start, self.replaced.end
        if written:
            start, end = min(start, written[0].start), max(end, written[-1].end)
        for name, target in list_modules(self.file, self.path).items():
            replaced = Span(self.source, start, end)
            yield Completion(name, "module", target.as_posix(), "", name, None, replaced, 0)

    def _words(self, words: tuple[str, ...]) -> Iterator[Completion]:
        for word in words:
            takes = FUNCTION_ARGUMENTS.get(word)
            if word in UNITS:
                yield self._make(word, "unit", "", UNIT_MEANINGS[word], rank=0)
            elif word in TYPE_MEANINGS:
                yield self._make(word, "type", "", TYPE_MEANINGS[word], rank=0)
            elif takes is not None:
                detail = f"{word}({', '.join(takes)})"
                yield self._make(word, "function", detail, MEANINGS[word], rank=5, blanks=takes)
            else:
                meaning = MEANINGS.get(word) or MODE_MEANINGS[word]
                yield self._make(word, "keyword", "", meaning, rank=4)

    def _variable(self, name: str, detail: str, rank: int) -> Completion:
        return self._make(name, "variable", detail, "", rank=rank)

    def _parameter(self, outline: Outline) -> Completion:
        return self._make(outline.name, "param", str(outline), outline.doc, rank=3)

    def _phenomenon(self, outline: Outline) -> Completion:
        names = tuple(_as_variable(slot.name) for slot in outline.arguments)
        detail = str(outline)
        return self._make(outline.name, outline.kind, detail, outline.doc, rank=1, blanks=names)

    def _make(
        self,
        label: str,
        kind: CompletionKind,
        detail: str,
        doc: str,
        *,
        rank: int,
        blanks: tuple[str, ...] | None = None,
    ) -> Completion:
        blanks = None if self.has_arguments else blanks
        return Completion(label, kind, detail, doc, label, blanks, self.replaced, rank)


def _is_variable(token: Token) -> bool:
    return token.kind is TokenKind.VARIABLE and token.text != "_"


def _find_slot(call: Call, visible: Outlines) -> Slot | None:
    outline = visible.get(call.name.text) if call.name is not None else None
    slots = outline.arguments[len(call.arguments) - 1 :] if outline is not None else ()
    return slots[0] if slots else None


def _counted(type_name: str) -> str:
    """A duration counts ticks."""
    return "int" if type_name == "duration" else type_name
