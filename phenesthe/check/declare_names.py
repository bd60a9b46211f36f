"""Pass 1: every declared name once, every head and argument list well formed."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import assert_never

from phenesthe.check.library import module_of
from phenesthe.check.machines import list_events
from phenesthe.check.work import Draft, Symbol, Work
from phenesthe.diagnostics.model import Edit, Label
from phenesthe.diagnostics.report import error, warning
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import (
    BoolLiteral,
    Defining,
    Definition,
    DurationLiteral,
    ExclusiveState,
    Fact,
    FloatLiteral,
    Formula,
    Head,
    Import,
    Input,
    IntLiteral,
    Kind,
    Literal_,
    Machine,
    MaximalRange,
    Name,
    Parameter,
    Report,
    StrLiteral,
    UnitDeclaration,
)  # fmt: skip
from phenesthe.vocabulary import BUILT_IN


def declare_names(work: Work) -> None:
    for module in work.modules.files:
        unit: UnitDeclaration | None = None
        for declaration in module.parsed.declarations:
            match declaration:
                case Import() | Report():
                    pass
                case UnitDeclaration():
                    if unit is not None:
                        _report_second(work, "the unit", declaration.span, unit.span)
                    unit = declaration
                case Parameter():
                    _declare(work, _symbol(declaration, module.path))
                case Input() | Fact():
                    names = [argument.name for argument in declaration.arguments]
                    _check_distinct(work, "argument", ((n.text, n.span) for n in names))
                    _check_columns(work, declaration)
                    _declare(work, _symbol(declaration, module.path))
                case Definition() | ExclusiveState() | Machine():
                    _declare_definition(work, declaration, module.path)


#: The columns of the input tables that hold the times.
_TIMES = {"event": ("t",), "state": ("ts", "te"), "dynamic": ("ts", "te")}


def _check_columns(work: Work, declaration: Input | Fact) -> None:
    if isinstance(declaration, Fact):
        return
    for argument in declaration.arguments:
        name = argument.name
        if name.text in _TIMES[declaration.kind]:
            work.report(
                error(
                    "N011",
                    f"`{name.text}` cannot be an argument: it is the column of the time",
                    name.span,
                    label="already a column",
                    hint="choose another name; a run can read it from a column of any name",
                )
            )


def _symbol(declaration: Parameter | Input | Fact | Defining, file: Path) -> Symbol:
    kind: Kind | None = None
    name: Name
    match declaration:
        case Parameter():
            return Symbol(
                declaration.name.text, None, (), [], declaration, declaration.name.span, file
            )
        case Input() | Fact():
            name = declaration.name
            kind = declaration.kind if isinstance(declaration, Input) else None
            arguments = tuple(argument.name.text for argument in declaration.arguments)
            types = [argument.type for argument in declaration.arguments]
            known = [t for t in types if t != "duration"]
            return Symbol(name.text, kind, arguments, [*known], declaration, name.span, file)
        case Definition() | ExclusiveState() | Machine():
            name = declaration.head.name
            kind = declaration.kind if isinstance(declaration, Definition) else "state"
            arguments = tuple(variable.name for variable in declaration.head.variables)
            unknown = [None] * len(arguments)
            return Symbol(name.text, kind, arguments, [*unknown], declaration, name.span, file)


def _declare(work: Work, symbol: Symbol) -> bool:
    first = work.symbols.get(symbol.name)
    if first is None:
        work.symbols[symbol.name] = symbol
        _warn_hidden(work, symbol)
        return True
    # Of two files, mark the one that imports: there the reader can change something.
    marked, other = (first, symbol) if first.file != symbol.file else (symbol, first)
    work.twice.add(symbol.name)
    if (first.kind, first.arguments, first.types) != (symbol.kind, symbol.arguments, symbol.types):
        work.contested.add(symbol.name)
    library = module_of(other.file)
    if library is not None and module_of(marked.file) is None:
        _report_redeclared(work, marked, other, library)
        return False
    work.report(
        error(
            "N002",
            f"`{symbol.name}` is defined twice",
            marked.span,
            label="defined again here",
            related=(Label(span=other.span, message="first defined here"),),
            hint="rename one of them; to join both, define one as the `or` or `union` of two",
        )
    )
    return False


def _warn_hidden(work: Work, symbol: Symbol) -> None:
    """What a program declares goes before what is built in."""
    if symbol.name in BUILT_IN and not symbol.is_parameter:
        work.report(
            warning(
                "W011",
                f"`{symbol.name}` has the name of something built in, which it hides",
                symbol.span,
                label="declared here",
                hint=f"rename it, for example to `my_{symbol.name}`, to have both",
            )
        )


def _report_redeclared(work: Work, own: Symbol, other: Symbol, library: str) -> None:
    """A file declares what it has from the library."""
    is_same = (own.kind, len(own.arguments), own.types) == (
        other.kind,
        len(other.arguments),
        other.types,
    ) and isinstance(own.declaration, Input | Fact)
    work.report(
        error(
            "N002",
            f"`{own.name}` is already declared by the library, in `{library}`",
            own.span,
            label="declared again here",
            related=(Label(span=other.span, message="declared by the library here"),),
            hint="remove this declaration: the import brings it"
            if is_same
            else f"remove this declaration and use `{own.name}({', '.join(other.arguments)})` of "
            "the library, or rename yours",
            fix=(Edit(span=own.declaration.span, text=""),) if is_same else None,
        )
    )


def _declare_definition(work: Work, declaration: Defining, file: Path) -> None:
    head = declaration.head
    distinct = _check_distinct(work, "variable", ((v.name, v.span) for v in head.variables))
    named = True
    for position, variable in enumerate(head.variables, 1):
        if variable.name == "_":
            named = False
            work.report(
                error(
                    "N008",
                    f"argument {position} of `{head.name.text}` has no name",
                    variable.span,
                    label="`_` has no value to report",
                    hint="give it a name and use that name in the formula",
                )
            )
    symbol = _symbol(declaration, file)
    if not _declare(work, symbol):
        return
    match declaration:
        case Definition(body=body):
            bodies: list[Formula] = [body]
            if isinstance(body, MaximalRange) and body.value == "":
                named = _report_no_value(work, head)
        case ExclusiveState():
            bodies = [branch.body for branch in declaration.branches]
            named = _check_exclusive(work, declaration) and named
        case Machine():
            bodies = list_events(declaration)
            if not head.variables:
                named = _report_no_value(work, head, "a machine")
        case _:
            assert_never(declaration)
    work.drafts[symbol.name] = Draft(
        symbol, declaration, [*bodies], broken=not (distinct and named)
    )


def _report_no_value(work: Work, head: Head, what: str = "an exclusive state") -> bool:
    work.report(
        error(
            "N009",
            f"`{head.name.text}` has no variable for its value",
            head.span,
            label="no variable here",
            hint=f"the last variable of {what} takes the value: `mode(V, Value)`",
        )
    )
    return False


def _check_exclusive(work: Work, declaration: ExclusiveState) -> bool:
    if not declaration.head.variables:
        return _report_no_value(work, declaration.head)
    labels = ((_spell(branch.label), branch.label.span) for branch in declaration.branches)
    return _check_distinct(work, "value", labels)


def _spell(label: Literal_) -> str:
    """A text that differs where the values differ: `1` is not `"1"`, but `a` is `"a"`."""
    match label:
        case StrLiteral():
            quoted = not label.value.isidentifier() or label.value in ("true", "false")
            return json.dumps(label.value) if quoted else label.value
        case BoolLiteral():
            return f"{label.value}".lower()
        case IntLiteral() | FloatLiteral():
            return f"{label.value}"
        case DurationLiteral():
            return label.text
        case _:
            assert_never(label)


def _check_distinct(work: Work, what: str, names: Iterable[tuple[str, Span]]) -> bool:
    seen: dict[str, Span] = {}
    distinct = True
    for name, span in names:
        if name in seen and name != "_":
            distinct = False
            _report_second(work, f"the {what} `{name}`", span, seen[name])
        seen.setdefault(name, span)
    return distinct


def _report_second(work: Work, what: str, span: Span, first: Span) -> None:
    is_unit = what == "the unit"
    work.report(
        error(
            "N007",
            f"{what} is declared twice",
            span,
            label="again here",
            related=(Label(span=first, message="first here"),),
            hint="remove one of them" if is_unit else "remove or rename one of them",
            fix=(Edit(span=span, text=""),) if is_unit else None,
        )
    )
