"""From parsed files to a checked program: the passes, in their order."""

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from phenesthe.check.assemble import assemble
from phenesthe.check.bound_negation import bound_negation
from phenesthe.check.check_arity import check_arity
from phenesthe.check.check_counted import check_counted
from phenesthe.check.check_parameters import check_durations, check_parameters
from phenesthe.check.check_safety import check_safety
from phenesthe.check.choose_reported import choose_reported
from phenesthe.check.close_scopes import close_scopes
from phenesthe.check.declare_names import declare_names
from phenesthe.check.definition_passes import (
    PassGroup,
    check_each,
    see_names,
    see_types,
)  # fmt: skip
from phenesthe.check.find_modules import Reader
from phenesthe.check.infer_kinds import infer_kinds
from phenesthe.check.infer_types import infer_types
from phenesthe.check.machines import warn_machine
from phenesthe.check.modules import Modules, load_modules, read_file
from phenesthe.check.order_definitions import order_definitions
from phenesthe.check.override_parameters import Constant, override_parameters
from phenesthe.check.place_aggregates import place_aggregates
from phenesthe.check.program import CheckedProgram
from phenesthe.check.resolve_names import resolve_names
from phenesthe.check.warn_closed import warn_closed
from phenesthe.check.warn_distances import warn_distances
from phenesthe.check.warn_impossible import warn_impossible
from phenesthe.check.warn_unused import warn_unused
from phenesthe.check.warn_values import warn_values
from phenesthe.check.warn_variables import warn_variables
from phenesthe.check.work import Work
from phenesthe.diagnostics.model import Diagnostic, Severity

if TYPE_CHECKING:
    # Editors give it; other checks never look back.
    from phenesthe.check.reuse import Earlier

#: Passes over the whole program, and groups of passes that go definition by definition.
PASSES: tuple[Callable[[Work], None] | PassGroup, ...] = (
    declare_names,
    choose_reported,
    PassGroup((resolve_names, check_arity, infer_kinds), see_names),
    order_definitions,
    PassGroup(
        (
            place_aggregates,
            close_scopes,
            check_counted,
            check_safety,
            bound_negation,
            infer_types,
            check_durations,
            warn_variables,
            warn_closed,
            warn_impossible,
            warn_distances,
            warn_machine,
            warn_values,
        ),
        see_types,
    ),
    check_parameters,
    warn_unused,
)


def check(
    file: Path,
    data: bytes,
    *,
    name: str | None = None,
    path: tuple[Path, ...] = (),
    read: Reader = read_file,
    parameters: Mapping[str, object] | None = None,
) -> tuple[CheckedProgram | None, tuple[Diagnostic, ...]]:
    """A checked program, or None when there are errors; and everything there is to say."""
    with paused_collection():
        modules = load_modules(file, data, path=path, name=name, read=read)
        return check_modules(modules, parameters or {})


@contextmanager
def paused_collection() -> Iterator[None]:
    """Trees have no cycles; looking for some in a growing heap costs a quarter of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def check_modules(
    modules: Modules, parameters: Mapping[str, object]
) -> tuple[CheckedProgram | None, tuple[Diagnostic, ...]]:
    work, values, diagnostics = check_work(modules, parameters)
    return (None if values is None else assemble(work, values)), diagnostics


def check_work(
    modules: Modules, parameters: Mapping[str, object], earlier: "Earlier | None" = None
) -> tuple[Work, dict[str, Constant] | None, tuple[Diagnostic, ...]]:
    """What was found out, the parameters' values unless there are errors, and what to say.

    `earlier` is what an earlier check of the program left, and takes what this one leaves.
    """
    work = Work(modules, diagnostics=list(modules.diagnostics))
    if earlier is not None:
        earlier.begin()
    for one in PASSES:
        if not isinstance(one, PassGroup):
            one(work)
        elif earlier is None:
            check_each(work, one)
        else:
            earlier.check_each(work, one)
    values = override_parameters(work, parameters)
    ordered = tuple(sorted(work.diagnostics, key=lambda diagnostic: diagnostic.sort_key))
    if any(diagnostic.severity is Severity.ERROR for diagnostic in ordered):
        return work, None, ordered
    return work, values, ordered
