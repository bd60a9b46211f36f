"""Programs of several files, without a disk."""

from collections.abc import Mapping
from pathlib import Path

from phenesthe.check import check
from phenesthe.check.program import Checked, CheckedDefinition, CheckedProgram
from phenesthe.diagnostics.model import Diagnostic
from phenesthe.syntax.tree import Formula

FOLDER = Path("/project")
INPUTS = """\
input event ais(vessel: int, speed: float);
input event ping(vessel: int);
input state in_port(vessel: int, port: str);
input dynamic convoy(leader: int, follower: int);
fact vessel_type(vessel: int, type: str);
"""


def check_files(
    main: str,
    files: Mapping[str, str] | None = None,
    *,
    parameters: Mapping[str, object] | None = None,
    path: tuple[str, ...] = (),
) -> tuple[CheckedProgram | None, tuple[Diagnostic, ...]]:
    """Check `main.phe` with other files, named relative to its folder, beside it."""
    known = {FOLDER / name: text.encode() for name, text in (files or {}).items()}
    return check(
        FOLDER / "main.phe",
        main.encode(),
        name="main.phe",
        path=tuple(FOLDER / place for place in path),
        read=known.get,
        parameters=parameters,
    )


def accept(
    main: str,
    files: Mapping[str, str] | None = None,
    *,
    parameters: Mapping[str, object] | None = None,
    path: tuple[str, ...] = (),
) -> CheckedProgram:
    program, diagnostics = check_files(main, files, parameters=parameters, path=path)
    assert program is not None, [f"{d.code} {d.message}" for d in diagnostics]
    return program


def reject(main: str, files: Mapping[str, str] | None = None) -> list[str]:
    """The codes of the errors, in their order."""
    program, diagnostics = check_files(main, files)
    assert program is None
    return [d.code for d in diagnostics if not d.code.startswith("W")]


def find(program: CheckedProgram, name: str) -> Checked:
    return next(d for d in program.definitions if d.signature.name == name)


def body(program: CheckedProgram, name: str) -> Formula:
    definition = find(program, name)
    assert isinstance(definition, CheckedDefinition)
    return definition.body
