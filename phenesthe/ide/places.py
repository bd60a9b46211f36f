"""What stands at a place of a file: every name with its role, also in declarations with errors.

Roles are read off the words, which are there whatever is wrong with a declaration. Only how far a
variable reaches needs the tree; in a declaration without one it reaches through all of it.
"""

from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, assert_never

from phenesthe.check.close_scopes import close
from phenesthe.check.machines import list_events
from phenesthe.check.place_aggregates import list_outside
from phenesthe.check.scopes import Names, Scopes
from phenesthe.check.work import Symbol
from phenesthe.ide.analysis import Analysis
from phenesthe.ide.machines import is_machine_word, is_place, is_value
from phenesthe.ide.words import Sentence, read_words, spell
from phenesthe.syntax.clauses import BEFORE_DURATION, is_operator
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tokens import (
    BEGINNING,
    COMPARISONS,
    FUNCTIONS,
    KINDS,
    MODES,
    RESERVED,
    Token,
    TokenKind,
)
from phenesthe.syntax.tree import (
    Aggregate,
    Call,
    Counting,
    Declaration,
    Defining,
    Definition,
    ExclusiveState,
    Exists,
    Formula,
    Machine,
    Repeat,
    Variable,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression, children, walk
from phenesthe.vocabulary import AGGREGATES, BUILT_IN

#: declares: the name of a phenomenon, fact or parameter where it is declared;
#: uses: such a name where it is used;
#: imports: the name of a module;
#: argument: the name of an argument of an input or fact;
#: variable, wildcard: `X` and `_`;
#: constant: a bare word that stands for itself as a text.
Role: TypeAlias = Literal[
    "declares", "uses", "imports", "argument", "variable", "wildcard", "constant"
]
_COMPUTED = frozenset((*FUNCTIONS, *AGGREGATES))
_COMPUTING = frozenset((*COMPARISONS, "+", "-", "*", "/", "%", "="))


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A name where it is written.

    `symbol` is what it names, None where that is not known; `scope` is where the same spelling
    means the same variable, or the same argument.
    """

    span: Span
    role: Role
    name: str
    symbol: Symbol | None = None
    scope: Span | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """`declaration` is the one around the place if it could be read, `sentence` its words."""

    sentence: Sentence | None
    declaration: Declaration | None
    token: Token | None
    occurrence: Occurrence | None


def list_occurrences(analysis: Analysis, file: Path) -> list[Occurrence]:
    """Every name of a file, from its beginning to its end."""
    reader = _Reader.open(analysis, file)
    if reader is None:
        return []
    sentences = read_words(reader.source).sentences
    return [one for sentence in sentences for one in reader.read(sentence)]


def find_place(analysis: Analysis, file: Path, offset: int) -> Place | None:
    """What is at an offset; None if the file is none of the program's."""
    reader = _Reader.open(analysis, file)
    if reader is None:
        return None
    sentence = read_words(reader.source).find_sentence(offset)
    if sentence is None:
        return Place(None, None, None, None)
    token = sentence.find_token(offset)
    around = [] if token is None else reader.read(sentence)
    occurrence = next(
        (
            one for one in around
            if token is not None and one.span.start <= token.start and token.end <= one.span.end
        ),
        None,
    )  # fmt: skip
    return Place(sentence, reader.declarations.get(sentence.span.start), token, occurrence)


def list_visible(analysis: Analysis, file: Path) -> dict[str, Symbol]:
    """The declared names that a file may use."""
    seen = analysis.modules.visible.get(file, frozenset())
    return {name: one for name, one in analysis.work.symbols.items() if one.file in seen}


def find_imported(analysis: Analysis, file: Path, module: str) -> Path | None:
    """The file that a module's name, `maritime.core`, stands for in an import of a file."""
    importer = analysis.find_module(file)
    *folders, last = module.split(".")
    wanted = (*folders, last + ".phe")
    for target in importer.imports if importer is not None else ():
        if target.parts[-len(wanted) :] == wanted:
            return target
    return None


def find_name(sentence: Sentence) -> int | None:
    """Which of its words is the name that a sentence declares."""
    opening = sentence.opening
    if opening not in BEGINNING or opening in ("import", "unit", "report"):
        return None
    at = 1
    if opening in ("input", "exclusive") and len(sentence.tokens) > 1:
        at += sentence.tokens[1].text in KINDS
    named = at < len(sentence.tokens) and sentence.tokens[at].kind is TokenKind.WORD
    return at if named and sentence.tokens[at].text not in RESERVED else None


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the names of one file."""

    source: Source
    #: Those that could be read, by where they begin.
    declarations: dict[int, Declaration]
    symbols: dict[str, Symbol]
    visible: dict[str, Symbol]
    lost: frozenset[str]

    @classmethod
    def open(cls, analysis: Analysis, file: Path) -> "_Reader | None":
        module = analysis.find_module(file)
        if module is None:
            return None
        parsed = module.parsed
        return cls(
            parsed.source,
            {declaration.span.start: declaration for declaration in parsed.declarations},
            analysis.work.symbols,
            list_visible(analysis, file),
            parsed.lost,
        )

    def read(self, sentence: Sentence) -> list[Occurrence]:
        match sentence.opening:
            case "import":
                return self._read_import(sentence)
            case "unit":
                return []
            case "report":
                return list(self._read_report(sentence))
            case "input" | "fact":
                return list(self._read_given(sentence))
            case _:
                return list(self._read_defined(sentence))

    def _span(self, token: Token) -> Span:
        return Span(self.source, token.start, token.end)

    def _read_import(self, sentence: Sentence) -> list[Occurrence]:
        words = [token for token in sentence.tokens[1:] if token.kind is TokenKind.WORD]
        if not words:
            return []
        span = Span(self.source, words[0].start, words[-1].end)
        return [Occurrence(span, "imports", ".".join(word.text for word in words))]

    def _read_report(self, sentence: Sentence) -> Iterator[Occurrence]:
        for at, token in enumerate(sentence.tokens[1:], start=1):
            if _is_name(token):
                symbol = self._resolve(sentence, at)
                yield Occurrence(self._span(token), "uses", token.text, symbol)

    def _declare(self, token: Token) -> Occurrence:
        symbol = self.symbols.get(token.text)
        return Occurrence(self._span(token), "declares", token.text, symbol)

    def _read_given(self, sentence: Sentence) -> Iterator[Occurrence]:
        """An input or a fact: its name and its arguments, without their types."""
        name = find_name(sentence)
        before = ""
        for at, token in enumerate(sentence.tokens):
            if at == name:
                yield self._declare(token)
            elif token.kind is TokenKind.WORD and before in ("(", ","):
                yield Occurrence(self._span(token), "argument", token.text, scope=sentence.span)
            before = token.text

    def _read_defined(self, sentence: Sentence) -> Iterator[Occurrence]:
        """A definition or a parameter, or words that are no declaration."""
        declaration = self.declarations.get(sentence.span.start)
        scopes: dict[int, Span] = {}
        if isinstance(declaration, Defining):
            head = frozenset(variable.name for variable in declaration.head.variables)
            # A variable of the head reaches through all of the definition.
            if any(t.kind is TokenKind.VARIABLE and t.text not in head for t in sentence.tokens):
                scopes = _list_scopes(declaration, head, sentence.span)
        name = find_name(sentence)
        computed = _list_called(declaration)
        calls: list[bool] = []
        for at, token in enumerate(sentence.tokens):
            span = self._span(token)
            if at == name:
                yield self._declare(token)
            elif token.kind is TokenKind.WORD:
                is_term = bool(calls) and calls[-1]
                role = self._judge(sentence, at, is_broken=declaration is None, is_term=is_term)
                if (
                    token.text in _COMPUTED
                    and role == "uses"
                    and (token.start in computed or token.text not in self.visible)
                ):
                    role = None
                if role is not None:
                    symbol = self._resolve(sentence, at) if role == "uses" else None
                    yield Occurrence(span, role, token.text, symbol)
            elif sentence.opening == "machine" and is_place(sentence.tokens, at):
                continue
            elif token.kind is TokenKind.VARIABLE and token.text == "_":
                yield Occurrence(span, "wildcard", "_", scope=span)
            elif token.kind is TokenKind.VARIABLE:
                scope = scopes.get(token.start, sentence.span)
                yield Occurrence(span, "variable", token.text, scope=scope)
            elif token.text == "(":
                calls.append(at > 0 and _is_name(sentence.tokens[at - 1]))
            elif token.text == ")" and calls:
                calls.pop()

    def _judge(self, sentence: Sentence, at: int, *, is_broken: bool, is_term: bool) -> Role | None:
        """The role of a lower-case word of a formula; None for words of the language."""
        tokens = sentence.tokens
        name = tokens[at].text
        before = spell(tokens[at - 1]) if at > 0 else ""
        after = spell(tokens[at + 1]) if at + 1 < len(tokens) else ""
        if (
            is_operator(tokens, at)
            or (before == "while" and name == "gap")
            or (before == "as" and name in MODES)
            or (sentence.opening == "param" and before == ":")
            or (after == "(" and is_built_in(name, self.visible, self.lost))
        ):
            return None
        if sentence.opening == "machine":
            if is_machine_word(tokens, at):
                return None
            if is_value(tokens, at):
                return "constant"
        if sentence.opening == "param" or (
            sentence.opening == "exclusive" and before in ("{", ";")
        ):
            return "constant"
        if after == "(" or self._is_parameter(name) or expects_duration(tokens[:at]):
            return "uses"
        is_term = is_term or before in _COMPUTING or after in _COMPUTING
        # Without arguments a phenomenon is an error; it is one that was meant all the same.
        if name in self.lost or (is_broken and not is_term and name in self.visible):
            return "uses"
        return "constant"

    def _is_parameter(self, name: str) -> bool:
        return name in self.visible and self.visible[name].is_parameter

    def _resolve(self, sentence: Sentence, at: int) -> Symbol | None:
        """What a name stands for; a phenomenon that is not imported is still shown."""
        name = sentence.tokens[at].text
        return self.visible.get(name) or self.symbols.get(name)


def is_built_in(name: str, visible: Container[str], lost: Container[str] = frozenset()) -> bool:
    """Whether a name with parentheses means what is built in: nothing else has it."""
    return name in BUILT_IN and name not in visible and name not in lost


def expects_duration(before: tuple[Token, ...]) -> bool:
    """Whether a duration stands after these words."""
    last = spell(before[-1]) if before else ""
    if last == "after" and (len(before) == 1 or before[-2].text == ":"):
        return True  # the timer of a machine: the relation stands between two formulas
    if last in COMPARISONS:
        return len(before) > 1 and before[-2].text in ("lasting", "gap")
    return last in BEFORE_DURATION and is_operator(before, len(before) - 1)


def _is_name(token: Token) -> bool:
    return token.kind is TokenKind.WORD and token.text not in RESERVED


def _list_called(declaration: Declaration | None) -> set[int]:
    """Where functions are called that have the name of a phenomenon."""
    if not isinstance(declaration, Definition | ExclusiveState | Machine):
        return set()
    return {
        node.name.span.start
        for body in _list_bodies(declaration)
        for node in walk(body)
        if isinstance(node, Call | Aggregate)
    }


def _list_bodies(declaration: Defining) -> list[Formula]:
    match declaration:
        case Definition(body=body):
            return [body]
        case ExclusiveState(branches=branches):
            return [branch.body for branch in branches]
        case Machine():
            return list_events(declaration)
        case _:
            assert_never(declaration)


def _list_scopes(declaration: Defining, head: Names, whole: Span) -> dict[int, Span]:
    """How far each variable reaches, by where it stands."""
    bodies = _list_bodies(declaration)
    found: dict[int, Span] = {}
    scopes = Scopes(lambda _: False)
    pending: list[tuple[Expression, dict[str, Span]]] = []
    outside = head.union(one.name for body in bodies for one in list_outside(body))
    pending.extend((close(body, head, scopes), {}) for body in bodies)
    while pending:
        node, around = pending.pop()
        match node:
            case Variable():
                found[node.span.start] = around.get(node.name, whole)
            case Exists():
                around = {**around, **dict.fromkeys(node.variables, node.reach)}
            case Aggregate():
                inside = {one.name for one in walk(node) if isinstance(one, Variable)}
                around = {**around, **dict.fromkeys(inside - outside, node.span)}
            case Repeat() | Counting():
                around = {**around, **dict.fromkeys(node.local, node.span)}
        pending.extend((part, around) for part in children(node))
    return found
