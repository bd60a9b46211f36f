"""What the passes work on: the files' declarations, and what has been found out so far."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

from phenesthe.check.modules import Modules
from phenesthe.check.scopes import Scopes
from phenesthe.diagnostics.model import Diagnostic
from phenesthe.diagnostics.suggest import MOST_QUESTIONS, closest
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import (
    Defining,
    Fact,
    Formula,
    Input,
    Kind,
    Lasting,
    MaximalRange,
    Parameter,
    Relation,
    Repeat,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression, walk
from phenesthe.vocabulary import CalendarName, ValueType

#: What a formula can be: a kind of phenomenon, or a timeless condition.
FormulaKind: TypeAlias = Literal[Kind, "condition"]
Found = TypeVar("Found", bound=Expression)


@dataclass(slots=True)
class Symbol:
    """A declared name. `types` of a definition are None until they are inferred."""

    name: str
    kind: Kind | None
    arguments: tuple[str, ...]
    types: list[ValueType | None]
    declaration: Input | Fact | Parameter | Defining
    span: Span
    file: Path

    @property
    def is_fact(self) -> bool:
        return isinstance(self.declaration, Fact)

    @property
    def is_parameter(self) -> bool:
        return isinstance(self.declaration, Parameter)


@dataclass(slots=True)
class Draft:
    """A definition on its way: an exclusive state has one body per value, others have one."""

    symbol: Symbol
    declaration: Defining
    #: The bodies, or what makes them: after an edit most are never looked at again.
    _bodies: list[Formula] | Callable[[], list[Formula]]
    #: The phenomena and facts its bodies mention, and the parameters.
    uses: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    #: The calendar states in them.
    calendars: frozenset[CalendarName] = frozenset()
    level: int = 0
    #: Something is wrong with it that was already said; later passes leave it alone.
    broken: bool = False
    #: What is in the bodies, by kind: most passes look for a few kinds, which most bodies lack.
    _nodes: dict[type, list[Any]] | None = None
    #: See `Work.scopes_of`.
    scopes: Scopes | None = None

    @property
    def bodies(self) -> list[Formula]:
        if callable(self._bodies):
            self._bodies = self._bodies()
        return self._bodies

    @bodies.setter
    def bodies(self, bodies: list[Formula] | Callable[[], list[Formula]]) -> None:
        self._bodies, self._nodes = bodies, None

    def list_nodes(self, kind: type[Found]) -> Sequence[Found]:
        """The nodes of a kind in its bodies, from left to right, parents first."""
        if self._nodes is None:
            self._nodes = {}
            for body in self.bodies:
                for node in walk(body):
                    self._nodes.setdefault(type(node), []).append(node)
        return self._nodes.get(kind, ())

    def list_limited(self) -> Iterator[Lasting | MaximalRange | Relation | Repeat]:
        """The nodes that have durations."""
        yield from self.list_nodes(Lasting)
        yield from self.list_nodes(MaximalRange)
        yield from self.list_nodes(Relation)
        yield from self.list_nodes(Repeat)

    def forget_nodes(self) -> None:
        """When passes are done with it: thousands of these would be held otherwise."""
        self._nodes = self.scopes = None

    @property
    def head(self) -> tuple[str, ...]:
        return tuple(variable.name for variable in self.declaration.head.variables)


@dataclass(frozen=True, slots=True)
class View:
    """What one file can see. `lost` are names whose declarations could not be read.

    It asks all symbols there are: a list of its own for every file would be too many.
    """

    files: frozenset[Path]
    symbols: dict[str, Symbol]
    lost: frozenset[str]
    whole: bool

    def find(self, name: str) -> Symbol | None:
        symbol = self.symbols.get(name)
        return symbol if symbol is not None and symbol.file in self.files else None

    def list_names(self, *, parameters: bool) -> Iterator[str]:
        """The names of the parameters, or of everything else."""
        for name, symbol in self.symbols.items():
            if symbol.is_parameter == parameters and symbol.file in self.files:
                yield name

    def may_declare(self, name: str) -> bool:
        """Whether a name without a symbol may stand where nothing could be read."""
        return not self.whole or name in self.lost


@dataclass(slots=True)
class Work:
    modules: Modules
    symbols: dict[str, Symbol] = field(default_factory=dict)
    drafts: dict[str, Draft] = field(default_factory=dict)
    #: The definitions that a run of the first file reports.
    reported: tuple[str, ...] = ()
    diagnostics: list[Diagnostic] = field(default_factory=list)
    #: Names that are declared twice, and those of them that are declared in two ways.
    twice: set[str] = field(default_factory=set)
    contested: set[str] = field(default_factory=set)
    suggestions: int = 0
    #: By file, what it uses of the library and does not import.
    wanted: dict[Path, frozenset[str]] = field(default_factory=dict)
    _views: dict[frozenset[Path], View] = field(default_factory=dict)

    def is_fact(self, name: str) -> bool:
        return self.symbols[name].is_fact

    def scopes_of(self, draft: Draft) -> Scopes:
        """One for all passes, so that each variable is looked for once."""
        if draft.scopes is None:
            draft.scopes = Scopes(self.is_fact)
        return draft.scopes

    def look_from(self, file: Path) -> View:
        """What a file can see, once all names are declared."""
        seen = self.modules.visible[file]
        if seen not in self._views:
            modules = [module for module in self.modules.files if module.path in seen]
            self._views[seen] = View(
                seen,
                self.symbols,
                frozenset[str]().union(*[module.parsed.lost for module in modules]),
                all(module.whole for module in modules),
            )
        return self._views[seen]

    def report(self, diagnostic: Diagnostic, draft: Draft | None = None) -> None:
        self.diagnostics.append(diagnostic)
        if draft is not None:
            draft.broken = True

    def suggest(self, word: str, candidates: Iterable[str]) -> str | None:
        """The candidate most like `word`, for the first hundred questions."""
        self.suggestions += 1
        return closest(word, candidates) if self.suggestions <= MOST_QUESTIONS else None
