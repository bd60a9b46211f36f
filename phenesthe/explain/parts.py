"""What all formats tell of a definition."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from phenesthe.check.program import Checked, CheckedMachine, CheckedProgram, Signature
from phenesthe.graph.scan import Scan
from phenesthe.plan.columns import bodies_of
from phenesthe.syntax.printer import print_formula, print_value
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import After, Exists, Repeat
from phenesthe.syntax.tree.walk import walk

_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a variable that is not in the head ends."""

    variable: str
    formula: str
    span: Span


def scopes(definition: Checked) -> Iterator[Scope]:
    """Each existential variable and the sub-formula it is closed in, as written.

    A long formula is cut: as many variables as it has may all be closed in it.
    """
    told: set[tuple[str, Span]] = set()
    texts: dict[Span, str] = {}
    for body in bodies_of(definition):
        for node in walk(body):
            if isinstance(node, Exists):
                names, span = node.variables, node.reach
            elif isinstance(node, Repeat):
                names, span = node.local, node.span
            else:
                continue
            for name in names:
                # Every alternative of an `or` or `union` tells of the whole.
                if (name, span) not in told:
                    told.add((name, span))
                    texts[span] = texts.get(span) or _shorten(span)
                    yield Scope(name, texts[span], span)


def _shorten(span: Span) -> str:
    text = " ".join(span.text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def list_transitions(machine: CheckedMachine) -> Iterator[tuple[str, str, str, str]]:
    """Of each the values it leads from and to, then its event or how long it waits."""
    for one in machine.transitions:
        source, target = (
            "_" if end is None else print_value(end) for end in (one.source, one.target)
        )
        if isinstance(one.when, After):
            yield source, target, "", print_value(one.when.duration)
        else:
            yield source, target, print_formula(one.when), ""


def shape(signature: Signature) -> str:
    arguments = zip(signature.arguments, signature.types, strict=True)
    return f"{signature.name}({', '.join(f'{name}: {type_}' for name, type_ in arguments)})"


def levels(program: CheckedProgram) -> dict[int, list[Checked]]:
    found: dict[int, list[Checked]] = {}
    for definition in program.definitions:
        found.setdefault(definition.signature.level, []).append(definition)
    return found


def print_key(arguments: tuple[str, ...], positions: tuple[int, ...]) -> str:
    return ", ".join(arguments[at] for at in positions)


def print_tests(scan: Scan) -> str:
    alternatives = [
        " and ".join(f"{test.column} {test.operator} {json.dumps(test.value)}" for test in tests)
        for tests in scan.alternatives
    ]
    return " or ".join(alternatives)
