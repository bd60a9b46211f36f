"""What each declaration offers to others: its name and arguments, also where it has errors."""

from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from phenesthe.ide.analysis import Analysis
from phenesthe.ide.calls import list_calls
from phenesthe.ide.markdown import escape
from phenesthe.ide.places import find_name
from phenesthe.ide.words import Sentence, read_words
from phenesthe.resources import LIBRARY
from phenesthe.syntax.source import Span
from phenesthe.syntax.tokens import KINDS, Token, TokenKind
from phenesthe.syntax.tree import Kind
from phenesthe.vocabulary import ValueType

#: What can be declared.
DeclaredKind: TypeAlias = Literal["event", "state", "dynamic", "fact", "param"]


@dataclass(frozen=True, slots=True)
class Slot:
    """An argument: its name, its type as far as it is known, and its place."""

    name: str
    type: ValueType | None
    span: Span


@dataclass(frozen=True, slots=True)
class Outline:
    """A declaration seen from outside. `opening` are the words before its name.

    `rest` is what follows the name of a parameter: its type and its value.
    """

    name: str
    kind: DeclaredKind
    opening: str
    arguments: tuple[Slot, ...]
    rest: str
    span: Span
    file: Path
    sentence: Sentence

    @property
    def doc(self) -> str:
        """What its author says of it, in Markdown."""
        return escape(self.sentence.doc or "")

    @property
    def is_given(self) -> bool:
        """Its arguments are declared, not inferred."""
        return self.sentence.opening in ("input", "fact")

    @property
    def is_from_library(self) -> bool:
        return is_in_library(self.file)

    @property
    def parameter_type(self) -> str:
        return self.rest.partition("=")[0].strip(" :")

    def list_arguments(self) -> list[str]:
        return [f"{s.name}: {s.type}" if s.type else s.name for s in self.arguments]

    def __str__(self) -> str:
        """`state moored(V: int, P: str)`, `param limit: float = 0.5`."""
        if self.kind == "param":
            return f"param {self.name}{self.rest}"
        return f"{self.opening} {self.name}({', '.join(self.list_arguments())})"


Outlines: TypeAlias = dict[str, Outline]


@cache
def is_in_library(file: Path) -> bool:
    return file.is_relative_to(LIBRARY)


def list_outlines(analysis: Analysis) -> Outlines:
    """Everything a program declares; of two declarations of a name the one the checker took."""
    found: Outlines = {}
    symbols = analysis.work.symbols
    for module in analysis.modules.files:
        for sentence in read_words(module.parsed.source).sentences:
            outline = _outline(analysis, module.path, sentence)
            if outline is None:
                continue
            symbol = symbols.get(outline.name)
            is_taken = symbol is not None and (symbol.file, symbol.span.start) == (
                outline.file,
                outline.span.start,
            )
            if is_taken or outline.name not in found:
                found[outline.name] = outline
    # Drafts are in evaluation order, so that types go on from one to the next.
    for name in (*analysis.work.drafts, *found):
        outline = found.get(name)
        if outline is not None and any(slot.type is None for slot in outline.arguments):
            found[name] = _infer(outline, found)
    return found


def select_visible(analysis: Analysis, file: Path, outlines: Outlines) -> Outlines:
    """Those that a file may use."""
    seen = analysis.modules.visible.get(file, frozenset())
    return {name: outline for name, outline in outlines.items() if outline.file in seen}


def infer_variables(tokens: tuple[Token, ...], outlines: Outlines) -> dict[str, ValueType]:
    """The types of variables, from the arguments they stand for."""
    found: dict[str, ValueType] = {}
    for call in list_calls(tokens):
        outline = outlines.get(call.name.text) if call.name is not None else None
        if outline is None:
            continue
        for slot, argument in zip(outline.arguments, call.arguments, strict=False):
            if slot.type and len(argument) == 1 and argument[0].kind is TokenKind.VARIABLE:
                found.setdefault(argument[0].text, slot.type)
    for before, token in pairwise(tokens):
        if before.text == "as" and token.kind is TokenKind.VARIABLE:
            found.setdefault(token.text, "int")
    return found


def _outline(analysis: Analysis, file: Path, sentence: Sentence) -> Outline | None:
    at = find_name(sentence)
    if at is None:
        return None
    tokens = sentence.tokens
    name = tokens[at]
    source = sentence.span.source
    kind, opening = _read_opening(sentence, at)
    rest = ""
    if kind == "param":
        words = (token.text for token in tokens[at + 1 :] if token.text != ";")
        rest = " ".join(words).replace("- ", "-")
    return Outline(
        name.text,
        kind,
        opening,
        () if kind == "param" else _read_slots(analysis, sentence, at),
        rest,
        Span(source, name.start, name.end),
        file,
        sentence,
    )


def _read_opening(sentence: Sentence, at: int) -> tuple[DeclaredKind, str]:
    words = [token.text for token in sentence.tokens[:at]]
    kinds: dict[str, Kind] = {"event": "event", "state": "state", "dynamic": "dynamic"}
    match words[0]:
        case "fact" | "param" as word:
            return word, word
        case _:
            written = next((word for word in words if word in KINDS), "")
            # `input ais(…)` and `exclusive mode(…)` lack their kind.
            kind = kinds.get(written, "state" if words[0] in ("exclusive", "machine") else "event")
            return kind, " ".join(words)


def _read_slots(analysis: Analysis, sentence: Sentence, at: int) -> tuple[Slot, ...]:
    """The arguments in the parentheses after the name, with what the checker found out."""
    tokens = sentence.tokens
    if at + 1 >= len(tokens) or tokens[at + 1].text != "(":
        return ()
    closing = next((i for i in range(at, len(tokens)) if tokens[i].text == ")"), len(tokens))
    call = list_calls(tokens[at:closing])[0]
    symbol = analysis.work.symbols.get(tokens[at].text)
    is_same = symbol is not None and symbol.span.start == tokens[at].start
    slots: list[Slot] = []
    for place, argument in enumerate(call.arguments):
        if not argument:
            continue
        name = argument[0]
        known: ValueType | None = None
        if sentence.opening in ("input", "fact"):
            known = _read_type(argument[-1].text) if len(argument) > 1 else None
        elif symbol is not None and is_same and place < len(symbol.types):
            known = symbol.types[place]
        slots.append(Slot(name.text, known, Span(sentence.span.source, name.start, name.end)))
    return tuple(slots)


def _read_type(word: str) -> ValueType | None:
    types: tuple[ValueType, ...] = get_args(ValueType)
    return next((one for one in types if one == word), None)


def _infer(outline: Outline, outlines: Outlines) -> Outline:
    tokens = outline.sentence.tokens
    types = infer_variables(tokens, outlines)
    slots = [replace(s, type=s.type or types.get(s.name)) for s in outline.arguments]
    if outline.sentence.opening == "exclusive" and slots[-1].type is None:
        slots[-1] = replace(slots[-1], type=_read_label(tokens))
    if outline.sentence.opening == "machine" and slots:
        slots[-1] = replace(slots[-1], type="str")
    return replace(outline, arguments=tuple(slots))


def _read_label(tokens: tuple[Token, ...]) -> ValueType | None:
    """The type of the first value of an exclusive state, which is that of all."""
    brace = next((at for at, token in enumerate(tokens) if token.text == "{"), len(tokens))
    for token in tokens[brace + 1 : brace + 2]:
        match token.kind:
            case TokenKind.NUMBER:
                return "int"
            case TokenKind.STRING | TokenKind.WORD:
                return "bool" if token.text in ("true", "false") else "str"
    return None
