"""Pass 2: what a run of the file reports; names of its tables and columns that many take for one.

Several `report` lines add up, as imports do: each may stand beside the definitions it is about.
"""

from collections.abc import Iterable, Iterator

from phenesthe.check.library import choose_module, find_in_library
from phenesthe.check.modules import Module
from phenesthe.check.work import Symbol, Work
from phenesthe.diagnostics.model import Diagnostic, Edit, Label
from phenesthe.diagnostics.report import error
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import (
    Definition,
    ExclusiveState,
    Fact,
    Input,
    Machine,
    Name,
    Parameter,
    Report,
)  # fmt: skip


def choose_reported(work: Work) -> None:
    """What `report` says in a file that others import is not about a run of this one."""
    for module in work.modules.files:
        _check_reports(work, module)
    root = work.modules.files[0]
    named = list_reported(root)
    own = (name for name, symbol in work.symbols.items() if symbol.file == root.path)
    if any(_list_reports(root)):
        work.reported = tuple(
            dict.fromkeys(name.text for name in named if name.text in work.drafts)
        )
    else:
        # A file that defines nothing stands for all that it imports.
        work.reported = tuple(name for name in own if name in work.drafts) or tuple(work.drafts)
    _check_case(work, {name.text: name.span for name in named})


def _list_reports(module: Module) -> Iterator[Report]:
    return (one for one in module.parsed.declarations if isinstance(one, Report))


def list_reported(module: Module) -> list[Name]:
    """The names after `report`, right or wrong."""
    return [name for report in _list_reports(module) for name in report.names]


def _check_reports(work: Work, module: Module) -> None:
    seen: dict[str, Span] = {}
    for report in _list_reports(module):
        for name in report.names:
            first = seen.setdefault(name.text, name.span)
            problem = (
                _explain_name(work, module, name)
                if first is name.span
                else error(
                    "N007",
                    f"`{name.text}` is reported twice",
                    name.span,
                    label="again here",
                    related=(Label(span=first, message="first here"),),
                    hint="remove one of them",
                )
            )
            if problem is not None:
                work.report(problem)


def _explain_name(work: Work, module: Module, name: Name) -> Diagnostic | None:
    """Why a name cannot be reported, if it cannot."""
    around = work.look_from(module.path)
    symbol = around.find(name.text)
    if symbol is None:
        elsewhere = work.symbols.get(name.text)
        if name.text in work.twice or (elsewhere is None and around.may_declare(name.text)):
            return None
        return _explain_unknown(work, module, name, elsewhere)
    match symbol.declaration:
        case Definition() | ExclusiveState() | Machine():
            return None
        case Input():
            what, instead = "an input", _copy(symbol)
        case Fact():
            what, instead = "a fact", "what the data gives is not found by a run"
        case Parameter():
            what, instead = "a parameter", "its value is known before a run"
    return error(
        "N013",
        f"`{name.text}` is {what}: a run reports definitions",
        name.span,
        label="not a definition",
        related=(Label(span=symbol.span, message="declared here"),),
        hint=f"remove it; {instead}",
    )


def _copy(symbol: Symbol) -> str:
    """A definition that holds where an input does."""
    variables = ", ".join(f"X{at}" for at, _ in enumerate(symbol.arguments, 1))
    copy = f"{symbol.kind} my_{symbol.name}({variables}) : {symbol.name}({variables});"
    return f"to find its rows among the results define `{copy}`"


def _explain_unknown(
    work: Work, module: Module, name: Name, elsewhere: Symbol | None
) -> Diagnostic:
    if elsewhere is not None:
        return error(
            "N004",
            f"`{name.text}` is defined in a file that this one does not import",
            name.span,
            label="not visible here",
            related=(Label(span=elsewhere.span, message="defined here"),),
            hint=f"import the module of `{elsewhere.span.source.path}`",
        )
    around = work.look_from(module.path)
    found = find_in_library(name.text)
    defined = (one for one in around.list_names(parameters=False) if one in work.drafts)
    meant = None if found is not None else work.suggest(name.text, defined)
    hint = "define it, or import the module that does"
    if found is not None:
        hint = f"the library has it: add `import {choose_module(name.text, frozenset())[0]};`"
    return error(
        "N001",
        f"`{name.text}` is not defined",
        name.span,
        label="unknown name",
        hint=f"did you mean `{meant}`?" if meant else hint,
        fix=(Edit(span=name.span, text=meant),) if meant else None,
    )


def _check_case(work: Work, written: dict[str, Span]) -> None:
    """What a run reports becomes tables and columns, whose names many readers do not tell apart."""
    drafts = [work.drafts[name] for name in work.reported]
    names = ((d.symbol.name, written.get(d.symbol.name, d.symbol.span)) for d in drafts)
    _check_folded(work, "definition", names)
    for draft in drafts:
        variables = draft.declaration.head.variables
        _check_folded(work, "variable", ((v.name, v.span) for v in variables))


def _check_folded(work: Work, what: str, names: Iterable[tuple[str, Span]]) -> None:
    seen: dict[str, tuple[str, Span]] = {}
    for name, span in names:
        first, place = seen.setdefault(name.lower(), (name, span))
        if first != name:
            work.report(
                error(
                    "N012",
                    f"the {what}s `{first}` and `{name}` differ only in upper and lower case",
                    span,
                    label="the same name to many programs that read results",
                    related=(Label(span=place, message="the other one"),),
                    hint=f"rename one of them, for example `{name}` to `{name}2`: to many "
                    "programs that read results they are the same name",
                )
            )
