"""A program as an editor sees it: everything that can be known of it, broken or not."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from phenesthe.check import check_work, paused_collection
from phenesthe.check.assemble import assemble
from phenesthe.check.find_modules import Reader
from phenesthe.check.modules import Module, Modules, Parser, load_modules, read_file
from phenesthe.check.override_parameters import Constant
from phenesthe.check.program import CheckedProgram
from phenesthe.check.reuse import Earlier
from phenesthe.check.work import Work
from phenesthe.diagnostics.model import Diagnostic
from phenesthe.ide.warn_again import MemoryWarnings
from phenesthe.plan.warn_memory import warn_memory
from phenesthe.syntax.parser import parse_bytes


@dataclass(frozen=True)
class Analysis:
    """One program, named by its root file.

    `work` has the symbols and the drafts of all files, also of those with errors; `values` are
    those of the parameters, and `program` the whole, both None where there are errors.
    `diagnostics` are what `phenesthe check` says of the root.
    """

    root: Path
    modules: Modules
    work: Work
    values: Mapping[str, Constant] | None
    diagnostics: tuple[Diagnostic, ...]

    @cached_property
    def program(self) -> CheckedProgram | None:
        """Made when it is asked for: while somebody types, hardly ever."""
        return None if self.values is None else assemble(self.work, self.values)

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


@dataclass(frozen=True, slots=True)
class Known:
    """What was found out about a program, for the next time it is analysed."""

    earlier: Earlier = field(default_factory=Earlier)
    warnings: MemoryWarnings = field(default_factory=MemoryWarnings)


def analyse(
    root: Path,
    data: bytes,
    *,
    path: tuple[Path, ...] = (),
    read: Reader = read_file,
    parse: Parser = parse_bytes,
    known: Known | None = None,
) -> Analysis:
    """From the bytes of the root and whatever `read` gives for the files it imports.

    `parse` and `known` let a workspace go on from what it knew before the last change.
    """
    with paused_collection():
        modules = load_modules(root, data, path=path, read=read, parse=parse)
        work, values, diagnostics = check_work(modules, {}, known.earlier if known else None)
        if values is not None:
            if known is None:
                found = iter(warn_memory(assemble(work, values)))
            else:
                found = known.warnings.warn(work, values, known.earlier.left)
            ordered = sorted((*diagnostics, *found), key=lambda diagnostic: diagnostic.sort_key)
            diagnostics = tuple(ordered)
    return Analysis(root, modules, work, values, diagnostics)
