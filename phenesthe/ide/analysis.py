"""A program as an editor sees it: everything that can be known of it, broken or not."""

import os
from dataclasses import dataclass
from pathlib import Path

from phenesthe.check import check_work, paused_collection
from phenesthe.check.modules import Module, Modules, Parser, Reader, load_modules, read_file
from phenesthe.check.program import CheckedProgram
from phenesthe.check.reuse import Earlier
from phenesthe.check.work import Work
from phenesthe.diagnostics.model import Diagnostic
from phenesthe.plan.warn_memory import warn_memory
from phenesthe.syntax.parser import parse_bytes


@dataclass(frozen=True, slots=True)
class Analysis:
    """One program, named by its root file.

    `work` has the symbols and the drafts of all files, also of those with errors; `program` is None
    where there are errors. `diagnostics` are what `phenesthe check` says of the root.
    """

    root: Path
    modules: Modules
    work: Work
    program: CheckedProgram | None
    diagnostics: tuple[Diagnostic, ...]

    def find_module(self, file: Path) -> Module | None:
        """A file of the program, however its path is spelt."""
        for module in self.modules.files:
            if module.path == file:
                return module
        wanted = os.path.realpath(file)
        found = (one for one in self.modules.files if os.path.realpath(one.path) == wanted)
        return next(found, None)

    def list_diagnostics(self, file: Path) -> list[Diagnostic]:
        """What is said about one of the files."""
        module = self.find_module(file)
        if module is None:
            return []
        source = module.parsed.source
        return [found for found in self.diagnostics if found.span.source is source]


def analyse(
    root: Path,
    data: bytes,
    *,
    path: tuple[Path, ...] = (),
    read: Reader = read_file,
    parse: Parser = parse_bytes,
    earlier: Earlier | None = None,
) -> Analysis:
    """From the bytes of the root and whatever `read` gives for the files it imports.

    `parse` and `earlier` let a workspace go on from what it knew before the last change.
    """
    with paused_collection():
        modules = load_modules(root, data, path=path, read=read, parse=parse)
        work, program, diagnostics = check_work(modules, {}, earlier)
        if program is not None:
            found = (*diagnostics, *warn_memory(program))
            diagnostics = tuple(sorted(found, key=lambda diagnostic: diagnostic.sort_key))
    return Analysis(root, modules, work, program, diagnostics)
