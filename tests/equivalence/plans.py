"""Programs chosen by how they are cut into stages; most random ones need one place for all."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import phenesthe
from phenesthe.check.program import CheckedProgram
from phenesthe.diagnostics.model import ProgramError
from phenesthe.plan.routes import Routes, cut_program, find_routes
from phenesthe.plan.stages import find_stages
from tests.equivalence.compare import Case
from tests.equivalence.overrides import choose_overrides, compile_with
from tests.equivalence.programs import write_program
from tests.equivalence.streams import make_stream
from tests.equivalence.tune import tune

_TRIES = 200


def list_routes(program: CheckedProgram) -> list[Routes]:
    return [find_routes(cut_program(program, stage), stage) for stage in find_stages(program)]


def has_pairs(program: CheckedProgram) -> bool:
    """Some rows go where another phenomenon has a key with their part of it."""
    return any(route.through for routes in list_routes(program) for route in routes.rows)


def has_owners(program: CheckedProgram) -> bool:
    """A fact that is needed everywhere also says who owns a key."""
    return any(routes.owners for routes in list_routes(program))


def has_routed_facts(program: CheckedProgram) -> bool:
    facts = {one.name for one in program.facts}
    return any(route.name in facts for routes in list_routes(program) for route in routes.rows)


def has_two_ways(program: CheckedProgram) -> bool:
    """The same rows are needed under two keys of one stage."""
    for routes in list_routes(program):
        names = [route.name for route in routes.rows]
        if len(names) > len(set(names)):
            return True
    return False


def has_keyed_stages(program: CheckedProgram) -> bool:
    return sum(not stage.is_global for stage in find_stages(program)) > 1


def has_global_after_keyed(program: CheckedProgram) -> bool:
    return any(stage.is_global and stage.exchanges for stage in find_stages(program))


WISHES: tuple[Callable[[CheckedProgram], bool], ...] = (
    has_pairs,
    has_owners,
    has_routed_facts,
    has_two_ways,
    has_keyed_stages,
    has_global_after_keyed,
)


def make_case(number: int) -> tuple[Case, CheckedProgram]:
    """A case by its number, which fulfils one of the wishes after the other."""
    random = Random(number)
    wish = WISHES[number % len(WISHES)]
    program: CheckedProgram | None = None
    text = ""
    for _ in range(_TRIES):
        text = write_program(random)
        try:
            program = phenesthe.compile(text=text).checked
        except ProgramError:
            continue
        if wish(program):
            break
    assert program is not None
    stream = replace(make_stream(random, text), params=choose_overrides(text, random))
    program = compile_with(text, stream.params).checked
    tuned = tune(text, program, stream, random)
    return Case(tuned, stream), compile_with(tuned, stream.params).checked
