"""A program as an editor sees it: everything that can be known of it, broken or not."""

from dataclasses import dataclass
from pathlib import Path

from phenesthe.check import check_work
from phenesthe.check.modules import Module, Modules, Reader, load_modules, read_file
from phenesthe.check.program import CheckedProgram
from phenesthe.check.work import Work
from phenesthe.diagnostics.model import Diagnostic
from phenesthe.plan.warn_memory import warn_memory


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
        return next((module for module in self.modules.files if module.path == file), None)


def analyse(
    root: Path, data: bytes, *, path: tuple[Path, ...] = (), read: Reader = read_file
) -> Analysis:
    """From the bytes of the root and whatever `read` gives for the files it imports."""
    modules = load_modules(root, data, path=path, read=read)
    work, program, diagnostics = check_work(modules, {})
    if program is not None:
        found = (*diagnostics, *warn_memory(program))
        diagnostics = tuple(sorted(found, key=lambda diagnostic: diagnostic.sort_key))
    return Analysis(root, modules, work, program, diagnostics)
