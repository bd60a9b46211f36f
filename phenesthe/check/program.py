"""The checked program: every name resolved, every kind and type known, every scope closed."""

from dataclasses import field
from pathlib import Path
from typing import TypeAlias

from phenesthe.frozen import dataclass
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tree import After, Branch, Formula, StrLiteral, Transition, TypeName
from phenesthe.vocabulary import Kind, Unit, ValueType

#: Of what nobody wrote.
NOWHERE = Span(Source("", ""), 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedParameter:
    name: str
    type: TypeName
    #: As written, or as a run overrides it; a duration counted in ticks of the program's unit.
    value: int | float | str | bool
    doc: str | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What an input, a fact or a definition is, seen from outside.

    `kind` is None for a fact. Inputs and facts have level 0; a definition is one above the
    highest level it uses.
    """

    name: str
    kind: Kind | None
    arguments: tuple[str, ...]
    types: tuple[ValueType, ...]
    level: int
    doc: str | None
    span: Span = field(compare=False, repr=False)
    #: A calendar state is part of it, so that it may begin before the timeline.
    has_calendar: bool = field(default=False, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedDefinition:
    """`body` has no `Word` left (strings and `ParameterRef`s instead) and explicit `Exists`.

    A wildcard stays where it is: it is existential in its own atom.
    """

    signature: Signature
    body: Formula
    #: Names of the inputs, facts and definitions the body mentions.
    uses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedExclusive:
    """An exclusive state: the last argument of the signature takes the label of its branch.

    The free variables of a branch's body are among the other arguments.
    """

    signature: Signature
    branches: tuple[Branch, ...]
    uses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedMachine:
    """A machine: the last argument of the signature takes the value that holds.

    The free variables of each event are the other arguments.
    """

    signature: Signature
    initially: StrLiteral
    transitions: tuple[Transition, ...]
    uses: tuple[str, ...]

    @property
    def labels(self) -> tuple[StrLiteral, ...]:
        """Its values, each as often as it is written."""
        ends = [end for one in self.transitions for end in (one.source, one.target)]
        return (self.initially, *[end for end in ends if end is not None])

    @property
    def events(self) -> tuple[Formula, ...]:
        return tuple(one.when for one in self.transitions if not isinstance(one.when, After))


Checked: TypeAlias = CheckedDefinition | CheckedExclusive | CheckedMachine


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedProgram:
    """All files of a program together. `definitions` are in evaluation order."""

    unit: Unit
    parameters: tuple[CheckedParameter, ...]
    inputs: tuple[Signature, ...]
    facts: tuple[Signature, ...]
    definitions: tuple[Checked, ...]
    #: What a run reports: what `report` names in the file the program was compiled from; without
    #: it the names defined there, or, if there are none, those of all files it imports, directly
    #: or through another import.
    reported: tuple[str, ...]
    #: The file that was compiled, then the modules it imports. They say nothing of the meaning.
    files: tuple[Path, ...] = field(default=(), compare=False, repr=False)

    @property
    def given(self) -> dict[str, Signature]:
        """Inputs and facts by name."""
        return {one.name: one for one in (*self.inputs, *self.facts)}

    @property
    def defined(self) -> dict[str, Signature]:
        """Definitions by name."""
        return {one.signature.name: one.signature for one in self.definitions}

    @property
    def signatures(self) -> dict[str, Signature]:
        """All that has a name and rows; no two have the same."""
        return {**self.given, **self.defined}

    @property
    def values(self) -> dict[str, int | float | str | bool]:
        """Parameters by name."""
        return {one.name: one.value for one in self.parameters}
