"""A command in this process: what it says, and that it ends as documented."""

import contextlib
import io
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from phenesthe.cli.main import main

#: For what never ends, on however busy a machine.
_SECONDS = 200


@dataclass(frozen=True, slots=True)
class Done:
    code: int
    out: str
    err: str


class Endless(Exception):
    """A command that waits for what never comes."""


@contextlib.contextmanager
def _ending() -> Iterator[None]:
    def end(*_: object) -> None:
        raise Endless

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def run_here(*arguments: str | Path) -> Done:
    """Both streams are UTF-8, and take nothing that is not."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), _ending():
        try:
            code = main([str(one) for one in arguments])
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
        out.flush()
        err.flush()
    assert code in (0, 1, 2)
    said = [one.buffer.getvalue().decode() for one in (out, err)]
    return Done(code, *said)
