"""Warnings about what is declared and never used."""

from phenesthe.check.work import Work
from phenesthe.diagnostics.report import warning
from phenesthe.syntax.tree import Fact, Input


def warn_unused(work: Work) -> None:
    """Only in the file that was asked about: a library declares more than one program uses."""
    module = work.modules.files[0]
    root = module.path
    if module.parsed.lost or not module.whole:
        return  # what could not be read may use it
    if not any(draft.symbol.file == root for draft in work.drafts.values()):
        return
    used = {name for d in work.drafts.values() for name in (*d.uses, *d.parameters)}
    for symbol in work.symbols.values():
        if symbol.name in used or symbol.file != root or symbol.name in work.drafts:
            continue
        match symbol.declaration:
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
