"""Warnings about what is declared and never used."""

from phenesthe.check.choose_reported import list_reported
from phenesthe.check.work import Symbol, Work
from phenesthe.diagnostics.report import warning
from phenesthe.syntax.tree import (
    Definition,
    ExclusiveState,
    Fact,
    Input,
    Machine,
)  # fmt: skip


def warn_unused(work: Work) -> None:
    """Only in the file that was asked about: a library declares more than one program uses."""
    module = work.modules.files[0]
    root = module.path
    if module.parsed.lost or not module.whole:
        return  # what could not be read may use it
    if not any(draft.symbol.file == root for draft in work.drafts.values()):
        return
    used = {name for d in work.drafts.values() for name in (*d.uses, *d.parameters)}
    used.update(work.reported)
    for symbol in work.symbols.values():
        if symbol.name in used or symbol.file != root:
            continue
        match symbol.declaration:
            case Input() if _follows_timeline(work):
                # It plays a part all the same: the timeline begins and ends with its rows too.
                continue
            case Definition() | ExclusiveState() | Machine():
                # A name that is misspelt, or cannot be reported, may have meant it.
                if all(name.text in work.drafts for name in list_reported(module)):
                    _warn_idle(work, symbol)
                continue
            case Input():
                what = "input"
            case Fact():
                what = "fact"
            case _:
                what = "parameter"
        work.report(
            warning(
                "W003",
                f"the {what} `{symbol.name}` is never used",
                symbol.span,
                label="declared here",
                hint="remove it, or use it in a definition",
            )
        )


def _follows_timeline(work: Work) -> bool:
    return any(draft.calendars for draft in work.drafts.values())


def _warn_idle(work: Work, symbol: Symbol) -> None:
    work.report(
        warning(
            "W003",
            f"`{symbol.name}` is neither reported nor used",
            symbol.span,
            label="defined here",
            hint=f"add `{symbol.name}` to `report`, use it, or remove it",
        )
    )
