"""Which files of tests a command means."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from phenesthe.check.modules import describe_missing_program, find_library_module
from phenesthe.disk.links import LOOP, is_loop

SUFFIX = ".test.jsonl"


class NotATest(Exception):
    """A path that names nothing that could be tested."""


def find_tests(paths: Iterable[str]) -> list[Path]:
    """Files of tests, each once. A path is such a file, a program, a module or a folder."""
    found: dict[str, Path] = {}
    for path in paths:
        for file in _look(path):
            found.setdefault(os.path.realpath(file), file)
    return list(found.values())


def name_program(file: Path) -> Path:
    return file.with_name(file.name.removesuffix(SUFFIX) + ".phe")


def name_tests(program: Path) -> Path:
    return program.with_name(program.stem + SUFFIX)


def _look(path: str) -> Iterator[Path]:
    given = Path(path)
    module = None if given.exists() else find_library_module(path)
    if given.is_dir():
        yield from _walk(given)
    elif path.endswith(SUFFIX):
        _require(given, f"there is no file `{given}`")
        yield given
    elif given.suffix == ".phe" or module is not None:
        program = module or given
        _require(program, f"there is no file `{program}`")
        tests = name_tests(program)
        _require(
            tests,
            f"`{program}` has no tests; they belong in `{tests}`, each after a line "
            '{"test": "what it shows"}',
        )
        yield tests
    elif given.exists():
        raise NotATest(f"`{given}` is neither a folder, a .phe file nor a {SUFFIX} file")
    else:
        raise FileNotFoundError(describe_missing_program(given))


def _walk(folder: Path) -> Iterator[Path]:
    """Hidden folders hold environments and repositories, not tests of the user."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(place, name) for name in sorted(files) if name.endswith(SUFFIX))


def _require(file: Path, message: str) -> None:
    if is_loop(file):
        raise FileNotFoundError(f"`{file}` is {LOOP}, not a file")
    if not file.is_file():
        raise FileNotFoundError(message)
