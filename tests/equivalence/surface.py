"""Programs as they are written: formulas by their place, variables by where they end."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import assert_never, cast

import phenesthe
from phenesthe.check.machines import list_events
from phenesthe.syntax.parser import parse
from phenesthe.syntax.source import Source
from phenesthe.syntax.tree import (
    After,
    Atom,
    Branch,
    Comparison,
    Counting,
    Defining,
    Definition,
    ExclusiveState,
    Formula,
    Machine,
    MaximalRange,
    Previous,
    Term,
    Variable,
)
from phenesthe.syntax.tree.walk import Expression, children, walk, with_children
from phenesthe.syntax.values import is_formula
from phenesthe.vocabulary import BUILT_IN, PREDICATES, ValueType
from tests.equivalence.tune import write_definition
from tests.reference.build import SPAN
from tests.reference.close import Path, find_ends
from tests.reference.scopes import FormulaKind, Kinds, find_kind, is_positive, list_kinds


@dataclass(frozen=True)
class Spot:
    """A formula where it stands: in which definition, in which value of an exclusive one, where."""

    definition: int
    branch: int | None
    path: Path
    node: Formula
    kind: FormulaKind
    #: Where the variables of the body end, those of the head being left out.
    ends: Mapping[str, Path]

    @cached_property
    def names(self) -> list[str]:
        """The variables of the formula but for what it counts, by their first occurrence."""
        return list(dict.fromkeys(_list_open_names(self.node)))

    @property
    def local(self) -> list[str]:
        """Those that end in the formula or with it."""
        depth = len(self.path)
        known = [name for name in self.names if name in self.ends]
        return [name for name in known if self.ends[name][:depth] == self.path]

    @property
    def outer(self) -> list[str]:
        """Those that are used outside too."""
        return [name for name in self.names if name not in self.local]


#: What is written like a phenomenon or a fact.
_BUILT_IN: Kinds = {
    **dict.fromkeys(BUILT_IN, "state"),
    **dict.fromkeys(PREDICATES, "condition"),
}


@dataclass(frozen=True)
class Surface:
    #: All else that is declared.
    others: str
    definitions: tuple[Defining, ...]
    kinds: Kinds
    types: Mapping[str, tuple[ValueType, ...]]

    @classmethod
    def read(cls, text: str) -> "Surface":
        """Raises `ProgramError` for a text with errors."""
        program = phenesthe.compile(text=text).checked
        signatures = [*program.inputs, *program.facts]
        signatures += [one.signature for one in program.definitions]
        declarations = parse(Source("program.phe", text)).declarations
        definitions = [one for one in declarations if isinstance(one, Defining)]
        others = [one for one in declarations if not isinstance(one, Defining)]
        return cls(
            "".join(f"{one.span.text}\n" for one in others),
            tuple(definitions),
            {**_BUILT_IN, **list_kinds(program)},
            {
                **dict.fromkeys(BUILT_IN, ("str", "str", "str")),
                **dict.fromkeys(PREDICATES, ("str", "str")),
                **{one.name: one.types for one in signatures},
            },
        )

    def write(self) -> str:
        return self.others + "".join(map(write_definition, self.definitions))

    def list_spots(self) -> Iterator[Spot]:
        for at, definition in enumerate(self.definitions):
            head = frozenset(variable.name for variable in definition.head.variables)
            for branch, body in list_bodies(definition):
                ends = find_ends(body, head)
                for path, node in list_formulas(body, ()):
                    # One value at a time is said of a range, and of nothing else.
                    is_exclusive = isinstance(body, MaximalRange) and body.value is not None
                    if path or (branch is None and not is_exclusive):
                        kind = find_kind(node, self.kinds)
                        yield Spot(at, branch, path, node, kind, ends)

    def put(self, spot: Spot, node: Formula) -> "Surface":
        """The program with another formula at a spot."""
        definition = self.definitions[spot.definition]
        _, body = list_bodies(definition)[spot.branch or 0]
        body = put_at(body, spot.path, node)
        changed: Defining
        at = spot.branch or 0
        match definition:
            case Definition():
                changed = replace(definition, body=body)
            case ExclusiveState(branches=branches):
                old = branches[at]
                new = Branch(label=old.label, body=cast(MaximalRange, body), span=old.span)
                changed = replace(definition, branches=(*branches[:at], new, *branches[at + 1 :]))
            case Machine(transitions=ways):
                waiting = [one for one in ways if not isinstance(one.when, After)]
                # By its place: two transitions may be alike.
                changed = replace(
                    definition,
                    transitions=tuple(
                        replace(one, when=body) if one is waiting[at] else one for one in ways
                    ),
                )
            case _:
                assert_never(definition)
        return self.swap(spot.definition, changed)

    def swap(self, at: int, *definitions: Defining) -> "Surface":
        """The program with others in place of a definition."""
        kept = self.definitions
        return replace(self, definitions=(*kept[:at], *definitions, *kept[at + 1 :]))

    def is_positive(self, node: Formula) -> bool:
        return is_positive(node, self.kinds)

    def find_type(self, spot: Spot, name: str) -> ValueType | None:
        """The type of a variable, as an atom of its definition tells it."""
        for _, body in list_bodies(self.definitions[spot.definition]):
            for part in walk(body):
                if isinstance(part, Atom):
                    types = self.types[part.name.text]
                    for argument, found in zip(part.arguments, types, strict=False):
                        if isinstance(argument, Variable) and argument.name == name:
                            return found
                elif isinstance(part, Counting) and part.number == Variable(name=name, span=SPAN):
                    return "int"
        return None

    def name_new(self, definition: int, count: int, stem: str = "N") -> list[str]:
        """Names of variables that a definition does not use."""
        one = self.definitions[definition]
        used = {variable.name for variable in one.head.variables}
        used |= {name for _, body in list_bodies(one) for name in list_names(body)}
        names = (f"{stem}{number}" for number in range(len(used) + count))
        return [name for name in names if name not in used][:count]

    def copy(self, spot: Spot, stem: str = "N") -> Formula:
        """The formula with other names for the variables that end in it."""
        new = self.name_new(spot.definition, len(spot.local), stem)
        return substitute(spot.node, make_names(dict(zip(spot.local, new, strict=True))))


def list_bodies(definition: Defining) -> list[tuple[int | None, Formula]]:
    match definition:
        case Definition(body=body):
            return [(None, body)]
        case ExclusiveState(branches=branches):
            return [(at, branch.body) for at, branch in enumerate(branches)]
        case Machine():
            return [*enumerate(list_events(definition))]
        case _:
            assert_never(definition)


def list_formulas(node: Formula, path: Path) -> Iterator[tuple[Path, Formula]]:
    yield path, node
    if not isinstance(node, Atom | Comparison):
        for at, part in enumerate(children(node)):
            if is_formula(part):
                yield from list_formulas(part, (*path, at))


def _list_open_names(node: Expression) -> Iterator[str]:
    if isinstance(node, Variable):
        yield node.name
    local = node.local if isinstance(node, Counting) else ()
    for part in children(node):
        yield from (name for name in _list_open_names(part) if name not in local)


def list_names(node: Expression) -> list[str]:
    return list(dict.fromkeys(part.name for part in walk(node) if isinstance(part, Variable)))


def put_at(node: Formula, path: Path, new: Formula) -> Formula:
    if not path:
        return new
    at, *rest = path
    parts = list(children(node))
    parts[at] = put_at(cast(Formula, parts[at]), tuple(rest), new)
    return cast(Formula, with_children(node, tuple(parts)))


def make_names(names: Mapping[str, str]) -> dict[str, Term]:
    """What to put in the place of variables when they get other names."""
    return {old: Variable(name=new, span=SPAN) for old, new in names.items()}


def substitute(node: Formula, terms: Mapping[str, Term]) -> Formula:
    """The formula with terms in the place of variables."""
    return cast(Formula, _substitute(node, terms))


def _substitute(node: Expression, terms: Mapping[str, Term]) -> Expression:
    if isinstance(node, Variable):
        return terms.get(node.name, node)
    parts = children(node)
    if not parts:
        return node
    changed = tuple(_substitute(part, terms) for part in parts)
    if isinstance(node, Previous):
        assert isinstance(changed[0], Variable), "what is in the head has no previous value"
    return with_children(node, changed)
