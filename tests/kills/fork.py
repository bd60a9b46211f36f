"""The command in a child of this process, which has everything loaded and so starts at once."""

import gc
import io
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import phenesthe
from tests.kills.hook import Hook, Way

PACKAGE = Path(phenesthe.__file__).parent
#: What a scene may need of others.
_OTHERS = (
    "pyarrow.acero", "pyarrow.csv", "pyarrow.dataset", "pyarrow.json", "pyarrow.parquet",
    "encodings.ascii",
)  # fmt: skip
#: Rooms and files of ours that no scene needs, and what they load is large.
_UNUSED = ("spark", "lsp", "doctor", "highlight")


@dataclass(frozen=True)
class Ended:
    code: int
    out: bytes
    err: str
    #: Calls that change the disk, as far as they were counted.
    calls: int


def load() -> None:
    # All of it: a command loads much only when it needs it, which each child would do again.
    for name in (*_list_modules(), *_OTHERS):
        import_module(name)
    # The grammar is read once, and what is there is not looked through again in every child.
    import_module("phenesthe.program").compile(text="input event e();\nevent f() : e();\n")
    gc.freeze()


def _list_modules() -> Iterator[str]:
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
        if not any(word in part for word in _UNUSED for part in parts) and "__" not in parts[-1]:
            yield ".".join(parts)


def run(
    folder: Path,
    arguments: Sequence[str],
    at: int | None = None,
    way: Way = "kill",
    log: Path | None = None,
) -> Ended:
    """Run the command in a folder, cut off at a call if one is named."""
    sys.stdout.flush()
    reading, writing = os.pipe()
    spools = [os.memfd_create(name) for name in ("out", "err")]
    child = os.fork()
    if not child:
        code = 99
        try:
            code = _work(folder, arguments, Hook(folder, at, way, log), spools, writing)
        finally:
            os._exit(code)
    os.close(writing)
    _, status = os.waitpid(child, 0)
    with open(reading, "rb") as pipe:
        told = pipe.read()
    texts = []
    for number in spools:
        with open(number, "rb") as file:
            file.seek(0)
            texts.append(file.read())
    code = os.waitstatus_to_exitcode(status)
    err = texts[1].decode(errors="replace")
    return Ended(code, texts[0], err, int(told or 0))


def _work(
    folder: Path, arguments: Sequence[str], hook: Hook, spools: Sequence[int], writing: int
) -> int:
    from phenesthe.cli.main import main

    os.chdir(folder)
    for number, spool in enumerate(spools, 1):
        os.dup2(spool, number)
    sys.stdout = _open_stream(1)
    sys.stderr = _open_stream(2)
    hook.install()
    code = main([*arguments])
    sys.stdout.flush()
    sys.stderr.flush()
    os.write(writing, str(hook.count).encode())
    return code


def _open_stream(number: int) -> Any:
    return io.TextIOWrapper(open(number, "wb", closefd=False), write_through=True)
